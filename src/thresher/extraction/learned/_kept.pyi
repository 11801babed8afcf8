from collections.abc import Callable, Iterable

from lxml import etree

from thresher.extraction.learned.table import Table
from thresher.model import Block

def blocks_of(
    table: Table,
    chosen: Iterable[int],
    *,
    link_of: Callable[[str | None], str | None],
    path_of: Callable[[etree._Element], str],
    mark_of: Callable[[str, etree._Element], str],
) -> tuple[Block, ...]: ...
def drafts_of(
    table: Table, chosen: Iterable[int], *, path_of: Callable[[etree._Element], str]
) -> tuple[Block, ...]: ...
