"""The sample web that ships with the package: three sites made of a seed, with their truth known."""

from thresher.sample.expected import ExpectedUrls
from thresher.sample.plan import Origins
from thresher.sample.running import Access, RunningSample, ServerProcess, serve, serve_folder
from thresher.sample.truth import Truth
from thresher.sample.web import SampleWeb

__all__ = [
    "Access",
    "ExpectedUrls",
    "Origins",
    "RunningSample",
    "SampleWeb",
    "ServerProcess",
    "Truth",
    "serve",
    "serve_folder",
]
