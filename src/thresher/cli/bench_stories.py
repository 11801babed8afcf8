"""`thresher bench stories`."""

from pathlib import Path

import click

from thresher.api.stories import story_words
from thresher.cli import exits
from thresher.lab.corpora import load
from thresher.lab.stories import stories_table


@click.command("stories")
@click.argument("corpus", nargs=-1, required=True, type=click.Path(path_type=Path))
def command(corpus: tuple[Path, ...]) -> int:
    """Measure how well reports of one event are grouped into stories.

    Three reports are made from each article by dealing out its sentences; CORPUS is a folder of *.jsonl.gz files. The
    threshold was chosen on the sites of "develop"; the result is that on those of "report".
    """
    pages = [page for folder in corpus for page in load(folder)]
    click.echo(stories_table(pages, story_words()), nl=False)
    return exits.DONE
