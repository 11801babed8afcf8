"""Say which of the hot parts run compiled here; the others do the same in Python, several times slower."""

import sys

from thresher.extraction import paths
from thresher.extraction.fields import credits as signed
from thresher.extraction.fields import texts
from thresher.extraction.forum import thread
from thresher.extraction.kinds import features as kinds
from thresher.extraction.learned import comments, decide, descend, features, kept, second, walk

# And through them all that is asked for.
_LOADED = (paths, signed, texts, thread, kinds, comments, decide, descend, features, kept, second, walk)
_COLUMNS = ("sheet", "surroundings", "nearby", "features", "mass", "second")
_CHOICE = ("comments", "headed", "slides", "completion", "decide")
_LEARNED = ("_walk", "_measure", "_inherit", "_descend", "_kept", *_COLUMNS, *_CHOICE)
_FIELDS = ("thresher.extraction._paths", "thresher.extraction.fields._signed", "thresher.extraction.fields._texts")
_FORUM = ("_flat", "layout", "stamps", "records", "families", "named", "choice", "bodies", "writers", "details")
_KINDS = ("marks", "prose", "records")
_FOLDERS = {"learned": _LEARNED, "forum": (*_FORUM, "places", "own_text"), "kinds": _KINDS}
_IN_FOLDERS = (f"thresher.extraction.{folder}.{name}" for folder, names in _FOLDERS.items() for name in names)
_HTML = ("thresher.html._scan", "thresher.html._lean", "thresher.html._encode")
_PARTS = (*_HTML, *_FIELDS, *_IN_FOLDERS)


def interpreted_parts() -> list[str]:
    """Return the names of the modules that were not compiled, or could not be loaded; none where all are in use."""
    loaded = {name: getattr(sys.modules.get(name), "__file__", None) or ".py" for name in _PARTS}
    return [name for name, file in loaded.items() if file.endswith(".py")]


def compiled_line() -> str:
    """Say in one line whether the compiled parts are in use."""
    missing = interpreted_parts()
    if not missing:
        return "all in use"
    if len(missing) == len(_PARTS):
        return "none, extraction is slower; install thresher again where there is a C compiler and Python's headers"
    return f"{len(_PARTS) - len(missing)} of {len(_PARTS)}; run scripts/compile for {', '.join(missing)}"
