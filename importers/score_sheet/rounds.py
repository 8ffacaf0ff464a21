"""A tournament list, a row for each player: the table, the points and the counts of each round, their sum and the
place.

Each table's round becomes a session with one entry, the sums of its list; the sum and the place of a row are compared
with those of its rounds."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import partial
from itertools import pairwise, takewhile
from pathlib import Path

from msgspec.structs import replace

from archive.notation.problem import Problem, refuse_entry
from archive.record import Deal, Finding, Session, Source, Stated, finding
from archive.say import Fact, Message, message, say
from importers.score_sheet.amount_columns import cell_text, is_paid
from importers.score_sheet.cells import Money, are_floats, is_blank, normalize, parse_amount, read_amount, sheet_words
from importers.score_sheet.columns import ColumnMapping, MappingFile, row_text
from importers.score_sheet.dates import SheetDates, dates_of
from importers.score_sheet.round_tables import COUNTS, SEVERAL, TABLE, WHOLE, Entry, RoundList, sitter_in, turns_of_name
from importers.score_sheet.tables import EMPTY_FORMULA, Row, Sheet, source_of
from importers.score_sheet.titles import date_above, event_above
from importers.text import on_one_line

RULES = "bavarian-tournament"  # a list names none
COUNT = r"\d{1,6}"
PLACE = r"\D{0,2}(\d{1,4})\D{0,2}"


# --- its rows ---------------------------------------------------------------------------------------------------------


def read_round_list(
    sheet: Sheet, of: RoundList, mapping_file: MappingFile, source: Source, language: str
) -> Iterator[Session | Deal | Finding]:
    """Yield a session for each table of each round with its sums; findings for what does not fit. Notes on what was
    worked out are in the language."""
    mapping = mapping_file.mapping
    money = _money(of, mapping)
    if of.others:
        names = ", ".join(on_one_line(of.head.cells[place]) for place in of.others)
        yield finding("unknown-column", source_of(source, of.head), columns=names)
    entries: list[Entry] = []
    sums: list[Row] = []
    spoilt: set[tuple[int, str]] = set()
    seen: Counter[tuple[int, str]] = Counter()
    for row in of.body:
        if _is_sum(row, of):
            sums.append(row)
            continue
        if row.line in mapping.not_deals:
            continue
        tables = {(number, of.cell(row, "table", number)) for number in of.rounds}
        if row.doubt and row.line not in mapping.deals:
            spoilt |= tables
            yield finding("row-unclear", source_of(source, row), why=row.doubt)
            continue
        try:
            entry = _entry(row, of, money)
            sat = {(number, sitter_in(entry.turns, number)) for number in entry.amounts} | {(WHOLE, entry.name)}
            if twice := next((name for number, name in sorted(sat) if seen[number, name]), None):
                refuse_entry(of.title("name"), twice, message("importers.player-once"))
            seen.update(sat)
            entries.append(entry)
        except Problem as problem:
            spoilt |= tables
            yield finding(problem.rule, source_of(source, row), **problem.facts)
    if why := _why_no_rounds(entries, of, money):
        yield finding("row-unclear", source_of(source, of.head), why=why)
        return
    for entry in entries if of.has_tables else ():
        if titles := [of.title("amount", number) for number, table in entry.tables.items() if not table]:
            why = message("importers.no-table", player=entry.name)
            yield finding("list-row", source_of(source, entry.row), tables=", ".join(titles), why=why)
    common = _session_of_list(sheet, of, mapping_file, source, sums, language)
    yield from _sessions(common, source, of, entries, spoilt, language)
    yield from _wrong_totals(entries, of, money, source)
    if not spoilt:
        yield from _wrong_places(entries, of, mapping, source)


def _why_no_rounds(entries: list[Entry], of: RoundList, money: Money) -> Message | None:
    """Return the question about columns that may be deals, below bare numbers, in each of which the players pay each
    other as in one, or may have the standings after each round; or None."""
    columns = [[entry.amounts.get(number, 0) for entry in entries] for number in of.rounds]
    are_bare = len(columns) >= SEVERAL and all(of.title("amount", number).isdecimal() for number in of.rounds)
    if are_bare and all(map(is_paid, columns)):
        return message("importers.deals-as-columns", n=len(columns))
    are_standings = _are_standings(columns, entries, of, money)
    return message("importers.rounds-of-standings", n=len(columns)) if are_standings else None


def _are_standings(columns: list[list[int]], entries: list[Entry], of: RoundList, money: Money) -> bool:
    """Return whether the columns may have the standings after each round: from each to the next the players pay each
    other as in one deal, or the sum of every row is that of the last round, and not that of all of them."""
    steps = [[now - before for before, now in zip(*both, strict=True)] for both in pairwise(columns)]
    if len(steps) >= SEVERAL and all(map(is_paid, (columns[0], *steps))):
        return True
    rows = [(entry, of.cell(entry.row, "total")) for entry in entries]
    if len(of.rounds) < SEVERAL or not all(text and parse_amount(text) for _, text in rows):
        return False
    try:
        sums = [(entry, read_amount("", text, money)) for entry, text in rows]
    except Problem:
        return False
    last = [entry.amounts.get(of.rounds[-1]) == total for entry, total in sums]
    return bool(last) and all(last) and any(entry.total != total for entry, total in sums)


def _money(of: RoundList, mapping: ColumnMapping) -> Money:
    """Return the unit of the amounts; two of them with decimals or a € sign make all of them euros."""
    named = sheet_words()["units"].get((mapping.unit or "").casefold(), mapping.unit) or of.unit
    texts = [of.cell(row, "amount", number) for row in of.body for number in of.rounds]
    cells = [amount for text in texts if (amount := parse_amount(text))]
    likely = sum(cell.is_money for cell in cells) > 1 and not are_floats(cells)
    euros = named == "€" or (named in (None, "ct") and likely)
    return Money("ct", True) if euros else Money(named, False)


def _is_sum(row: Row, of: RoundList) -> bool:
    """Return whether a row is no player: a repeated head, or sums below."""
    name, words = normalize(of.cell(row, "name")), sheet_words()["totals"]
    if row.cells == of.head.cells or name in (*words["words"], *words["rows"], *words["carried"]):
        return True
    return not name and not any(of.cell(row, "table", number) for number in of.rounds)


def _entry(row: Row, of: RoundList, money: Money) -> Entry:
    """Return a row of the list. Raise Problem if it cannot be read."""
    name = of.cell(row, "name")
    if row.broken or not name:
        refuse_entry(of.title("name"), row.broken or name, message("importers.player-of-row"))
    amounts, counts = {}, {}
    for number in of.rounds:
        if text := of.cell(row, "amount", number):
            if text == EMPTY_FORMULA:
                refuse_entry(of.title("amount", number), "", message("importers.amount"))
            amounts[number] = read_amount(of.title("amount", number), text, money)
    for (role, number), at in of.columns.items():
        text = cell_text(row, at)
        if role in (*COUNTS, "deals") and not is_blank(text):
            if not re.fullmatch(COUNT, text):
                refuse_entry(of.title(role, number), text, message("importers.number"))
            counts[role, number] = int(text)
    tables = {number: of.cell(row, "table", number) for number in amounts}
    return Entry(row, turns_of_name(of.title("name"), name, of.rounds), amounts, tables, counts)


def _session_of_list(
    sheet: Sheet, of: RoundList, mapping_file: MappingFile, source: Source, sums: list[Row], language: str
) -> Session:
    """Return what the sessions of a list have in common, with notes on what was worked out; nobody sits yet."""
    mapping, note = mapping_file.mapping, partial(_note, language)
    above = sheet.rows[: sheet.rows.index(of.head)]
    titles = [sheet.title or "", *map(row_text, above)]
    dated = date_above(titles, SheetDates(month_first=dates_of(titles, ()).month_first))
    event = event_above(above)
    notes = [note("players", "note-list-order")]
    notes += [] if mapping.rules else [note("rules", "note-list-rules")]
    if event is None:
        event = (on_one_line(row_text(above[0])) if above else None) or sheet.title or Path(source.path).stem
        notes.append(note("event", "note-list-event", text=event))
    if sums:
        lines = ", ".join(str(row.line) for row in sums)
        notes.append(note("rows", "note-list-sums", n=len(sums), lines=lines))
    if dated:
        notes.append(note("date", "note-date-above", text=dated[1]))
    notes += [f"{key}: {say(reason, language)}" for key, reason in sheet.evidence]
    return Session(
        source=source,
        players=(),
        rules=mapping.rules or RULES,
        house=mapping.house,
        event=event,
        date=dated[0] if dated else None,
        unit=_money(of, mapping).unit,
        inferred=tuple(notes),
        note="\n".join(map(row_text, above)) or None,
        x={key: value for key, value in (("sheet", sheet.title), ("columns", mapping_file.table)) if value},
    )


def _sessions(
    common: Session,
    source: Source,
    of: RoundList,
    entries: list[Entry],
    spoilt: set[tuple[int, str]],
    language: str,
) -> Iterator[Session | Deal | Finding]:
    """Yield the tables of each round, in the order of the list."""
    for number in of.rounds:
        tables: dict[str, list[Entry]] = defaultdict(list)
        for entry in entries:
            if number in entry.amounts and (entry.tables[number] or not of.has_tables):
                tables[entry.tables[number]].append(entry)
        for table, sat in tables.items():
            name = f"{of.title('table', number) or of.title('table')} {table}, {of.title('amount', number)}".strip(" ,")
            accounts = tuple(entry.name for entry in sat)
            sitters = tuple(sitter_in(entry.turns, number) for entry in sat)
            why = message("importers.spoilt-table") if (number, table) in spoilt else None
            if not why and (len(sat) < TABLE[0] or (of.has_tables and len(sat) > TABLE[1])):
                names = ", ".join(accounts)
                why = message("importers.players-of-table", least=TABLE[0], most=TABLE[1], players=names)
            if why:
                yield finding("list-row", source_of(source, sat[0].row), tables=name, why=why)
                continue
            at = replace(source, line=sat[0].row.line)
            last = [each for each in sat if _last(each) == number]  # with them go the counts of the whole tournament
            of_last = [role for role in COUNTS if any((role, WHOLE) in each.counts for each in last)]
            placed = [_note(language, f"stated.{role}", "note-list-counts") for role in of_last]
            placed += [
                _note(language, "players", "note-list-substitute", name=sitter, player=account)
                for account, sitter in zip(accounts, sitters, strict=True)
                if account != sitter
            ]
            yield replace(
                common,
                source=at,
                players=accounts,
                house=common.house if accounts == sitters else {**(common.house or {}), "substitute": "seat"},
                inferred=(*(common.inferred or ()), *placed),
                table=table or None,
                list=str(number),
                x={**(common.x or {}), "rows": [row_text(each.row) for each in sat]},
            )
            changed = None if accounts == sitters else sitters
            yield Deal(source=replace(at, deal=1), players=changed, stated=_stated_values(number, sat))


def _note(language: str, key: str, id: str, **facts: Fact) -> str:
    """Return the evidence of something worked out, as `KEY: evidence`."""
    return f"{key}: {say(message(f'importers.{id}', **facts), language)}"


def _last(entry: Entry) -> int:
    return max(entry.amounts, default=WHOLE)


def _stated_values(number: int, sat: list[Entry]) -> Stated:
    """Return the stated values of a table in a round."""

    def counts_of(role: str) -> tuple[int | None, ...] | None:
        counts = []
        for each in sat:
            of_all = each.counts.get((role, WHOLE)) if number == _last(each) else None
            counts.append(each.counts.get((role, number), of_all))
        return tuple(counts) if any(count is not None for count in counts) else None

    deals = {each.counts.get(("deals", number)) for each in sat}
    return Stated(
        payments=tuple(each.amounts[number] for each in sat),
        of_list=True,
        deals=deals.pop() if len(deals) == 1 else None,
        wins=counts_of("wins"),
        solos=counts_of("solos"),
        touts=counts_of("touts"),
    )


# --- what it says of itself -------------------------------------------------------------------------------------------


def _wrong_totals(entries: list[Entry], of: RoundList, money: Money, source: Source) -> Iterator[Finding]:
    """Yield a finding for each sum of a row that is not that of its rounds."""
    for entry in entries:
        text = of.cell(entry.row, "total")
        at = source_of(source, entry.row)
        try:
            stated = read_amount(of.title("total"), text, money) if text else entry.total
        except Problem as problem:
            yield finding(problem.rule, at, **problem.facts)
            continue
        if stated != entry.total:
            yield finding("list-total", at, player=entry.name, stated=stated, computed=entry.total)


def _wrong_places(entries: list[Entry], of: RoundList, mapping: ColumnMapping, source: Source) -> Iterator[Finding]:
    """Yield a finding for each place that the list cannot give: players whom neither the totals nor what was agreed on
    for equal ones separate may stand in any order."""
    agreed = (mapping.house or {}).get("standings")
    counted = [role for role in COUNTS if any(entry.count(role) is not None for entry in entries)]
    by = [*takewhile(counted.__contains__, agreed if isinstance(agreed, list) else [])]  # as far as the list has it
    stands = [(entry.total, *(entry.count(role) or 0 for role in by)) for entry in entries]
    for entry, stand in zip(entries, stands, strict=True):
        match = re.fullmatch(PLACE, of.cell(entry.row, "place"))
        first = 1 + sum(other > stand for other in stands)
        last = first + stands.count(stand) - 1
        if match and not first <= int(match[1]) <= last:
            at = source_of(source, entry.row)
            computed = str(first) if first == last else f"{first}-{last}"
            yield finding("list-place", at, player=entry.name, stated=int(match[1]), computed=computed)
