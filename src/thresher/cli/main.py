"""The `thresher` command: finds the subcommand, and turns errors into messages and exit codes."""

import importlib
import os
import re
import sys
from difflib import get_close_matches
from itertools import takewhile
from pathlib import Path
from typing import Any

import click

from thresher import __version__
from thresher.cli import exits
from thresher.cli.terminal import log_to_stderr, say
from thresher.errors import ThresherError, UsageError

COMMANDS = {
    "crawl": "crawl one or more sites and store what is found",
    "extract": "print the main text of files, URLs or standard input; store nothing",
    "follow": "add a source and collect what it lists now",
    "sources": "follow feeds, sites and forums: add, list, test, import, and see how they fare",
    "watch": "follow the sources of the catalog: ask each when it is due, for ever",
    "worker": "run workers, list them, stop them",
    "fleet": "start, stop, scale and watch workers: processes, containers or pods",
    "frontier": "show and change the queue of links",
    "search": "search the stored documents",
    "alerts": "get word of new documents, spikes and silence by e-mail, webhook or feed",
    "saved": "keep searches under names, which other queries may contain",
    "show": "print one stored document, in any format",
    "history": "print the versions of a stored article and what was changed",
    "export": "write stored documents as JSON lines, CSV, Parquet, Markdown or WARC",
    "import": "bring documents and pages from JSON lines and WARC files into the corpus",
    "archive": "manage archives of files: count, check, compact",
    "batch": "extract whole archives: on this machine, on Spark or on Ray",
    "reextract": "extract stored documents again from their raw pages",
    "reindex": "make all documents of the store searchable",
    "index": "rebuild what `thresher search` searches",
    "backup": "copy the embedded corpus into one file, while crawls go on",
    "restore": "bring a backup back into a data folder",
    "migrate": "copy a corpus from one store to another",
    "sinks": "copy documents to other places, and see how far each is",
    "runs": "list crawls, show and report what one did, retry what failed",
    "stats": "count words and documents: Zipf's law, terms, volume over time",
    "serve": "serve the web application and the HTTP API",
    "mcp": "let agents search, read, extract, probe and follow (Model Context Protocol)",
    "user": "add and remove users of the web application, and their tokens",
    "stories": "group the reports of one event over days and sites",
    "keywords": "keep a list of hot keywords for searches, and see what rises",
    "why": "explain what happened to a URL",
    "probe": "show what a crawl would do with a URL",
    "demo": "serve, crawl and search a sample site on this machine",
    "init": "write a settings file with every setting explained",
    "logs": "show what crawls, workers, the watch and the server have logged",
    "doctor": "check this installation, the corpus and the servers",
    "config": "show the settings and where each one comes from",
    "version": "print the version",
    "train": "train an algorithm on labelled pages",
    "bench": "measure crawling and extraction",
}

MODULES = {"import": "import_files"}  # of commands that cannot be the name of a module
ATTACHED = ("-ftxt", "-fmd", "-fjson", "-fjsonl", "-fcsv", "-fhtml", "-fxml")  # options with their value right behind


class Commands(click.Group):
    """Loads a subcommand's module only when it is called; a bare URL means crawl."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands in the order of COMMANDS."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command; None when there is none of this name."""
        if cmd_name not in COMMANDS:
            return None
        try:
            with exits.at_once():
                module = importlib.import_module(f"thresher.cli.{MODULES.get(cmd_name, cmd_name)}")
        except ModuleNotFoundError as error:
            if error.name != "resource":  # limits of processes, which Windows does not have
                raise
            raise ThresherError(f"`thresher {cmd_name}` needs Linux or macOS; on Windows, use WSL") from error
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Read `thresher https://…` as `thresher crawl https://…`."""
        if args and args[0].startswith(("http://", "https://")):
            args = ["crawl", *args]
        if args[:1] in (["search"], ["export"]):
            _refuse_excluded_words(*args)
        elif args[:1] in (["stats"], ["saved"], ["alerts"]):
            _refuse_excluded_words(" ".join(args[:2]), *args[2:])
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            raise UsageError(f"there is no command {args[0]}; {_meant(args[0])}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a reader (head, less) that has seen enough is no failure, for which click takes it."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            return _closed_pipe()

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Print the commands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="thresher")
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="Settings file (default thresher.toml).")
@click.option("--data", help="Folder of the corpus (default thresher-data).")
@click.pass_context
def cli(ctx: click.Context, config_file: Path | None, data: str | None) -> None:
    """Crawl news sites, blogs and forums, keep the main text and the posts, and search them.

    Data goes to standard output, messages to standard error. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done
    with some failures, 4 nothing found (no main text; with --fail-empty, no match), 5 a server is unreachable, 6 not
    permitted, 130 interrupted (a crawl can be resumed).
    """
    ctx.obj = {"config_file": config_file, "data": data}


def main(args: list[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    sys.exit(run(args))


def run(args: list[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    log_to_stderr()
    try:
        result: Any = cli.main(args=args, standalone_mode=False)
    except click.exceptions.Abort:
        return exits.INTERRUPTED
    except click.ClickException as error:
        error.show()
        return exits.USAGE
    except ThresherError as error:
        say(f"thresher: {error}")
        return exits.of(error)
    except OSError as error:  # a full disk, a file that went away
        say(f"thresher: {error}")
        return exits.FAILED
    return result if isinstance(result, int) else exits.DONE


def _meant(name: str) -> str:
    """Ask what was meant by a word that is no command, or say where the commands are listed."""
    near = get_close_matches(name, COMMANDS, n=1)
    if near:
        return f"did you mean `thresher {near[0]}`?"
    if Path(name).exists():
        return f"did you mean `thresher extract {name}`?"
    return f"did you mean `thresher crawl {name}`?" if "." in name else "`thresher --help` lists the commands"


def _refuse_excluded_words(command: str, *args: str) -> None:
    """Explain how a query excludes a word: click would take `-offer` for the option -o with the value "ffer"."""
    for arg in takewhile(lambda arg: arg != "--", args):
        if re.fullmatch(r"-[^-\d].+", arg) and arg not in ATTACHED:
            word = arg.removeprefix("-")
            raise UsageError(
                f"{arg} looks like an option; to exclude a word, write !{word}, quote it together with the "
                f"rest of the query, or put -- before the query: thresher {command} -- {arg}"
            )


def _closed_pipe() -> int:
    """Let what is still to be written to a closed pipe go nowhere: Python would complain of it when it ends."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
    return exits.DONE
