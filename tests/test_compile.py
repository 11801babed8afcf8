"""What is compiled is what the sources say, is made once for all clones of a user, and can be left out."""

import fcntl
import importlib.util
import json
import shutil
import subprocess
import sys
from concurrent.futures import Future
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest

from thresher.extraction import compiled

ROOT = Path(__file__).parents[1]


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """`scripts/compile` with a cache of its own, standing in a small copy of the package."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    loader = SourceFileLoader("compile_script", str(ROOT / "scripts" / "compile"))
    spec = importlib.util.spec_from_loader("compile_script", loader)
    assert spec is not None
    made = importlib.util.module_from_spec(spec)
    loader.exec_module(made)
    clone = tmp_path / "clone"
    for name in ("forum/layout.pxd", "forum/layout.py", "forum/stamps.pxd", "forum/stamps.py", "_paths.pyx"):
        copy = clone / "src" / "thresher" / "extraction" / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / "src" / "thresher" / "extraction" / name, copy)
    monkeypatch.chdir(clone)
    return made


@pytest.fixture
def compilations(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the modules that were compiled, by a compiler that writes them down and does nothing else."""
    names: list[str] = []

    class Pool:
        def __init__(self, size: int) -> None:
            assert size >= 1

        def __enter__(self) -> "Pool":
            return self

        def __exit__(self, *error: object) -> None:
            pass

        def submit(self, work: object, name: str, source: Path | None, folder: Path) -> Future[Path]:
            names.append(name)
            folder.mkdir()
            made = folder / "made"
            made.write_text(f"{name} of {source and source.read_text('utf-8')}", "utf-8")
            job: Future[Path] = Future()
            job.set_result(made)
            return job

    monkeypatch.setattr(script, "ProcessPoolExecutor", Pool)
    return names


NAMES = {f"thresher.{name}" for name in ("_memoryviews", "extraction._paths")}
NAMES |= {f"thresher.extraction.forum.{name}" for name in ("layout", "stamps")}


def test_the_compiled_modules_of_this_checkout_are_those_of_its_sources() -> None:
    if len(compiled.interpreted_parts()) == len(compiled._PARTS):
        pytest.skip("nothing is compiled here")
    checked = subprocess.run(
        [sys.executable, "scripts/compile", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, f"run scripts/compile: {checked.stderr}"
    assert compiled.interpreted_parts() == [], "compiled, but not to be imported"


def test_everything_is_compiled_once_and_then_found(script: ModuleType, compilations: list[str]) -> None:
    assert script.main("") == 0
    assert set(compilations) == NAMES
    assert script.main("--check") == 0
    assert script.main("") == 0
    assert len(compilations) == len(NAMES)


def test_another_clone_takes_what_the_first_one_compiled(
    script: ModuleType, compilations: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script.main("")
    shutil.copytree("src", tmp_path / "other" / "src", ignore=shutil.ignore_patterns("*.so"))
    monkeypatch.chdir(tmp_path / "other")
    assert script.main("--check") == 1
    assert script.main("--at-once") == 0
    assert script.main("--check") == 0
    assert len(compilations) == len(NAMES)


@pytest.mark.parametrize(
    ("changed", "again"),
    [
        ("forum/stamps.py", {"stamps"}),
        ("forum/stamps.pxd", {"stamps"}),
        ("forum/layout.py", {"layout"}),
        ("forum/layout.pxd", {"layout", "stamps"}),  # whose declarations it asks for
        ("_paths.pyx", {"_paths"}),
    ],
)
def test_only_what_a_change_concerns_is_compiled_again(
    script: ModuleType, compilations: list[str], changed: str, again: set[str]
) -> None:
    script.main("")
    compilations.clear()
    source = Path("src/thresher/extraction", changed)
    source.write_text(source.read_text("utf-8") + "\n# changed\n", "utf-8")
    script.main("")
    assert {name.rpartition(".")[2] for name in compilations} == again


def test_without_a_filled_cache_nothing_stale_is_left_to_run(script: ModuleType, compilations: list[str]) -> None:
    script.main("")
    source = Path("src/thresher/extraction/forum/stamps.py")
    source.write_text(source.read_text("utf-8") + "\n# changed\n", "utf-8")
    compilations.clear()
    assert script.main("--at-once") == 0
    assert (compilations, script._compiled()) == ([], [])


def test_a_module_that_is_compiled_no_more_loses_its_compiled_one(script: ModuleType, compilations: list[str]) -> None:
    script.main("")
    Path("src/thresher/extraction/forum/stamps.pxd").unlink()
    assert script.main("--check") == 1
    script.main("")
    assert not script._target("thresher.extraction.forum.stamps").exists()
    assert script._target("thresher.extraction.forum.layout").exists()
    installed = json.loads(script.INSTALLED.read_text("utf-8"))
    assert set(installed) == NAMES - {"thresher.extraction.forum.stamps"}


def test_clean_leaves_the_sources_alone(script: ModuleType, compilations: list[str]) -> None:
    script.main("")
    script.main("--clean")
    assert script._compiled() == []
    assert Path("src/thresher/extraction/forum/stamps.py").exists()


def test_who_comes_second_waits_and_finds_everything_done(
    script: ModuleType, compilations: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = script.keys()
    script.CACHE.mkdir(parents=True)

    def other_ends(seconds: float) -> None:
        for key in wanted.values():
            script._cached(key).write_text("made by the other one", "utf-8")
        other.close()

    monkeypatch.setattr(script.time, "sleep", other_ends)
    with (script.CACHE / "lock").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        script.fill(wanted)
    assert compilations == []
    assert f"compiled 0 of {len(NAMES)}, by a compilation that is already under way" in capsys.readouterr().err
