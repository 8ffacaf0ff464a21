"""The rules of a table, kept under a name for its next evenings."""

import json
import sqlite3
from collections.abc import Mapping
from typing import Any

from archive.store._sqlite_utils import Database
from archive.store.transaction import changing, utc_now


def keep_table_rules(db: Database, name: str, rules: str, house: Mapping[str, Any], author: str) -> None:
    """Store the rules of a table under a name, in place of earlier ones."""
    row = {"name": name, "rules": rules, "house": json.dumps(house), "author": author, "made_at": utc_now()}
    with changing(db.conn):
        db.table("table_rules").upsert(row, pk="name")


def kept_table_rules(conn: sqlite3.Connection) -> dict[str, tuple[str, dict[str, Any]]]:
    """Return the rules of tables by name: the ruleset and the table's own settings."""
    rows = conn.execute("SELECT name, rules, house FROM table_rules ORDER BY name")
    return {name: (rules, json.loads(house)) for name, rules, house in rows}
