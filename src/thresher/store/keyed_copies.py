"""Copies and variants of documents in a document database; the rules are those of copies.py and variants.py."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime

from thresher.errors import Damaged
from thresher.model import Document
from thresher.model.codec import storable
from thresher.store import rows
from thresher.store.collections import Row, Work
from thresher.store.contract import SAME_PATHS, CopyGroup
from thresher.store.copies import CANDIDATES, CROWD, number_of
from thresher.store.keyed_articles import Saving
from thresher.store.sketch import Sketch, alike, sketch_of, unpacked
from thresher.store.tables import article_pages, bands, copies, documents, posts, texts, variants
from thresher.store.variants import CHOOSING, DECIDED, MAX_BASES, MAX_NAMES, names_in
from thresher.urls import host_of, key_of, without_parameters


def note_copies(saving: Saving, keys: Sequence[str], document: Document | None = None) -> None:
    """Put the documents under some keys into their groups; `document` is the only one, if it is at hand."""
    work = saving.work
    found = work.get_all(documents, [(key,) for key in keys])
    held = work.get_all(copies, [(key,) for key in keys])
    for key in keys:
        row, copy = found.get((key,)), held.get((key,))
        if row is None or not row["text_hash"]:
            if copy:
                work.drop(copies, copy)
                _settle(work, _group_of(work, copy["text"]), saving.moment.at)
        elif copy is None or (number_of(row["text_hash"]), time_of(row)) != (copy["text"], copy["at"]):
            _join(saving, row, copy, document)


def time_of(row: Row) -> str:
    """Return when a document counts as published: not after it was seen, whatever it says."""
    if row["published"] is None:
        return str(row["first_seen"])
    return min(rows.time_text(datetime.fromisoformat(row["published"])), str(row["first_seen"]))


def _join(saving: Saving, row: Row, copy: Row | None, document: Document | None) -> None:
    """Put one document into the group of its text, and see who is first in it."""
    work, at, text = saving.work, saving.moment.at, number_of(row["text_hash"])
    groups = [] if (known := work.get(texts, text)) is None else [known["copy_group"]]
    if not groups:
        sketch = _sketched(saving, row, document)
        near = _alike(work, sketch) if sketch else []
        groups = sorted({near_text["copy_group"] for near_text in near})
        _add_text(work, text, sketch, len(near), groups[0] if groups else text)
        groups = groups or [text]
    is_alone = known is None and groups == [text]
    values = {"key": row["key"], "text": text, "at": time_of(row), "seen": row["first_seen"], "changed": at}
    work.put(copies, {**values, "original": row["key"]})
    for group in groups[1:]:
        _join_groups(work, group, groups[0], at)
    if not is_alone:
        _settle(work, groups[0], at)
    if copy is not None and copy["text"] != text:
        _settle(work, _group_of(work, copy["text"]), at)


def _sketched(saving: Saving, row: Row, document: Document | None) -> Sketch | None:
    """Return the sketch of a document's text; None if it is too short or cannot be read."""
    if document is None:
        theirs = sorted(saving.work.find(posts, ("thread", "=", row["thread"])), key=_place_of)
        try:
            document = rows.stored_of(row, theirs, saving.packer).document
        except Damaged:  # `doctor --deep` tells
            return None
    return sketch_of(document.text)


def _place_of(post: Row) -> tuple[int, str, str]:
    return post["place"], post["published"] or "", post["post"]


def _alike(work: Work, sketch: Sketch) -> list[Row]:
    """Return the texts that are copies of one with this sketch, perhaps shortened or with additions."""
    sharing = Counter(row["text"] for row in work.find(bands, ("band", "in", sorted(set(sketch.bands)))))
    best = sorted(sharing, key=lambda text: (-sharing[text], text))[:CANDIDATES]
    found = work.get_all(texts, [(text,) for text in best]).values()
    return [row for row in found if row["sketch"] and alike(sketch, unpacked(row["sketch"]))]


def _add_text(work: Work, text: int, sketch: Sketch | None, near: int, group: int) -> None:
    work.put(texts, {"id": text, "copy_group": group, "sketch": sketch.packed() if sketch else None})
    if sketch and near < CROWD:
        for band in set(sketch.bands):
            work.put(bands, {"band": band, "text": text})


def _join_groups(work: Work, group: int, into: int, at: str) -> None:
    theirs = work.find(texts, ("copy_group", "=", group))
    for copy in work.find(copies, ("text", "in", [text["id"] for text in theirs])):
        work.change(copies, copy, changed=at)
    for text in theirs:
        work.change(texts, text, copy_group=into)


def _group_of(work: Work, text: int) -> int:
    held = work.get(texts, text)
    return text if held is None else int(held["copy_group"])


def group_rows(work: Work, group: int) -> list[Row]:
    """Return the copies of a group, the first one first."""
    theirs = [text["id"] for text in work.find(texts, ("copy_group", "=", group), columns=["copy_group"])]
    found = work.find(copies, ("text", "in", theirs))
    return sorted(found, key=lambda row: (row["at"], row["seen"], row["key"]))


def _settle(work: Work, group: int, at: str) -> None:
    """Tell the documents of a group who is first."""
    found = group_rows(work, group)
    for row in found:
        if row["original"] != found[0]["key"]:
            work.change(copies, row, original=found[0]["key"], changed=at)


def sizes(work: Work, originals: Sequence[str]) -> dict[str, CopyGroup]:
    """Return the groups of some originals, by key, of those that have copies."""
    found: dict[str, list[str]] = {}
    for row in work.find(copies, ("original", "in", list(originals)), columns=["original"]):
        found.setdefault(row["original"], []).append(row["key"])
    groups = {first: keys for first, keys in found.items() if len(keys) > 1}
    wanted = [(key,) for keys in groups.values() for key in keys]
    sites = work.get_all(documents, wanted, ["site", "url"])
    return {
        first: CopyGroup(
            first,
            sites[(first,)]["url"] or "",
            sites[(first,)]["site"],
            len(keys),
            len({site for key in keys if (key,) in sites and (site := sites[(key,)]["site"]) is not None}),
        )
        for first, keys in groups.items()
        if (first,) in sites
    }


def note_variant(work: Work, url: str, document: Document, run: int) -> None:
    """Note what the document of a page shows of the parameters of its URL."""
    if document.text_hash is None:
        return
    own: Row = {"key": key_of(url), "url": storable(url), "text_hash": document.text_hash, "run": run}
    for held in work.find(variants, ("base", "=", own["key"])):
        work.put(variants, _seen(held, own))
    bases = {key_of(without_parameters(url, {name})): name for name in names_in(url)}
    if not bases:
        return
    host = storable(host_of(url))
    known = work.get_all(variants, list(bases.items()))
    room = _with_room(work, host, {name for base, name in bases.items() if (base, name) not in known})
    plain = {row["key"]: row for row in plain_pages(work, list(bases))}
    for base, name in bases.items():
        row = known.get((base, name))
        if row is None and name not in room:
            continue
        for new in (plain.get(base), own):
            if new is not None:
                first = {"base": base, "name": name, "host": host, "same": 0, "differs": 0, **new}
                row = _seen(row, new) if row else first
        if row:
            work.put(variants, row)


def _seen(held: Row, new: Mapping[str, object]) -> Row:
    """Return the row of a variant with what a document shows; of a later run, it stands for the base."""
    row = dict(held)
    is_other, is_equal = held["key"] != new["key"], held["text_hash"] == new["text_hash"]
    if is_other and is_equal:
        row["same"] = 1
    if is_other and not is_equal and held["run"] == new["run"]:
        row["differs"] = 1
    if not is_other or int(held["run"]) < int(str(new["run"])):
        row.update({name: new[name] for name in ("text_hash", "url", "key", "run")})
    return row


def plain_pages(work: Work, keys: Sequence[str]) -> list[Row]:
    """Return the documents of some pages; those of an article's pages as each is alone."""
    wanted = [(key,) for key in keys]
    found = {
        row["key"]: {name: row[name] for name in ("key", "url", "text_hash", "run")}
        for row in work.get_all(documents, wanted, ["url", "text_hash", "run", "part"]).values()
        if row["part"] == 1
    }
    for row in work.get_all(article_pages, wanted, ["url", "text_hash", "run"]).values():
        found[row["page"]] = {"key": row["page"]} | {name: row[name] for name in ("url", "text_hash", "run")}
    return [row for row in found.values() if row["url"] and row["text_hash"]]


def _with_room(work: Work, host: str, names: set[str]) -> set[str]:
    """Return the parameters of which one more base is noted: new ones while there are few, and undecided ones."""
    if not names:
        return set()
    known = {name: count for (name,), count in work.count(variants, ("host", "=", host), by=["name"]).items()}
    decided = work.count(variants, ("host", "=", host), ("differs", "=", 1), by=["name"])
    for name in names & known.keys():
        if known[name] >= MAX_BASES:
            for row in work.find(
                variants, ("host", "=", host), ("name", "=", name), ("same", "=", 0), ("differs", "=", 0)
            ):
                work.drop(variants, row)
    full = {name for name in names & known.keys() if decided[(name,)] >= DECIDED or known[name] >= MAX_BASES}
    new = sorted(names - known.keys())[: max(0, MAX_NAMES - len(known))]
    return ((names & known.keys()) - full) | set(new)


def idle_parameters(work: Work, host: str) -> frozenset[str]:
    """Return the parameters that change nothing on a host."""
    here = ("host", "=", storable(host))
    differing = {name for (name,) in work.count(variants, here, ("differs", "=", 1), by=["name"])}
    agreeing: dict[str, set[str]] = {}
    for row in work.find(variants, here, ("same", "=", 1), columns=["text_hash"]):
        agreeing.setdefault(row["name"], set()).add(row["text_hash"])
    idle = (name for name, hashes in agreeing.items() if len(hashes) >= SAME_PATHS and name not in differing)
    return frozenset(idle) - CHOOSING


def twins_of(work: Work, stems: Mapping[str, str]) -> dict[str, str]:
    """Return by URL the stored document whose URL has the same stem, if there is one besides it."""
    keys = sorted({key_of(stem) for stem in stems.values()})
    found: dict[str, list[tuple[str, str]]] = {}
    for row in plain_pages(work, keys):
        found.setdefault(row["key"], []).append((row["key"], row["url"]))
    others = work.find(variants, ("base", "in", keys), columns=["key", "url"])
    for other in sorted(others, key=lambda row: (row["base"], row["name"])):
        found.setdefault(other["base"], []).append((other["key"], other["url"]))
    twins: dict[str, str] = {}
    for url, stem in stems.items():
        twin = next((there for key, there in found.get(key_of(stem), ()) if key != key_of(url)), None)
        if twin is not None:
            twins[url] = twin
    return twins
