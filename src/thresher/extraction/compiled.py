"""Say which of the hot parts run compiled here; the others do the same in Python, many times slower."""

import sys

from thresher.extraction import paths
from thresher.extraction.fields import credits as signed
from thresher.extraction.fields import texts
from thresher.extraction.forum import thread
from thresher.extraction.kinds import features as kinds
from thresher.extraction.learned import decide, descend, features, kept, second, walk

# And through them all that is asked for.
_LOADED = (paths, signed, texts, thread, kinds, decide, descend, features, kept, second, walk)
_COLUMNS = ("sheet", "surroundings", "nearby", "features", "mass", "second")
_LEARNED = ("_walk", "_measure", "_inherit", "_descend", "_kept", *_COLUMNS, "decide")
_FIELDS = ("thresher.extraction._paths", "thresher.extraction.fields._signed", "thresher.extraction.fields._texts")
_FORUM = ("_flat", "layout", "stamps", "records", "families", "named", "places", "bodies", "writers", "details")
_KINDS = ("marks", "prose", "records", "headings")
_FOLDERS = {"learned": _LEARNED, "forum": _FORUM, "kinds": _KINDS}
_IN_FOLDERS = (f"thresher.extraction.{folder}.{name}" for folder, names in _FOLDERS.items() for name in names)
_HTML = ("thresher.html._scan", "thresher.html._lean", "thresher.html._encode")
_PARTS = (*_HTML, *_FIELDS, *_IN_FOLDERS)
TIMES_SLOWER = 14  # without any of them: CPU time of an extraction, on 30 labelled articles


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
        return f"none, extraction is {TIMES_SLOWER} times slower; install thresher again where there is a C compiler"
    return f"{len(_PARTS) - len(missing)} of {len(_PARTS)}; run scripts/compile for {', '.join(missing)}"
