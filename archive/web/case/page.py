"""A case as its page and the dispute file show it."""

from archive.store.cases import DisputeCase
from archive.text.case import case_title, entry_text, entry_title, parties_text, state_text, unheard_text, writer_text
from archive.text.dates import format_day, format_moment
from archive.text.wording import Texts
from archive.web.queries import Facts


def case_facts(case: DisputeCase, t: Texts, zone: str | None = None) -> Facts:
    """Return a case in the reader's language, with its hours by the clock of `zone`, as `format_moment`. Of its entries
    each has a `writer` only if somebody else wrote it down."""
    language = t["lang"]
    return {
        "id": case.id,
        "deal": case.deal,
        "session": case.session,
        "title": case_title(case, language),
        "parties": parties_text(case, language),
        "state": state_text(case, language),
        "closed": case.state == "closed",
        "occasion": ", ".join(filter(None, (case.event, format_day(case.date, t)))),
        "opened": format_moment(case.opened_at, t, zone),
        "unheard": unheard_text(case, language),
        "entries": [
            {
                "title": entry_title(each, language),
                "when": format_moment(each.when, t, zone),
                "text": entry_text(case, each, language),
                "writer": writer_text(each, language),
            }
            for each in case.entries
        ],
    }
