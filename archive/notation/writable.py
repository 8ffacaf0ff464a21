"""What the record format can hold of what somebody else's format says: the names and entries of a foreign source need
not be such as could be written here and read back as the same."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from archive.notation import encode
from archive.notation.lines import read_lines, write_line
from archive.record import Deal, Finding, Session, Source, finding


def writable(items: Iterable[Session | Deal | Finding]) -> Iterator[Session | Deal | Finding]:
    """A stream of what an importer reads, without the sessions and deals that would not be read back as they are; for
    each there is a finding in its place, for the deals of such a session one at the first."""
    session: Session | None = None
    refused = told = False
    for item in items:
        if isinstance(item, Finding):
            yield item
        elif isinstance(item, Session):
            session, told = item, False
            findings = refusals(session, Deal(source=session.source))
            refused = bool(findings)
            yield from findings or (item,)
        elif not refused:
            yield from (refusals(session, item) if session else ()) or (item,)
        elif not told:
            told = True
            yield finding("deal-unreadable", item.source, why="its session is not kept, nor is any deal of it")


def refusals(session: Session, deal: Deal) -> tuple[Finding, ...]:
    """Why a deal, with the head of its session, cannot be written in the record format and read back as the same."""
    where = deal.source or Source("")
    head, own = replace(session, source=None), replace(encode.settled(session, deal), source=None)
    try:
        back = list(read_lines(write_line(session, deal), where))
    except (ValueError, OverflowError, LookupError) as error:  # no text, too large a number, a seat that is not there
        return (finding("deal-unreadable", where, why=f"it cannot be written in the record format: {error}"),)
    findings = tuple(replace(each, source=where) for each in back if isinstance(each, Finding))
    kept = [replace(each, source=None) for each in back if isinstance(each, Session | Deal)]
    if findings or kept == [head, own]:
        return findings
    keys = ", ".join(_changed(head, kept[0]) + _changed(own, kept[-1]))
    return (finding("deal-unreadable", where, why=f"the record format has no room for what it says of {keys}"),)


def _changed(before: Session | Deal, after: Session | Deal) -> list[str]:
    return [key for key in before.__struct_fields__ if getattr(before, key) != getattr(after, key, None)]
