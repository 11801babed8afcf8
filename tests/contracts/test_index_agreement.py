"""Every index gives the same answers: queries made at random over texts made at random, next to the embedded index."""

import random
from contextlib import closing, suppress
from datetime import timedelta
from pathlib import Path

from tests.contracts.index_words import NOW, document
from thresher.errors import UsageError
from thresher.index.contract import Index
from thresher.index.query import parse
from thresher.index.sqlite import SqliteIndex
from thresher.model import Document, Kind
from thresher.sqlite import connect

LATIN = ["apple", "Äpfel", "apples", "bank", "banking", "co-op", "3.14", "e", "the", "café", "A股", "B2b"]
CHINESE = "央行今日宣布下调存款准备金率国际關係臺灣后来"
OTHERS = ["東京タワー", "ﾀﾜｰ", "한국어를", "ไม่มี", "Новый", "Ελλάδα"]
FACTS = ["lang:zh", "lang:en", "site:news.example", "site:*.example", "has:date", "has:author", "is:article"]
FACTS += ["date:10d", "date:2026-10", "seen:3d", "len:>60", "run:1", "run:2", "url:B", "source:wire", "source:none"]
FACTS += ["is:thread", "is:duplicate", "is:original", "author:doe", "title:apple", "body:银行", "title:央行"]
HOSTS = ["news.example", "www.news.example", "other.example", "x.com"]
QUERIES = 300


def piece(rng: random.Random) -> str:
    if rng.random() < 0.5:
        return rng.choice(LATIN)
    if rng.random() < 0.8:
        start = rng.randrange(len(CHINESE) - 1)
        return CHINESE[start : start + rng.randint(1, 5)]
    return rng.choice(OTHERS)


def text(rng: random.Random, most: int) -> str:
    signs = [" ", " ", "", "，", "。", "\n", "-"]
    return "".join(piece(rng) + rng.choice(signs) for _ in range(rng.randint(1, most)))


def made(rng: random.Random, number: int) -> Document:
    return document(
        f"https://{rng.choice(HOSTS)}/{rng.choice('aBc')}{number}",
        text(rng, 60),
        title=text(rng, 5),
        authors=rng.choice([(), ("Jane Doe",), ("张三", "Doe")]),
        language=rng.choice([None, "zh-cn", "en", "enx"]),
        published=NOW - timedelta(days=rng.randrange(40)) if rng.random() < 0.7 else None,
        kind=rng.choice([Kind.ARTICLE, Kind.THREAD]),
        sources=rng.choice([(), ("wire",), ("wire", "desk")]),
    )


def term(rng: random.Random, depth: int = 0) -> str:
    chance = rng.random()
    if chance < 0.15 and depth < 3:
        return f"({query(rng, depth + 1)})"
    if chance < 0.3:
        return rng.choice(FACTS)
    if chance < 0.4:
        return f'"{text(rng, 3)}x"'
    if chance < 0.5:
        return f"{rng.choice(LATIN)[:3]}*"
    if chance < 0.6:
        return f"{rng.choice(LATIN)} NEAR/{rng.randint(1, 9)} {piece(rng)}"
    return piece(rng)


def query(rng: random.Random, depth: int = 0) -> str:
    terms = [rng.choice(["", "", "", "-"]) + term(rng, depth) for _ in range(rng.randint(1, 3))]
    return rng.choice([" ", " ", " | "]).join(terms)


def readable(rng: random.Random) -> str:
    """Return a query that can be read: NEAR takes no single characters."""
    while True:
        asked = query(rng)
        with suppress(UsageError):
            parse(asked, NOW)
            return asked


def test_every_index_finds_the_same_documents(index: Index, tmp_path: Path) -> None:
    rng = random.Random(20)
    documents = [made(rng, number) for number in range(120)]
    documents += [document(f"https://copies.example/{number}", documents[number].text) for number in range(15)]
    with closing(connect(tmp_path / "reference.db")) as connection:
        reference = SqliteIndex(connection)
        for start in range(0, len(documents), 30):
            for each in (index, reference):
                each.add(documents[start : start + 30], NOW - timedelta(days=start // 30), run=start // 60)
        found = 0
        for _ in range(QUERIES):
            asked = readable(rng)
            parsed = parse(asked, NOW)
            expected = sorted(reference.urls(parsed))
            assert sorted(index.urls(parsed)) == expected, asked
            assert index.total(parsed) == reference.total(parsed), asked
            found += bool(expected)
        assert found > QUERIES / 3
