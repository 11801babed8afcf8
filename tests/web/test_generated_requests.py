"""Requests made up from the OpenAPI description: the server has an answer to each, and none is its own fault."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis import Case

from tests.web.browsers import CHEAP, Browser, Served, serving
from tests.web.corpus import fill
from tests.web.fleet_double import Mute
from thresher.catalog.accounts import Scope
from thresher.config import Settings
from thresher.sample import SampleWeb, serve
from thresher.web.api.app import shipped
from thresher.web.processes import Process
from thresher.web.site import WebOptions

SCHEMA = schemathesis.openapi.from_dict(shipped())
FEW, MANY = 2, 70  # requests for each operation; there are some 75 of these
FREE = WebOptions(password_cost=CHEAP.password_cost, reader_threads=2, requests_per_min=0)
ASIDE = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
asked: Counter[int] = Counter()


@pytest.fixture(scope="module")
def admin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A client that may do everything, of a server that starts no process and asks a site of this machine alone."""
    data = tmp_path_factory.mktemp("generated") / "data"
    chosen = Settings(data=str(data), delay_s=0, allowed_addresses=("127.0.0.1",), extractors=1)
    with serve(SampleWeb(pages=10)) as sample, serving(chosen, FREE) as served:
        served.do(served.site.corpora.write(fill))
        _stay_home(served, sample.starts[0])
        yield served.program("admin", Scope.ADMIN)


def _stay_home(served: Served, start: str) -> None:
    """Whatever address is asked for, fetch the start of the sample site in its place, once for each kind of errand."""
    ask, told = served.site.readings.errand, dict[str, list[dict[str, Any]]]()

    async def local(request: Mapping[str, Any], limit_s: float) -> list[dict[str, Any]]:
        kind = str(request["errand"])
        if kind not in told:
            here = {"url": start} if "url" in request else {"draft": {**request["draft"], "address": start}}
            told[kind] = await ask({**request, **here}, limit_s)
        return told[kind]

    def nothing(name: str, *args: Any, **kwargs: Any) -> Any:
        return Process(name, (), keep=False, state="ended")

    served.site.readings.errand = local  # type: ignore[method-assign]
    served.site.processes.start = nothing  # type: ignore[method-assign]
    served.site.workforce._backend = Mute()


@SCHEMA.parametrize()
@settings(max_examples=FEW, derandomize=True, deadline=None, phases=[Phase.generate], suppress_health_check=ASIDE)
def test_each_operation_answers_a_few(case: "Case[Any]", admin: Browser) -> None:
    check(case, admin)


@pytest.mark.long
@SCHEMA.parametrize()
@settings(max_examples=MANY, derandomize=True, deadline=None, phases=[Phase.generate], suppress_health_check=ASIDE)
def test_each_operation_answers_many(case: "Case[Any]", admin: Browser) -> None:
    check(case, admin)


def check(case: "Case[Any]", admin: Browser) -> None:
    """Send a request; its answer is no 5xx, and an error is problem details."""
    sent = case.as_transport_kwargs(base_url="http://localhost/api/v1")
    headers = {name: value for name, value in dict(sent.pop("headers") or {}).items() if value.isascii()}
    headers.pop("Authorization", None)
    kept = {name: sent[name] for name in ("params", "json", "data", "cookies") if sent.get(name)}
    if isinstance(kept.get("data"), bytes | str):
        kept["content"] = kept.pop("data")
    try:
        answer = admin.settled(sent["method"], sent["url"], **kept, headers=headers)
    except httpx.InvalidURL:  # longer than this client sends
        return
    asked[answer.status_code] += 1
    assert answer.status_code < 500, (case.method, str(answer.request.url), answer.text)
    if answer.is_error:
        assert answer.headers["content-type"] == "application/problem+json", (str(answer.request.url), answer.text)


@pytest.fixture(scope="module", autouse=True)
def _told(record_testsuite_property: Any) -> Iterator[None]:
    yield
    record_testsuite_property("generated requests", sum(asked.values()))
    print(f"\n{sum(asked.values()):,} requests: {dict(sorted(asked.items()))}")
