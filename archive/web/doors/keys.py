"""The keys of a server: the link that lets in at the own machine, signed cookies of visits, secrets of forms. Signing
in is slow for whoever guesses: by name, by address, and by both."""

import hashlib
import hmac
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Hashable, Iterable, Sequence
from math import ceil
from pathlib import Path
from typing import Protocol

from cachetools import TTLCache
from itsdangerous import BadSignature, URLSafeSerializer, URLSafeTimedSerializer
from msgspec import Struct, convert
from msgspec import ValidationError as NoVisit

from archive.record import Deal, Finding, Session, SheetView
from archive.store.accounts import ROLES, Account, Accounts, Role, accounts_path
from archive.store.one_writer import OneWriter
from archive.store.passwords import is_password

MOST_KEYS = 50_000  # remembered at a time
WINDOW = 15 * 60.0  # seconds in which attempts are counted


class Throttle:
    """Counts attempts. `limits`: how many there may be in a window of time, by the kind of key."""

    def __init__(
        self, limits: dict[str, int], window: float = WINDOW, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.limits, self.window, self.now = limits, window, now
        self.lock = threading.Lock()
        self.attempts: TTLCache[Hashable, list[float]] = TTLCache(MOST_KEYS, window, now)

    def wait(self, **keys: Hashable) -> int:
        """Note an attempt with a key of each kind. Return the seconds until there may be another one; 0 if this one may
        be. An attempt that may not be does not count."""
        with self.lock:
            now = self.now()
            rows = {kind: [at for at in self.attempts.get((kind, key), ()) if at > now - self.window]
                    for kind, key in keys.items()}  # fmt: skip
            late = [ceil(times[-self.limits[kind]] + self.window - now) for kind, times in rows.items()
                    if len(times) >= self.limits[kind]]  # fmt: skip
            if not late:
                for kind, key in keys.items():
                    self.attempts[kind, key] = [*rows[kind], now]
            return max(late, default=0)

    def forget(self, **keys: Hashable) -> None:
        """Forget the attempts with these keys, after one that was right."""
        with self.lock:
            for kind, key in keys.items():
                self.attempts.pop((kind, key), None)


class Visitor(Struct, frozen=True):
    """Who is signed in: the name that stands beside what they write, their role, and the secret name of the visit.
    `account` is None for whoever came by the link of the terminal. `by_token`: a program that sent a token, which no
    browser does by itself."""

    name: str
    role: Role
    visit: str
    account: Account | None = None
    by_token: bool = False


def is_enough(role: Role, needed: Role) -> bool:
    """Return whether a role may do what is allowed from `needed` on."""
    return ROLES.index(role) >= ROLES.index(needed)


Received = tuple[str | None, Iterable[Session | Deal | Finding]]  # the importer of a file (None: none), what it holds


class Receive(Protocol):
    """Reads a file that was sent: its name, its bytes, the archive as it is, and of a score sheet its `columns.toml`;
    notes what it worked out in the language."""

    def __call__(
        self, path: str, data: bytes, conn: sqlite3.Connection, mapping: str = "", language: str = "en"
    ) -> Received: ...


# The columns of each sheet of a file that was sent, by its name, its bytes and the `columns.toml` that came with it,
# and their `columns.toml`; none of other files.
ReadColumns = Callable[[str, bytes, str], tuple[Sequence[SheetView], str]]
LASTS = 30 * 24 * 3600  # seconds of a visit
LONGEST_COOKIE = 1_000  # characters
MOST_FORMS, FORM_LASTS = 10_000, 12 * 3600  # forms that are known to be sent, and for how many seconds
LIMITS = {"both": 5, "name": 50, "address": 100}  # attempts to sign in, in a quarter of an hour


class Visit(Struct, frozen=True):
    """Contents of a cookie: the name of the visit, which nobody can guess."""

    visit: str


class Doors:
    """The doors of one archive. Without a `writer` they let in people who only read; without `accounts` they let in
    whoever has the link of the terminal, and what is written then is by the `owner`. `receive` reads files that are
    sent to be stored, `columns` those of score sheets."""

    def __init__(
        self,
        writer: OneWriter | None,
        owner: str,
        accounts: Accounts | None = None,
        receive: Receive | None = None,
        columns: ReadColumns | None = None,
    ) -> None:
        self.writer, self.owner, self.accounts = writer, owner, accounts
        self.receive, self.columns = receive, columns
        self.lock = threading.Lock()
        self.link_token: str | None = None
        self.when_link_used: Callable[[], None] | None = None
        self.link_visits: set[str] = set()
        self.throttle = Throttle(LIMITS)
        self.forms_sent: TTLCache[bytes, str] = TTLCache(MOST_FORMS, FORM_LASTS)  # where each led; for who writes
        key = accounts.secret() if accounts else secrets.token_hex(32)
        self.visits = URLSafeTimedSerializer(key, salt="visit")
        self.forms = URLSafeSerializer(key, salt="form")

    # --- the link ---------------------------------------------------------------------------------------------------

    def new_link_token(self) -> str:
        """Return a token that lets one browser in, once; a token made before is void from then on."""
        with self.lock:
            self.link_token = secrets.token_urlsafe(24)
            return self.link_token

    def use_link_token(self, token: str) -> str | None:
        """Return the cookie of a new visit for a token that lets in, and void the token. None for any other."""
        with self.lock:
            if self.link_token is None or not hmac.compare_digest(self.link_token.encode(), token.encode()):
                return None
            self.link_token = None
            visit = secrets.token_urlsafe(24)
            self.link_visits.add(visit)
        if self.when_link_used:
            self.when_link_used()
        return str(self.visits.dumps({"visit": visit}))

    # --- accounts ---------------------------------------------------------------------------------------------------

    def sign_in(self, name: str, password: str, address: str) -> str | int | None:
        """Return the cookie of a new visit; the seconds to wait after too many attempts; None if name and password do
        not belong together."""
        assert self.accounts is not None
        folded = name.strip().casefold()
        if wait := self.throttle.wait(both=(folded, address), name=folded, address=address):
            return wait
        account, hashed = self.accounts.password_of(name.strip()) or (None, None)
        if not is_password(hashed, password) or account is None:
            return None
        self.throttle.forget(both=(folded, address))
        return self.new_cookie(account)

    def new_cookie(self, account: Account) -> str:
        """Return the cookie of a new visit of an account."""
        assert self.accounts is not None
        return str(self.visits.dumps({"visit": self.accounts.new_visit(account, LASTS)}))

    def visitor_of(self, cookie: str) -> Visitor | None:
        """Return the visitor with a cookie; None if it is forged, too old, ended, or of another server."""
        if len(cookie) > LONGEST_COOKIE:
            return None
        try:
            signed, when = self.visits.loads(cookie, return_timestamp=True)
            visit = convert(signed, Visit).visit
        except (BadSignature, NoVisit):
            return None
        if time.time() - when.timestamp() > LASTS:  # one of a moment to come is valid: the clock was put back
            return None
        if visit in self.link_visits:
            return Visitor(self.owner, "keeper", visit)
        account = self.accounts.account_of_visit(visit) if self.accounts else None
        return None if account is None else Visitor(account.name, account.role, visit, account)

    def visitor_of_token(self, token: str) -> Visitor | None:
        """Return the visitor whose program has a token; None if nobody has it."""
        account = self.accounts.account_of_token(token) if self.accounts else None
        return None if account is None else Visitor(account.name, account.role, "", account, by_token=True)

    def end_visit(self, visitor: Visitor) -> None:
        """End a visit: its cookie lets nobody in any more."""
        self.link_visits.discard(visitor.visit)
        if self.accounts:
            self.accounts.end_visit(visitor.visit)

    # --- forms ------------------------------------------------------------------------------------------------------

    def form_secret(self, visitor: Visitor) -> str:
        """Return the secret that every form of a visit has."""
        digest = hashlib.sha256(visitor.visit.encode()).hexdigest()[:32]  # a form does not give away the visit itself
        return str(self.forms.dumps(digest))

    def is_form_secret(self, visitor: Visitor, text: str) -> bool:
        return hmac.compare_digest(self.form_secret(visitor).encode(), text.encode("utf-8", "replace"))

    def close(self) -> None:
        if self.writer:
            self.writer.close()
        if self.accounts:
            self.accounts.close()


def open_doors(
    db_path: Path,
    owner: str = "local",
    writes: bool = True,
    receive: Receive | None = None,
    columns: ReadColumns | None = None,
) -> Doors | None:
    """Return the doors of an archive. If it `writes`, the archive is opened for writing, and made if there is none.
    None if nobody could come in: nothing is written, and there are no accounts. Raises ArchiveError."""
    accounts = Accounts(db_path) if accounts_path(db_path).exists() else None
    if accounts and not accounts.list_accounts():
        accounts.close()
        accounts = None
    if not (writes or accounts):
        return None
    return Doors(OneWriter(db_path) if writes else None, owner, accounts, receive, columns)
