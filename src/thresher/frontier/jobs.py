"""All jobs of a Redis server, where one URL may wait in several."""

from thresher.frontier.contract import Rules, Standing, State
from thresher.frontier.keys import JOBS
from thresher.frontier.redis import RedisFrontier
from thresher.frontier.server import Server


def open_standings(server: Server, url: str) -> dict[str, Standing]:
    """Say by job where a canonical URL stands that is not done."""
    jobs = sorted(name.decode() for name in server.call("SMEMBERS", JOBS))
    found = ((job, RedisFrontier(server, job, Rules(), watch=False).find(url)) for job in jobs)
    return {job: at for job, at in found if at and at.state is not State.DONE}
