"""Correcting a deal: one row more, and its session is settled again. What was recorded or corrected stays as it is."""

from msgspec import Struct

from archive.judge.types import Judgement
from archive.notation.corrections import Change, changes_by
from archive.notation.problem import Problem
from archive.record import Correction, Deal, Finding, finding, message_of
from archive.say import Message, message
from archive.stats.database import ArchiveError
from archive.store._sqlite_utils import Database
from archive.store.resettle import judge_session_again, resettle_session
from archive.store.row_values import to_json
from archive.store.rows import correction_rows
from archive.store.tables import insert_row
from archive.store.transaction import changing

OF_RULES = ("unknown-rules", "bad-setting")  # findings of rules that nobody can play by


class CorrectionError(ArchiveError):
    """A correction that the format refuses, with the finding that says why."""

    def __init__(self, refused: Finding) -> None:
        super().__init__(message_of(refused))
        self.finding = refused


class CorrectionResult(Struct, frozen=True):
    """The effect of a correction on the deal `id`: its entries, and the judgements of its session by deal, before and
    after."""

    id: int
    changes: tuple[Change, ...]
    before: dict[int, Judgement]
    after: dict[int, Judgement]


def correct(db: Database, deal: int, row: Correction) -> CorrectionResult:
    """Add a correction to a deal and settle its session again, in one transaction.

    Raises ArchiveError and writes nothing if the format refuses a key or value, if there are no such rules, if nothing
    would change, if there is no such deal, or if the archive cannot be written.
    """
    with changing(db.conn):
        conn = db.conn
        (session,) = conn.execute("SELECT session_id FROM records WHERE id = ?", (deal,)).fetchone() or (None,)
        every = judge_session_again(conn, session) if session is not None else []
        before = {each.id: judgement for each, judgement in every}
        if session is None or deal not in before:
            raise ArchiveError(message("refused.no-deal" if session is None else "refused.deal-gone", deal=deal))
        for key in (key for key, value in row.set.items() if isinstance(value, str) and not value.strip()):
            raise CorrectionError(finding("wrong-type", key=key, why=message("notation.empty-text")))
        try:
            changes = changes_by(every[0][0].record.head, before[deal].deal, row.set)
        except Problem as problem:
            raise CorrectionError(finding(problem.rule, **problem.facts)) from None
        same = next((change for change in changes if change.before == change.after), None)
        if same:
            raise ArchiveError(message("refused.set-already", key=same.key, value=value_words(same.after)))
        if not changes:
            raise ArchiveError(message("refused.nothing-set"))
        was = {change.key: {} if change.before is None else change.before for change in changes}
        (correction,) = correction_rows(Deal(correction=(row,)))
        insert_row(db, "corrections", {"deal_id": deal, **correction, "before": to_json(was)})
        after = {each.id: judgement for each, judgement in resettle_session(conn, session)}
        new = [each for each in after[deal].findings if each.rule in OF_RULES and each not in before[deal].findings]
        if new:
            raise CorrectionError(new[0])
        return CorrectionResult(deal, changes, before, after)


def value_words(value: object) -> Message | str:
    """Return a value in words; None is a value that is not recorded."""
    return message("refused.not-recorded") if value is None else to_json(value) or ""
