from collections.abc import Iterator, Sequence

from lxml import etree

class Signed:
    def __init__(
        self, top: etree._Element, tags: Sequence[str], hints: Sequence[str], paths: Sequence[str]
    ) -> None: ...
    def __iter__(self) -> Iterator[etree._Element]: ...
    def __next__(self) -> etree._Element: ...
