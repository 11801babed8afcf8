"""The border to the terminal: everything that a command prints or logs passes here.

Where log collectors read standard error (`log_format = "ecs"`), messages and logs are JSON lines as in the log file.

What comes from the network may hold sequences that a terminal obeys: they can rewrite lines, set the title of the
window, or turn text around. Messages, logs and text for people lose them wherever they go. Data (JSON, CSV, documents)
stays as it is in a file or a pipe, and loses them on a terminal. Passwords in URLs are masked in messages and logs.
"""

import logging
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

import click

from thresher import logs
from thresher.config import Settings
from thresher.text import printable
from thresher.urls.secrets import masked_text

TIMED = "%(asctime)s %(message)s"


def say(message: str = "") -> None:
    """Print a message to standard error."""
    collected = next((handler for handler in logging.root.handlers if isinstance(handler, _CollectedHandler)), None)
    if collected is None:
        click.echo(printable(masked_text(message)), err=True)
    elif message.strip():
        collected.emit(logging.makeLogRecord({"name": "thresher", "levelno": logging.INFO, "msg": message}))


def show(text: str) -> None:
    """Print text for people to standard output."""
    click.echo(printable(text))


def show_data(text: str) -> None:
    """Print data to standard output."""
    click.echo(printable(text) if sys.stdout.isatty() else text)


def for_data(stream: TextIO) -> TextIO:
    """Return a stream to write data to: the given one, or one that cleans what it is given where that is a terminal."""
    return _Cleaned(stream) if stream.isatty() else stream  # type: ignore[return-value]


class _Cleaned:
    """As much of a text stream as those need who write data."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(printable(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        self._stream.flush()

    def isatty(self) -> bool:
        return True


def counted(count: int, noun: str) -> str:
    """Return "1 page" or "2 pages"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


class _Formatter(logging.Formatter):
    """Cleans whole lines of the log, whatever library wrote them."""

    def format(self, record: logging.LogRecord) -> str:
        return printable(masked_text(super().format(record)))


class _CollectedHandler(logging.StreamHandler[TextIO]):
    """Writes what a process logs to standard error, in lines that log collectors read."""


def keep_log(chosen: Settings, role: str, worker: str = "") -> None:
    """Let this process log to the file of its data folder, and to standard error as the settings say."""
    logs.write_to(Path(chosen.data), role, worker)
    if chosen.log_format == "ecs":
        for handler in list(logging.root.handlers):
            if isinstance(handler.formatter, _Formatter) or isinstance(handler, _CollectedHandler):
                logging.root.removeHandler(handler)
        lines = _CollectedHandler(sys.stderr)
        lines.setLevel(logging.INFO)
        lines.setFormatter(logs.EcsFormatter(role, worker))
        logging.root.addHandler(lines)


def log_to_stderr(form: str = "%(message)s") -> None:
    """Send warnings and errors to standard error; called again, in another form."""
    for handler in list(logging.root.handlers):
        if isinstance(handler.formatter, _Formatter):
            logging.root.removeHandler(handler)
    lines = logging.StreamHandler()
    lines.setLevel(logging.WARNING)
    lines.addFilter(lambda record: record.name != logs.ONLY_FILE)
    lines.setFormatter(_Formatter(form, "%Y-%m-%d %H:%M:%S"))
    logging.root.addHandler(lines)
