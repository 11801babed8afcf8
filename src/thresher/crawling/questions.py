"""Small questions about hostile bytes that a pool process answers: what a robots.txt says, whether a page is empty."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from thresher.crawling.pool import PageKilled, Pool
from thresher.errors import ExtractionError
from thresher.extraction.shells import shell_reason
from thresher.html import parse
from thresher.model import Page, RobotsRules
from thresher.model.robots import read_rules, rules_from_bytes


async def robots_rules(pool: Pool, body: bytes, name: str) -> RobotsRules | None:
    """Return the rules of a robots.txt for that name; None when it takes its reader down, or has too many."""
    try:
        return rules_from_bytes(await pool.ask(_request({"robots": name}, body)))
    except PageKilled:
        return None


async def shell_of(pool: Pool, page: Page) -> str:
    """Say why an HTML page is an empty shell (see extraction/shells.py); empty when it is none, or cannot be read."""
    try:
        return (await pool.ask(_request({"shell": page.url, "content_type": page.content_type}, page.body))).decode()
    except PageKilled:
        return ""


def answered(told: Mapping[str, Any], body: bytes) -> bytes | None:
    """Answer a question, in a pool process; None when it is none of ours."""
    if "robots" in told:
        rules = read_rules(body, told["robots"])
        return rules.to_bytes() if rules else b""
    if "shell" in told:
        page = Page(told["shell"], 200, body, datetime.now(UTC), {"content-type": told["content_type"]})
        return is_shell(page).encode()
    return None


def is_shell(page: Page) -> str:
    """Say why an HTML page is an empty shell; empty when it is none, or cannot be read."""
    try:
        return shell_reason(parse(page.body, url=page.url, content_type=page.content_type))
    except ExtractionError:
        return ""


def _request(told: Mapping[str, Any], body: bytes) -> bytes:
    return json.dumps(told).encode() + b"\n" + body
