"""A folder of HTML files as a site: every file a page, with an index of links to turn the pages of."""

from html import escape
from math import ceil
from pathlib import Path
from urllib.parse import quote, urlsplit

from thresher.errors import UsageError
from thresher.sample.answer import Answer, missing, page

_PER_PAGE = 100
_INDEX = "/_index/"


class FolderSite:
    """The *.html and *.htm files below a folder, found once; files are read when they are asked for."""

    def __init__(self, folder: Path) -> None:
        """List the files; raise UsageError where there are none."""
        files = sorted(file for pattern in ("*.html", "*.htm") for file in folder.rglob(pattern) if file.is_file())
        if not files:
            raise UsageError(f"no *.html files in {folder}")
        self._files = {"/" + quote(file.relative_to(folder).as_posix()): file for file in files}

    @property
    def paths(self) -> list[str]:
        """The paths of all files, in order."""
        return list(self._files)

    @property
    def indexes(self) -> list[str]:
        """The paths of the index pages, which together link to every file."""
        return ["/", *(f"{_INDEX}{number}/" for number in range(2, self._pages() + 1))]

    def answer(self, url: str) -> Answer:
        """Return the file or index page at a URL, or a 404."""
        path = urlsplit(url).path or "/"
        if path in self._files:
            return Answer(body=self._files[path].read_bytes(), content_type="text/html")
        if path == "/":
            return self._index(1)
        number = path.removeprefix(_INDEX).removesuffix("/")
        if path.startswith(_INDEX) and number.isdecimal() and 1 <= int(number) <= self._pages():
            return self._index(int(number))
        return missing()

    def _pages(self) -> int:
        return ceil(len(self._files) / _PER_PAGE)

    def _index(self, number: int) -> Answer:
        paths = self.paths[(number - 1) * _PER_PAGE : number * _PER_PAGE]
        items = "\n".join(f'<li><a href="{escape(path)}">{escape(path)}</a></li>' for path in paths)
        steps = [(number - 1, "Previous", "prev"), (number + 1, "Next", "next")]
        links = " ".join(
            f'<a rel="{rel}" href="{_INDEX}{to}/">{label}</a>' for to, label, rel in steps if 1 <= to <= self._pages()
        )
        title = f"Index, page {number} of {self._pages()}"
        return page(
            f"<!DOCTYPE html>\n<html><head><title>{title}</title></head><body><h1>{title}</h1>\n"
            f"<ul>\n{items}\n</ul>\n<p>{links}</p></body></html>\n"
        )
