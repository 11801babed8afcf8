"""A crawl with `render = "auto"` stores what a script puts into an empty page."""

import os
from pathlib import Path

from tests.commands import run
from tests.fetch.loopback import Site, answer
from tests.servers import chromium

SHELL = '<!doctype html><title>Ferry late</title><body><div id="app"></div><script src="/app.js"></script></body>'
SENTENCE = "The ferry to the islands was late again on Tuesday, and people stood in the rain for more than an hour. "
PARAGRAPHS = "".join(f"<p>Part {number}. {SENTENCE * 3}</p>" for number in range(4))
APP = (
    "document.title = 'The ferry is late once more';"
    f"document.getElementById('app').innerHTML = `<h1>The ferry is late once more</h1>{PARAGRAPHS}`;"
)


def test_an_article_that_a_script_writes_is_stored_and_marked(tmp_path: Path) -> None:
    chromium()
    script = answer(APP.encode(), content_type="text/javascript")
    with Site({"/story": answer(SHELL.encode()), "/app.js": script}) as site:
        environ = os.environ | {"THRESHER_ALLOWED_ADDRESSES": "127.0.0.1", "THRESHER_DELAY_S": "0"}
        plain = run("crawl", f"{site.origin}/story", "--data", "plain", cwd=tmp_path, environ=environ)
        assert "0 documents" in plain.stderr
        environ["THRESHER_RENDER"] = "auto"
        ended = run("crawl", f"{site.origin}/story", cwd=tmp_path, environ=environ)
        assert "1 document from 1 page" in ended.stderr, ended.stderr
        told = run("why", f"{site.origin}/story", cwd=tmp_path, environ=environ)
        assert "rendered" in told.stdout
        assert "The ferry is late once more" in told.stdout


def test_rendering_and_a_proxy_contradict_each_other(tmp_path: Path) -> None:
    environ = os.environ | {"THRESHER_RENDER": "auto", "THRESHER_PROXY": "http://127.0.0.1:9"}
    ended = run("crawl", "http://a.test/", cwd=tmp_path, environ=environ)
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert "render and proxy cannot be combined" in ended.stderr
