"""Statements that are compiled once: running one costs little more than the driver's own call."""

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, CursorResult, Dialect, Select
from sqlalchemy.sql.dml import Insert

Row = dict[str, Any]
_COUNTED = {"preserve_rowcount": True}


class Prepared:
    """An insert or upsert of whole rows. Values reach the driver as they are, no type of a column changes them."""

    def __init__(self, statement: Insert, dialect: Dialect) -> None:
        """Compile the statement; its only parameters are the columns of its table."""
        columns = [column.name for column in statement.table.columns]
        compiled = statement.compile(dialect=dialect, column_keys=columns)
        self._sql = str(compiled)
        self._values: Callable[[Row], Any] = itemgetter(*compiled.positiontup) if compiled.positiontup else dict

    def run(self, connection: Connection, rows: Sequence[Row]) -> None:
        """Put the rows, each of which has every column; nothing happens when there is none."""
        if rows:
            connection.exec_driver_sql(self._sql, [self._values(row) for row in rows])

    def put(self, connection: Connection, row: Row) -> bool:
        """Put one row; return False if nothing came of it, because it was there."""
        return bool(connection.exec_driver_sql(self._sql, self._values(row), _COUNTED).rowcount)


class Question:
    """A select whose parameters are all named; what comes back is as the driver gives it."""

    def __init__(self, statement: Select[Any]) -> None:
        self._statement = statement
        self._compiled: dict[str, tuple[str, Sequence[str] | None, Row]] = {}  # by dialect: SQL, order, fixed values

    def ask(self, connection: Connection, values: Row) -> CursorResult[Any]:
        """Return the rows."""
        name = connection.dialect.name
        if name not in self._compiled:
            compiled = self._statement.compile(dialect=connection.dialect)
            self._compiled[name] = (str(compiled), compiled.positiontup, dict(compiled.params))
        sql, order, fixed = self._compiled[name]
        values = fixed | values
        return connection.exec_driver_sql(sql, tuple(values[name] for name in order) if order else values)
