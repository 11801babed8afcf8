"""The nouns: frozen values that pass between the stages."""

from thresher.model.content import Block, Evidence, Image, Kind, Post, Span
from thresher.model.document import Document, Verdict
from thresher.model.link import Lease, Link, Outcome
from thresher.model.page import Failure, Page
from thresher.model.robots import Robots, RobotsRules
from thresher.model.run import Fate, Run, RunState, Visit
from thresher.model.search import Bucket, ClauseCount, Facets, FoundPost, Histogram, Hit, HitPage, Passage
from thresher.model.source import Endpoint, EndpointKind, Judged, Keyword, Round, Source, SourceKind, SourceState

__all__ = [
    "Block",
    "Bucket",
    "ClauseCount",
    "Document",
    "Endpoint",
    "EndpointKind",
    "Evidence",
    "Facets",
    "Failure",
    "Fate",
    "FoundPost",
    "Histogram",
    "Hit",
    "HitPage",
    "Image",
    "Judged",
    "Keyword",
    "Kind",
    "Lease",
    "Link",
    "Outcome",
    "Page",
    "Passage",
    "Post",
    "Robots",
    "RobotsRules",
    "Round",
    "Run",
    "RunState",
    "Source",
    "SourceKind",
    "SourceState",
    "Span",
    "Verdict",
    "Visit",
]
