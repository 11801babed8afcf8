"""Agents: the SDK's own client over stdio and HTTP, with what a token allows and results of a bounded size."""

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from tests.web.browsers import PASSWORD
from tests.web.corpus import HARBOUR, THREAD, fill
from thresher import mcp, wiring
from thresher.api.corpus import Corpus
from thresher.catalog.accounts import Role, Scope
from thresher.config import Settings
from thresher.web.accounts import Gate
from thresher.web.corpora import Corpora, OpenCorpus

TOOLS = ["extract", "follow", "probe", "read", "search"]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings of a corpus with a few documents."""
    settings = Settings(data=str(tmp_path / "data"), delay_s=0)
    parts = wiring.open_corpus(settings, create=True)
    corpus = OpenCorpus(Corpus(parts), parts)
    fill(corpus)
    corpus.close()
    return settings


async def text(client: Client, tool: str, **arguments: Any) -> str:
    answer = await client.call_tool(tool, arguments)
    (content,) = answer.content
    assert not answer.is_error, content
    return str(getattr(content, "text", ""))


async def fault(client: Client, tool: str, **arguments: Any) -> str:
    answer = await client.call_tool(tool, arguments)
    assert answer.is_error, answer
    return str(getattr(answer.content[0], "text", ""))


def in_process(settings: Settings, work: Callable[[Client], Awaitable[None]], *, may_write: bool = False) -> None:
    async def run() -> None:
        async with mcp.local_api(settings, may_write=may_write) as api, Client(mcp.build(api)) as client:
            await work(client)

    asyncio.run(run())


def test_an_agent_searches_reads_and_extracts(settings: Settings) -> None:
    async def work(client: Client) -> None:
        assert sorted(tool.name for tool in (await client.list_tools()).tools) == TOOLS
        found = json.loads(await text(client, "search", query="harbour closed", limit=1))
        assert found["hits"][0]["url"] == HARBOUR
        assert set(found) >= {"total", "hits"}
        read = await text(client, "read", url=HARBOUR, length=100)
        assert "go on with start=100" in read
        assert "Harbour closed" in read
        assert "Not before Friday" in await text(client, "read", url=THREAD)
        page = "<title>The ferry</title><h1>The ferry</h1><p>" + "The ferry was late again on Tuesday. " * 9 + "</p>"
        assert "late again" in await text(client, "extract", html=page)

    in_process(settings, work)


def test_what_is_wrong_is_told_to_the_agent(settings: Settings) -> None:
    async def work(client: Client) -> None:
        assert "422" in await fault(client, "search", query="(")
        assert "404" in await fault(client, "read", url="https://nowhere.example/")
        assert "403" in await fault(client, "probe", url="https://news.example/")
        assert "403" in await fault(client, "follow", url="https://news.example/")
        assert "limit" in await fault(client, "search", query="a", limit=1_000)

    in_process(settings, work)


def test_who_may_write_is_still_kept_from_private_addresses(settings: Settings) -> None:
    async def work(client: Client) -> None:
        asked = {"probe": "http://169.254.169.254/latest/meta-data/", "follow": "http://[::ffff:127.0.0.1]/"}
        for tool, url in asked.items():
            assert "403" in await fault(client, tool, url=url), (tool, url)
        assert await fault(client, "probe", url="file:///etc/passwd")

    in_process(settings, work, may_write=True)


def test_results_are_bounded() -> None:
    many = [{"url": f"https://news.example/{number}", "text": "x" * 500} for number in range(1_000)]
    told = mcp.bounded({"total": 1_000}, "links", many)
    assert len(told) <= mcp.MAX_RESULT
    assert json.loads(told)["links_left_out"] + len(json.loads(told)["links"]) == 1_000
    assert len(mcp.bounded({"title": "x" * 100_000}, "links", [])) <= mcp.MAX_RESULT + len(" [cut]")
    assert mcp.part("abc" * 100, 0, 300) == "abc" * 100


def test_the_command_speaks_over_standard_input_and_output(settings: Settings) -> None:
    async def run() -> None:
        command = ["-m", "thresher", "--data", settings.data, "mcp"]
        async with Client(StdioServerParameters(command=sys.executable, args=command)) as client:
            assert "strangers" in (client.instructions or "")
            assert json.loads(await text(client, "search", query="harbour"))["total"] > 0
            assert "403" in await fault(client, "follow", url="https://news.example/")

    asyncio.run(run())


@contextmanager
def http_server(settings: Settings) -> Iterator[str]:
    command = [sys.executable, "-m", "thresher", "--data", settings.data, "mcp", "--http", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        try:
            told = next(line for line in process.stderr if "agents are served" in line)
            yield re.findall(r"http://\S+", told)[0]
        finally:
            process.terminate()


@asynccontextmanager
async def agent(address: str, token: str) -> AsyncIterator[Client]:
    headers = {"authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):
        yield client


def test_over_http_every_agent_may_do_what_its_token_may(settings: Settings) -> None:
    reads, writes = asyncio.run(_tokens(settings))

    async def run(address: str) -> None:
        async with httpx2.AsyncClient() as nobody:
            assert (await nobody.post(address, json={})).status_code == 401
            wrong = await nobody.post(address, json={}, headers={"authorization": "Bearer thr_nonsense"})
            assert wrong.status_code == 401
            rebound = {"authorization": f"Bearer {reads}", "host": "evil.example"}
            assert (await nobody.post(address, json={}, headers=rebound)).status_code in (403, 421)
        async with agent(address, reads) as client:
            assert json.loads(await text(client, "search", query="harbour"))["total"] > 0
            assert "403" in await fault(client, "follow", url="https://news.example/")
        async with agent(address, writes) as client:
            assert "422" in await fault(client, "follow", url="ftp://news.example/")

    with http_server(settings) as address:
        asyncio.run(run(address))


async def _tokens(settings: Settings) -> tuple[str, str]:
    corpora = Corpora(settings, threads=1)
    gate = Gate(corpora, passes=1)
    await gate.create("ann", PASSWORD, Role.ANALYST)
    made = [await gate.make_token("ann", str(scope), scope) for scope in (Scope.READ, Scope.WRITE)]
    corpora.close()
    return made[0], made[1]
