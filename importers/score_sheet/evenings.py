"""The evenings of a score sheet: its rows cut where the date changes, the head of each, and what is worked out; the
settings of a table whose sheet names no rules: what the sheet has is taken to be played there."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Any

from msgspec.structs import replace

from archive.notation.problem import Problem
from archive.notation.tariff import usual_tariff
from archive.record import Carry, Deal, Finding, Session, Source, Stated, finding
from archive.say import Message, message, say
from importers.dates import DATE
from importers.score_sheet.cells import is_blank, mentions, sheet_words
from importers.score_sheet.columns import Layout, MappingFile, row_text
from importers.score_sheet.dates import dates_of
from importers.score_sheet.days import day_alone, is_english, split_by_date
from importers.score_sheet.doubts import (
    Paid,
    RunningSums,
    UsualAmounts,
    amount_beside,
    complete_payments,
    corrects_deal,
    is_other_head,
    question_about,
    stand_in,
    usual_amounts,
    void_note,
)
from importers.score_sheet.game_cells import count_results
from importers.score_sheet.rows import RULES_OF_THREE, Fields, RowReader, fields_of, only_amounts, sums_of
from importers.score_sheet.running import totals_before, with_differences
from importers.score_sheet.sums_below import Evening, adds_up, with_items, with_sums
from importers.score_sheet.tables import EMPTY_FORMULA, SHOWN, Row, Sheet, empty_formulas, source_of
from importers.score_sheet.titles import date_above, event_above, name_of_file, number_above, tariff_above
from importers.score_sheet.unplayed_rows import (
    is_beside,
    is_carried,
    is_played,
    is_remark,
    is_rule_or_subhead,
    is_start,
    is_sum,
)

COUNTED = r"(?i)(?:datum|date)\W+[34]\d{4}(?:\.0)?"  # a day as office programs count them


def _notes_of_sheet(reader: RowReader, empty: Sequence[Row], mapping_file: MappingFile) -> list[str]:
    """Return what is noted of rows that nobody filled in, of a `columns.toml` that was not read, and of remarks that
    look like results, in a sheet that has no column of them."""
    notes = [reader.note("deals", "note-empty", first=empty[0].line, last=empty[-1].line)] if empty else []
    if mapping_file.passed_over:
        notes.append(reader.note("columns", "note-own-columns", own=PurePath(mapping_file.source.path).name))
    layout, remarks = reader.layout, [text for row in reader.layout.body if (text := reader.layout.cell(row, "note"))]
    results = 0 if layout.roles.keys() & {"result", "points"} else count_results(remarks, reader.spoken.words)
    if results * 2 > len(remarks):
        notes.append(reader.note("columns", "note-results-there", column=layout.title("note"), n=results))
    return notes


def _read_groups(
    groups: list[list[Row]], reader: RowReader, source: Source, start: tuple[int | None, ...]
) -> list[Evening]:
    """Return the deals of each evening; if its columns are only totals, their difference is what each deal paid."""
    usual = usual_amounts(reader.layout)
    read = [_read(group, reader, source, usual, alone=len(groups) == 1) for group in groups]
    if reader.layout.payments:
        return read
    carried = [(evening.carried, evening.items) for evening in read]
    notes = (reader.note("stated.payments", "note-difference"), reader.note("sits_out", "note-sits-out"))
    steps = with_differences(carried, start, *notes, reader.mapping.deals)
    return [evening._replace(items=items) for evening, items in zip(read, steps, strict=True)]


def evenings(
    sheet: Sheet, reader: RowReader, mapping_file: MappingFile, source: Source
) -> Iterator[Session | Deal | Finding]:
    """Yield the sessions of a sheet with their deals."""
    layout, before = reader.layout, None
    above = [row for row in sheet.rows if row.line < layout.head.line]
    if without_value := empty_formulas(sheet.rows, source):
        yield without_value
    rows, empty = _rows_in_use(layout)
    unplayed = _notes_of_sheet(reader, empty, mapping_file)
    heads = [row.line for row in layout.body if row.cells == layout.head.cells]
    titles = [sheet.title or "", *map(row_text, above), reader.layout.title("contract")]
    named = [*titles, name_of_file(source)]
    days = (layout.cell(row, "date") for row in layout.body)
    reader = replace(reader, dates=dates_of(named, days, is_english(layout, titles, sheet.title is None)))
    groups = split_by_date(rows, layout, reader.dates, titles, named)
    start = (reader.money.of(layout.purse),) * len(layout.players)
    read = _read_groups([group for _, group in groups], reader, source, start)
    house, played = house_of(reader, [deal for evening in read for deal in evening.deals], tariff_above(titles))
    undated = [day for day, _ in groups].count(None)
    is_headed = any(layout.cell(row, "date") or day_alone(row, layout, reader.dates) for row in groups[0][1][:1])
    for place, ((day, group), evening) in enumerate(zip(groups, read, strict=True)):
        inferred = [*_evidence(reader, sheet), *played, *unplayed, *_no_deals(evening, [] if place else heads, reader)]
        if day is None:
            alone = undated == 1 or (not place and not is_headed)
            day, notes = _day_around(group, titles if alone else [], named if alone else [], reader, len(groups) == 1)
            inferred += notes
        carry = evening.carried or (start if layout.purse and not place else None)
        if carry is None and evening.deals and (carry := totals_before(before, evening.deals)):
            inferred.append(reader.note("carry.totals", "note-totals-before"))
        numbers = [deal.no for deal in evening.deals if deal.no is not None]
        if place and numbers and numbers[0] > 1:
            for at, item in enumerate(evening.items):
                if isinstance(item, Deal) and item.no is not None:
                    evening.items[at] = replace(item, no=None, id=str(item.no))
            inferred.append(reader.note("id", "note-number-as-id"))
        events = {text for row in group if not is_blank(text := layout.cell(row, "event"))}
        sums = [row_text(row) for row in evening.sums]
        free = {"sheet": sheet.title, "columns": mapping_file.table, "sums": sums}  # which the record has no key for
        yield Session(
            source=source_of(source, group[0] if place and group else layout.head),
            players=layout.players,
            rules=reader.spoken.rules,
            house=house,
            event=event_above(above) if not events else events.pop() if len(events) == 1 else None,
            date=day,
            table=number_above(above, "table"),
            list=number_above(above, "list"),
            unit=reader.money.unit,
            inferred=tuple(inferred) or None,
            carry=Carry(totals=carry) if carry else None,
            note="\n".join(map(row_text, above)) or None,
            x={key: value for key, value in free.items() if value} or None,
        )
        yield from evening.items
        if group and not place:
            yield from _doubtful_date(above, reader, source)
        before = evening.deals[-1] if evening.deals else None


def _day_around(
    group: list[Row], titles: list[str], named: list[str], reader: RowReader, whole: bool
) -> tuple[str | None, list[str]]:
    """Return the date of an evening whose rows have none, of the texts around them, or None; and the notes on it.
    `whole`: it is all of the sheet."""
    rows, words = reader.layout.body if whole else group, sheet_words()["totals"]
    remarks = [row_text(row) for row in rows if len([*filter(None, row.cells)]) == 1]
    heads = [text for text in reader.layout.head.cells if not mentions(text, (*words["words"], *words["carried"]))]
    around = (titles, heads, remarks, named) if titles or named else ()
    if dated := next((dated for texts in around if (dated := date_above(texts, reader.dates))), None):
        return dated[0], [reader.note("date", "note-date-above", text=dated[1])]
    text = reader.layout.cell(group[0], "date") if group and not reader.dates.in_doubt else ""
    return None, [reader.note("date", "note-no-year", text=text)] if text else []


def _doubtful_date(above: list[Row], reader: RowReader, source: Source) -> Iterator[Finding]:
    """Yield the question which of two numbers is the month, or which day a number above the head counts, if any is."""
    layout, doubt = reader.layout, reader.dates.in_doubt
    texts = [(row, layout.cell(row, "date")) for row in layout.body] + [(row, row_text(row)) for row in above]
    for row, text in texts:
        is_either = doubt and (match := DATE.search(text)) and match["slash"]
        if is_either or re.fullmatch(COUNTED, text):
            expected = message("importers.date-in-doubt" if is_either else "importers.counted-day")
            at = source_of(source, row)
            yield finding("bad-entry", at, key=layout.title("date") or "date", entry=text, expected=expected)
            return


# --- which rows -------------------------------------------------------------------------------------------------------


def _rows_in_use(layout: Layout) -> tuple[list[Row], list[Row]]:
    """Return the rows without repeated heads and without unfilled ones at the end, and the latter."""
    rows = [row for row in layout.body if row.cells != layout.head.cells]
    from_last = range(len(rows) - 1, -1, -1)
    last = next((at for at in from_last if is_played(rows[at], layout) and not is_sum(rows[at], layout)), -1)
    told = (place for place, row in enumerate(rows) if place > last and (is_sum(row, layout) or corrects_deal(row)))
    end = max([last, *told])
    empty = [row for row in rows[last + 1 :] if not is_sum(row, layout) and not corrects_deal(row)]
    return [row for row in rows[: end + 1] if row not in empty], empty


# --- the rows of an evening -------------------------------------------------------------------------------------------


def _read(rows: list[Row], reader: RowReader, source: Source, usual: UsualAmounts, alone: bool) -> Evening:
    """Return the deals of an evening. The sums below are the totals after the last, if the sheet has only one
    evening."""
    evening = Evening([], None, [], [], [])
    layout, zeros = reader.layout, [0] * len(reader.layout.players)
    position, above = 0, RunningSums(zeros, zeros)
    before: Row | None = None
    for row in rows:
        if row.line in reader.mapping.not_deals:
            evening.passed_over.append(row.line)
            continue
        certain = row.line in reader.mapping.deals
        if not certain and (
            is_beside(row, layout)
            or day_alone(row, layout, reader.dates)
            or is_rule_or_subhead(row)
            or (not position and is_start(row, layout) and not is_carried(row, layout))
            or (is_remark(row, reader) and not (stand_in(row, reader) or void_note(row, layout) or corrects_deal(row)))
        ):
            evening.other_lines.append(row.line)
            continue
        if not certain and not row.broken and (is_sum(row, layout) or adds_up(row, reader, above)):
            evening = with_sums(row, evening, reader, source, above if alone else None)
            above.begin_anew()
            continue
        position += 1
        at = replace(source_of(source, row), deal=position)
        text = "" if certain else stand_in(row, reader)
        if text or (not certain and is_other_head(row, reader)):  # from which on nothing can be read
            id, text = ("stand-in", text) if text else ("other-table", row_text(row)[:SHOWN])
            why = message(f"importers.{id}", text=text, line=rows[-1].end_line)
            evening.items.append(finding("row-unclear", at, why=why))
            break
        asked = not certain and not row.broken and not only_amounts(row, layout)
        question = row.doubt if not certain else None
        question = question or (question_about(row, reader, usual, above, before) if asked else None)
        before = row
        if question and question.id == "importers.correction-row":
            evening.items[:] = _without_corrected(evening.items, row, reader, source)
        items = [finding("row-unclear", at, why=question)] if question else list(_deal(row, reader, at, usual, certain))
        evening = with_items(evening, items)
        for payments in (item.stated.payments for item in items if isinstance(item, Deal) and item.stated):
            above.add(payments or zeros)
    return evening


def _without_corrected(
    items: list[Deal | Finding], row: Row, reader: RowReader, source: Source
) -> list[Deal | Finding]:
    """Return the items, with a question for the deal whose amounts a row of corrections takes back or reverses."""
    try:
        correction = sums_of(row, reader)
    except Problem:
        return items
    turned = [tuple(-(amount or 0) * times for amount in correction) for times in (1, 0.5)]
    places = [
        at
        for at, item in enumerate(items)
        if isinstance(item, Deal) and item.stated and tuple(paid or 0 for paid in item.stated.payments or ()) in turned
    ]
    if not places or not any(turned[0]):
        return items
    corrected = items[places[-1]].source
    why = message("importers.corrected-row", line=row.line)
    return [*items[: places[-1]], finding("row-unclear", corrected or source, why=why), *items[places[-1] + 1 :]]


def _deal(row: Row, reader: RowReader, at: Source, usual: UsualAmounts, certain: bool) -> Iterator[Deal | Finding]:
    """Yield the deal of a row, or its findings; `certain`: columns.toml says that the row is a deal."""
    if row.broken or (only_amounts(row, reader.layout) and not certain):
        yield finding("line-not-read", at, text=row_text(row)[:SHOWN])
        return
    fields, problems = fields_of(row, reader)
    if problems:
        yield from (finding(problem.rule, at, **problem.facts) for problem in problems)
        return
    if fields.keys() == {"x"} and not certain and len([*filter(None, row.cells)]) == 1:
        yield finding("line-not-read", at, text=row_text(row)[:SHOWN])
        return
    notes = [reader.note("stated.loser", "note-loser")] if "stated.loser" in fields else []
    payments = fields.get("stated.payments")
    named = reader.layout.cell(row, "sits_out")
    by_amounts = "sits_out" in fields and payments and (is_blank(named) or named in fields.get("x", {}).values())
    notes += [reader.note("sits_out", "note-sits-out")] if by_amounts else []
    if payments is not None and not certain and "stock" not in reader.layout.roles:
        won = False if "stated.loser" in fields else fields.get("stated.won")
        paid = complete_payments(payments, _side(fields), won, usual.signs)
        if isinstance(paid, Message):
            yield finding("row-unclear", at, why=paid)
            return
        if paid.whose == "three" and any(row.cells[at : at + 1] == (EMPTY_FORMULA,) for at in reader.layout.payments):
            paid = Paid(payments)  # the value of a formula is unknown
        if paid.whose == "three" and (text := amount_beside(row, reader, paid.payments[payments.index(None)])):
            yield finding("row-unclear", at, why=message("importers.amount-beside", text=text))
            return
        fields["stated.payments"] = paid.payments
        notes += [reader.note("stated.payments", f"note-only-{paid.whose}")] if paid.whose else []
    stated = {name.removeprefix("stated."): fields.pop(name) for name in list(fields) if name.startswith("stated.")}
    yield Deal(source=at, stated=Stated(**stated) if stated else None, inferred=tuple(notes) or None, **fields)


def _side(fields: Fields) -> frozenset[int] | None:
    """Return the seats of the declarer's side, or None if the row does not say all of them."""
    game, partner = fields.get("game"), fields.get("partner")
    loser = fields.get("stated.loser")
    if loser is not None:
        return frozenset([loser])
    if game is None or game.declarer is None:
        return None
    if partner is None and game.contract in sheet_words()["parties"]["partner"]:
        return None
    return frozenset(seat for seat in (game.declarer, partner) if seat is not None)


# --- what is told of a sheet ------------------------------------------------------------------------------------------


def _evidence(reader: RowReader, sheet: Sheet) -> Iterator[str]:
    """Yield the notes on what is worked out from the sheet as a whole, as `KEY: evidence`: also of one that had another
    shape, or that a program wrote."""
    layout, mapping, money, dates = reader.layout, reader.mapping, reader.money, reader.dates
    if mapping.rules is None:
        yield reader.note("rules", "note-no-rules")
    if not mapping.players:
        yield reader.note("players", "note-players")
    for text, name in reader.short.items():
        yield reader.note("players", "note-short-name", text=text, name=name)
    others = {
        "note-euros": ("unit", money.euros and mapping.unit is None),
        "note-floats": ("unit", money.floats and mapping.unit is None),
        "note-month-first": ("date", dates.month_first),
        "note-date-in-doubt": ("date", dates.in_doubt),
        "note-day-first": ("date", dates.day_first),
        "note-running": ("stated.totals", layout.running),
    }
    yield from (reader.note(key, id) for id, (key, is_so) in others.items() if is_so)
    if "runners" in layout.roles and reader.sided is False:
        yield reader.note("stated.runners", "note-runner-count", title=layout.title("runners"))
    of_shape = (*(("stated.payments", note) for note in sheet.notes), *sheet.evidence)
    yield from (f"{key}: {say(note, reader.language)}" for key, note in of_shape)


def _no_deals(evening: Evening, heads: list[int], reader: RowReader) -> Iterator[str]:
    """Yield the note that counts the rows that are no deals."""
    sums = [row.line for row in evening.sums]
    kinds = {"sums": sums, "heads": heads, "not-deals": evening.passed_over, "beside": evening.other_lines}
    counted = [
        say(message(f"importers.{kind}", n=len(lines), lines=", ".join(map(str, lines))), reader.language)
        for kind, lines in kinds.items()
        if lines
    ]
    if counted:
        yield reader.note("rows", "note-no-deals", kinds=", ".join(counted))


THREE = {"seats": 3, "deck": 24}  # the pack of a table of three
USUAL_DOUBLINGS, MOST_DOUBLINGS = 2, 4  # Kontra and Re; Sub and one more


def house_of(reader: RowReader, deals: list[Deal], above: str | None) -> tuple[dict[str, Any] | None, list[str]]:
    """Return the house settings and the notes on them. If nobody says the rules of the table, its tariff is unknown,
    and anything unusual that the sheet has is taken to be played there."""
    written = reader.mapping.tariff or above
    tariff = {"tariff": usual_tariff(written)} if written else {}
    if reader.mapping.rules or reader.mapping.house:
        return (reader.mapping.house or {}) | tariff or None, []
    seen = {deal.game.contract for deal in deals if deal.game}
    known = sheet_words()["house"]
    usual = known["three" if reader.spoken.rules == RULES_OF_THREE else "usual"]
    others = [
        contract for contract in (*known["usual"], *known["others"]) if contract in seen and contract not in usual
    ]
    house: dict[str, Any] = {"tariff": "unknown"} | tariff
    notes = [reader.note("house.tariff", "note-tariff-above", text=above)] if above and above == written else []
    house |= {"contracts": [*usual, *others]} if others else {}
    notes += [reader.note("house.contracts", "note-contracts", contracts=", ".join(others))] if others else []
    if len(reader.layout.players) == THREE["seats"]:
        house |= THREE
        notes.append(reader.note("house.seats", "note-three"))
    if any(deal.knocks for deal in deals):
        house["knock"] = "anyone"
        notes.append(reader.note("house.knock", "note-knocks"))
    most = max((each if isinstance(each, int) else len(each) for deal in deals if (each := deal.doubles)), default=0)
    if USUAL_DOUBLINGS < most <= MOST_DOUBLINGS:
        house["stoss"] = {"limit": most}
        notes.append(reader.note("house.stoss", "note-doublings", n=most))
    if any(deal.game and "du" in deal.game.words for deal in deals):
        house["du"] = True
        notes.append(reader.note("house.du", "note-contracts", contracts="Du"))
    if pot := _pot(deals):
        house["stock"] = pot
        notes.append(reader.note("house.stock", "note-pot", amount=pot["amount"]))
    return house, notes


def _pot(deals: list[Deal]) -> dict[str, Any]:
    """Return the setting of the pot if each pays the same into it whenever a deal is thrown in: that amount, and the
    games that won all that was in it, or doubled it. Else an empty table."""
    fees, won_by, pot = set[int](), dict[str, None](), 0
    for deal in deals:
        amounts = [amount for amount in (deal.stated and deal.stated.payments) or () if amount]
        contract = deal.game.contract if deal.game else None
        if contract == "none":
            fees |= {*amounts} if len(amounts) not in (1, 2) else {0}  # of somebody alone
        if contract == "none" or (pot and contract and abs(sum(amounts)) == pot):
            won_by |= {} if contract == "none" else {contract: None}
            pot -= sum(amounts)
    return {"amount": -fees.pop(), "won_by": [*won_by]} if len(fees) == 1 and max(fees) < 0 else {}
