"""sqlite-utils, imported with the first archive that is written, and without numpy and pandas. It takes as long as
Python itself to start; these two, which it imports wherever they are installed, take a tenth of a second or a whole
one, for the types of columns that no table of ours has."""

import sqlite3
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlite_utils import Database
else:

    class Database:
        """A stand-in for `Database` of sqlite-utils in the types of functions; called, it makes one."""

        def __new__(cls, *given: Any, **settings: Any) -> Any:
            """Return a `Database` of sqlite-utils."""
            return sqlite_utils().Database(*given, **settings)


def sqlite_utils() -> Any:
    """Import the package, and return it."""
    absent = [name for name in ("numpy", "pandas") if name not in sys.modules]
    sys.modules.update(dict.fromkeys(absent))  # type: ignore[arg-type]  # None there makes an import fail
    try:
        import sqlite_utils as package
        import sqlite_utils.migrations
    finally:
        for name in absent:
            del sys.modules[name]
    return package


class Steps:
    """The names of the steps that older archives take, in their order, and which of them an archive has taken.
    sqlite-utils takes them, and notes each in a table; that is read without it, and without the module that has their
    functions."""

    def __init__(self, name: str, module: str, steps: Sequence[str]) -> None:
        self.name, self.module, self.every = name, module, steps

    def steps_of(self, conn: sqlite3.Connection) -> list[str]:
        """Return the names of the steps that an archive has taken, in their order."""
        table = "_sqlite_migrations"
        if not conn.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)).fetchone():
            return []
        return [row[0] for row in conn.execute(f"SELECT name FROM {table} WHERE migration_set = ? ORDER BY rowid",
                                               (self.name,))]  # fmt: skip

    def pending(self, conn: sqlite3.Connection) -> list[str]:
        """Return the names of the steps that an archive has yet to take."""
        taken = self.steps_of(conn)
        return [step for step in self.every if step not in taken]

    def take(self, db: Database) -> None:
        """Take the steps that are pending, each in a savepoint of its own."""
        steps = sqlite_utils().migrations.Migrations(self.name)
        for step in self.every:
            steps(name=step)(getattr(import_module(self.module), step))
        steps.apply(db)


__all__ = ["Database", "Steps"]
