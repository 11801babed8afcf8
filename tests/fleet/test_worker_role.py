"""The role of PostgreSQL for workers: it can crawl and follow sources, and sees no account."""

import subprocess
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.servers import Server, new_database
from thresher import wiring
from thresher.config import Settings
from thresher.crawling.corpus import Corpus
from thresher.errors import BackendError
from thresher.lab.servers import postgresql_path

ROLE = Path(__file__).parents[2] / "deploy" / "postgresql" / "worker-role.sql"


def opened(folder: Path, store: str) -> Corpus:
    return wiring.open_corpus(Settings(data=str(folder), store=store))


def test_a_worker_crawls_with_a_role_that_sees_no_account(postgres_process: Server, tmp_path: Path) -> None:
    url = new_database(postgres_process, "worker_role")
    with closing(opened(tmp_path, url)) as corpus:
        corpus.catalog().sources()
        corpus.alerts()
        corpus.index.count()
    wiring.open_accounts(Settings(data=str(tmp_path), store=url)).close()
    psql = Path(postgresql_path() or "").with_name("psql")
    for _ in range(2):
        subprocess.run(
            [psql, "-q", "-d", url, "-v", "password=secret", "-f", ROLE], check=True, stdout=subprocess.DEVNULL
        )
    own = url.replace("thresher@", "worker:secret@")
    with closing(opened(tmp_path, own)) as corpus:
        run = corpus.store.start_run(["https://a.example/"], {}, datetime.now(UTC))
        assert [each.id for each in corpus.store.runs()] == [run.id]
        assert corpus.catalog().sources() == []
        assert corpus.index.count() == 0
    with pytest.raises(BackendError, match="permission denied"):
        wiring.open_accounts(Settings(data=str(tmp_path), store=own)).users()
