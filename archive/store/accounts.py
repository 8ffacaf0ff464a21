"""The accounts of an archive, in an SQLite file of their own beside it: `archive.accounts.db`.

They are no part of the archive. So Datasette, exports, snapshots and backups, which are given to others, cannot hold a
password; restoring an older backup brings no removed account back; and the archive is the same file whoever may read
it. Only its owner can read the file. It holds hashes of visits and tokens, so that a copy of it lets nobody in.
"""

import hashlib
import os
import secrets
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal, get_args

from msgspec import Struct

from archive.record.names import one_form
from archive.say import message, why_refused
from archive.stats.database import ArchiveError
from archive.store.disk import disk_error
from archive.store.transaction import utc_now

Role = Literal["reader", "writer", "referee", "keeper"]
ROLES: tuple[Role, ...] = get_args(Role)  # each may do what those before it may

APPLICATION_ID = 0x53636841  # "SchA"
SCHEMA = """
    CREATE TABLE IF NOT EXISTS accounts (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE COLLATE NOCASE,
        role TEXT NOT NULL CHECK (role IN ('reader', 'writer', 'referee', 'keeper')), password TEXT NOT NULL,
        player TEXT, made_at TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS visits (sha256 BLOB PRIMARY KEY, account_id INTEGER NOT NULL
        REFERENCES accounts (id) ON DELETE CASCADE, ends_at TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS tokens (sha256 BLOB PRIMARY KEY, account_id INTEGER NOT NULL
        REFERENCES accounts (id) ON DELETE CASCADE, made_at TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
"""
LONGEST_NAME = 80  # characters
OF_VISIT = "FROM visits v JOIN accounts a ON a.id = v.account_id WHERE v.sha256 = ? AND v.ends_at > ?"
OF_TOKEN = "FROM tokens t JOIN accounts a ON a.id = t.account_id WHERE t.sha256 = ?"
COLUMNS = "a.id, a.name, a.role, coalesce(a.player, a.name)"


class Account(Struct, frozen=True):
    """Someone who may sign in: a name, which stands beside what they write, a role, and the name of the player they are
    in the records."""

    id: int
    name: str
    role: Role
    player: str


def accounts_path(archive: Path) -> Path:
    return archive.with_name(f"{archive.stem}.accounts{archive.suffix}")


class Accounts:
    """The open file of the accounts of an archive; created if there is none. May be used by several threads.

    Raises ArchiveError if the file is something else or cannot be written.
    """

    def __init__(self, archive: Path) -> None:
        self.path = accounts_path(archive)
        self.lock = threading.Lock()
        try:
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
            self.conn = sqlite3.connect(self.path, timeout=10, check_same_thread=False, isolation_level=None)
            self._check()
            self.conn.execute("PRAGMA journal_mode = WAL")
            self.conn.execute("PRAGMA foreign_keys = ON")
            self.conn.executescript(SCHEMA)
            self.conn.execute("DELETE FROM visits WHERE ends_at <= ?", (utc_now(),))
        except (OSError, sqlite3.Error) as error:
            raise ArchiveError(message("refused.not-used", path=self.path, why=why_refused(error))) from None

    def _check(self) -> None:
        number = self.conn.execute("PRAGMA application_id").fetchone()[0]
        if number != APPLICATION_ID and self.conn.execute("SELECT 1 FROM sqlite_master").fetchone():
            raise ArchiveError(message("refused.no-accounts", path=self.path))
        self.conn.execute(f"PRAGMA application_id = {APPLICATION_ID}")

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Run one transaction. Raises ArchiveError."""
        with self.lock:
            try:
                self.conn.execute("BEGIN IMMEDIATE")
                yield self.conn
                self.conn.execute("COMMIT")
            except sqlite3.Error as error:
                other = ArchiveError(message("refused.not-written-now", path=self.path, why=error))
                raise disk_error(self.path, error) or other from None
            finally:
                if self.conn.in_transaction:
                    self.conn.execute("ROLLBACK")

    def _row(self, sql: str, *values: Any) -> Any:
        with self.lock:
            return self.conn.execute(sql, values).fetchone()

    # --- accounts ---------------------------------------------------------------------------------------------------

    def list_accounts(self) -> list[Account]:
        with self.lock:
            rows = self.conn.execute(f"SELECT {COLUMNS} FROM accounts a ORDER BY a.name").fetchall()
        return [Account(*row) for row in rows]

    def account(self, name: str) -> Account:
        """Return an account by its name. Raises ArchiveError if nobody has that name."""
        there = self.password_of(name)
        if there is None:
            raise ArchiveError(message("refused.no-account", name=name))
        return there[0]

    def password_of(self, name: str) -> tuple[Account, str] | None:
        """Return an account with the hash of its password; None if nobody has that name."""
        sql = f"SELECT {COLUMNS}, a.password FROM accounts a WHERE a.name = ?"
        row = self._row(sql, one_form(name)) or self._row(sql, name)
        return row and (Account(*row[:-1]), str(row[-1]))

    def add(self, name: str, role: Role, password: str, player: str | None = None) -> Account:
        """Add an account and return it; `password` is a hash. Raises ArchiveError if the name is taken or not
        allowed."""
        if not name.strip() or name != name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
            raise ArchiveError(message("refused.name-length", most=LONGEST_NAME))
        name, player = one_form(name), player and one_form(player)
        with self._writing() as conn:
            if conn.execute("SELECT 1 FROM accounts WHERE name = ?", (name,)).fetchone():
                raise ArchiveError(message("refused.account-there", name=name))
            row = (name, role, password, player, utc_now())
            sql = "INSERT INTO accounts (name, role, password, player, made_at) VALUES (?, ?, ?, ?, ?)"
            conn.execute(sql, row)
        return self.account(name)

    def remove(self, account: Account) -> None:
        """Remove an account with its visits and tokens. What it wrote keeps its name."""
        with self._writing() as conn:
            conn.execute("DELETE FROM accounts WHERE id = ?", (account.id,))

    def set_password(self, account: Account, password: str) -> None:
        """Set the hash of a password and end every visit."""
        with self._writing() as conn:
            conn.execute("UPDATE accounts SET password = ? WHERE id = ?", (password, account.id))
            conn.execute("DELETE FROM visits WHERE account_id = ?", (account.id,))

    def set_role(self, account: Account, role: Role) -> None:
        with self._writing() as conn:
            conn.execute("UPDATE accounts SET role = ? WHERE id = ?", (role, account.id))

    def revoke(self, account: Account) -> int:
        """End all visits and tokens of an account; return how many there were."""
        with self._writing() as conn:
            visits = conn.execute("DELETE FROM visits WHERE account_id = ?", (account.id,)).rowcount
            return visits + conn.execute("DELETE FROM tokens WHERE account_id = ?", (account.id,)).rowcount

    # --- visits and tokens ------------------------------------------------------------------------------------------

    def new_visit(self, account: Account, seconds: int) -> str:
        """Begin a visit of an account that ends after so many seconds, and return its secret name."""
        visit = secrets.token_urlsafe(24)
        ends = (datetime.now(UTC) + timedelta(seconds=seconds)).isoformat(timespec="seconds")
        with self._writing() as conn:
            conn.execute("INSERT INTO visits VALUES (?, ?, ?)", (_digest(visit), account.id, ends))
        return visit

    def account_of_visit(self, visit: str) -> Account | None:
        """Return the account of a visit; None if the visit has ended or never was."""
        row = self._row(f"SELECT {COLUMNS} {OF_VISIT}", _digest(visit), utc_now())
        return row and Account(*row)

    def end_visit(self, visit: str) -> None:
        with self._writing() as conn:
            conn.execute("DELETE FROM visits WHERE sha256 = ?", (_digest(visit),))

    def new_token(self, account: Account) -> str:
        """Return a new token by which a program writes as an account."""
        token = secrets.token_urlsafe(32)
        with self._writing() as conn:
            conn.execute("INSERT INTO tokens VALUES (?, ?, ?)", (_digest(token), account.id, utc_now()))
        return token

    def account_of_token(self, token: str) -> Account | None:
        row = self._row(f"SELECT {COLUMNS} {OF_TOKEN}", _digest(token))
        return row and Account(*row)

    def secret(self) -> str:
        """Return the key that signs cookies; it stays the same as long as the file exists."""
        with self._writing() as conn:
            conn.execute("INSERT OR IGNORE INTO settings VALUES ('secret', ?)", (secrets.token_hex(32),))
            return str(conn.execute("SELECT value FROM settings WHERE key = 'secret'").fetchone()[0])

    def close(self) -> None:
        with self.lock:
            self.conn.close()


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()
