"""OPML lists of feed readers."""

from thresher.discovery.opml import Outline, read_opml, write_opml

LIST = b"""<?xml version="1.0" encoding="ISO-8859-1"?>
<opml version="1.1"><head><title>mine</title></head><body>
<outline text="News"><outline text="Local">
  <outline text="The Ferry &amp; Tide" type="rss" xmlUrl="https://ferry.example/feed" htmlUrl="https://ferry.example/"
           category="/islands,/boats" language="en"/></outline>
  <outline title="K\xfcste" text="x" xmlurl="kueste.example/rss?a=1&b=2"/></outline>
<outline text="a folder without anything"/>
<outline type="link" text="A page" url="https://page.example/"/>
</body></opml>"""


def test_entries_are_read_with_their_folders_and_categories() -> None:
    assert read_opml(LIST) == [
        Outline(
            "https://ferry.example/feed",
            "The Ferry & Tide",
            ("News", "Local", "islands", "boats"),
            "en",
            "https://ferry.example/",
        ),
        Outline("kueste.example/rss?a=1&b=2", "Küste", ("News",)),
        Outline("https://page.example/", "A page"),
    ]


def test_what_is_written_can_be_read_back() -> None:
    outlines = [
        Outline("https://a.example/f", 'Quotes " and <tags> & 降准', ("x", "y z"), "zh", "https://a.example/"),
        Outline("https://b.example/", "A site without a feed", page="https://b.example/"),
    ]
    assert read_opml(write_opml(outlines, "mine").encode()) == outlines


def test_what_is_no_opml_is_told_from_an_empty_list() -> None:
    assert read_opml(b"<opml><body/></opml>") == []
    for other in (b"", b"https://a.example/", b"<rss><channel/></rss>", b"\xff\xfe\x00", b"<html><body>x"):
        assert read_opml(other) is None


def test_an_entity_bomb_and_an_external_entity_expand_to_nothing() -> None:
    bomb = (
        b'<!DOCTYPE opml [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;">'
        b'<!ENTITY f SYSTEM "file:///etc/passwd">]><opml><body>'
        b'<outline text="&c;&c;&f;" xmlUrl="https://a.example/"/></body></opml>'
    )
    (outline,) = read_opml(bomb) or []
    assert outline.address == "https://a.example/"
    assert "aaaa" not in outline.title
    assert "root" not in outline.title


def test_deep_and_broken_lists_give_what_can_be_read() -> None:
    deep = b"<opml><body>" + b'<outline text="x">' * 2000 + b'<outline xmlUrl="https://a.example/"/>'
    assert len(read_opml(deep) or []) <= 1
    cut = LIST[: LIST.index(b"<outline title")]
    assert [outline.address for outline in read_opml(cut) or []] == ["https://ferry.example/feed"]
