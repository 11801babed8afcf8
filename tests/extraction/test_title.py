"""The title is what <title> and <h1> share, with the page's other words on it as witnesses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.extraction.blocks import cut
from thresher.extraction.fields import title
from thresher.extraction.fields.clues import gather
from thresher.extraction.fields.meta import find_site_name
from thresher.extraction.fields.title import common_part, find_title, without_site
from thresher.html import parse


def title_of(html: str, site_name: str | None = None, url: str | None = None) -> str | None:
    tree = parse(html, url=url)
    found = find_title(tree, gather(tree), site_name, cut(tree.body, bare=True))
    return found.value if found else None


def source_of(html: str) -> str:
    tree = parse(html)
    found = find_title(tree, gather(tree), None)
    assert found is not None
    return found.evidence.source


def test_the_site_and_keywords_in_title_are_filtered_by_h1() -> None:
    html = "<title>专家：“建十个超大城市”是误解|某某|超大城市_新浪新闻</title><h1>专家：“建十个超大城市”是误解</h1>"
    assert title_of(html) == "专家：“建十个超大城市”是误解"
    assert source_of(html) == "title ∩ h1"


def test_a_common_part_under_five_characters_gives_title() -> None:
    assert title_of("<title>A day at sea</title><h1>Menu</h1>") == "A day at sea"
    assert title_of("<title>今天天气</title><h1>天气新闻</h1>") == "今天天气"


def test_without_title_h1_is_taken() -> None:
    assert title_of("<h1> The <b>only</b>\n heading </h1>") == "The only heading"


def test_without_both_the_headline_given_elsewhere_is_taken() -> None:
    assert title_of('<meta property="og:title" content="Only here">') == "Only here"


def test_a_page_without_any_has_no_title() -> None:
    assert title_of("<p>text") is None


def test_the_best_of_several_h1_is_taken() -> None:
    html = "<title>Ferry runs again - Daily Grain</title><h1>Daily Grain</h1><h1>Ferry runs again</h1>"
    assert title_of(html) == "Ferry runs again"


def test_an_h1_that_the_page_gives_as_headline_is_taken_whole() -> None:
    html = (
        "<title>Ferry runs again after storm | Grain</title><h1>Ferry runs again after a week of storm</h1>"
        '<meta property="og:title" content="Ferry runs again after a week of storm">'
    )
    assert title_of(html) == "Ferry runs again after a week of storm"
    assert source_of(html) == "h1 = meta og:title"


def test_json_ld_is_asked_where_title_and_h1_share_little() -> None:
    html = (
        "<title>Grain: the ferry that came back from the sea</title><h1>Grain: the</h1>"
        '<script type="application/ld+json">{"@type": "NewsArticle", "headline": "The ferry that came back"}</script>'
    )
    assert title_of(
        html.replace("<h1>Grain: the</h1>", "<h1>Now the sea is calm and people are at the shore</h1>")
    ) == ("The ferry that came back")


def test_words_are_not_cut_through() -> None:
    assert common_part("The football results", "All football resulting") == "football"
    assert common_part("天气预报说明天下雨", "天气预报说后天下雪") == "天气预报说"


def test_case_is_ignored() -> None:
    assert common_part("FERRY RUNS AGAIN", "Ferry runs again - Grain") == "FERRY RUNS AGAIN"


@pytest.mark.parametrize(
    ("title", "bare"),
    [
        ("Ferry runs - Daily Grain", "Ferry runs"),
        ("Daily Grain | Ferry runs", "Ferry runs"),
        ("Well-known ferry", "Well-known ferry"),
        ("Ferry – the second – Daily Grain", "Ferry – the second"),
    ],
)
def test_the_site_name_is_cut_off(title: str, bare: str) -> None:
    assert without_site(title, {"dailygrain"}) == bare


def test_the_title_of_a_picture_is_not_the_page_title() -> None:
    assert title_of("<body><svg><title>Icon</title></svg><h1>The ferry runs</h1>") == "The ferry runs"


def test_white_space_is_squeezed() -> None:
    assert title_of("<title>\n  The \t ferry\u200b runs\xa0 </title>") == "The ferry runs"


def test_an_h1_that_title_shortens_or_rewords_is_taken_whole() -> None:
    assert title_of("<title>The ferry runs | Grain</title><h1>The ferry runs: what to know</h1>") == (
        "The ferry runs: what to know"
    )
    assert title_of("<title>Musk's ferry runs - Grain</title><h1>Musk’s ferry runs</h1>") == "Musk’s ferry runs"


def test_a_kicker_in_h1_is_left_out_where_the_page_tells_the_headline() -> None:
    html = '<meta property="og:title" content="The ferry runs again"><h1><span>Harbour</span> The ferry runs again</h1>'
    assert title_of("<title>x</title>" + html) == "The ferry runs again"


@pytest.mark.parametrize(
    "html",
    [
        "<title>The ferry runs again • Ann Miller</title><h1>Ann Miller</h1>",
        "<title>Ann Miller: The ferry runs again</title><h1>Ann Miller</h1>"
        "<meta property=og:title content='The ferry runs again'>",
        "<title>The ferry runs again | All about grain and ferries</title><h1>All about grain and ferries</h1>",
    ],
)
def test_an_h1_that_is_the_name_of_the_site_is_not_the_title(html: str) -> None:
    assert title_of(html + "<h2>The ferry runs again</h2>") == "The ferry runs again"


def test_json_ld_has_the_headline_where_h1_only_repeats_title() -> None:
    script = '{"@type": "NewsArticle", "headline": "Islanders cheer as ships come back"}'
    html = f"<title>Ferry runs</title><script type='application/ld+json'>{script}</script><h1>Ferry runs</h1>"
    assert title_of(html) == "Islanders cheer as ships come back"


def test_the_domain_names_the_site() -> None:
    html = "<title>The ferry runs | DailyGrain.com | News and more</title>"
    assert title_of(html, url="http://www.dailygrain.com/a") == "The ferry runs"


def test_a_block_that_shows_a_part_of_title_tells_where_it_ends() -> None:
    assert title_of("<title>The ferry runs | Unknown</title><div>The ferry runs</div>") == "The ferry runs"


@given(st.text(alphabet="ab中文 \t|_-–—:~»·•", max_size=20))
def test_segments_are_found_at_their_marks_as_anywhere(text: str) -> None:
    assert [each.span() for each in title._borders(text)] == [each.span() for each in title._SEGMENT.finditer(text)]


@pytest.mark.parametrize(
    ("title", "headline"),
    [
        ("Lighthouse in the snow « Small views", "Lighthouse in the snow"),
        ("Le « grand » débat - Le Journal", "Le « grand » débat"),
    ],
)
def test_an_open_quotation_mark_parts_a_title_and_a_closed_one_quotes(title: str, headline: str) -> None:
    text = "<p>Some text of the page is here, and it goes on for a while.</p>" * 5
    page = f"<html><head><title>{title}</title></head><body><h3>{headline}</h3>{text}</body></html>"
    found = find_title(parse(page), gather(parse(page)), None, cut(parse(page).body))
    assert found
    assert found.value == headline


def test_the_name_of_a_post_below_that_of_its_blog_is_the_title() -> None:
    page = "<title>Harbour Notes: {0}</title><h1>Harbour Notes</h1><h3>{0}</h3><h3>Other things of the week</h3>"
    assert title_of(page.format("Why the old crane was kept")) == "Why the old crane was kept"
    assert title_of("<title>Harbour Notes: a diary</title><h1>Harbour Notes</h1><h3>Monday</h3>") == "Harbour Notes"
    told = '<meta property="og:title" content="Harbour Notes">'
    assert title_of(told + page.format("Why the old crane was kept")) == "Harbour Notes"


OG = '<meta property="og:title" content="{}">'
SITE = '<meta property="og:site_name" content="TZ">'
WEBSITE = '<script type="application/ld+json">{"@type": "WebSite", "name": "TZ"}</script>'


@pytest.mark.parametrize(
    "html",
    [
        f"<title>Ferry runs again - TZ</title>{OG.format('TZ')}{SITE}<h1>Ferry runs again</h1>",
        f"<title>Ferry runs again - TZ</title>{OG.format('TZ')}{SITE}<h1>TZ</h1><h2>Ferry runs again</h2>",
        f"<title>Ferry runs again - TZ</title>{OG.format('TZ')}{WEBSITE}<h1>TZ</h1><p>Ferry runs again</p>",
        f"<title>Ferry runs again | TZ</title>{OG.format('TZ')}<h1>Ferry runs again</h1>",
        f"<title>Ferry runs again | TZ</title>{OG.format('TZ')}<h1>TZ</h1><h2>Ferry runs again</h2>",
        f"<title>TZ</title>{OG.format('TZ')}{SITE}<h1>TZ</h1><h1>Ferry runs again</h1>",
        f"<title>Ferry runs again | TZ</title>{OG.format('TZ')}{SITE}",
    ],
)
def test_a_headline_that_is_the_name_of_the_site_is_no_title(html: str) -> None:
    tree = parse(html)
    clues = gather(tree)
    site_name = find_site_name(clues)
    found = find_title(tree, clues, site_name.value if site_name else None, cut(tree.body, bare=True))
    assert found is not None
    assert found.value == "Ferry runs again"


def test_the_name_of_the_domain_is_no_title_where_a_heading_shows_the_rest() -> None:
    html = f"<title>Harbourpost: Ferry runs again</title>{OG.format('Harbourpost')}<h1>Ferry runs again</h1>"
    assert title_of(html, url="https://www.harbourpost.example/a") == "Ferry runs again"


def test_a_headline_stays_where_the_other_part_of_title_is_the_site() -> None:
    html = f"<title>Ferry runs again | Daily Grain</title>{OG.format('Ferry runs again')}<h1>Daily Grain</h1>"
    assert title_of(html) == "Ferry runs again"


def test_the_name_of_the_site_stays_where_the_page_has_no_other_title() -> None:
    assert title_of(f"<title>TZ</title>{OG.format('TZ')}", "TZ") == "TZ"
    assert title_of(f"<title>TZ</title>{OG.format('TZ')}<h1>Menu</h1>", "TZ") == "TZ"


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        (
            "<title>关于我们 – The Wet Quay</title><p><a href='/' rel=home>The Wet Quay</a></p><h1>关于我们</h1>",
            "关于我们",
        ),
        ("<title>About – The Wet Quay</title><a href='https://quay.example/'>The Wet Quay</a><h1>About</h1>", "About"),
        ("<title>The Wet Quay | Eels</title><h1><a href='/'>The Wet Quay</a></h1><h2>Eels</h2><p>Eels swim.", "Eels"),
        ("<title>Eels | The Wet Quay</title><h1><a href='/'>The Wet Quay</a></h1><p>Eels swim.", "Eels"),
        ("<title>Eels | The Wet Quay</title><a href='/'><img alt='The Wet Quay'></a><h1>Eels</h1>", "Eels"),
        (
            "<title>fish:7 [The Wet Quay]</title><h1><a href='/show?id=start'>The Wet Quay</a></h1>"
            "<h1>7 eels for a dry week</h1><p>Eels swim.",
            "7 eels for a dry week",
        ),
    ],
)
def test_the_name_of_the_site_is_what_the_link_to_its_front_page_shows(html: str, wanted: str) -> None:
    assert title_of(html, url="https://quay.example/fish/7") == wanted


def test_what_a_link_to_the_front_page_shows_is_cut_off_at_a_border_only() -> None:
    html = "<title>{0}</title><a href='/'>Quay</a><h1>{0}</h1>"
    for whole in ("Quay: a new crane", "A walk to the Quay", "Quay workers strike", "Quay-side inn opens again"):
        assert title_of(html.format(whole), url="https://x.example/a") == whole


def test_a_linked_headline_stays_the_title() -> None:
    html = "<title>Eels swim again | Quay</title><h1>Quay</h1><h1><a href='/fish/7'>Eels swim again</a></h1>"
    assert title_of(html, url="https://x.example/fish/7") == "Eels swim again"
