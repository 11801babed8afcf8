"""Spark and Ray give the output of local processes to the last byte, also when a worker is killed in the middle.

They run in a network of their own that has loopback alone, so that neither can reach anything else.
"""

import gzip
import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.batch.archives import html

pytestmark = pytest.mark.long
ALONE = ["unshare", "--net", "--map-root-user", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]


@pytest.mark.parametrize("engine", ["spark", "ray"])
def test_an_engine_whose_worker_is_killed_gives_the_same_output(engine: str, tmp_path: Path) -> None:
    if find_spec("pyspark" if engine == "spark" else "ray") is None:
        pytest.skip(f"pip install 'thresher[{engine}]'")
    if subprocess.run([*ALONE, "true"], check=False, stderr=subprocess.DEVNULL).returncode:
        pytest.skip("this machine gives no network of its own")
    with gzip.open(tmp_path / "pages.jsonl.gz", "wt", encoding="utf-8") as stream:
        for number in range(40):
            record = {"id": f"{number}", "dataset": "made", "site": "a.example", "lang": "en", "text": "The ferry"}
            stream.write(json.dumps({**record, "html": html(number).decode()}) + "\n")
    bench = [sys.executable, "-m", "thresher", "bench", "batch", str(tmp_path), "--records", "40", "--files", "8"]
    runs = ["--peer-files", "0", "--run", "local-2+kill", "--run", f"{engine}+kill"]
    told = subprocess.run([*ALONE, *bench, *runs], capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    assert "All outputs are the same." in told.stdout
    assert told.stdout.count("| 40 |") == 2
