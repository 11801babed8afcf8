"""The site of a URL: its registrable domain by the public suffix list."""

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from thresher.urls.names import host_of


def site_of(url: str) -> str:
    """Return the registrable domain of a canonical URL, or its host where there is none (an address, localhost).

    Suffixes under which anyone may register (blogspot.com, github.io) count: each blog there is a site of its own.
    """
    host = host_of(url)
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return _site(host.partition(":")[0])


@lru_cache(maxsize=4_096)
def _site(name: str) -> str:
    labels = name.split(".")
    if len(labels) < 2 or labels[-1].isdigit():
        return name
    own = len(labels) - _suffix_length([_unicode(label) for label in labels]) - 1
    return ".".join(labels[own:]) if own >= 0 else name


def _suffix_length(labels: list[str]) -> int:
    """Count the labels of the longest matching public suffix; 1 where none is listed, as the list's rules say."""
    suffixes = _suffixes()
    for start in range(len(labels)):
        tail = ".".join(labels[start:])
        if "!" + tail in suffixes:
            return len(labels) - start - 1
        if tail in suffixes or ".".join(["*", *labels[start + 1 :]]) in suffixes:
            return len(labels) - start
    return 1


def _unicode(label: str) -> str:
    is_encoded = label.startswith("xn--") and label.isascii()
    return label[4:].encode("ascii").decode("punycode", "replace") if is_encoded else label


@lru_cache(maxsize=1)
def _suffixes() -> frozenset[str]:
    """Read the snapshot that tldextract brings; importing tldextract itself would load an HTTP client (0.1 s)."""
    spec = find_spec("tldextract")
    folders = spec.submodule_search_locations if spec else None
    snapshot = Path(folders[0]) / ".tld_set_snapshot" if folders else Path()
    if snapshot.is_file():
        lines = snapshot.read_text("utf-8").splitlines()
        return frozenset(line for line in lines if line and not line.startswith("//"))
    import tldextract

    reader = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)
    return frozenset(reader.tlds)
