"""Checks that what another format says can be written in the record format and read back unchanged, since names and
entries of a foreign source may not be."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from msgspec.structs import replace

from archive.notation import key_table
from archive.notation.jsonl import read_lines, write_line
from archive.record import Deal, Finding, Session, Source, finding
from archive.record.names import one_form
from archive.say import message

S = TypeVar("S", Session, Deal)


def drop_unwritable(items: Iterable[Session | Deal | Finding]) -> Iterator[Session | Deal | Finding]:
    """Yield the stream that an importer reads, without the sessions and deals that would not be read back unchanged;
    each of them has a finding in its place, the deals of such a session one at the first."""
    session: Session | None = None
    refused = is_reported = False
    for item in items:
        if isinstance(item, Finding):
            yield item
        elif isinstance(item, Session):
            session, is_reported = with_one_form(item), False
            findings = refusals(session, Deal(source=session.source))
            refused = bool(findings)
            yield from findings or (session,)
        elif not refused:
            deal = with_one_form(item) if session else item
            yield from (refusals(session, deal) if session else ()) or (deal,)
        elif not is_reported:
            is_reported = True
            yield finding("deal-unreadable", item.source, why=message("notation.session-not-kept"))


def with_one_form(record: S) -> S:
    """Return a session or a deal with the names of its players in the form in which they are kept."""
    return replace(record, players=tuple(map(one_form, record.players))) if record.players else record


def refusals(session: Session, deal: Deal) -> tuple[Finding, ...]:
    """Return why a deal, with its session's head, cannot be written in the record format and read back unchanged."""
    where = deal.source or Source("")
    head, own = replace(session, source=None), replace(key_table.without_settings_of(session, deal), source=None)
    try:
        back = list(read_lines(write_line(session, deal), where))
    except (ValueError, OverflowError, LookupError) as error:  # no text, too large a number, a seat that is not there
        why = message("notation.not-to-be-written", why=str(error))
        return (finding("deal-unreadable", where, why=why),)
    findings = tuple(replace(item, source=where) for item in back if isinstance(item, Finding))
    records = [replace(item, source=None) for item in back if isinstance(item, Session | Deal)]
    if findings or records == [head, own]:
        return findings
    keys = (*_changed_keys(head, records[0]), *_changed_keys(own, records[-1]))
    return (finding("deal-unreadable", where, why=message("notation.no-room", keys=keys)),)


def _changed_keys(before: Session | Deal, after: Session | Deal) -> list[str]:
    return [key for key in before.__struct_fields__ if getattr(before, key) != getattr(after, key, None)]
