"""A masked copy of an archive: every deal under other names, with its verdict and settlement, and nothing else.

The copy is built from records alone: masked, written as JSON lines, which are the only source texts in it, and judged
by the same code. So nothing of the archive can be in it that was not masked. Deals and sessions keep their numbers.
"""

import hashlib
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from archive.judge import judge_session
from archive.judge.infer import infer_house
from archive.judge.types import Judgement, LedgerState
from archive.notation import write_line
from archive.notation.names import check_players
from archive.notation.problem import Problem
from archive.privacy.erase import add_functions, rewrite_own_rulesets
from archive.privacy.find_names import WORD, Renaming, make_renaming, name_for, new_name, replace_names
from archive.privacy.rename import names_at_table, rename_deal, rename_fact, rename_facts, rename_head
from archive.record import Deal, Session, Source
from archive.rules import bundled
from archive.store._sqlite_utils import Database
from archive.store.compression import pack_record
from archive.store.connection import open_archive
from archive.store.ledger_states import every_state, state_text
from archive.store.load import judge_alone, stored_evidence, stored_keys
from archive.store.people import names_without_seat, people_without_seat
from archive.store.records import OF_SESSION, StoredDeal, deal_under_head, load_deals
from archive.store.resettle import write_order
from archive.store.rows import head_row
from archive.store.save import head_text, insert_source
from archive.store.saved_files import FileMeta
from archive.store.tables import insert_row
from archive.store.transaction import changing
from archive.store.writer import Writer, record_columns

FORMAT = "record-lines"  # the importer that reads what the copy is made from
TEXT = 8_000_000  # bytes of one source of the copy, unless a session is larger
NOBODY = "Somebody"
LED_BACK = ("id", "url", "x")  # keys that lead back to the names, and are dropped


Facts = tuple[LedgerState, dict[str, Any]]


class Mask(Struct, frozen=True):
    """The replacements for the names of an archive, the same throughout it."""

    mode: str
    by: Renaming


class MaskedSession(Struct, frozen=True):
    """A session of the archive and its masked form: each deal as it is stored in the copy, with the ruleset that it was
    recorded with, since a path to one is masked too. `aliases`: players who sit there under two names."""

    id: int
    stored: tuple[StoredDeal, ...]
    terms: tuple[str | None, ...]
    judged_by: str | None
    head: Session
    deals: tuple[Deal, ...]
    by: Renaming
    aliases: Mapping[str, str]
    states: Mapping[int, Facts]  # of each deal: what lay on the table, the keys of its head that are stored


def write_masked_copy(
    conn: sqlite3.Connection,
    path: str | Path,
    mode: str,
    session: int | None = None,
    as_of: str | None = None,
    also: Sequence[str] = (),
) -> None:
    """Make a masked archive at `path`, where none may be; only of one session, or as it was `as_of` a day. `also`:
    people who are only mentioned in it.

    Raises ArchiveError if it cannot be written.
    """
    mask = load_mask(conn, mode, also)
    db = open_archive(path)
    try:
        with changing(db.conn, "not-written-now", path=path):
            for number, evenings in enumerate(_texts_of_copy(_masked_sessions(conn, mask, session, as_of)), 1):
                _store(db, f"masked-{number}.jsonl", evenings)
            add_functions(db.conn, mask.by)  # for the paths, titles and values of tables' own rulesets
            db.conn.execute("UPDATE sessions SET judged_by = nullif(rename_rules(judged_by), rules)")
            rewrite_own_rulesets(db.conn)
        # One file, which every build of SQLite can open, on a read-only disk too; WAL mode needs a second one.
        db.conn.execute("PRAGMA journal_mode = DELETE")
    finally:
        db.close()


# --- who is called what ---------------------------------------------------------------------------------------------


def load_mask(conn: sqlite3.Connection, mode: str, also: Sequence[str]) -> Mask:
    """Return the mask of an archive. Merged names share one; pseudonyms stay as long as the archive does."""
    sql = "SELECT p.name, k.id, k.name FROM players p JOIN players k ON k.id = coalesce(p.alias_of, p.id) ORDER BY k.id"
    players = {name: (f"Player {key}", shown) for name, key, shown in conn.execute(sql)}
    everybody = players | {name: (role, name) for name, role in people_without_seat(conn).items()}
    everybody |= {name: (NOBODY, name) for name in (*names_without_seat(conn), *also) if name not in everybody}
    if mode == "seats":
        return Mask(mode, make_renaming(dict.fromkeys(everybody, NOBODY)))
    if mode == "initials":
        return Mask(mode, make_renaming(_initials(everybody)))
    return Mask(mode, make_renaming({name: number for name, (number, _) in everybody.items()}))


def _initials(everybody: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """Return everybody's initials, with a number if two people have the same."""
    alike: dict[str, list[str]] = {}
    for number, shown in dict.fromkeys(everybody.values()):
        alike.setdefault(initials(shown, number), []).append(shown)
    names_of = {}
    for letters, names in alike.items():
        for place, name in enumerate(names, 1):
            names_of[name] = f"{letters} {place}" if len(names) > 1 else letters
    return {name: names_of[shown] for name, (_, shown) in everybody.items()}


def initials(name: str, otherwise: str) -> str:
    """Return `A. M.` for Anna Maier; `otherwise` for a name that has no letters, or whose letters could be read as
    something else."""
    letters = [word[0].upper() for word in WORD.findall(name) if word[0].isalpha()]
    text = " ".join(f"{letter}." for letter in letters)
    try:
        check_players((text,), "german")
    except Problem:
        return otherwise
    return text


def _mask_seats(mask: Mask, members: list[str]) -> tuple[Renaming, dict[str, str]]:
    """Return the names of the people of one session, each a different one; and for each that differs from the player's
    in the archive, that one."""
    own: dict[str, str] = {}
    aliases = {}
    for seat, name in enumerate(members, 1):
        shown = f"Player {seat}" if mask.mode == "seats" else mask.by.names.get(name, NOBODY)
        own[name] = pseudonym = new_name(shown, own.values())
        if pseudonym != shown and shown != NOBODY:
            aliases[pseudonym] = shown
    return replace(mask.by, own=own), aliases


# --- masked records -------------------------------------------------------------------------------------------------


def _masked_sessions(
    conn: sqlite3.Connection, mask: Mask, session: int | None, as_of: str | None
) -> Iterator[MaskedSession]:
    where, values = ("", ()) if session is None else (" WHERE s.id = ?", (session,))
    sql = f"""SELECT s.id, s.judged_by, f.licence, f.origin, f.time_zone FROM sessions s
        JOIN sources f ON f.id = s.source_id{where} ORDER BY s.id"""
    for key, judged_by, *terms in conn.execute(sql, values).fetchall():
        stored = tuple(load_deals(conn, OF_SESSION, key, as_of))
        if not stored:
            continue
        head = stored[0].record.head
        deals = [deal_under_head(head, of.record) for of in stored]
        by, aliases = _mask_seats(mask, names_at_table(head, deals))
        masked = tuple(mask_deal(by, deal, of) for deal, of in zip(deals, stored, strict=True))
        masked_terms = tuple(None if term is None else replace_names(by, term) for term in terms)
        states = {} if as_of else dict(_states(conn, by, key))
        masked_head = replace(rename_head(by, head), url=None, x=None)
        yield MaskedSession(key, stored, masked_terms, judged_by, masked_head, masked, by, aliases, states)


def _states(conn: sqlite3.Connection, by: Renaming, session: int) -> Iterator[tuple[int, Facts]]:
    """Yield by what each deal of a session was judged. If an earlier deal of its evening stands in another session,
    since another file had it first, its session alone does not show that."""
    lies = dict(every_state(conn, session))
    sql = """SELECT d.id, s.inferred, s.inferred_facts, r.rules, r.overrides
        FROM deals d JOIN sessions s ON s.id = d.session_id LEFT JOIN rulesets r ON r.id = d.ruleset_id
        WHERE d.session_id = ?"""
    for deal, texts, facts, rules, house in conn.execute(sql, (session,)).fetchall():
        table = lies[deal]
        away = {
            key: tuple((name_for(by, name), total) for name, total in getattr(table, key))
            for key in LedgerState.__struct_fields__
            if key.endswith("away")
        }
        list_name = None if table.list_name is None else replace_names(by, table.list_name)
        entries = stored_evidence(texts, facts)
        evidence = None if entries is None else tuple(rename_fact(by, entry) for entry in entries)
        yield deal, (replace(table, list_name=list_name, **away), stored_keys(evidence, rules, house))


def mask_deal(by: Renaming, deal: Deal, of: StoredDeal) -> Deal:
    """Return a deal under other names, without what leads back to its source; known by its number in the archive."""
    masked = rename_deal(by, deal)
    rows = None
    if masked.correction is not None:
        rows = tuple(
            replace(row, set={key: value for key, value in row.set.items() if key.split(".")[0] not in LED_BACK})
            for row in masked.correction
        )
    return replace(masked, no=of.number, id=f"deal-{of.id}", url=None, x=None, correction=rows)


def _texts_of_copy(evenings: Iterator[MaskedSession]) -> Iterator[list[MaskedSession]]:
    """Yield sessions that make one text: under the same terms, and not too many."""
    waiting: list[MaskedSession] = []
    size = 0
    for evening in evenings:
        if waiting and (evening.terms != waiting[0].terms or size > TEXT):
            yield waiting
            waiting, size = [], 0
        waiting.append(evening)
        size += sum(len(write_line(evening.head, deal)) + 1 for deal in evening.deals)
    if waiting:
        yield waiting


# --- the copy -------------------------------------------------------------------------------------------------------


def _store(db: Database, path: str, evenings: list[MaskedSession]) -> None:
    raw = b"".join(write_line(evening.head, deal) + b"\n" for evening in evenings for deal in evening.deals)
    file = FileMeta(path, FORMAT, *evenings[0].terms)
    source = insert_source(db, file, hashlib.sha256(raw).digest(), len(raw), zlib.compress(raw))
    conn, writer, line = db.conn, Writer(db.conn), 1
    for evening in evenings:
        judged = list(_judge(evening, line))
        words = head_text(evening.head)
        head = head_row(evening.head, judged[0].session, judged[0].deal.rules)
        row = {"id": evening.id, "source_id": source, "line": line, "head": words, **head}
        insert_row(writer.db, "sessions", row)
        for place, (of, deal, judgement) in enumerate(zip(evening.stored, evening.deals, judged, strict=True), line):
            record = pack_record(write_line(evening.head, deal), words)
            known_by = record_columns(evening.head, deal, of.number) | {"line": place, "end_line": place}
            own = {"id": of.id, "session_id": evening.id, "source_id": source}
            writer.add("records", {**own, **known_by, "record": record})
            writer.add_derived(judgement, of.id, evening.id, source)
            writer.evidence(of.id, deal)
        line += len(evening.deals)
        writer.flush()
        write_order(conn, [of.id for of in evening.stored])
        sql = "UPDATE players SET alias_of = (SELECT id FROM players WHERE name = ?) WHERE name = ?"
        conn.executemany(sql, [(shown, name) for name, shown in evening.aliases.items()])
    db.table("sources").update(source, {"deals": line - 1})


def _judge(evening: MaskedSession, line: int) -> Iterator[Judgement]:
    """Yield the masked deals, judged as the archive does it: by the recorded rulesets, found where they were."""
    head = evening.stored[0].record.head
    deals = []
    for place, (of, deal) in enumerate(zip(evening.stored, evening.deals, strict=True), line):
        path = of.record.head.source.path if of.record.head.source else ""
        rules = deal_under_head(head, of.record).rules
        deals.append(replace(deal, rules=rules, source=Source(path, place, place, deal=of.number)))
    masked_head = replace(evening.head, rules=evening.judged_by or head.rules, source=head.source)
    judged = judge_session(infer_house(masked_head, deals), deals)
    for of, deal, judgement in zip(evening.stored, evening.deals, judged, strict=True):
        state = evening.states.get(of.id)
        if state is not None and state_text(state[0]) != state_text(judgement.before):
            judgement = judge_alone(masked_head, judgement.recorded, judgement.number, *state)  # as when it is shown
        yield _mask_paths(evening.by, replace(judgement, recorded=deal))


def _mask_paths(by: Renaming, judgement: Judgement) -> Judgement:
    """Return the judgement with masked paths: a finding about a table's own ruleset may say where it lies."""
    if judgement.session.rules in bundled():
        return judgement
    return replace(
        judgement,
        findings=tuple(replace(item, facts=rename_facts(by, item.facts)) for item in judgement.findings),
        reason=rename_fact(by, judgement.reason),
        missing=tuple(rename_fact(by, fact) for fact in judgement.missing),
    )
