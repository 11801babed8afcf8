"""Insert or update: the one place where SQL's dialects differ."""

from collections.abc import Callable, Collection

from sqlalchemy import ColumnElement, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql.dml import Insert

from thresher.errors import UsageError

_INSERTS: dict[str, Callable[[Table], sqlite.Insert | postgresql.Insert]] = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}


def upsert(
    dialect: str,
    table: Table,
    *,
    keep: Collection[str] = (),
    add: Collection[str] = (),
    where: ColumnElement[bool] | None = None,
) -> Insert:
    """Return what inserts a row or updates the one with its primary key.

    Columns in `keep` stay as they were first, those in `add` are added to what was there; with `where`, a row that does
    not satisfy it stays as it is.
    """
    if dialect not in _INSERTS:
        raise UsageError(f"store: {dialect} is not supported; use one of {', '.join(_INSERTS)}")
    statement = _INSERTS[dialect](table)
    changed = [column.name for column in table.columns if not column.primary_key and column.name not in keep]
    return statement.on_conflict_do_update(
        index_elements=list(table.primary_key),
        set_={
            name: table.columns[name] + statement.excluded[name] if name in add else statement.excluded[name]
            for name in changed
        },
        where=where,
    )
