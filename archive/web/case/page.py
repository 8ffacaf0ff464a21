"""A case as its page and the dispute file show it."""

from collections.abc import Iterable

from msgspec import Struct

from archive.store.cases import DisputeCase
from archive.text.case import case_title, entry_text, entry_title, parties_text, state_text, unheard_text, writer_text
from archive.text.dates import format_day, format_moment
from archive.text.wording import Texts


class EntryView(Struct, frozen=True):
    """An entry: what it is and whose, when, its words, and who wrote them down, if that is somebody else."""

    title: str
    when: str
    text: str
    writer: str
    ruling: int | None


class CaseView(Struct, frozen=True):
    id: int
    deal: int
    session: int
    title: str
    parties: str
    state: str
    closed: bool
    occasion: str
    opened: str
    unheard: str
    entries: tuple[EntryView, ...]


def case_view(case: DisputeCase, t: Texts, zone: str | None = None) -> CaseView:
    """Return the view of a case in the reader's language, with its hours by the clock of `zone`, as `format_moment`."""
    language = t["lang"]
    return CaseView(
        id=case.id,
        deal=case.deal,
        session=case.session,
        title=case_title(case, language),
        parties=parties_text(case, language),
        state=state_text(case, language),
        closed=case.state == "closed",
        occasion=", ".join(filter(None, (case.event, format_day(case.date, t)))),
        opened=format_moment(case.opened_at, t, zone),
        unheard=unheard_text(case, language),
        entries=tuple(
            EntryView(
                entry_title(each, language),
                format_moment(each.when, t, zone),
                entry_text(case, each, language),
                writer_text(each, language),
                each.ruling,
            )
            for each in case.entries
        ),
    )


def split_by_state(cases: Iterable[DisputeCase], t: Texts) -> tuple[list[CaseView], list[CaseView]]:
    """Return the open cases, those that wait longest first, and the closed ones, newest first."""
    views = [case_view(each, t) for each in cases]
    return [each for each in views if not each.closed][::-1], [each for each in views if each.closed]
