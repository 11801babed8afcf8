"""`thresher bench`: measurements, each a subcommand that is loaded when it is called."""

import importlib

import click

COMMANDS = {
    "crawl": "pages per second of a whole crawl, next to plain Scrapy spiders",
    "extract": "algorithms and peers on labelled pages: scores and times",
    "fields": "title, date and authors on labelled pages, next to peers",
    "confidence": "how often what is called 90 % sure is right",
    "kinds": "how well articles, threads, boards and listings are told apart",
    "listings": "how well links to articles are found on listing pages",
    "copies": "how well copies of an article are told from other articles, and the cost",
    "stories": "how well reports of one event are grouped",
    "frontier": "memory and speed of the frontier in Redis, next to scrapy-redis",
    "fleet": "a crawl by one worker and by several, next to standalone Scrapy",
    "simulate": "a fleet of 1,000 workers simulated for a week, and its cost to one Redis",
    "faults": "crawls while workers and servers are killed: what is lost or duplicated",
    "revisit": "a simulated month of 500 sources: what each rule of asking again catches, how soon, at what cost",
    "watch": "200 local sources watched at a faster clock, with processes killed: what is lost, doubled or late",
    "search": "documents indexed per second, times of queries and recall of each index",
    "live": "times of searches while documents are stored and while the index is rebuilt",
    "serve": "the web application over 200,000 documents: times of pages, memory, many readers beside a crawl",
    "memory": "what is gained by knowing the other pages of a site",
    "sweep": "one algorithm over a range of one parameter, with curves",
    "rules": "what a trained algorithm learns on each site",
    "store": "writes, reads and bytes of each store, next to a plain item pipeline into SQLite",
    "batch": "whole archives on local processes, Spark and Ray, next to warcio with trafilatura",
    "size": "time of each algorithm by page size",
}


class Measurements(click.Group):
    """Loads a measurement's module only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the measurements in the order of COMMANDS."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a measurement; None when there is none of this name."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"thresher.cli.bench_{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Print the measurements without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group("bench", cls=Measurements)
def command() -> None:
    """Measure the quality and speed of crawling and extraction."""
