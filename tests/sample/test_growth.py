"""Threads of the sample forum grow and change when they are told to, and the truth with them."""

from datetime import UTC, datetime
from urllib.request import ProxyHandler, build_opener

import pytest

from thresher.sample import SampleWeb, Truth, serve

THREAD = 6  # of the Chinese board: one post, one page


@pytest.fixture(scope="module")
def web() -> SampleWeb:
    return SampleWeb(30, reference=datetime(2026, 11, 15, 12, 0, tzinfo=UTC))


def truth_of(web: SampleWeb, number: int) -> Truth:
    return [truth for truth in web.truth() if truth.site == "forum"][number - 1]


def test_posts_that_are_added_come_last_and_leave_the_others_as_they_were(web: SampleWeb) -> None:
    before, after = truth_of(web, THREAD), truth_of(web.grown({THREAD: 15}), THREAD)
    assert (len(before.posts), len(after.posts)) == (1, 16)
    assert after.posts[:1] == before.posts
    assert (len(before.pages), len(after.pages)) == (1, 2)
    assert {post.published for post in after.posts[1:]} == {web.plan.reference}
    assert len({post.text for post in after.posts}) == 16
    page = web.grown({THREAD: 15}).answer(after.pages[1]).body.decode("gbk")
    assert all(post.text.split("\n")[0] in page for post in after.posts[10:])


def test_growth_adds_up(web: SampleWeb) -> None:
    assert truth_of(web.grown({THREAD: 2}).grown({THREAD: 3}), THREAD) == truth_of(web.grown({THREAD: 5}), THREAD)


def test_a_post_that_is_edited_says_more(web: SampleWeb) -> None:
    before, after = truth_of(web, 1), truth_of(web.grown({}, [(1, 23)]), 1)
    assert after.posts[:22] == before.posts[:22]
    assert after.posts[22].text.startswith(before.posts[22].text + "\n")


def test_a_server_grows_while_it_serves(web: SampleWeb) -> None:
    fetch = build_opener(ProxyHandler({})).open
    with serve(web.grown({THREAD: 1})) as site:
        page = truth_of(site.web, THREAD).pages[0]
        with fetch(page) as reply:
            assert reply.read() == site.web.answer(page).body
        grown = site.grown({THREAD: 4})
        assert len(truth_of(grown.web, THREAD).posts) == 6
        with fetch(page) as reply:
            assert reply.read() == grown.web.answer(page).body != site.web.answer(page).body


def test_one_board_shows_the_first_post_on_every_page(web: SampleWeb) -> None:
    truth = truth_of(web, 4)
    for page in truth.pages:
        assert f'id="p{truth.posts[0].id}"' in web.answer(page).body.decode()
