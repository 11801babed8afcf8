"""Listen for Ctrl-C, SIGTERM and SIGHUP while an event loop runs: the first one asks, the second one insists."""

import asyncio
import logging
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)  # SIGHUP: the terminal was closed
log = logging.getLogger("thresher.fetch")


@contextmanager
def listening(loop: asyncio.AbstractEventLoop, first: Callable[[], None], again: Callable[[], None]) -> Iterator[None]:
    """Call `first` on the loop at the first signal and `again` at each later one; restore what was there before.

    Outside the main thread, where no signal arrives, nothing is done.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    calls = iter([first])

    def arrived(number: signal.Signals) -> None:
        log.info("received %s", number.name)
        next(calls, again)()

    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number in SIGNALS:
        loop.add_signal_handler(number, arrived, number)
    try:
        yield
    finally:
        for number, action in before.items():
            loop.remove_signal_handler(number)
            signal.signal(number, action)
