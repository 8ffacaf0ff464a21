"""The keys of a server that writes: the link that lets in at the own machine, signed cookies, secrets of forms."""

import hmac
import secrets
import threading
from collections.abc import Callable
from pathlib import Path

from itsdangerous import BadSignature, URLSafeSerializer, URLSafeTimedSerializer
from msgspec import Struct, convert
from msgspec import ValidationError as NoVisit

from archive.store.one_writer import OneWriter
from archive.web.doors.types import Visitor

LASTS = 30 * 24 * 3600  # seconds of a visit
LONGEST_COOKIE = 1_000  # characters


class Visit(Struct, frozen=True):
    """Contents of a cookie: the name of the visit, which nobody can guess."""

    visit: str


class Doors:
    """The doors of one archive. `owner` is the name of whoever has the terminal, for what they write."""

    def __init__(self, writer: OneWriter, owner: str, secret: str | None = None) -> None:
        self.writer, self.owner = writer, owner
        self.lock = threading.Lock()
        self.link_token: str | None = None
        self.when_link_used: Callable[[], None] | None = None
        key = secret or secrets.token_hex(32)
        self.visits = URLSafeTimedSerializer(key, salt="visit")
        self.forms = URLSafeSerializer(key, salt="form")

    # --- the link ---------------------------------------------------------------------------------------------------

    def new_link_token(self) -> str:
        """A token that lets one browser in, once; one that was made before lets nobody in any more."""
        with self.lock:
            self.link_token = secrets.token_urlsafe(24)
            return self.link_token

    def use_link_token(self, token: str) -> bool:
        """Whether a token lets in; from then on it does not."""
        with self.lock:
            fits = self.link_token is not None and hmac.compare_digest(self.link_token.encode(), token.encode())
            if fits:
                self.link_token = None
        if fits and self.when_link_used:
            self.when_link_used()
        return fits

    # --- cookies ----------------------------------------------------------------------------------------------------

    def new_cookie(self) -> str:
        """A cookie for a new visit of the owner."""
        return str(self.visits.dumps({"visit": secrets.token_urlsafe(16)}))

    def visitor_of(self, cookie: str) -> Visitor | None:
        """Whose cookie it is; None of one that is forged, too old, or of another server."""
        if len(cookie) > LONGEST_COOKIE:
            return None
        try:
            visit = convert(self.visits.loads(cookie, max_age=LASTS), Visit)
        except (BadSignature, NoVisit):
            return None
        return Visitor(self.owner, "keeper", visit.visit)

    # --- forms ------------------------------------------------------------------------------------------------------

    def form_secret(self, visitor: Visitor) -> str:
        """The secret that every form of a visit has."""
        return str(self.forms.dumps(visitor.visit))

    def is_form_secret(self, visitor: Visitor, text: str) -> bool:
        return hmac.compare_digest(self.form_secret(visitor).encode(), text.encode())

    def close(self) -> None:
        self.writer.close()


def open_doors(db_path: Path, owner: str = "local") -> Doors:
    """The doors of an archive, which is opened for writing, and made where there is none. Raises ArchiveError."""
    return Doors(OneWriter(db_path), owner)
