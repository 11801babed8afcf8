"""A worker process for the tests: told to go, it leases and settles until the job is over, printing every URL."""

import sys
import time

from thresher.frontier.contract import Rules, Settlement
from thresher.frontier.sqlite import SqliteFrontier
from thresher.model import Outcome
from thresher.sqlite import connect

RULES = Rules(delay_s=0.0, host_concurrency=2)


def main(path: str, worker: str, pause_s: str) -> None:
    frontier = SqliteFrontier(connect(path), "job", RULES)
    print("ready", flush=True)
    sys.stdin.readline()
    while (due_in_s := frontier.due_in_s()) is not None:
        leases = frontier.lease(worker, 8)
        for lease in leases:
            print(lease.link.url, flush=True)
        assert all(frontier.settle([Settlement(one, Outcome.DONE, "article", fetched=True) for one in leases]))
        time.sleep(float(pause_s) if leases else min(0.01, due_in_s))


if __name__ == "__main__":
    main(*sys.argv[1:])
