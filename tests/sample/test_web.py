"""The sample web repeats itself exactly, knows its own truth, and stays small in memory."""

import hashlib
import random
import tracemalloc
from datetime import UTC, datetime, timedelta

import pytest
from lxml import html

from tests.costs import costing_at_most
from thresher.errors import UsageError
from thresher.model import Kind
from thresher.sample import SampleWeb, Truth
from thresher.sample.answer import Answer
from thresher.sample.boards import thread_path
from thresher.sample.clock import ago
from thresher.sample.editions import BLOG, EDITIONS, article_path, headline, series_of, url_of


@pytest.fixture(scope="module")
def web() -> SampleWeb:
    return SampleWeb(60)


@pytest.fixture(scope="module")
def truths(web: SampleWeb) -> list[Truth]:
    return list(web.truth())


def decoded(answer: Answer) -> str:
    """Decode a page by its Content-Type, or else by its meta element."""
    _, _, charset = answer.content_type.partition("charset=")
    if not charset:
        charset = answer.body.split(b"charset=")[1][:3].decode()
    return answer.body.decode(charset)


def words_of(page: str) -> str:
    """Return the visible text of a page with single spaces."""
    root = html.document_fromstring(page)
    for node in root.xpath("//script|//style|//title"):
        node.drop_tree()
    return " ".join(root.text_content().split())


def digest(web: SampleWeb) -> str:
    expected = web.expected_urls()
    told = sorted(expected.articles | expected.threads | expected.listings | expected.boards | expected.feeds)
    return hashlib.sha256(b"".join(web.answer(url).body for url in told)).hexdigest()


def test_the_same_seed_gives_the_same_web(web: SampleWeb) -> None:
    assert digest(SampleWeb(60)) == digest(web)


def test_another_seed_gives_another_web(web: SampleWeb) -> None:
    assert digest(SampleWeb(60, seed=2)) != digest(web)


def test_a_page_does_not_depend_on_what_was_asked_before(web: SampleWeb) -> None:
    told = sorted(web.expected_urls().articles)
    forwards = [web.answer(url).body for url in told]
    assert [web.answer(url).body for url in reversed(told)] == forwards[::-1]


def test_pages_counts_articles_and_threads() -> None:
    for pages in (10, 11, 60, 1234):
        expected = SampleWeb(pages).expected_urls()
        assert len(expected.articles) + len(expected.threads) == pages


@pytest.mark.parametrize("pages", [9, 0, -1, 100_001])
def test_sizes_out_of_bounds_are_refused(pages: int) -> None:
    with pytest.raises(UsageError, match="10 to 100,000"):
        SampleWeb(pages)


def test_a_reference_needs_a_time_zone() -> None:
    with pytest.raises(UsageError, match="time zone"):
        SampleWeb(reference=datetime(2025, 1, 1))


def test_the_truth_of_an_article_is_on_its_page(web: SampleWeb, truths: list[Truth]) -> None:
    for truth in truths:
        if truth.kind is Kind.ARTICLE:
            text = words_of(decoded(web.answer(truth.url)))
            assert truth.title in text
            assert truth.authors[0] in text
            missing = [line for line in truth.text.split("\n") if " ".join(line.split()) not in text]
            assert not missing, truth.url
            assert all(comment.text in text for comment in truth.comments)


def test_the_truth_of_a_thread_is_on_its_pages_once(web: SampleWeb, truths: list[Truth]) -> None:
    for truth in truths:
        if truth.kind is Kind.THREAD:
            pages = [words_of(decoded(web.answer(url))) for url in truth.pages]
            assert all(truth.title in page for page in pages)
            for post in truth.posts:
                page = pages[(post.position - 1) // 10]
                assert post.author
                assert post.author in page
                assert all(line in page for line in post.text.split("\n"))
                assert all(quote in page for quote in post.quotes)
                markup = decoded(web.answer(truth.pages[(post.position - 1) // 10]))
                assert any(f'{name}="{(post.permalink or "").split("#")[1]}"' in markup for name in ("id", "name"))


def test_posts_are_in_order_of_position_and_time(truths: list[Truth]) -> None:
    threads = [truth for truth in truths if truth.kind is Kind.THREAD]
    for truth in threads:
        assert [post.position for post in truth.posts] == list(range(1, len(truth.posts) + 1))
        moments = [post.published for post in truth.posts if post.published]
        assert moments == sorted(moments)
        assert len({post.id for post in truth.posts}) == len(truth.posts)
    assert {len(truth.pages) > 1 for truth in threads} == {True, False}
    assert any(len(truth.posts) == 1 for truth in threads)


def test_every_board_has_its_own_markup_and_a_thread_of_several_pages(truths: list[Truth]) -> None:
    long_ones = {truth.skin for truth in truths if truth.kind is Kind.THREAD and len(truth.pages) > 1}
    assert long_ones == {"classic", "discuz", "modern", "flat"}


def test_one_board_shows_relative_times_only(web: SampleWeb, truths: list[Truth]) -> None:
    truth = next(truth for truth in truths if truth.skin == "modern" and len(truth.posts) > 1)
    page = decoded(web.answer(truth.url))
    assert "ago</span>" in page
    assert "datetime=" not in page
    assert str(truth.published.year) not in words_of(page)
    for post in truth.posts[:10]:
        assert post.published
        told, meant = ago(post.published, web.plan.reference)
        assert meant == post.published
        assert told in page


def test_titles_are_unique(truths: list[Truth]) -> None:
    assert len({truth.title for truth in truths}) == len(truths) == 60


def test_dates_lie_within_two_years_before_the_reference() -> None:
    reference = datetime(2020, 6, 1, 12, tzinfo=UTC)
    for truth in SampleWeb(40, reference=reference).truth():
        assert reference - timedelta(days=731) <= truth.published <= reference
        times = [post.published for post in truth.posts + truth.comments if post.published]
        assert all(truth.published <= moment <= reference for moment in times)


def test_lengths_vary(truths: list[Truth]) -> None:
    articles = [truth for truth in truths if truth.kind is Kind.ARTICLE]
    english = sorted(len(truth.text.split()) for truth in articles if truth.language == "en")
    chinese = sorted(len(truth.text) for truth in articles if truth.language == "zh")
    assert english[0] >= 120
    assert english[-1] <= 1500
    assert english[-1] > 4 * english[0]
    assert chinese[0] >= 200
    assert chinese[-1] <= 2500
    assert chinese[-1] > 4 * chinese[0]


def test_recurring_words_give_several_hits(truths: list[Truth]) -> None:
    for word in ("harbour", "降准", "准备金"):
        assert sum(word in truth.text for truth in truths) >= 2
    middle = [line for truth in truths for line in truth.text.split("\n") if "降准" in line[1:-1]]
    assert len(middle) >= 2


def test_chinese_pages_are_gbk_and_some_say_so_in_their_meta_element_alone(web: SampleWeb, truths: list[Truth]) -> None:
    answers = [web.answer(truth.url) for truth in truths if truth.skin == "chinese"]
    assert {answer.content_type for answer in answers} == {"text/html", "text/html; charset=gbk"}
    for answer in answers:
        assert "港城新闻网" in answer.body.decode("gbk")
        with pytest.raises(UnicodeDecodeError):
            answer.body.decode("utf-8")


def test_news_pages_are_as_large_as_real_ones(web: SampleWeb, truths: list[Truth]) -> None:
    for truth in truths:
        if truth.site == "news":
            assert 15_000 <= len(web.answer(truth.url).body) <= 40_000


def test_noise_is_on_the_page_but_not_in_the_truth(web: SampleWeb, truths: list[Truth]) -> None:
    noise = {"english": "We value your privacy", "chinese": "版权声明", "blog": "Leave a Reply"}
    for truth in truths:
        if truth.kind is Kind.ARTICLE:
            assert noise[truth.skin] in decoded(web.answer(truth.url))
            assert noise[truth.skin] not in truth.text


def test_quotes_and_signatures_are_not_a_posts_own_words(truths: list[Truth]) -> None:
    posts = [post for truth in truths for post in truth.posts]
    quoting = [post for post in posts if post.quotes]
    assert len(quoting) >= 5
    assert all(quote not in post.text for post in quoting for quote in post.quotes)
    assert {post.reply_to is None for post in quoting} == {True, False}


def test_the_largest_web_begins_at_once_and_serves_any_page() -> None:
    with costing_at_most(1):
        web = SampleWeb(100_000)
        rng = random.Random(5)
        for edition in EDITIONS:
            number = rng.randint(1, series_of(web.plan, edition).count)
            assert web.answer(url_of(web.plan, edition, article_path(web.plan, edition, number))).status == 200
        assert web.answer(web.origins.forum + thread_path(web.plan, 29_999)).status == 200


def test_the_largest_web_needs_little_memory() -> None:
    web = SampleWeb(100_000)
    web.answer(web.starts[0])
    tracemalloc.start()
    for number in range(1, 20_000, 200):
        web.answer(url_of(web.plan, BLOG, article_path(web.plan, BLOG, number)))
    peak_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak_bytes < 10_000_000


def test_titles_stay_unique_in_the_largest_web() -> None:
    plan = SampleWeb(100_000).plan
    for edition in EDITIONS:
        count = series_of(plan, edition).count
        assert len({headline(plan, edition, number) for number in range(1, count + 1)}) == count


def test_a_large_site_has_an_index_of_sitemaps() -> None:
    web = SampleWeb(5000)
    expected = web.expected_urls()
    index = web.answer(f"{web.origins.news}/sitemap.xml").body
    assert b"<sitemapindex" in index
    listed = b"".join(web.answer(url).body for url in expected.sitemaps)
    articles = {url for url in expected.articles if url.startswith(web.origins.news)}
    assert all(f"<loc>{url}</loc>".encode() in listed for url in articles)


def test_feeds_carry_the_newest_articles(web: SampleWeb, truths: list[Truth]) -> None:
    for path, skin in (("/feed.xml", "english"), ("/cn/rss.xml", "chinese")):
        newest = max((truth for truth in truths if truth.skin == skin), key=lambda truth: truth.published)
        assert f"<link>{newest.url}</link>" in web.answer(web.origins.news + path).body.decode()
    newest = max((truth for truth in truths if truth.skin == "blog"), key=lambda truth: truth.published)
    assert f"href='{newest.url}'" in web.answer(f"{web.origins.blog}/feed/atom/").body.decode()


@pytest.mark.parametrize(
    ("delay_s", "line"), [(0.2, "Crawl-delay: 0.2"), (None, None), (0, None), (3.0, "Crawl-delay: 3")]
)
def test_one_site_asks_for_a_delay(delay_s: float | None, line: str | None) -> None:
    web = SampleWeb(10, crawl_delay_s=delay_s)
    told = [web.answer(f"{origin}/robots.txt").body.decode() for origin in web.origins]
    assert all("Disallow: /private/" in robots for robots in told)
    assert ["Crawl-delay" in robots for robots in told] == [False, line is not None, False]
    assert line is None or line in told[1].splitlines()


def test_unknown_addresses_are_not_found(web: SampleWeb) -> None:
    article = next(iter(web.expected_urls().articles))
    for url in (
        article[:-1],
        f"{web.origins.news}/world/page/999/",
        f"{web.origins.forum}/topic/4/?p=99",
        "http://x.example/",
    ):
        assert web.answer(url).status == 404
