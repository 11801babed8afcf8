"""Posts on forum engines that no model has seen: what is lost where it takes threads for other pages."""

from collections.abc import Iterable, Sequence

from thresher.lab.kinds_bench import Told
from thresher.lab.metrics.overlap import Overlap, f1, pooled
from thresher.lab.metrics.post_values import author_overlap, time_overlap
from thresher.lab.metrics.posts import post_overlap
from thresher.lab.pages import FoundPost, LabelledPage
from thresher.lab.tables import table
from thresher.model import Post

LIVE = "live_"  # begins the names of engines whose pages are of installations made for the purpose
Page = tuple[Overlap, Overlap, Overlap]  # posts, authors, times
Scores = tuple[float | None, ...]


def posts_by_engine(told: Iterable[Told], labelled: Iterable[LabelledPage]) -> str:
    """Return a table in Markdown: precision, recall and F1 of posts by engine, their authors and times, and means.

    Posts are added up over the pages of a site and averaged over the sites of an engine, as `bench extract` does. The
    means are over real engines and sites; those of live installations stand apart.
    """
    found = {each.page: each.posts for each in told}
    sites: dict[str, dict[str, list[Page]]] = {}
    for page in labelled:
        if page.posts and page.id in found:
            posts = [_found(post) for post in found[page.id]]
            scored = post_overlap(posts, page.posts), author_overlap(posts, page.posts), time_overlap(posts, page.posts)
            sites.setdefault(page.engine, {}).setdefault(page.site, []).append(scored)
    by_site = {engine: [_scores(pages) for pages in by.values()] for engine, by in sorted(sites.items())}
    means = {engine: _mean(scores) for engine, scores in by_site.items()}
    rows = [_line(f"{engine} ({sum(map(len, sites[engine].values()))})", scores) for engine, scores in means.items()]
    real = [engine for engine in means if not engine.startswith(LIVE)]
    overall = {
        "**mean over real engines**": [means[engine] for engine in real],
        "**mean over real sites**": [scores for engine in real for scores in by_site[engine]],
        "mean over live engines": [means[engine] for engine in means if engine not in real],
    }
    rows += [_line(name, _mean(scores)) for name, scores in overall.items() if scores]
    return table(["engine (pages)", "precision", "recall", "F1", "authors", "times"], rows)


def _found(post: Post) -> FoundPost:
    published = post.published.isoformat() if post.published else ""
    return FoundPost(post.text, post.xpath, post.author or "", published)


def _scores(pages: Sequence[Page]) -> Scores:
    posts, authors, times = (pooled(column) for column in zip(*pages, strict=True))
    told = (values.recall if values.gold else None for values in (authors, times))
    return posts.precision, posts.recall, f1(posts.precision, posts.recall), *told


def _mean(scores: Sequence[Scores]) -> Scores:
    means = []
    for column in zip(*scores, strict=True):
        known = [value for value in column if value is not None]
        means.append(sum(known) / len(known) if known else None)
    return tuple(means)


def _line(name: str, scores: Scores) -> list[str]:
    return [name, *("" if score is None else f"{score:.3f}" for score in scores)]
