"""The history of a record: who recorded it, the files that hold it, the corrections and rulings since."""

import sqlite3
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from msgspec.structs import replace

from archive.cards import in_faces
from archive.notation.corrections import Change, changes_by, with_entries
from archive.notation.problem import Problem
from archive.record import Deal, Session
from archive.store import deal_authors, deal_sources, load_deal, parse_moment
from archive.store.records import happened_by
from archive.text.case import ruling_words
from archive.text.dates import format_moment
from archive.text.file_names import file_name, file_place
from archive.text.wording import Texts
from archive.web.deal.model import HistoryEntry
from archive.web.sentences import ruleset_name

DAY = len("2026-11-14")


def deal_history(
    conn: sqlite3.Connection, deal: int, t: Texts, as_of: str | None = None, now: tuple[Session, Deal] | None = None
) -> tuple[HistoryEntry, ...]:
    """Return everything that happened to a deal, in its order, beginning with its record; nothing if there is no such
    deal. `as_of`: a day or moment that the page shows; what came later is marked as `ahead`. `now`: the deal as it is
    today, as recorded, where the caller has loaded it."""
    loaded = now or load_deal(conn, deal) or load_deal(conn, deal, as_of)
    if loaded is None:
        return ()
    head, deal_record = loaded[:2]
    sources = deal_sources(conn, deal)
    first = min(row["imported_at"] for row in sources)
    tapped, place = deal_authors(conn, deal), (head.event, head.place)
    names = deal_record.players or head.players
    entries = [
        *_import_entries(sources, deal_record, t),
        *(_entry(t["h_tapped"].format(name=row["author"]), row["made_at"], "", (), *place) for row in tapped),
        *_correction_entries(head, deal_record, t),
        *(
            _entry(
                t["h_ruled"].format(name=row.by), row.when, row.why, (), ruling_words(row, names, t["lang"]), row.cite
            )
            for row in deal_record.ruling or ()
        ),
    ]
    entries.sort(key=lambda each: (each.at[:DAY], each.at))
    recorded = t["h_recorded"].format(name=head.recorder) if head.recorder else t["h_recorded_by_nobody"]
    record = () if tapped and not head.recorder else (_entry(recorded, head.date or "", "", (), *place),)
    dated = (*record, *(_with_address(entry, first, as_of) for entry in entries))
    zone = zone_of_files(sources)
    return tuple(replace(each, when=format_moment(each.at, t, zone)) for each in dated)


def zone_of_files(sources: Iterable[dict[str, Any]]) -> str | None:
    """Return the time zone that came with the import of the files, that of the first which has one; None if none
    has."""
    return next((row["time_zone"] for row in sources if row["time_zone"]), None)


def _with_address(each: HistoryEntry, first: str, as_of: str | None) -> HistoryEntry:
    """Return an entry with its address, if the archive had the deal then, and whether it lies ahead."""
    there = parse_moment(each.at) is not None and happened_by(first, each.at)
    ahead = as_of is not None and not happened_by(each.at, as_of)
    return replace(each, as_of=each.at if there else None, ahead=ahead)


def _entry(what: str, at: str, why: str = "", changes: tuple[Change, ...] = (), *facts: str | None) -> HistoryEntry:
    return HistoryEntry(what, at, "", why, changes, tuple(fact for fact in facts if fact))


def _import_entries(sources: list[dict[str, Any]], deal: Deal, t: Texts) -> Iterator[HistoryEntry]:
    """Yield the files, in the order in which they came, and those that were taken back or brought in again."""
    for place, row in enumerate(sources):
        chosen = deal.source is not None and (row["sha256"], row["line"]) == (deal.source.sha256, deal.source.line)
        yield _entry(
            reading_words(row["columns"], t) if row["columns"] else t["h_copy" if place else "h_imported"],
            row["imported_at"],
            "",
            (),
            file_place(row["path"], row["line"]),
            t["h_format"].format(format=t.get(f"p_format_{row['format']}", row["format"])),
            t["h_version"].format(version=row["version"]) if row["version"] else None,
            t["h_sent_by"].format(name=row["author"]) if row["author"] else None,
            row["origin"],
            row["licence"],
            t["h_in_force"] if chosen and len(sources) > 1 else None,
        )
        for act in row["acts"]:
            yield _entry(
                t[f"h_{act['act']}"].format(name=act["author"]), act["made_at"], act["why"], (), file_name(row["path"])
            )


def reading_words(columns: dict[str, Any], t: Texts) -> str:
    """Return a sentence for a score sheet that was read anew: by what was answered about its rules, else by other
    columns."""
    said = {key: str(columns[key]) for key in ("rules", "tariff", "unit") if key in columns}
    if "rules" in said:
        said["rules"] = ruleset_name(said["rules"], t)
    return t["h_reading"].format(said=", ".join(said.values()) or t["up_columns"])


def _correction_entries(head: Session, deal: Deal, t: Texts) -> Iterator[HistoryEntry]:
    """Yield the corrections, each with what it changed in the deal as those before it had left it."""
    now = deal
    for row in deal.correction or ():
        try:
            all_changes, why = changes_by(head, now, row.set), ""
        except Problem:
            all_changes, why = (), t["h_refused"]
        words = partial(format_record_value, players=now.players or head.players, t=t)
        field_changes = tuple(replace(each, before=words(each.before), after=words(each.after)) for each in all_changes)
        if not why:
            now = with_entries(head, now, row.set)
        yield _entry(t["h_corrected"].format(name=row.by), row.when, row.why, field_changes, why)


# --- words ----------------------------------------------------------------------------------------------------------


def format_record_value(value: Any, players: tuple[str, ...], t: Texts) -> str:
    """Return a value of a record in words, its cards on the faces of the pack."""
    if value is None:
        return t["h_not_recorded"]
    if isinstance(value, bool):
        return t["yes"] if value else t["no"]
    if isinstance(value, dict):
        return ", ".join(f"{key} {format_record_value(entry, players, t)}" for key, entry in value.items())
    if isinstance(value, list):
        return "; ".join(format_record_value(entry, players, t) for entry in value) or t["h_none"]
    return in_faces(str(value), t["faces"], players)
