"""What every store promises (store/contract.py) of pages, documents, fates, runs and robots."""

from dataclasses import replace
from datetime import timedelta

from tests.contracts.store_words import NOW, URL, document, fate, full_document, page, post
from thresher import urls
from thresher.model import Kind, Link, Robots, RunState
from thresher.store.contract import Followed, KindCount, Known, Record, Store


def test_what_is_saved_comes_back_whole(store: Store) -> None:
    headers = {"content-type": "text/html", "etag": '"1"', "last-modified": "yesterday", "x": "é"}
    raw = page(body="<p>中文</p>".encode("gbk"), headers=headers, elapsed_s=0.5, address="127.0.0.1", crawl_delay_s=2.0)
    links = (Link("https://example.com/b", 1, "page", URL, 5), Link("https://example.com/c", hops=2))
    store.save(Record(fate(detail="d", status=200, found_on="https://example.com/"), raw, full_document(), links))
    assert store.page(URL) == raw
    assert store.document(URL) == full_document()
    assert store.outlinks(URL) == links
    assert store.fates(URL) == [fate(detail="d", status=200, found_on="https://example.com/")]
    assert store.known([URL]) == {URL: Known("article", '"1"', "yesterday", 1)}


def test_a_zone_that_the_page_gave_is_kept(store: Store) -> None:
    store.save(Record(fate(), page(), full_document()))
    found = store.document(URL)
    assert found
    assert found.published
    assert found.published.utcoffset() == timedelta(hours=8)


def test_nothing_is_known_of_a_new_url(store: Store) -> None:
    assert store.page(URL) is None
    assert store.document(URL) is None
    assert store.outlinks(URL) == ()
    assert store.fates(URL) == []
    assert store.known([URL]) == {}
    assert store.known([]) == {}


def test_saving_twice_leaves_one(store: Store) -> None:
    for _ in range(2):
        store.save(Record(fate(), page(), full_document(), (Link("https://example.com/b"),)))
    assert list(store.documents()) == [full_document()]
    assert len(store.fates(URL)) == 1
    assert store.tally(1) == {("stored", "stored"): 1}


def test_a_later_version_replaces_an_earlier_one(store: Store) -> None:
    store.save(Record(fate(), page(), full_document(), (Link("https://example.com/b"),)))
    store.save(Record(fate(run=2), page(body=b"new"), document(title="New"), ()))
    assert store.document(URL) == document(title="New")
    newer = store.page(URL)
    assert newer
    assert newer.body == b"new"
    assert store.outlinks(URL) == ()
    assert store.known([URL])[URL].run == 2


def test_the_key_is_the_url_that_was_fetched_whatever_the_page_says(store: Store) -> None:
    store.save(Record(fate(), page(), document(title="Honest")))
    evil = "https://evil.example/x"
    store.save(Record(fate(evil), page(evil), document(evil, title="Evil", canonical_url=URL)))
    honest = store.document(URL)
    assert honest
    assert honest.title == "Honest"


def test_an_unchanged_page_leaves_everything_in_place(store: Store) -> None:
    links = (Link("https://example.com/b"),)
    store.save(Record(fate(), page(headers={"etag": "1"}), document(), links))
    unchanged = fate(run=2, state="skipped", reason="unchanged", status=304)
    for record in (Record(unchanged), Record(unchanged, page(status=304, body=b""))):
        store.save(record)
        assert store.page(URL) == page(headers={"etag": "1"})
        assert store.document(URL) == document()
        assert store.outlinks(URL) == links
        assert store.known([URL]) == {URL: Known("article", "1", None, 2)}


def test_a_page_that_gives_no_document_any_more_keeps_the_old_one(store: Store) -> None:
    store.save(Record(fate(), page(), document()))
    store.save(Record(fate(run=2, state="skipped", reason="listing", status=200), page(body=b"list")))
    assert store.document(URL) == document()
    newer = store.page(URL)
    assert newer
    assert newer.body == b"list"


def test_an_error_does_not_replace_a_success_but_says_where_it_leads(store: Store) -> None:
    store.save(Record(fate(), page(), document(), (Link("https://example.com/b"),)))
    onward = (Link("https://example.com/moved", why="redirect"),)
    moved = fate(run=2, state="skipped", reason="redirected", status=301)
    store.save(Record(moved, page(status=301, body=b""), outlinks=onward))
    assert store.page(URL) == page()
    assert store.outlinks(URL) == onward
    assert store.known([URL])[URL].run == 2


def test_a_success_replaces_an_error_and_an_error_an_error(store: Store) -> None:
    for status in (500, 404, 200):
        store.save(Record(fate(status=status), page(status=status)))
        assert store.page(URL) == page(status=status)


def test_a_page_without_a_document_is_known_without_a_kind(store: Store) -> None:
    store.save(Record(fate(state="skipped", reason="listing"), page()))
    assert store.known([URL, "https://example.com/b"]) == {URL: Known(None, None, None, 1)}


def test_many_urls_are_known_at_once(store: Store) -> None:
    wanted = [f"https://example.com/{n}" for n in range(1200)]
    for url in wanted[::100]:
        store.save(Record(fate(url), page(url), document(url)))
    assert set(store.known(wanted)) == set(wanted[::100])


def test_documents_come_oldest_first_by_run_and_site(store: Store) -> None:
    for n in range(250):
        url, site = f"https://example.com/{n}", "even.com" if n % 2 == 0 else "odd.com"
        at = NOW - timedelta(minutes=n // 2)
        record = Record(fate(url, run=1 + n // 200, at=at), page(url), document(url, site=site, posts=(post(n),)))
        store.save(record)
    everything = list(store.documents())
    assert len({found.url for found in everything}) == 250
    assert {found.url for found in everything[:2]} == {"https://example.com/248", "https://example.com/249"}
    assert all(str(found.url).endswith(f"/{found.posts[0].position}") for found in everything)
    assert len(list(store.documents(run=2))) == 50
    assert len(list(store.documents(site="odd.com"))) == 125
    assert len(list(store.documents(run=2, site="odd.com"))) == 25


def test_documents_can_be_saved_while_they_are_listed(store: Store) -> None:
    for n in range(120):
        store.save(Record(fate(f"https://example.com/{n}"), None, document(f"https://example.com/{n}")))
    listed = []
    for found in store.documents():
        listed.append(found.url)
        store.save(Record(fate(str(found.url), run=2), None, replace(found, title="Seen")))
    assert len(listed) == len(set(listed)) == 120


def test_what_is_stored_tells_when_and_by_whom(store: Store) -> None:
    later = NOW + timedelta(days=1)
    store.save(Record(fate(), page(), document()))
    store.save(Record(fate(run=2, at=later), page(), document()))
    (found,) = store.stored()
    assert (found.key, found.run, found.first_seen, found.last_seen) == (urls.key_of(URL), 2, NOW, later)
    assert found.document == document()


def test_fates_come_newest_first_one_per_run(store: Store) -> None:
    for run in (1, 3, 2):
        store.save(Record(fate(run=run, at=NOW + timedelta(days=run))))
    assert [found.run for found in store.fates(URL)] == [3, 2, 1]


def test_a_note_gives_way_to_a_fetch_and_never_hides_one(store: Store) -> None:
    refused = fate(state="refused", reason="too-deep")
    store.note([refused])
    assert store.fates(URL) == [refused]
    store.note([fate(state="refused", reason="off-host")])
    assert [found.reason for found in store.fates(URL)] == ["off-host"]
    store.save(Record(fate(), page()))
    store.note([refused])
    store.note([])
    assert [found.state for found in store.fates(URL)] == ["stored"]


def test_a_noted_skip_stays_too(store: Store) -> None:
    store.note([fate(state="skipped", reason="already-stored")])
    store.note([fate(state="refused", reason="too-deep")])
    assert [found.reason for found in store.fates(URL)] == ["already-stored"]


def test_a_tally_counts_one_runs_urls_by_state_and_reason(store: Store) -> None:
    store.note([fate(f"https://example.com/{n}", state="refused", reason="off-host") for n in range(3)])
    store.save(Record(fate(), page()))
    store.save(Record(fate(run=2), page()))
    assert store.tally(1) == {("refused", "off-host"): 3, ("stored", "stored"): 1}
    assert store.tally(3) == {}


def test_a_run_is_opened_ended_and_resumed(store: Store) -> None:
    options = {"limit": 5, "include": ["/é/"]}
    run = store.start_run(["https://example.com/"], options, NOW)
    assert run == store.run(run.id)
    assert (run.starts, run.options, run.state) == (("https://example.com/",), options, "running")
    store.end_run(run.id, RunState.INTERRUPTED, NOW)
    assert store.run(run.id) == replace(run, state=RunState.INTERRUPTED, finished_at=NOW)
    store.end_run(run.id, RunState.RUNNING, NOW)
    assert store.run(run.id) == run


def test_runs_are_listed_newest_first(store: Store) -> None:
    ids = [store.start_run([], {}, NOW).id for _ in range(3)]
    assert [run.id for run in store.runs(limit=2)] == ids[:0:-1]
    store.end_run(ids[1], RunState.INTERRUPTED, NOW)
    assert [run.id for run in store.runs(state=RunState.RUNNING)] == [ids[2], ids[0]]
    assert store.run(ids[-1] + 1) is None


def test_a_run_stays_listed_however_many_come_after_it(store: Store) -> None:
    ids = [store.start_run([URL], {}, NOW).id for _ in range(150)]
    assert [run.id for run in store.runs()] == ids[::-1]


def test_robots_are_kept_by_origin(store: Store) -> None:
    assert store.robots("https://example.com") is None
    for status, body in ((0, b""), (200, b"User-agent: *")):
        robots = Robots("https://example.com", status, body, NOW)
        store.save_robots(robots)
        assert store.robots("https://example.com") == robots


def test_pages_whose_links_a_run_followed_come_some_at_a_time(store: Store) -> None:
    expected = set()
    for number in range(7):
        at, found = f"https://example.com/{number}", (Link(f"https://example.com/{number}/more", 2, "page"),)
        state = "stored" if number % 2 else "skipped"
        store.save(Record(fate(at, state=state, status=200, found_on=URL), page(at), None, found))
        expected.add(Followed(urls.key_of(at), at, found, URL))
    store.save(Record(fate("https://example.com/gone", state="skipped", reason="http-404", status=404)))
    store.save(Record(fate("https://example.com/dead", state="buried"), page("https://example.com/dead")))
    store.save(Record(fate("https://example.com/other", run=2), page("https://example.com/other")))
    store.note([fate("https://example.com/refused", state="refused", reason="off-host")])
    seen, after = [], ""
    while batch := store.followed(1, after=after, limit=3):
        assert len(batch) <= 3
        seen += batch
        after = batch[-1].key
    assert len(seen) == 7
    assert set(seen) == expected


def test_a_page_of_an_earlier_run_is_followed_by_the_run_that_replayed_it(store: Store) -> None:
    found = (Link("https://example.com/b", 1),)
    store.save(Record(fate(run=1), page(), full_document(), found))
    store.note([fate(run=2, state="skipped", reason="already-stored")])
    assert [each.links for each in store.followed(2)] == [found]


def test_bytes_are_counted_by_run_and_host(store: Store) -> None:
    other = "https://other.example/"
    store.save(Record(fate(), page(body=b"12345")))
    store.save(Record(fate(), page(body=b"123")))
    store.save(Record(fate(url=other), page(url=other, body=b"1")))
    store.save(Record(fate(url=other, run=2), page(url=other, body=b"1234567")))
    assert (store.volume(1, urls.host_of(URL)), store.volume(1, "other.example"), store.volume(1)) == (8, 1, 9)
    assert (store.volume(2), store.volume(3)) == (7, 0)


def test_links_that_are_only_counted_are_in_the_tally(store: Store) -> None:
    store.note([fate(state="refused", reason="off-host")])
    store.count_unlisted(1, {"off-host": 900, "nofollow": 3})
    store.count_unlisted(1, {"off-host": 100})
    store.count_unlisted(1, {})
    assert store.tally(1) == {("refused", "off-host"): 1001, ("refused", "nofollow"): 3}


def test_the_visits_of_a_run_come_in_order_with_what_is_stored_of_them(store: Store) -> None:
    other = "https://example.com/list"
    links = (Link("https://example.com/b"), Link("https://example.com/c"))
    store.save(Record(fate(other, state="skipped", reason="listing", at=NOW), page(other, body=b"<ul>"), None, links))
    store.save(Record(fate(at=NOW + timedelta(seconds=1), status=200), page(), full_document()))
    store.note([fate("https://elsewhere.com/", state="refused", reason="off-host", at=NOW)])
    store.save(Record(fate("https://example.com/x", run=2), page("https://example.com/x"), document()))
    listing, article = store.visits(1)
    assert (listing.fate.url, listing.outlinks, listing.kind, listing.title) == (other, 2, None, "")
    assert listing.page == page(other, body=b"<ul>")
    assert (article.fate, article.page, article.page_run) == (store.fates(URL)[0], page(), 1)
    assert (article.title, article.kind, article.language) == ("Hello", "article", "zh")
    assert (article.length, article.first_seen) == (len(full_document().text), NOW + timedelta(seconds=1))
    assert article.published == full_document().published
    assert [visit.fate.url for visit in store.visits(1, state="skipped")] == [other]
    assert [visit.fate.url for visit in store.visits(1, pages=False, reason="stored")] == [URL]
    assert not list(store.visits(1, state="stored", reason="listing"))


def test_visits_come_without_their_pages_where_these_are_not_asked_for(store: Store) -> None:
    store.save(Record(fate(), page(), document(), (Link("https://example.com/b"),)))
    (visit,) = store.visits(1, pages=False)
    assert (visit.page, visit.page_run, visit.outlinks, visit.title) == (None, None, 0, "Hello")


def test_a_visit_says_which_run_has_fetched_its_page_since(store: Store) -> None:
    store.save(Record(fate(), page(), document()))
    store.save(Record(fate(run=2, at=NOW + timedelta(days=1)), page(body=b"new"), document(title="Newer")))
    (visit,) = store.visits(1)
    assert (visit.page_run, visit.first_seen) == (2, NOW)


def test_no_visit_is_missed_or_doubled_where_many_have_the_same_time(store: Store) -> None:
    addresses = [f"https://example.com/{number}" for number in range(250)]
    for address in addresses:
        store.save(Record(fate(address, state="buried", reason="timeout")))
    for with_pages in (True, False):
        assert sorted(visit.fate.url for visit in store.visits(1, pages=with_pages)) == sorted(addresses)


def test_the_visit_of_a_further_page_of_a_thread_names_the_thread(store: Store) -> None:
    further = f"{URL}?page=2"
    thread = replace(full_document(), kind=Kind.THREAD)
    store.save(Record(fate(), page(), thread, thread=URL))
    later = fate(further, reason="thread-page", at=NOW + timedelta(seconds=1))
    store.save(Record(later, page(further), thread, thread=URL, part=2))
    first, second = store.visits(1)
    assert (first.title, first.kind) == (second.title, second.kind) == ("Hello", "thread")


def test_what_is_known_of_kinds_of_links_adds_up_by_host(store: Store) -> None:
    at = NOW
    first = KindCount("a.test", "/tag/*", signs=1, given_up=0, bore=0, led=1, skipped=2, at=at)
    store.count_kinds([first, KindCount("b.test", "/tag/*", 0, 0, 1, 0, 0, at)])
    later = at + timedelta(days=1)
    store.count_kinds([KindCount("a.test", "/tag/*", signs=4, given_up=1, bore=0, led=0, skipped=5, at=later)])
    assert store.kinds("a.test") == [KindCount("a.test", "/tag/*", 4, 1, 0, 1, 7, later)]
    assert store.kinds("c.test") == []


def test_two_kinds_too_long_to_be_told_apart_are_one(store: Store) -> None:
    at = NOW
    long = "/a" * 1_000
    store.count_kinds([KindCount("a.test", f"{long}{end}", 0, 0, 0, 0, 1, at) for end in ("x", "y")])
    (kept,) = store.kinds("a.test")
    assert kept.skipped == 2


def test_what_an_analysis_keeps_is_there_the_next_time(store: Store) -> None:
    assert store.state("stories") is None
    for number in (1, 2):
        store.keep_state("stories", {"number": number, "words": ["码头", "pier"]})
    store.keep_state("other", {})
    assert store.state("stories") == {"number": 2, "words": ["码头", "pier"]}
    assert store.state("other") == {}


def test_states_are_kept_together_unless_somebody_else_was_first(store: Store) -> None:
    assert store.swap_state("counts", None, {"counts": {"seen": 1}, "counts monday": {"码头": 2}})
    assert not store.swap_state("counts", None, {"counts": {"seen": 9}, "counts tuesday": {}})
    assert (store.state("counts"), store.state("counts tuesday")) == ({"seen": 1}, None)
    assert store.swap_state("counts", {"seen": 1}, {"counts": {"seen": 2}, "counts monday": None})
    assert (store.state("counts"), store.state("counts monday")) == ({"seen": 2}, None)


def test_arrivals_are_documents_in_the_order_they_were_first_seen(store: Store) -> None:
    urls = [f"https://example.com/{number}" for number in range(3)]
    for number, url in reversed(list(enumerate(urls))):
        at = NOW + timedelta(minutes=number)
        store.save(Record(fate(url, at=at), page(url), document(url, published=NOW if number else None)))
    store.save(Record(fate(urls[0], at=NOW + timedelta(hours=1)), page(urls[0]), document(urls[0])))
    found = list(store.arrivals())
    assert [arrival.url for arrival in found] == urls
    assert [arrival.published for arrival in found] == [None, NOW, NOW]
    assert [arrival.url for arrival in store.arrivals(NOW + timedelta(minutes=1))] == urls[1:]
