"""The outcome of storing a file that was sent: which deals are new, differ from before, or are gone."""

import sqlite3
from collections.abc import Mapping

from msgspec import Struct

from archive.judge import Judgement
from archive.judge.judge_deal import number_of_deal
from archive.record import Finding, Session
from archive.store import FileMeta, SaveResult, save_file
from archive.store._sqlite_utils import Database
from archive.store.near_names import near_names, players_of_source
from archive.store.privacy import Hidden
from archive.store.transaction import rehearsal_if
from archive.text.wording import Texts
from archive.web.deal.model import FindingView
from archive.web.deal.settlement import finding_view
from archive.web.upload.queries import Place, places_of_copies, places_of_records


class Upload(Struct, frozen=True):
    """A file that was sent: its name, its bytes, the `columns.toml` of a score sheet."""

    name: str
    data: bytes
    mapping: str = ""


class ReadUpload(Struct, frozen=True):
    """A file as it was read: the name of the importer, None if nobody knows it; its deals, judged, each with its
    session; findings that belong to none."""

    format: str | None
    pairs: tuple[tuple[Session, Judgement], ...]
    lone: tuple[Finding, ...]


MOST_GONE = 60  # deals that are named
OF_GONE = ("deal-gone", "import-held")


class Outcome(Struct, frozen=True):
    """The outcome of storing a file, in a sentence; the findings on deals that differ from before; a word for each deal
    that is new or changed; the deals that would be `gone`, by their numbers in the archive with their findings, and how
    many `more` are not named; `held`: why the file is not stored before somebody decides what becomes of them; `near`:
    the pairs of near-equal names."""

    words: str = ""
    findings: tuple[Finding, ...] = ()
    changes: Mapping[Place, str] = {}
    gone: tuple[tuple[int, FindingView], ...] = ()
    more: int = 0
    held: FindingView | None = None
    near: tuple[tuple[str, str], ...] = ()


NOTHING = Outcome()


def rehearse(db: Database, upload: Upload, read: ReadUpload, t: Texts, hidden: Hidden) -> Outcome:
    """Return the outcome of storing a file, worked out in transactions that are undone. If the file is held, its deals
    are those that would be there without the ones that are gone. `hidden` is what the sender does not see."""
    assert read.format
    meta = FileMeta(upload.name, read.format)
    with rehearsal_if(db.conn, True):
        saved = first = save_file(db, meta, upload.data, read.pairs, read.lone, None, hidden)
        changes = changes_of(db.conn, saved, t)
        players = players_of_source(db.conn, saved.source) if saved.stored else []
        near = near_names(db.conn, players, hidden.sessions)
    if not first.stored:
        with rehearsal_if(db.conn, True):
            saved = save_file(db, meta, upload.data, read.pairs, read.lone, "withdraw", hidden)
            changes = changes_of(db.conn, saved, t)
    gone = [each for each in first.findings if each.rule == "deal-gone"]
    held = [finding_view(each, (), t) for each in first.findings if each.rule == "import-held"]
    counts = {
        "up_added": saved.added, "up_known": saved.known, "up_changed": len(saved.changed),
        "up_gone": len(saved.gone_deals),
    }  # fmt: skip
    return Outcome(
        words=", ".join(t[key].format(n=count) for key, count in counts.items() if count or key == "up_added") + ".",
        findings=tuple(each for each in saved.findings if each.rule not in OF_GONE),
        changes=changes,
        gone=tuple((int(each.facts["deal"]), finding_view(each, (), t)) for each in gone[:MOST_GONE]),
        more=max(0, len(gone) - MOST_GONE),
        held=held[0] if held else None,
        near=tuple((each.name, each.like) for each in near),
    )


def changes_of(conn: sqlite3.Connection, saved: SaveResult, t: Texts) -> dict[Place, str]:
    """Return a word for each deal of a stored file that is new in the archive, or differs from before; none if all are
    new."""
    if not saved.known and not saved.gone_deals:
        return {}
    new = places_of_records(conn, saved.source) if saved.added else []
    changed = [place for deal in saved.changed for place in places_of_copies(conn, saved.source, deal)]
    words = ((new, t["up_row_new"]), (changed, t["up_row_changed"]))
    return {place: word for places, word in words for place in places}


def place_of(judged: Judgement) -> Place:
    at = judged.recorded.source
    return at.line if at else None, number_of_deal(judged.recorded, judged.number - 1)
