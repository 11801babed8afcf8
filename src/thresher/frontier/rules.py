"""Rules: how politely, how long and how often the links of a job are fetched."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rules:
    """How one job is crawled. Changing them affects links leased from now on."""

    delay_s: float = 1.0  # between two requests to a host, from lease and again from settle
    host_concurrency: int = 1  # links of one host leased at once
    lease_s: float = 120.0  # a lease not renewed for so long is reaped
    max_attempts: int = 4  # settled failures before a link is buried
    max_lost: int = 20  # leases lost (a worker died) before a link is buried
    suspect_after: int = 3  # lost leases after which a link is leased alone
    backoff_s: float = 5.0  # first wait after a failure; doubles, up to backoff_cap_s
    backoff_cap_s: float = 900.0
    rest_cap_s: float = 900.0  # a host that is too busy rests at most so long, however long its links wait
    retry_after_cap_s: float = 3600.0  # a server's Retry-After is honoured up to this
    crawl_delay_cap_s: float = 60.0  # robots Crawl-delay is honoured up to this
    response_factor: float = 1.0  # a host rests at least so many times as long as it takes to answer; 0: no matter
    response_delay_cap_s: float = 30.0  # up to this
    address_delay_s: float = 0.25  # between two requests to an address, whatever the host; never more than delay_s
    again_cap_s: float = 31 * 86_400.0  # a link that is asked for again and again comes at least so often
    limit: int | None = None  # pages fetched with success in the whole job
    host_pages: int = 100_000  # links accepted per host
    site_hosts: int = 1_000  # hosts of one registrable domain: more are made up by a site that answers to any name
    barren_pages: int = 40  # fetched pages of one URL shape that gave no document and led to none: then a trap

    def gap_s(self, asked_s: float, pace_s: float) -> float:
        """Return the time between two requests to a host whose robots.txt asks for one, and that answers at a pace."""
        delay_s = max(self.delay_s, min(asked_s, self.crawl_delay_cap_s))
        if self.delay_s == 0:
            return delay_s
        return max(delay_s, min(pace_s * self.response_factor, self.response_delay_cap_s))

    @property
    def address_gap_s(self) -> float:
        """The time between two requests to one address."""
        return min(self.address_delay_s, self.delay_s)

    @property
    def longest_s(self) -> float:
        """The longest time that anything waits."""
        waits = (self.delay_s, self.lease_s, self.backoff_s, self.backoff_cap_s, self.retry_after_cap_s)
        return max(*waits, self.crawl_delay_cap_s, self.response_delay_cap_s)
