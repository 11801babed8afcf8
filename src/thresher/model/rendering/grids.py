"""Tables of data among the tables of a text: those that name their columns, and regular ones of short cells."""

from collections.abc import Callable, Sequence

from thresher.model.content import Block
from thresher.model.rendering.parts import Cell, Grid, Listing, Part, Quote, Text
from thresher.model.rendering.places import Holder, Placed, group, number_of

MAX_COLUMNS = 60
MAX_SPARSE = 4  # places for each cell that has a text
MAX_NARROW = 3  # rows for each one of several cells
MAX_PLAIN = 160  # characters in a cell where nothing is named a heading; longer texts are laid out, not tabulated
MAX_PLAIN_OF_MANY = 500  # the same where there are many rows of several cells, and a single paragraph in each cell
MANY_ROWS = 3
MAX_PARTS = 8  # in a cell

PartsOf = Callable[[Sequence[Placed], int], Sequence[Part]]
Row = dict[int, Cell]


def read_grid(placed: Sequence[Placed], depth: int, parts_of: PartsOf) -> Grid | None:
    """Return a table of data, without its empty columns; None for one that is there for the looks.

    `depth` is that of its rows. A first row in bold type is taken for the heading that it looks like.
    """
    caption: list[Block] = []
    rows: list[Row] = []
    for holder, members in group(placed, depth):
        if holder and holder.tag == "caption":
            caption += [each.block for each in members]
        elif holder and holder.tag == "tr" and (row := _row(members, depth + 1, parts_of)):
            rows.append(row)
        else:
            return None
    if not _is_data(rows):
        return None
    head = _head(rows)
    columns = sorted({column for row in rows for column in row})
    full = [tuple(row.get(column, Cell()) for column in columns) for row in (rows[1:] if head else rows)]
    return Grid(
        tuple(caption), tuple(head.get(column, Cell((), True)) for column in columns) if head else (), tuple(full)
    )


def _head(rows: Sequence[Row]) -> Row:
    """Return the first row if it names the columns, else an empty one."""
    first, *others = rows
    if all(cell.is_head for cell in first.values()):
        return first
    widest = max(map(len, rows))
    if len(first) == widest and _is_bold(first) and not all(map(_is_bold, others)):
        return {column: Cell(cell.parts, True) for column, cell in first.items()}
    return {}


def _is_bold(row: Row) -> bool:
    lines = [line for cell in row.values() for part in cell.parts if isinstance(part, Text) for line in part.lines]
    return all(span.strong or span.text.isspace() for line in lines for span in line.spans)


def _row(placed: Sequence[Placed], depth: int, parts_of: PartsOf) -> Row | None:
    """Return the cells of a row by their columns; None where something in it fits in no cell."""
    row: Row = {}
    for holder, members in group(placed, depth):
        if holder is None or holder.tag not in ("td", "th") or any(each.lies_in("table", depth) for each in members):
            return None
        parts = tuple(parts_of(members, depth + 1))
        if len(parts) > MAX_PARTS or not all(map(_fits, parts)):
            return None
        column = max(number_of(holder, members), max(row, default=0) + 1)
        row[column] = Cell(parts, _is_head(holder))
    return row


def _is_head(holder: Holder) -> bool:
    return holder.tag == "th" or "/thead" in holder.path


def _fits(part: Part) -> bool:
    """Say whether a part can stand in a cell: a paragraph, or a list or quotation of such."""
    match part:
        case Text():
            return part.level == 0
        case Quote():
            return all(map(_fits, part.parts))
        case Listing():
            return all(_fits(inner) for item in part.items for inner in item.parts)
        case _:
            return False


def _is_data(rows: Sequence[Row]) -> bool:
    """Say whether rows are a table of data: several, of several columns, and short cells unless some are headings."""
    wide = [row for row in rows if len(row) > 1]
    if len(rows) < 2 or not wide or MAX_NARROW * len(wide) < len(rows):
        return False
    cells = [cell for row in rows for cell in row.values()]
    width = len({column for row in rows for column in row})
    if width > MAX_COLUMNS or width * len(rows) > MAX_SPARSE * len(cells):
        return False
    if any(cell.is_head for cell in cells):
        return True
    most = MAX_PLAIN if len(wide) < MANY_ROWS or any(len(cell.parts) > 1 for cell in cells) else MAX_PLAIN_OF_MANY
    return all(_size(cell.parts) <= most for cell in cells)


def _size(parts: Sequence[Part]) -> int:
    """Count the characters of parts that fit in a cell."""
    size = 0
    for part in parts:
        match part:
            case Text():
                size += sum(len(line.text) for line in part.lines)
            case Quote():
                size += _size(part.parts)
            case Listing():
                size += sum(_size(item.parts) for item in part.items)
    return size
