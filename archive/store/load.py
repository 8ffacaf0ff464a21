"""Reading an archive: deals as they were recorded, and the rows that pages and commands list."""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from archive.judge import judge
from archive.judge.judge_deal import in_force
from archive.judge.judge_stream import PAGE, WITNESSES, has_totals
from archive.judge.types import Judgement, LedgerState
from archive.notation import HASH
from archive.notation.corrections import apply_corrections
from archive.record import Deal, Evidence, Session, Source
from archive.rules.types import Score
from archive.say import from_plain
from archive.settle.ledger import UNKNOWN
from archive.stats import FACTS
from archive.stats.catalogue import is_counted
from archive.stats.definitions import COUNTS, TAKEN_BACK, unit_of
from archive.stats.fact_tables import NO_DAYS, part_count_sql
from archive.stats.sql import days_sql
from archive.store.compression import unpack_record
from archive.store.ledger_states import state_before, states_between, with_shown_names
from archive.store.left_out import BREAKS, SUMS
from archive.store.people import merged_names
from archive.store.readings import columns_of_source
from archive.store.record_lines import damaged_deal, read_record
from archive.store.records import (
    OF_DEAL,
    StoredDeal,
    deal_under_head,
    load_deals,
    session_head,
    with_corrections_and_rulings,
)
from archive.store.resettle import judge_session_again, lost_differences, source_differences
from archive.store.row_values import named_rows, row_number
from archive.store.tables import hash_prefix_sql
from archive.store.views import EVENT, STANDINGS, every_row

Facts = dict[str, Any]
# The order of the rows of a view by `deal` within a session.
IN_ORDER = "coalesce((SELECT position FROM deals WHERE id = deal), deal)"
STANDING_FACTS = next(facts for facts in FACTS if facts.name == "standing_facts")
# By index.
HASH_BETWEEN = (
    f"hash BETWEEN ?1 AND ?2 AND {hash_prefix_sql('hash')} BETWEEN {hash_prefix_sql('?1')} AND {hash_prefix_sql('?2')}"
)
SHORTEST_HASH, WHOLE_HASH = 4, 64  # characters of a hash that name a deal; a whole hash is longer than what is stored


def load_deal(
    conn: sqlite3.Connection, deal: int, as_of: str | None = None
) -> tuple[Session, Deal, LedgerState] | None:
    """Return a deal as it was recorded, with every correction and ruling, its session, and the state of the ledger
    before it; None if there is none, or if its sources were taken back. `as_of`: the first two as they stood then.

    The source of both is the place of the deal in its file, with its place among the deals if its number does not tell
    it. Raises ArchiveError if the record cannot be read.
    """
    stored = next(load_deals(conn, OF_DEAL, deal, as_of), None)
    return None if stored is None else _in_session(conn, stored, as_of)


def _in_session(
    conn: sqlite3.Connection, stored: StoredDeal, as_of: str | None = None
) -> tuple[Session, Deal, LedgerState]:
    """Return a deal as `load_deal` does. Raises ArchiveError if its rows are lost."""
    before = state_before(conn, stored.id)
    if before is None and as_of is None:
        raise damaged_deal("rows-lost", stored.id)
    head = session_head(conn, stored, as_of)
    return head, deal_under_head(head, stored.record), before or LedgerState()


def load_judgement(conn: sqlite3.Connection, deal: int, as_of: str | None = None) -> Judgement | None:
    """Return a deal judged again by today's engine, in the state and by the house settings that were stored with it,
    inferred ones among them; None if there is none. `as_of`: as it stood then, a date or the beginning of a time, for
    which its whole session is judged. Raises ArchiveError if a record or a row that it needs is lost."""
    if as_of is not None:
        session = conn.execute("SELECT session_id FROM records WHERE id = ?", (deal,)).fetchone()
        every = judge_session_again(conn, session[0], as_of) if session else []
        return next((judgement for each, judgement in every if each.id == deal), None)
    both = load_with_judgement(conn, deal)
    return both and both[1]


def load_with_judgement(conn: sqlite3.Connection, deal: int) -> tuple[Session, Judgement] | None:
    """Return the session of a deal as `load_deal` does, and its judgement as `load_judgement` does, which has the deal
    as it was recorded too."""
    held = next(load_deals(conn, OF_DEAL, deal), None)
    if held is None:
        return None
    head, recorded, before = _in_session(conn, held)
    number, texts, facts, ruleset, rules, overrides = conn.execute(
        """SELECT d.number, s.inferred, s.inferred_facts, d.ruleset_id, r.rules, r.overrides
        FROM deals d JOIN sessions s ON s.id = d.session_id LEFT JOIN rulesets r ON r.id = d.ruleset_id
        WHERE d.id = ?""",
        (deal,),
    ).fetchone()
    if ruleset is not None and rules is None:
        raise damaged_deal("rules-lost", deal)
    stored, others = stored_keys(stored_evidence(texts, facts), rules, overrides), source_differences(held)
    again = judge_alone(head, recorded, number, before, stored)
    if lost_differences(conn, deal, others):
        raise damaged_deal("copy-lost", deal)
    return head, replace(again, findings=(*again.findings, *others))


def stored_keys(inferred: tuple[Evidence, ...] | None, rules: str | None, overrides: str | None) -> Facts:
    """Return the keys of its head that are stored with a deal: what was inferred, its ruleset with its settings, if it
    has one."""
    of_rules = {} if rules is None else {"rules": rules, "house": json.loads(overrides) if overrides else None}
    return {"inferred": inferred, **of_rules}


def judge_alone(head: Session, recorded: Deal, number: int, before: LedgerState, stored: Facts) -> Judgement:
    """Return a deal judged with its corrections by today's engine, in the state of the ledger before it, under its head
    with the keys that are `stored` with it."""
    deal, refused = apply_corrections(head, recorded)
    again = judge(replace(in_force(head, deal), **stored), deal, number, before)
    return replace(again, recorded=recorded, findings=(*refused, *again.findings))


def load_gone(conn: sqlite3.Connection, deal: int) -> Judgement | None:
    """Return a deal that no longer counts, since no file in force has it: its record with its corrections and rulings,
    judged by itself; None if there is no such record. Raises ArchiveError if the record is lost."""
    sql = """SELECT r.number, r.record, s.head, o.path, r.line FROM records r JOIN sessions s ON s.id = r.session_id
        JOIN sources o ON o.id = r.source_id WHERE r.id = ?1 AND NOT EXISTS (SELECT 1 FROM deals WHERE id = ?1)"""
    row = conn.execute(sql, (deal,)).fetchone()
    if row is None:
        return None
    number, packed, words, path, line = row
    head, record = read_record(unpack_record(packed, words), Source(path, line), deal)
    return judge_alone(head, with_corrections_and_rulings(conn, deal, record, None), number, UNKNOWN, {})


def deal_sources(conn: sqlite3.Connection, deal: int) -> list[Facts]:
    """Return the files that have a deal, in the order in which they came: rows of `sources` with the `line` of the deal
    and the `acts` of taking the file back or bringing it in again; for a score sheet that was read anew, the
    `columns`."""
    sql = """SELECT f.id, f.path, lower(hex(f.sha256)) AS sha256, f.format,
        lower(hex(coalesce((SELECT sha256 FROM sources WHERE id = f.read_of), f.sha256))) AS file_sha256,
        f.version, f.imported_at, f.licence, f.origin, f.author, f.time_zone, f.read_of, t.line FROM (
            SELECT 0 AS place, source_id, line FROM records WHERE id = ?1
            UNION ALL SELECT id, source_id, line FROM copies WHERE deal_id = ?1
        ) t JOIN sources f ON f.id = t.source_id ORDER BY t.place"""
    acts = """SELECT act, author, made_at, why FROM acts
        WHERE source_id = ? AND act IN ('withdraw', 'restore') ORDER BY id"""
    rows = named_rows(conn.execute(sql, (deal,)))
    return [
        row | {
            "acts": list(named_rows(conn.execute(acts, (row["id"],)))),
            "columns": columns_of_source(conn, row["id"]) if row["read_of"] else {},
        }
        for row in rows
    ]  # fmt: skip


def deal_authors(conn: sqlite3.Connection, deal: int) -> list[Facts]:
    """Return who wrote a deal down at the table, and when: `author` and `made_at`."""
    sql = "SELECT author, made_at FROM deal_authors WHERE deal_id = ? ORDER BY id"
    return list(named_rows(conn.execute(sql, (deal,))))


def find_deal(conn: sqlite3.Connection, text: str) -> list[int]:
    """Return the deals that a text names: by the archive's number, else the record's id, else a hash or its
    beginning."""
    text = text.strip()
    number = row_number(text)
    ids = _ids(conn, "SELECT id FROM records WHERE id = ?", (number,)) if number is not None else []
    ids = ids or _ids(conn, "SELECT id FROM records WHERE own_id = ? ORDER BY id", (text,))
    if ids or not (SHORTEST_HASH <= len(text) <= 2 * HASH or len(text) == WHOLE_HASH):
        return ids
    try:
        text = bytes.fromhex(text)[:HASH].hex() if len(text) == WHOLE_HASH else text
        low, high = bytes.fromhex(text.ljust(2 * HASH, "0")), bytes.fromhex(text.ljust(2 * HASH, "f"))
    except ValueError:
        return []
    return _ids(conn, f"SELECT id FROM records WHERE {HASH_BETWEEN} ORDER BY id", (low, high))


def _ids(conn: sqlite3.Connection, sql: str, values: tuple[Any, ...]) -> list[int]:
    return [row[0] for row in conn.execute(sql, values)]


def neighbours(conn: sqlite3.Connection, deal: int) -> tuple[int | None, int | None]:
    """Return the deals before and after a deal in its session, None at either end."""
    sql = """SELECT
        (SELECT max(id) FROM deals WHERE session_id = d.session_id AND id < d.id),
        (SELECT min(id) FROM deals WHERE session_id = d.session_id AND id > d.id)
        FROM deals d WHERE id = ?"""
    moved = """SELECT
        (SELECT id FROM deals WHERE session_id = d.session_id AND position < d.position ORDER BY position DESC LIMIT 1),
        (SELECT id FROM deals WHERE session_id = d.session_id AND position > d.position ORDER BY position LIMIT 1)
        FROM deals d WHERE id = ? AND position IS NOT NULL"""
    row = conn.execute(moved, (deal,)).fetchone() or conn.execute(sql, (deal,)).fetchone()
    return (row[0], row[1]) if row else (None, None)


def load_beside(conn: sqlite3.Connection, deal: int, judgement: Judgement) -> list[Judgement]:
    """Return the deals around one that differs: as many as may speak for or against a reading of the house; and, if
    totals are written at the end of several deals, those that they rest on."""
    found: list[Judgement] = []
    adds = judgement.settlement is None or judgement.settlement.payments is None
    least = WITNESSES if judgement.verdict == "differs" else 1
    for turn, is_open in ((0, has_totals(judgement)), (1, adds and not has_totals(judgement))):
        last = deal
        for place in range(PAGE + 1):
            key = neighbours(conn, last)[turn]
            if key is None or (place >= least and not is_open):
                break
            last = key
            if each := load_judgement(conn, key):
                found.append(each)
                is_open = is_open and not has_totals(each)
    return found


# --- lists ----------------------------------------------------------------------------------------------------------


def deals_of_session(conn: sqlite3.Connection, session: int) -> Iterator[Deal]:
    """Yield the deals of a session in their order, each with its corrections."""
    for (key,) in conn.execute("SELECT id FROM records WHERE session_id = ? ORDER BY id", (session,)).fetchall():
        if loaded := load_deal(conn, key):
            yield loaded[1]


def session_row(conn: sqlite3.Connection, session: int) -> Facts | None:
    """Return a row of `sessions`, with the path of its file; None if there is none."""
    sql = "SELECT s.*, f.path FROM sessions s JOIN sources f ON f.id = s.source_id WHERE s.id = ?"
    return next(named_rows(conn.execute(sql, (session,))), None)


def session_rows(
    conn: sqlite3.Connection, session: int, limit: int = -1, offset: int = 0, taken_back: bool = False
) -> list[Facts]:
    """Return rows of `outcomes` of a session in order, `limit` after the first `offset`, with `taken_back` also those
    that were: each with its `ledger` (a row a seat), what lay on the table `before` and `after` it if that is stored,
    the `score` of a game, if the ruleset is `incomplete`, for whom a `substitute` plays, and how many `rulings`."""
    rows = f"({every_row('outcomes')})" if taken_back else "outcomes"
    sql = f"SELECT * FROM {rows} WHERE session = ? ORDER BY {IN_ORDER} LIMIT ? OFFSET ?"
    deals = list(named_rows(conn.execute(sql, (session, limit, offset))))
    if not deals:
        return []
    by_deal: dict[int, list[Facts]] = {row["deal"]: [] for row in deals}
    ends = (session, min(by_deal), max(by_deal))
    sql = f"SELECT * FROM ({every_row('ledger')}) WHERE session = ? AND deal BETWEEN ? AND ? ORDER BY deal, seat"
    for row in named_rows(conn.execute(sql, ends)):
        if row["deal"] in by_deal:
            by_deal[row["deal"]].append(row)
    sql = """SELECT d.id, json_extract(r.house, '$.marks.game'), json_extract(r.house, '$.marks.drawing'),
        json_extract(r.house, '$.score'), r.incomplete, r.house ->> 'substitute',
        (SELECT count(*) FROM rulings WHERE deal_id = d.id)
        FROM deals d LEFT JOIN rulesets r ON r.id = d.ruleset_id WHERE session_id = ? AND d.id BETWEEN ? AND ?"""
    lies, shown = states_between(conn, *ends), merged_names(conn)
    more = {
        deal: {
            "before": with_shown_names(lies[deal][0], shown),
            "after": with_shown_names(lies[deal][1], shown),
            "score": Score(to=marks, of="pair", drawing=drawing or "strokes")
            if marks
            else kept and msgspec.json.decode(kept, type=Score),
            "incomplete": incomplete,
            "substitute": substitute,
            "rulings": rulings,
        }
        for deal, marks, drawing, kept, incomplete, substitute, rulings in conn.execute(sql, ends)
        if deal in by_deal
    }
    return [row | {"ledger": by_deal[row["deal"]]} | more[row["deal"]] for row in deals]


def deals_taken_back(conn: sqlite3.Connection, session: int | None) -> frozenset[int]:
    """Return the deals of a session, or of all, that were taken back at the table."""
    sql = f"SELECT d.id FROM deals d WHERE (:session IS NULL OR d.session_id = :session) AND {TAKEN_BACK}"
    return frozenset(row[0] for row in conn.execute(sql, {"session": session}))


def session_verdicts(conn: sqlite3.Connection, session: int) -> dict[str, int]:
    """Return how many deals of a session have each verdict, without those that were taken back."""
    sql = f"""SELECT verdict, count(*) FROM deals d WHERE session_id = ? AND {COUNTS}
        GROUP BY verdict ORDER BY verdict"""
    return {row[0]: row[1] for row in conn.execute(sql, (session,))}


def session_bases(conn: sqlite3.Connection, session: int) -> dict[str, int]:
    """Return how many deals of a session rest on each basis, as `on_cards`, `on_facts`, `on_amounts`, without those
    that were taken back."""
    sql = f"""SELECT 'on_' || basis, count(*) FROM deals d
        WHERE session_id = ? AND basis IS NOT NULL AND {COUNTS} GROUP BY basis"""
    return {row[0]: row[1] for row in conn.execute(sql, (session,))}


def standing_rows(conn: sqlite3.Connection, session: int) -> tuple[list[Facts], list[str]]:
    """Return the rows of `standings` of the event that a session is a table or a list of, and what decides between
    equal totals, as the first table that states it has it; both empty for a session by itself."""
    head = session_row(conn, session) or {}
    if head.get("event") is None or (head["table_name"] is None and head["list"] is None):
        return [], []
    return event_standing_rows(conn, head["event"])


def standing_rows_around(conn: sqlite3.Connection, session: int) -> tuple[list[Facts], list[str]]:
    """Return the rows of `standings` that a session counts in, of its event or else its own, and what decides between
    equal totals."""
    head = session_row(conn, session) or {}
    if head.get("event") is not None:
        return event_standing_rows(conn, head["event"])
    return list(named_rows(conn.execute(_standings_sql(conn, EVENT, "e.id = :session"), {"session": session}))), []


def event_standing_rows(
    conn: sqlite3.Connection, event: str | None, basis: str | None = None, days: Mapping[str, str] = NO_DAYS
) -> tuple[list[Facts], list[str]]:
    """Return the rows of `standings` of an event (None: of all events together), and what decides between equal totals.
    `basis`: only of deals whose amounts rest on this; `days`: only of sessions `since` a day, `until` a day."""
    of, in_event = (EVENT, "e.event = :event") if event is not None else ("NULL", "1")
    in_event = " AND ".join(filter(None, (in_event, days_sql(*days, date="e.date"))))
    asked = {"event": event, "basis": basis, **days}
    rows = list(named_rows(conn.execute(_standings_sql(conn, of, in_event, basis), asked)))
    sql = f"""SELECT json_extract(house, '$.standings') FROM rulesets r WHERE json_extract(house, '$.standings') <> '[]'
        AND EXISTS (SELECT 1 FROM deals d JOIN sessions e ON e.id = d.session_id
            WHERE d.ruleset_id = r.id AND {in_event})
        ORDER BY id LIMIT 1"""
    house = conn.execute(sql, asked).fetchone()
    return rows, json.loads(house[0]) if house else []


def _standings_sql(conn: sqlite3.Connection, of: str, wanted: str, basis: str | None = None) -> str:
    """Return the query of the standings of the sessions `e` that `wanted` selects; what is not counted yet is
    counted."""
    sql = STANDINGS.format(event=of, wanted=wanted)
    if basis is None and is_counted(conn):
        return sql
    deals = f"d.session_id IN (SELECT e.id FROM sessions e WHERE {wanted})"
    counted = part_count_sql(STANDING_FACTS, deals if basis is None else f"{deals} AND d.basis = :basis")
    return sql.replace("JOIN standing_facts f", f"JOIN ({counted}) f")


def event_substitutes(conn: sqlite3.Connection, event: str | None) -> list[Facts]:
    """Return who plays for the seat of another in an event (None: in any): `player` is the owner of the account, `name`
    who sat, `list` the first list or round; in their order."""
    account = "json_extract(e.head, '$.players[' || (s.seat - 1) || ']')"
    sql = f"""SELECT {account} AS player, p.name, e.list, min(CAST(e.list AS INTEGER)) AS first
        FROM sessions e JOIN deals d ON d.session_id = e.id
        JOIN rulesets r ON r.id = d.ruleset_id AND json_extract(r.house, '$.substitute') = 'seat'
        JOIN seats s ON s.deal_id = d.id JOIN players p ON p.id = s.player_id
        WHERE e.list IS NOT NULL AND p.name <> {account} AND (:event IS NULL OR e.event = :event)
        GROUP BY player, p.name ORDER BY player, first, p.name"""
    return list(named_rows(conn.execute(sql, {"event": event})))


def event_tables(conn: sqlite3.Connection, event: str) -> list[Facts]:
    """Return the sessions of an event: `session`, `table_name`, `list`, `date`, the number of its entries, the `rest`
    that amounts which do not sum to zero leave over, in its `unit`, and `break`, the number of the deal at which its
    books break first; both None if they do not."""
    sql = f"""SELECT e.id AS session, e.table_name, e.list, e.date, count(DISTINCT d.id) AS deals,
        max({unit_of()}) AS unit,
        (SELECT sum(json_extract(f.facts, '$.rest')) FROM findings f JOIN deals k ON k.id = f.deal_id
            WHERE k.session_id = e.id AND f.rule IN {SUMS}) AS rest
        FROM sessions e JOIN deals d ON d.session_id = e.id LEFT JOIN rulesets r ON r.id = d.ruleset_id
        WHERE e.event = ? GROUP BY e.id
        ORDER BY CAST(e.list AS INTEGER), e.list, CAST(e.table_name AS INTEGER), e.table_name, e.id"""
    tables = named_rows(conn.execute(sql, (event,)))
    return [each | {"break": (first_break(conn, each["session"]) or {}).get("number")} for each in tables]


def source_rows(conn: sqlite3.Connection, event: str | None) -> list[tuple[Any, ...]]:
    """Return number, path, deals, licence, origin, time zone, and whether it was taken back, for every file, or for
    those with deals of an event."""
    where = """ WHERE id IN (SELECT r.source_id FROM records r JOIN sessions s ON s.id = r.session_id WHERE s.event = ?1
        UNION SELECT c.source_id FROM copies c JOIN records r ON r.id = c.deal_id
        JOIN sessions s ON s.id = r.session_id WHERE s.event = ?1)"""
    sql = "SELECT id, path, deals, licence, origin, time_zone, withdrawn FROM sources"
    rows = conn.execute(f"{sql}{where if event is not None else ''} ORDER BY id", () if event is None else (event,))
    return [tuple(row) for row in rows]


def stored_evidence(texts: str | None, facts: str | None) -> tuple[Evidence, ...] | None:
    """Return the entries of `inferred` from the columns `inferred` and `inferred_facts` of a session; archives of
    earlier versions have only texts."""
    stored = facts or texts
    return tuple(from_plain(json.loads(stored))) if stored else None


def first_break(conn: sqlite3.Connection, session: int) -> Facts | None:
    """Return the first deal of a session whose stated amounts do not follow from those before, or before which others
    are restated: `deal` and its `number`, with the row of the finding and the `faces` of the table; None if all
    follow."""
    sql = f"""SELECT d.id AS deal, d.number, f.rule, f.severity, f.message, f.moment, f.facts,
        coalesce(r.faces, 'german') AS faces FROM findings f JOIN deals d ON d.id = f.deal_id
        LEFT JOIN rulesets r ON r.id = d.ruleset_id WHERE d.session_id = ? AND f.rule IN {BREAKS}
        ORDER BY coalesce(d.position, d.id), f.id LIMIT 1"""
    return next(named_rows(conn.execute(sql, (session,))), None)
