"""Templates: HTML from data, escaped always; and the version of the static files that they refer to."""

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from thresher.web import drawings
from thresher.web.formats import Formats

HERE = Path(__file__).parent
STATIC = HERE / "static"
FORMATS = [name for name in vars(Formats) if not name.startswith("_")]  # filters: numbers and times in the language


class Templates:
    """Renders templates, whole or one block of them."""

    def __init__(self) -> None:
        self.version = _version_of(STATIC)
        self.environment = Environment(
            loader=FileSystemLoader(HERE / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            extensions=["jinja2.ext.i18n"],
        )
        self.environment.filters["json"] = _json
        self.environment.globals["draw"] = drawings
        for name in FORMATS:
            self.environment.filters[name] = _written(name)

    def render(self, template: str, values: Mapping[str, Any], *, block: str | None = None) -> str:
        """Return the HTML of a template, or of one of its blocks."""
        found = self.environment.get_template(template)
        if block is None:
            return found.render(values)
        context = found.new_context(dict(values))
        return "".join(found.blocks[block](context))


def _version_of(folder: Path) -> str:
    """Return a word that is another one when any file in a folder is."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


def _written(name: str) -> Callable[..., str]:
    @pass_context
    def written(context: Context, value: Any, *args: Any, **kwargs: Any) -> str:
        text: str = getattr(context["formats"], name)(value, *args, **kwargs)
        return text

    return written


def _json(value: object) -> Markup:
    """Return JSON that can stand in a script element of type application/json."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))
