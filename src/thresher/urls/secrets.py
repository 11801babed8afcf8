"""Passwords in URLs: hide them before a URL is shown, and notice those of which nobody can tell where they end.

A reserved character (`@ / ? # [ ]`) or a blank in a password makes a URL ambiguous: libraries disagree on which part is
the host, and the rest of the password ends up in their messages. Such URLs are shown as `scheme://***`, nothing more.
"""

import re
from urllib.parse import SplitResult, unquote, urlsplit

HIDDEN = "***"
SECRET_PARAMETERS = frozenset({"password", "passwd", "pass", "pwd", "sslpassword", "secret", "token"})

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://\S+")
_AUTHORITY = re.compile(r"(?:[^@]*@)?(?:\[[^\]]*\]|[^:@]*)(?::[0-9]*)?(?:,[^@]*)?")  # libpq takes a list of hosts
# Elsewhere a name without a password is often a password.
_SPEAKING_USER = ("postgresql", "postgres", "mysql", "mariadb")


def masked(url: str) -> str:
    """Return a URL of a server without its password; where it is unclear what is password, its scheme alone."""
    if not url:
        return ""
    scheme = url.partition("://")[0] if "://" in url else ""
    if scheme == "sqlite":  # a path, and nobody logs in to it
        return url
    parts = split_login(url)
    if parts is None:
        return f"{scheme}://{HIDDEN}" if _SCHEME.fullmatch(scheme) else HIDDEN
    query = f"?{_masked_query(parts.query)}" if parts.query else ""
    return f"{parts.scheme}://{_masked_authority(parts)}{parts.path}{query}"


def masked_text(text: str) -> str:
    """Return a message with the passwords of all URLs in it masked; web addresses without one stay as they are."""
    return _URL.sub(lambda match: _masked_mention(match[0]), text) if "://" in text else text


def split_login(url: str) -> SplitResult | None:
    """Split a server's URL; None for one that is no URL, or whose user name or password holds a reserved character."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    if re.search(r"\s", url):
        return None
    beyond = parts.path + parts.query
    if not parts.scheme or "://" not in url or "#" in url or "@" in beyond or parts.netloc.count("@") > 1:
        return None
    if not _AUTHORITY.fullmatch(parts.netloc) or (parts.netloc.startswith(":") and "@" not in parts.netloc):
        return None
    return parts if all("=" in pair for pair in parts.query.split("&") if pair) else None


def holds_hidden(url: str) -> bool:
    """Say whether a password in the URL is masked: the URL was copied from where it is shown."""
    parts = split_login(url)
    if parts is None:
        return False
    values = [pair.partition("=")[2] for pair in parts.query.split("&") if _is_secret(pair)]
    return HIDDEN in [unquote(parts.password or ""), *map(unquote, values)]


def _masked_mention(url: str) -> str:
    if not url.lower().startswith(("http://", "https://")):
        return masked(url)
    front, mark, query = url.partition("?")
    scheme, _, rest = front.partition("://")
    authority, slash, path = rest.partition("/")
    if "@" in authority:
        authority = f"{HIDDEN}@{authority.rpartition('@')[2]}"
    elif ":" in authority and not _AUTHORITY.fullmatch(authority):
        return f"{scheme}://{HIDDEN}"
    return f"{scheme}://{authority}{slash}{path}{mark}{_masked_query(query)}"


def _masked_authority(parts: SplitResult) -> str:
    login, at, place = parts.netloc.rpartition("@")
    user, colon, _ = login.partition(":")
    if not at:
        return place
    if colon:
        return f"{user}:{HIDDEN}@{place}"
    return f"{user if parts.scheme in _SPEAKING_USER else HIDDEN}@{place}"


def _masked_query(query: str) -> str:
    pairs = query.split("&")
    return "&".join(f"{pair.partition('=')[0]}={HIDDEN}" if _is_secret(pair) else pair for pair in pairs)


def _is_secret(pair: str) -> bool:
    return unquote(pair.partition("=")[0]).lower() in SECRET_PARAMETERS
