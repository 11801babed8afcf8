"""The canonical form: one pure function from any spelling of an http(s) URL to the one we use.

A URL means what a browser would ask for. What is normalised:

- surrounding blanks and control characters, tabs and line ends anywhere, backslashes before the query;
- scheme and host in lower case, IDN as punycode, addresses in their one form, no trailing dot, no default port;
- dot segments resolved (`%2E` too), an empty path is `/`;
- percent-encoding: unreserved characters bare, hexadecimal digits in upper case, characters that are not allowed (a
  stray `%` included) encoded, as UTF-8, in a query as the page's encoding; other encoded bytes stay, `%2F` or GBK;
- the fragment, an empty query, empty parameters, and the tracking and session parameters of `noise.py` are dropped.

What is not: the order of parameters, repeated slashes, `index.html`, `www.`, `+` for a blank, upper case in paths:
each can mean another page. A user name is refused (dropped, it would mean another resource; kept, it would leak).
"""

import re
from functools import lru_cache
from urllib.parse import quote

from thresher.errors import UsageError
from thresher.urls.hosts import canonical_authority
from thresher.urls.noise import NOISE_IF_VALUE, NOISE_NAMES, NOISE_PATH_NAMES, NOISE_PREFIXES

MAX_LENGTH = 2_083  # characters of the canonical form: what browsers, proxies and the sitemap protocol agree on
MAX_INPUT_LENGTH = 16_384  # characters as spelled: more is not worth reading

_UNRESERVED = r"A-Za-z0-9\-._~"
_PATH_CHARS = _UNRESERVED + r"!$&'()*+,=:@"  # a ";" may begin a session parameter: not clean at sight
_QUERY_CHARS = _UNRESERVED + r"!$&()*+,=:@;/?"  # browsers encode an apostrophe here
_ENCODED = r"%(?:[0189A-F][0-9A-F]|2[0-9A-CF]|3[A-F]|40|5[B-E]|60|7[BCDF])"  # of what is not unreserved
_CLEAN = re.compile(
    r"https?://(?![^/]{254})(?:(?!xn--)[a-z0-9_-]{1,63}\.)*+(?!xn--)[a-z][a-z0-9_-]{0,62}(?::[1-9][0-9]{3})?"
    rf"(?:/(?!\.\.?(?:[/?]|\Z))(?:[{_PATH_CHARS}]++|{_ENCODED})*+)++"
    rf"(?:\?((?:[{_QUERY_CHARS}]++|{_ENCODED})++))?"
)
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_TAB_OR_NEWLINE = re.compile(r"[\t\n\r]+")
_CONTROLS_AND_BLANK = "".join(map(chr, range(33)))
_PATH_ODD = re.compile(rf"%([0-9A-Fa-f]{{2}})?|[^{_PATH_CHARS};/%]+")
_QUERY_ODD = re.compile(rf"%([0-9A-Fa-f]{{2}})?|[^{_QUERY_CHARS}%]+")
_BARE = re.compile(f"[{_UNRESERVED}]")
_FOREIGN = re.compile(r"[^\x00-\x7f]+")
_SURROGATE = re.compile("[\ud800-\udfff]")
# Not after a dot segment's name: "/..;jsessionid=1" is no dot segment and must not become one.
_PATH_NOISE = re.compile(rf"(?<!/\.)(?<!/\.\.);(?:{'|'.join(NOISE_PATH_NAMES)})=[^/;]*", re.IGNORECASE)
_DELIMITER = re.compile(r"([/\\?#])")


def canonical(url: str, base: str | None = None, *, encoding: str = "utf-8") -> str:
    """Return the one spelling of an http(s) URL, resolved against a base; raise UsageError when it is none.

    `encoding` is the page's own (a Python codec): browsers send the bare characters of a query in it.
    """
    if _is_clean(url):
        return url
    if base is not None and (plain := _plain(url, base)):
        return plain
    if len(url) > MAX_INPUT_LENGTH:
        raise UsageError(f"the URL is longer than {MAX_INPUT_LENGTH} characters: {shown(url)}")
    try:
        absolute = _resolve(_scrub(url, encoding), base)
        result = absolute if _is_clean(absolute) else _respell(absolute)
    except UsageError as error:
        raise UsageError(f"{error}: {shown(url)}") from None
    if len(result) > MAX_LENGTH:
        raise UsageError(f"the URL is longer than {MAX_LENGTH} characters: {shown(url)}")
    return result


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


def shown(url: str) -> str:
    """Return a URL fit for a message or a log: short, printable ASCII, without a user name or password."""
    parts = _DELIMITER.split(url[:MAX_INPUT_LENGTH])
    hidden = "".join(f"***@{part.rpartition('@')[2]}" if "@" in part else part for part in parts)
    return ascii(hidden[:200])[1:-1]


def _is_clean(url: str) -> bool:
    match = _CLEAN.fullmatch(url) if len(url) <= MAX_LENGTH else None
    return match is not None and (match[1] is None or _without_noise(match[1]) == match[1])


def _scrub(url: str, encoding: str) -> str:
    stripped = _TAB_OR_NEWLINE.sub("", url.strip(_CONTROLS_AND_BLANK))
    path, mark, query = stripped.partition("#")[0].partition("?")
    if not query.isascii() and not encoding.lower().startswith("utf"):
        query = _FOREIGN.sub(lambda match: quote(match[0], "", encoding, "xmlcharrefreplace"), query)
    return path.replace("\\", "/") + mark + query


def _resolve(reference: str, base: str | None) -> str:
    """Return scheme://rest for a scrubbed reference, as browsers resolve it."""
    match = _SCHEME.match(reference)
    scheme = match[1].lower() if match else None
    if scheme not in (None, "http", "https"):
        raise UsageError("not an http(s) URL")
    rest = reference[match.end() :] if match else reference
    if scheme and (base is None or rest.startswith("//") or not _places(base)[0].startswith(f"{scheme}:")):
        return f"{scheme}://{rest.lstrip('/')}"
    if base is None:
        raise UsageError("not an absolute URL (does it begin with https:// or http://?)")
    whole, origin, folder, page = _places(base)
    if rest.startswith("//"):
        return whole.partition("/")[0] + "//" + rest.lstrip("/")
    start = {"": whole, "/": origin, "?": page}.get(rest[:1], folder)
    return start + rest


@lru_cache(maxsize=256)
def _places(base: str) -> tuple[str, str, str, str]:
    """Return the base in full, its origin, its folder and its page without a query: where references start from."""
    whole = canonical(base)
    page = whole.partition("?")[0]
    folder = page[: page.rindex("/") + 1]
    return whole, "/".join(page.split("/", 3)[:3]), folder, page


def _respell(absolute: str) -> str:
    scheme, _, rest = absolute.partition("://")
    front, _, query = rest.partition("?")
    authority, slash, path = front.partition("/")
    if not authority:
        raise UsageError("the URL names no host")
    host = canonical_authority(authority, scheme)
    path = _without_dots(_PATH_ODD.sub(_escape, slash + path))
    path = _PATH_NOISE.sub("", path) if ";" in path else path
    query = _without_noise(_QUERY_ODD.sub(_escape, query))
    return f"{scheme}://{host}{path or '/'}{'?' if query else ''}{query}"


def _escape(match: re.Match[str]) -> str:
    """Return the canonical form of an encoded byte, a stray percent sign, or characters that must be encoded."""
    text = match[0]
    if match[1]:
        char = chr(int(match[1], 16))
        return char if _BARE.match(char) else text.upper()
    return quote(_SURROGATE.sub("\ufffd", text), safe="")


def _without_dots(path: str) -> str:
    if "/." not in path:
        return path
    kept: list[str] = []
    *folders, last = path.split("/")[1:]
    for segment in folders:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if last == "..":
        del kept[-1:]
    kept.append("" if last in (".", "..") else last)
    return "/" + "/".join(kept)


def _without_noise(query: str) -> str:
    return "&".join(piece for piece in query.split("&") if piece and not _is_noise(piece))


def _is_noise(parameter: str) -> bool:
    name, _, value = parameter.partition("=")
    name = name.lower()
    if name in NOISE_NAMES or name.startswith(NOISE_PREFIXES):
        return True
    form = NOISE_IF_VALUE.get(name)
    return form is not None and form.fullmatch(value) is not None
