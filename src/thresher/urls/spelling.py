"""The canonical form: one pure function from any spelling of an http(s) URL to the one we use.

A URL means what a browser would ask for: the WHATWG URL standard, by the library Ada, resolves and parses it. So blanks
around it, tabs and line ends in it, backslashes, dot segments, upper case in scheme and host, IDN, odd spellings of
addresses and default ports are gone. On top of that:

- percent-encoding: unreserved characters bare, hexadecimal digits in upper case, characters that RFC 3986 does not
  allow (a stray `%` included) encoded, as UTF-8, in a query as the page's encoding; other encoded bytes stay, `%2F` or
  GBK;
- the host's trailing dot, the fragment, an empty query, empty parameters, and the tracking and session parameters of
  `noise.py` are dropped.

What is not: the order of parameters, repeated slashes, `index.html`, `www.`, `+` for a blank, upper case in paths:
each can mean another page. A user name is refused (dropped, it would mean another resource; kept, it would leak), and
so is a host that DNS cannot hold, punycode that encodes nothing, and port 0.
"""

import re
from functools import lru_cache
from urllib.parse import quote

import ada_url

from thresher.errors import UsageError
from thresher.urls.noise import NOISE_IF_VALUE, NOISE_NAMES, NOISE_PATH_NAMES, NOISE_PREFIXES

MAX_LENGTH = 2_083  # characters of the canonical form: what browsers, proxies and the sitemap protocol agree on
MAX_INPUT_LENGTH = 16_384  # characters as spelled, without the fragment: more is not worth reading
MAX_HOST_LENGTH = 253  # octets, of DNS
MAX_AUTHORITY_LENGTH = MAX_HOST_LENGTH + len(".:65535")

_UNRESERVED = r"A-Za-z0-9\-._~"
_PATH_CHARS = _UNRESERVED + r"!$&'()*+,=:@"  # a ";" may begin a session parameter: not clean at sight
_QUERY_CHARS = _UNRESERVED + r"!$&()*+,=:@;/?"  # browsers encode an apostrophe here
_ENCODED = r"%(?:[0189A-F][0-9A-F]|2[0-9A-CF]|3[A-F]|40|5[B-E]|60|7[BCDF])"  # of what is not unreserved
# What needs no parser, most links of most pages. No two neighbours share a character: it cannot backtrack far.
_CLEAN = re.compile(
    r"https?://(?![^/]{254})(?:(?!xn--)[a-z0-9_-]{1,63}\.)*(?!xn--)[a-z][a-z0-9_-]{0,62}(?::[1-9][0-9]{3})?"
    rf"(?:/(?!\.\.?(?:[/?]|\Z))[{_PATH_CHARS}]*(?:{_ENCODED}[{_PATH_CHARS}]*)*)+"
    rf"(?:\?(?!\Z)([{_QUERY_CHARS}]*(?:{_ENCODED}[{_QUERY_CHARS}]*)*))?"
)
_SCHEME = re.compile(r"\s*([A-Za-z][A-Za-z0-9+.-]*):")
_PATH_ODD = re.compile(rf"%([0-9A-Fa-f]{{2}})?|[^{_PATH_CHARS};/%]+")
_QUERY_ODD = re.compile(rf"%([0-9A-Fa-f]{{2}})?|[^{_QUERY_CHARS}%]+")
_BARE = re.compile(f"[{_UNRESERVED}]")
_FOREIGN = re.compile(r"[^\x00-\x7f]+")
_SURROGATE = re.compile("[\ud800-\udfff]")
# Not after a dot segment's name: "/..;jsessionid=1" is no dot segment and must not become one.
_PATH_NOISE = re.compile(rf"(?<!/\.)(?<!/\.\.);(?:{'|'.join(NOISE_PATH_NAMES)})=[^/;]*", re.IGNORECASE)
_DELIMITER = re.compile(r"([/\\?#])")
# Underscores and odd hyphens are no host names by the book, but they resolve and sites use them.
_LABEL = re.compile(r"[a-z0-9_-]{1,63}")


def canonical(url: str, base: str | None = None, *, encoding: str = "utf-8") -> str:
    """Return the one spelling of an http(s) URL, resolved against a base; raise UsageError when it is none.

    `encoding` is the page's own (a Python codec): browsers send the bare characters of a query in it.
    """
    bare = url.partition("#")[0]
    if _is_clean(bare):
        return bare
    if base is not None and (plain := _plain(bare, base)):
        return plain
    if len(bare) > MAX_INPUT_LENGTH:
        raise UsageError(f"the URL is longer than {MAX_INPUT_LENGTH} characters: {shown(url)}")
    try:
        absolute = _parsed(_as_sent(bare, encoding), base)
        result = absolute if _is_clean(absolute) else _refined(absolute)
    except UsageError as error:
        raise UsageError(f"{error}: {shown(url)}") from None
    if len(result) > MAX_LENGTH:
        raise UsageError(f"the URL is longer than {MAX_LENGTH} characters: {shown(url)}")
    return result


def shown(url: str) -> str:
    """Return a URL fit for a message or a log: short, printable ASCII, without a user name or password."""
    parts = _DELIMITER.split(url[:MAX_INPUT_LENGTH])
    hidden = "".join(f"***@{part.rpartition('@')[2]}" if "@" in part else part for part in parts)
    return ascii(hidden[:200])[1:-1]


def _is_clean(url: str) -> bool:
    match = _CLEAN.fullmatch(url) if len(url) <= MAX_LENGTH else None
    return match is not None and (match[1] is None or _without_noise(match[1]) == match[1])


def _plain(url: str, base: str) -> str | None:
    """Return a reference that needs nothing but the base before it; None for one that needs more."""
    first = url[:1]
    if not first or ":" in url or url.startswith("//"):
        return None
    try:
        _, origin, folder, page = _places(base)
    except UsageError:
        return None
    whole = (origin if first == "/" else page if first == "?" else folder) + url
    return whole if _is_clean(whole) else None


@lru_cache(maxsize=256)
def _places(base: str) -> tuple[str, str, str, str]:
    """Return the base in full, its origin, its folder and its page without a query: where references start from."""
    whole = canonical(base)
    page = whole.partition("?")[0]
    folder = page[: page.rindex("/") + 1]
    return whole, "/".join(page.split("/", 3)[:3]), folder, page


def _as_sent(url: str, encoding: str) -> str:
    """Return the URL with the foreign characters of its query in the page's encoding, and no half characters."""
    if url.isascii():
        return url
    path, mark, query = _SURROGATE.sub("\ufffd", url).partition("?")
    if not encoding.lower().startswith("utf"):
        query = _FOREIGN.sub(lambda match: _encoded(match[0], encoding), query)
    return path + mark + query


def _encoded(text: str, encoding: str) -> str:
    try:
        return quote(text, "", encoding, "xmlcharrefreplace")
    except (LookupError, UnicodeError):  # a codec that Python does not have, or that has no such errors
        return quote(text, "")


def _parsed(reference: str, base: str | None) -> str:
    """Return what a browser makes of a reference; a base that is none counts for nothing."""
    try:
        start = _places(base)[0] if base is not None else None
    except UsageError:
        start = None
    try:
        absolute = ada_url.normalize_url(reference) if start is None else ada_url.join_url(start, reference)
    except ValueError:
        raise UsageError(_refusal(reference, start)) from None
    if not absolute.startswith(("http://", "https://")):
        raise UsageError("not an http(s) URL")
    return absolute


def _refusal(reference: str, start: str | None) -> str:
    scheme = _SCHEME.match(reference)
    if scheme and scheme[1].lower() not in ("http", "https"):
        return "not an http(s) URL"
    if not scheme and start is None:
        return "not an absolute URL (does it begin with https:// or http://?)"
    return "the URL's host or port is not valid"


def _refined(absolute: str) -> str:
    """Return the canonical form of what the parser wrote."""
    scheme, _, rest = absolute.partition("://")
    front, _, query = rest.partition("?")
    authority, slash, path = front.partition("/")
    if len(authority) > MAX_AUTHORITY_LENGTH and "@" not in authority:
        raise UsageError("the URL's host is too long")
    path = _PATH_ODD.sub(_escape, slash + path)
    path = _PATH_NOISE.sub("", path) if ";" in path else path
    query = _without_noise(_QUERY_ODD.sub(_escape, query))
    return f"{scheme}://{_host_and_port(authority)}{path}{'?' if query else ''}{query}"


@lru_cache(maxsize=4_096)
def _host_and_port(authority: str) -> str:
    """Return host[:port] as we write it; raise UsageError for one that we do not ask, or that names a user as well."""
    if "@" in authority:
        raise UsageError("the URL contains a user name or password; leave them out")
    host, _, port = authority.partition("]:" if authority.startswith("[") else ":")
    if port == "0":
        raise UsageError("the URL's port is not between 1 and 65535")
    if authority.startswith("["):
        return authority
    name = host.removesuffix(".")
    labels = name.split(".")
    if len(name) > MAX_HOST_LENGTH or not all(map(_LABEL.fullmatch, labels)) or not all(map(_is_encoded, labels)):
        raise UsageError("the URL's host is not a valid name")
    return f"{name}:{port}" if port else name


def _is_encoded(label: str) -> bool:
    """Say whether a label that claims to be punycode is; the parser takes any at its word."""
    return not label.startswith("xn--") or ada_url.idna_to_unicode(label) != label


def _escape(match: re.Match[str]) -> str:
    """Return the canonical form of an encoded byte, a stray percent sign, or characters that must be encoded."""
    text = match[0]
    if match[1]:
        char = chr(int(match[1], 16))
        return char if _BARE.match(char) else text.upper()
    return quote(text, safe="")


def _without_noise(query: str) -> str:
    return "&".join(piece for piece in query.split("&") if piece and not _is_noise(piece))


def _is_noise(parameter: str) -> bool:
    name, _, value = parameter.partition("=")
    name = name.lower()
    if name in NOISE_NAMES or name.startswith(NOISE_PREFIXES):
        return True
    form = NOISE_IF_VALUE.get(name)
    return form is not None and form.fullmatch(value) is not None
