"""`thresher bench kinds`."""

from pathlib import Path

import click

from thresher.cli import exits
from thresher.lab import corpora
from thresher.lab.kinds import KindPage, load_kinds
from thresher.lab.kinds_bench import by_engine, by_looks, by_posts, by_site, confusion, judge_left_out, judge_shipped
from thresher.lab.kinds_posts import posts_by_engine
from thresher.lab.train.kinds import samples_of, train_kinds


@click.command("kinds")
@click.argument("corpus", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--shipped", is_flag=True, help="Judge whole documents with the shipped model; train nothing.")
@click.option(
    "--posts", "with_posts", is_flag=True, help="Also score posts, on forum engines that the models have not seen."
)
@click.option("--sites", is_flag=True, help="Leave sites out, but not forum engines.")
@click.option("--save", "path", type=click.Path(path_type=Path), help="Train on all pages and write the model.")
def command(corpus: tuple[Path, ...], shipped: bool, with_posts: bool, sites: bool, path: Path | None) -> int:
    """Measure how well page kinds are recognised: article, thread, board, listing, other.

    By default, ten models are trained, and each judges sites and forum engines that it has not seen: by the look of a
    page alone, and together with the posts that extraction finds. CORPUS is a folder of *.jsonl.gz files; pages without
    a label for their kind are left out.
    """
    pages = [page for folder in corpus for page in load_kinds(folder)]
    if shipped:
        click.echo(confusion(judge_shipped(pages)))
    elif path is not None:
        path.write_bytes(train_kinds(samples_of(pages)))
    else:
        click.echo(_left_out(pages, corpus if with_posts else (), sites=sites))
    return exits.DONE


def _left_out(pages: list[KindPage], with_posts: tuple[Path, ...], *, sites: bool) -> str:
    samples = samples_of(pages)
    left_out = judge_left_out(samples, by_site if sites else by_engine)
    told = by_posts(samples, left_out)
    looks = by_looks(samples, left_out)
    parts = ["## By looks and posts\n", confusion(told), "\n## By looks alone\n", confusion(looks)]
    if with_posts:
        labelled = (page for folder in with_posts for page in corpora.load(folder))
        parts += ["\n## Posts\n", posts_by_engine(told, labelled)]
    return "\n".join(parts)
