"""Both servers of a fleet are lost in the middle of a crawl; what was saved comes back, and the crawl goes on."""

import shutil
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.crawl.fleet import Fleet, told, until
from tests.servers import Server, postgres_server, redis_server
from thresher import wiring
from thresher.frontier.server import Server as Client
from thresher.lab.servers import new_database, postgresql_path
from thresher.sample import SampleWeb, serve


def tool(name: str) -> str:
    return str(Path(postgresql_path() or "").with_name(name))


def saved_redis(server: Server, to: Path) -> None:
    """Copy what Redis knows at one moment, while it works."""
    with closing(Client(server.url)) as client:
        before = client.call("LASTSAVE")
        time.sleep(1.1)  # that moment is told in whole seconds
        client.call("BGSAVE")
        until(lambda: client.call("LASTSAVE") != before)
    shutil.copyfile(server.folder / "dump.rdb", to)


def restored_redis(server: Server, saved: Path) -> None:
    """Let an empty server, which keeps no log yet, begin with what was saved; then it keeps one."""
    server.kill()
    shutil.copyfile(saved, server.folder / "dump.rdb")
    server.start()
    with closing(Client(server.url)) as client:
        client.call("CONFIG", "SET", "appendonly", "yes")


def documents(fleet: Fleet) -> int:
    corpus = wiring.open_corpus(fleet.settings())
    try:
        return len(list(corpus.store.documents()))
    finally:
        corpus.close()


@pytest.mark.long
def test_a_crawl_goes_on_from_what_was_saved_and_in_the_end_nothing_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept_queue, kept_store = tmp_path / "queue.rdb", tmp_path / "store.dump"
    with serve(SampleWeb(pages=60, crawl_delay_s=None)) as site:
        with redis_server() as queue, postgres_server() as store:
            fleet = Fleet(tmp_path / "first", queue.url, new_database(store, "corpus"))
            fleet.run("crawl", *site.starts, "--delay", "0.05", "--enqueue")
            worker = fleet.start("worker", "run", "--until-done")
            until(lambda: documents(fleet) >= 10)
            saved_redis(queue, kept_queue)  # first: what it forgets is asked again, what the store forgets is lost
            subprocess.run([tool("pg_dump"), "-Fc", "-f", kept_store, fleet.store], check=True)
            in_backup = documents(fleet)
            until(lambda: documents(fleet) >= in_backup + 8)
            for server in (queue, store):
                server.kill()
            worker.kill()
            worker.wait()
        began = time.monotonic()
        with redis_server("--appendonly", "no") as queue, postgres_server() as store:
            again = Fleet(tmp_path / "second", queue.url, new_database(store, "corpus"))
            restored_redis(queue, kept_queue)
            subprocess.run([tool("pg_restore"), "--no-owner", "-d", again.store, kept_store], check=True)
            found = documents(again)
            worker = again.start("worker", "run", "--until-done")
            until(lambda: documents(again) > found)
            back_s = time.monotonic() - began
            code, said = told(worker)
            assert code == 0, said
            report = again.report()
            documents_again = again.documents()
        calm = Fleet(tmp_path / "calm", "", "")
        calm.run("crawl", *site.starts, "--delay", "0", "--progress", "none")
        expected = calm.documents()
    assert report.census.pending == report.census.leased == 0
    assert sorted(text for _, _, text in documents_again) == sorted(text for _, _, text in expected)
    assert len({url for url, _, _ in documents_again}) == len(documents_again)
    with capsys.disabled():
        print(
            f"\nin the backup {found} documents; back at work after {back_s:.1f} s; in the end {len(documents_again)}"
        )
