"""The bill of materials of the environment that the tests run in."""

import json
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

SBOM = Path(__file__).parents[2] / "deploy" / "sbom"


def told(*words: str) -> str:
    """Run it as in a container, where it comes by standard input."""
    with SBOM.open() as program:
        command = [sys.executable, "-", *words]
        return subprocess.run(command, stdin=program, check=True, capture_output=True, text=True).stdout


def test_the_bill_of_materials_names_what_is_installed_and_what_needs_what() -> None:
    bill = json.loads(told())
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")
    own = bill["metadata"]["component"]
    parts = {part["bom-ref"]: part for part in bill["components"]}
    assert len(parts) == len(bill["components"])
    scrapy = f"pkg:pypi/scrapy@{version('scrapy')}"
    assert parts[scrapy]["licenses"]
    needs = {each["ref"]: each["dependsOn"] for each in bill["dependencies"]}
    assert {*needs} == {*parts, own["bom-ref"]}
    assert {one for each in needs.values() for one in each} <= {*needs}
    assert scrapy in needs[own["bom-ref"]]


def test_a_list_for_pip_audit_pins_every_library() -> None:
    lines = told("--requirements").splitlines()
    assert f"lxml=={version('lxml')}" in lines
    assert all(line.count("==") == 1 for line in lines)
    assert not any(line.startswith("thresher==") for line in lines)


def test_the_commands_that_are_told_give_the_program_to_the_container() -> None:
    """Without -i a container reads nothing, and an empty list of libraries has no vulnerability."""
    told = SBOM.read_text("utf-8") + (SBOM.parents[1] / "docs" / "security.md").read_text("utf-8")
    commands = [words for words in re.findall(r"docker run [^<`]*", told) if words.endswith(("- ", "--requirements "))]
    assert len(commands) == 3
    assert all(" -i " in words for words in commands)
