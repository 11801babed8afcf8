"""Posts on forum engines that the model of kinds has not seen: what is lost where it takes threads for other pages."""

from collections.abc import Iterable, Sequence

from thresher.lab.kinds_bench import Told
from thresher.lab.metrics.overlap import Overlap, f1, pooled
from thresher.lab.metrics.posts import post_overlap
from thresher.lab.pages import FoundPost, LabelledPage
from thresher.lab.tables import table


def posts_by_engine(told: Iterable[Told], labelled: Iterable[LabelledPage]) -> str:
    """Return a table in Markdown: precision, recall and F1 of posts by engine, and their means over engines.

    Posts are added up over the pages of a site and averaged over the sites of an engine, as `bench extract` does.
    """
    found = {each.page: each.posts for each in told}
    sites: dict[str, dict[str, list[Overlap]]] = {}
    for page in labelled:
        if page.posts and page.id in found:
            posts = [FoundPost(post.text, post.xpath) for post in found[page.id]]
            sites.setdefault(page.engine, {}).setdefault(page.site, []).append(post_overlap(posts, page.posts))
    means = {engine: _mean([_scores(pooled(pages)) for pages in by.values()]) for engine, by in sorted(sites.items())}
    rows = [_line(f"{engine} ({sum(map(len, sites[engine].values()))})", scores) for engine, scores in means.items()]
    return table(["engine (pages)", "precision", "recall", "F1"], [*rows, _line("**macro**", _mean([*means.values()]))])


def _scores(posts: Overlap) -> tuple[float, ...]:
    return posts.precision, posts.recall, f1(posts.precision, posts.recall)


def _mean(scores: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
    return tuple(sum(column) / len(column) for column in zip(*scores, strict=True))


def _line(name: str, scores: tuple[float, ...]) -> list[str]:
    return [name, *(f"{score:.3f}" for score in scores)]
