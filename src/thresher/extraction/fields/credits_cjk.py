"""Elements of Chinese, Japanese and Korean pages that credit somebody, and names without a label between them."""

from collections.abc import Iterable, Iterator

from thresher.extraction.fields.credits import ACCOUNT, Credit, find_credits
from thresher.extraction.fields.names import is_person, is_surely_person
from thresher.extraction.fields.names_cjk import account_in
from thresher.extraction.fields.near import Near
from thresher.extraction.fields.posters_cjk import NO_POSTER, are_initials
from thresher.extraction.fields.told import Told
from thresher.extraction.fields.unsigned_cjk import find_bare_names
from thresher.extraction.fields.zones_cjk import Zone
from thresher.html import Tree
from thresher.text import has_cjk


def find_cjk_credits(tree: Tree, near: Near, zone: Zone, heading: int) -> Iterator[Told]:
    """Yield elements that credit whom lines near the title name, then bare names in these, then the other elements."""
    lines = (*near.after, *near.before, *zone.head)
    around = "\n".join(lines)
    credits = list(find_credits(tree, heading, around))
    close = [each for each in credits if all(name in around for name in each.names)]
    first = [each for each in close if all(_may_be_credited(name, lines) for name in each.names)]
    yield from (Told(each.names, each.source, each.confidence) for each in first if each.source != ACCOUNT[0])
    yield from (Told(names, source, sure) for source, sure, names in find_bare_names(near, zone))
    accounts = [each for each in first if each.source == ACCOUNT[0]]
    yield from (
        Told(each.names, each.source, each.confidence)
        for each in accounts
        if not _is_subject(each.names[0], near.title)
    )
    early: list[Told] = []
    yield from _credited(_of_page(each for each in credits if each not in close), early)
    yield from early


def _may_be_credited(name: str, lines: Iterable[str]) -> bool:
    """Say whether an element near the title can name an author so, and is no word of a list: "正有 2 人评论"."""
    if is_person(name):
        return True
    if not has_cjk(name):
        return not are_initials(name)
    if account_in(name) != name:
        return False
    return len(name) > 2 or any(name in line and NO_POSTER.search(line) is None for line in lines)


def _is_subject(name: str, title: str) -> bool:
    """Say whether a title tells of somebody, and not whose account the page is of: "王小明的微博"."""
    return name in title and f"{name}的" not in title


def _is_account(name: str) -> bool:
    return account_in(name) == name and NO_POSTER.search(name) is None


def _of_page(credits: Iterable[Credit]) -> list[Credit]:
    """Return the credits far from the title; in Chinese only where no more than one is named: no columns."""
    far = [each for each in credits if not has_cjk(each.names[0]) or all(map(_is_account, each.names))]
    chinese = {each.names for each in far if has_cjk(each.names[0])}
    return far if len(chinese) <= 1 else [each for each in far if each.names not in chinese]


def _credited(credits: Iterable[Credit], early: list[Told]) -> Iterator[Told]:
    """Yield what elements after the title credit; what those before it do is added to `early`."""
    for each in credits:
        if each.after_title:
            yield Told(each.names, each.source, each.confidence)
        else:
            less = 0.1 if all(map(is_surely_person, each.names)) else 0.2
            early.append(Told(each.names, f"{each.source}, above the title", each.confidence - less))
