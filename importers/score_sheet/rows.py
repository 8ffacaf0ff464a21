"""A row of a score sheet: what its cells say about a deal, column by column, and whether it is a deal at all."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from archive.notation.game_words import NO_GAME, words_of_rules
from archive.notation.problem import Problem, refuse_entry
from archive.record import Game
from archive.say import Fact, message, say
from importers.score_sheet.amount_columns import FACTORS, are_factors, cell_text, hundredths_of, with_unit
from importers.score_sheet.cells import (
    AT_TABLE,
    TIMES,
    Money,
    SeatNames,
    TableWords,
    counts_or_multiplies,
    is_blank,
    is_one_of,
    normalize,
    parse_amount,
    read_amount,
    read_doubles,
    read_game,
    read_knocks,
    read_number,
    read_points,
    read_runners,
    read_yes,
    round_named,
    seat_names_of,
    sheet_words,
    split_names,
)
from importers.score_sheet.columns import ColumnMapping, Layout
from importers.score_sheet.dates import SheetDates, read_date, with_dates
from importers.score_sheet.game_cells import (
    fields_of_game,
    find_callers,
    game_of_suit,
    refuse_short_solo,
    result_fields,
    tells_sides,
    with_answer,
)
from importers.score_sheet.tables import Row
from importers.score_sheet.titles import money_of

RULES, RULES_OF_THREE = "bavarian", "three-hand"  # a sheet names none
THREE = 3
Fields = dict[str, Any]  # of a deal; those of `stated` by `stated.KEY`
NAMES = ("dealer", "declarer", "partner")
CALLS = ("knocks", "doubles", "re", "sub")  # columns with names, or with words or letters of their own
SPEAKING = ("knocks", "doubles", "re", "sub", "schneider", "schwarz", "tout")  # columns in which a dash says no


class RowReader(Struct, frozen=True):
    """Everything needed to read the cells of a sheet."""

    layout: Layout
    mapping: ColumnMapping
    table: SeatNames
    short: dict[str, str]  # beginnings of names, and the names that are meant
    money: Money
    spoken: TableWords
    columns: tuple[tuple[str, str, int, "Read"], ...]  # role, head, place, reader
    unnamed: dict[int, str]  # names of the columns that the record has no key for
    plus_and_minus: bool  # results are told by + and -
    sided: bool | None  # runners are told to be with or without; None: the column has what they cost
    counted: bool | None = None  # `2x` counts doublings, True, or multiplies the price, False
    factors: frozenset[str] = frozenset()  # roles of columns with the factor of each price
    dates: SheetDates = SheetDates()
    language: str = "en"  # of notes

    def note(self, key: str, id: str, /, **facts: Fact) -> str:
        """Return the evidence of something worked out, as `KEY: evidence`."""
        return f"{key}: {say(message(f'importers.{id}', **facts), self.language)}"


def row_reader_for(layout: Layout, mapping: ColumnMapping, folder: Path, language: str) -> RowReader:
    """Return how to read the cells of this sheet, judged by all of them together."""
    names = {layout.cell(row, role) for role in (*NAMES, "sits_out") for row in layout.body}
    calls = {role: {layout.cell(row, role) for row in layout.body} for role in CALLS}
    names |= {name for role, texts in calls.items() for text in texts for name in find_callers(role, text)}
    table, short = seat_names_of(layout.players, [cell_text(layout.head, at) for at in layout.payments], names)
    known = {normalize(name): seat for seat, name in enumerate(layout.players)}
    own = {normalize(text): known[key] for text, name in mapping.nicknames.items() if (key := normalize(name)) in known}
    strokes = [  # `II`, `//`, or `/` and nothing else
        layout.title(role)
        for role, texts in calls.items()
        if texts - {""} == {"/"} or any(len(text) > 1 and {*text} <= {*"I|/"} for text in texts)
    ]
    table = table._replace(seats={**table.seats, **own}, strokes=strokes)
    signs = any(layout.cell(row, "result") == "+" for row in layout.body)
    sided = tells_sides([layout.cell(row, "runners") for row in layout.body])
    counted = counts_or_multiplies(layout.cell(row, "doubles") for row in layout.body)
    rules = mapping.rules or (RULES_OF_THREE if len(layout.players) == THREE else RULES)
    spoken = TableWords(rules, words_of_rules(rules, folder), mapping.cards, tuple(mapping.words.items()))
    pots = [layout.cell(row, "stock") for row in layout.body]
    are_changes = any(text[:1] == "+" or hundredths_of(text) < 0 for text in pots)  # of the pot, not what lies in it
    read = tuple(
        (role, layout.title(role), layout.roles[role], READ["check"] if role == "stock" and are_changes else each)
        for role, each in READ.items()
        if role in layout.roles
    )
    places = {role: layout.roles[role] for role in ("doubles", "knocks", "special") if role in layout.roles}
    factors = frozenset(role for role, at in places.items() if are_factors(layout.body, at, layout.payments))
    unnamed = layout.names((*layout.others, *layout.skipped))
    money = money_of(layout, mapping)
    return RowReader(
        layout, mapping, table, short, money, spoken, read, unnamed, signs, sided, counted, factors, language=language
    )


# --- which rows are deals ---------------------------------------------------------------------------------------------


def sums_of(row: Row, reader: RowReader) -> tuple[int | None, ...]:
    """Return the sums of a row, of the columns of totals, else of payments. Raise Problem if one is unreadable."""
    layout = reader.layout
    places = layout.totals if any(cell_text(row, at) for at in layout.totals) else layout.payments
    return amounts_of(row, places, reader)


def tells_games(layout: Layout) -> bool:
    """Return whether a sheet says what was played in its deals, or by whom."""
    return "contract" in layout.roles or "declarer" in layout.roles


def names_game(row: Row, reader: "RowReader") -> bool:
    """Return whether a row names a declarer, or a game in words that are understood."""
    return not is_blank(reader.layout.cell(row, "declarer")) or game_named(row, reader) is not None


def game_named(row: Row, reader: "RowReader") -> Game | None:
    """Return the game that the words of a row name; None if they are not understood, or are none."""
    text = reader.layout.cell(row, "contract")
    try:
        return None if is_blank(text) else read_game("", text, reader.spoken)[0]
    except Problem:
        return None


def only_amounts(row: Row, layout: Layout) -> bool:
    """Return whether a row has only amounts of players, in a sheet that says more about its deals."""
    amounts = {*layout.payments, *layout.totals}
    return tells_games(layout) and not any(text for place, text in enumerate(row.cells) if place not in amounts)


# --- the cells --------------------------------------------------------------------------------------------------------


def _as_stated(values: Fields) -> Fields:
    return {f"stated.{key}": value for key, value in values.items()}


def _height(role: str) -> "Read":
    """Return the reader of a column of Schneider or Schwarz: a yes, or one of both names."""

    def read(_: RowReader, key: str, text: str) -> Fields:
        name = text.casefold()
        return _as_stated({name: True} if name in ("schneider", "schwarz") else {role: read_yes(key, text)})

    return read


def _points_against(reader: RowReader, key: str, text: str) -> Fields:
    """Return the points of the others, or keep their names."""
    names = [reader.table.seats.get(normalize(name)) for name in split_names(text)]
    return {"x": {key: text}} if names and None not in names else _as_stated({"points_against": read_points(key, text)})


def _result(reader: RowReader, key: str, text: str) -> Fields:
    if is_one_of(text, "blank") and not reader.plus_and_minus:
        return {}
    if normalize(key) in sheet_words()["shapes"]["winners"]:
        seats = {reader.table.seats.get(normalize(name)) for name in split_names(text)}
        if seats and None not in seats:
            return {"winners": seats, "x": {key: text}}
    if normalize(key) in sheet_words()["cells"]["asks_won"] and (is_one_of(text, "yes") or is_one_of(text, "no")):
        return _as_stated({"won": read_yes(key, text)})
    if is_one_of(text, "won") or is_one_of(text, "lost"):
        return _as_stated({"won": is_one_of(text, "won"), "result": text})
    fields = result_fields(key, text, reader.spoken.words, "runners" in reader.layout.roles)
    return fields | ({} if text.isdecimal() else {"stated.result": text})


def _partner(reader: RowReader, key: str, text: str) -> Fields:
    alone = (is_one_of(text, "alone") or is_one_of(text, "none")) and normalize(text) not in reader.table.seats
    return {} if alone else {"partner": reader.table.seat(key, text)}


def _sits_out(reader: RowReader, key: str, text: str) -> Fields:
    """Return who sits out of more than four; somebody whom the sheet has no column for is kept as written."""
    seats = [reader.table.seats.get(normalize(name), -1) for name in split_names(text)]
    is_kept = -1 in seats or len(reader.layout.players) <= AT_TABLE
    return {"x": {key: text}} if is_kept else {"sits_out": tuple(sorted(seats))}


def _runners(reader: RowReader, key: str, text: str) -> Fields:
    """Return the runners, if the sheet says with or without; a bare number is their count, which costs the same, and is
    also kept unchanged."""
    count = 0 if reader.sided is None else read_runners(key, text)
    if count and reader.sided:
        return {"stated.runners": count}
    return {"x": {key: text}} | ({"stated.runner_count": count} if count > 0 else {})


def _date(reader: RowReader, key: str, text: str) -> Fields:
    if reader.dates.in_doubt or normalize(key) in sheet_words()["weeks"]["heads"] or reader.dates.lacks_year(text):
        return {"x": {key: text}}
    return {"time": time} if (time := read_date(key, with_dates(text, reader.dates))[1]) else {}


def _money(name: str, reader: RowReader, key: str, text: str) -> Fields:
    """Return an amount that is nobody's: among euros, in the unit of its head."""
    unit = "(ct)" if reader.layout.roles.get(name) in reader.money.cents else key if reader.money.euros else ""
    return _as_stated({name: read_amount(key, with_unit(unit, text), reader.money)})


def _special(_: RowReader, key: str, text: str) -> Fields:
    """Return the special round of a deal: the one that the cell names, or the head's if the cell says yes or counts.
    One that changes no price, such as a Ramschrunde, is kept as written."""
    if is_one_of(text, "no"):
        return {}
    counted = is_one_of(text, "yes") or text.isdecimal() or bool(TIMES.fullmatch(text))
    words = (key,) if counted else split_names(text)
    names = dict.fromkeys(name for word in words if (name := round_named(word)))
    if not names or text == "?":  # which a file without ✓ has in its place
        refuse_entry(key, text, message("importers.round"))
    known = sheet_words()["rounds"]
    rounds = tuple(dict.fromkeys(known[name] for name in names if name in known))
    return {"round": rounds} if len(rounds) == len(names) else {"x": {key: text}}


Read = Callable[[RowReader, str, str], Fields]
READ: dict[str, Read] = {
    "number": lambda _, key, text: {"no": read_number(key, text)},
    "date": _date,
    "time": lambda _, key, text: {"time": text},
    "dealer": lambda reader, key, text: {"dealer": reader.table.seat(key, text)},
    "partner": _partner,
    "sits_out": _sits_out,
    "result": _result,
    "points": lambda reader, key, text: result_fields(key, text, reader.spoken.words, True),
    "points_against": _points_against,
    "schneider": _height("schneider"),
    "schwarz": _height("schwarz"),
    "runners": _runners,
    "knocks": lambda reader, key, text: {"knocks": read_knocks(key, text, reader.table)},
    "doubles": lambda reader, key, text: {"doubles": read_doubles(key, text, reader.table, reader.counted)},
    "re": lambda reader, key, text: {"re": read_doubles(key, text, reader.table, True, 1)},
    "sub": lambda reader, key, text: {"double": read_doubles(key, text, reader.table, True, 2)},
    "price": partial(_money, "price"),
    # What lies in the pot; a mark, which says that somebody took it, is kept.
    "stock": lambda *cell: {"x": {cell[1]: cell[2]}} if is_one_of(cell[2], "crosses") else _money("stock", *cell),
    "special": _special,
    "check": lambda _, key, text: {"x": {key: text}},
    "table": lambda _, key, text: {"table": text},
    "list": lambda _, key, text: {"list": text},
    "note": lambda _, key, text: {"note": text},
}


def fields_of(row: Row, reader: RowReader) -> tuple[Fields, list[Problem]]:
    """Return the fields of a deal from the cells of a row, and the problems of those that cannot be read."""
    layout, fields, problems = reader.layout, Fields(), []
    for key, text, read in _readings(row, reader):
        try:
            values = read()
            for word in values.keys() & {"re", "double"}:
                values = {"doubles": with_answer(key, text, fields.pop("doubles", ()), values[word], word)}
            _add(fields, key, text, values)
        except Problem as problem:
            problems.append(problem.with_traceback(None))
    if winners := fields.pop("winners", None):
        game, paid = fields.get("game"), enumerate(fields.get("stated.payments", ()))
        gains = {seat for seat, amount in paid if (amount or 0) > 0}
        if gains and gains != winners:
            names = ", ".join(reader.table.players[seat] for seat in sorted(gains))
            expected = message("importers.other-column", value=names)
            cell = layout.cell(row, "result")
            problems.append(Problem("bad-entry", layout.title("result"), cell, expected=expected))
        elif game and game.declarer is not None:
            fields.setdefault("stated.won", game.declarer in winners)
    if fields.get("stated.won") and "stated.loser" in fields:  # the winner of a Ramsch has not lost it
        del fields["stated.loser"]
        fields["x"] = fields.get("x", {}) | {layout.title("declarer"): layout.cell(row, "declarer")}
    heads = layout.names(tuple(at for at, _ in row.comments))
    comments = {f"{heads[at]} (comment)": text for at, text in row.comments}
    extra = comments | {name: text for at, name in reader.unnamed.items() if (text := cell_text(row, at))}
    if extra:
        fields["x"] = fields.get("x", {}) | extra
    try:
        _add_idle(row, layout, fields)
    except Problem as problem:
        problems.append(problem.with_traceback(None))
    return fields, problems


def _add_idle(row: Row, layout: Layout, fields: Fields) -> None:
    """Add who sits out, by marks and amounts. Raise Problem if a column names others, or one who was paid."""
    payments = fields.get("stated.payments", ())
    marked = [not payments and is_one_of(cell_text(row, at), "out") for at in layout.payments]
    missing, zero = ([amount is None for amount in payments], [not amount for amount in payments])
    named = out = fields.get("sits_out", ())
    for idle in (marked, missing, zero):  # those who sit out have a mark, no amount, or 0 if all have one
        if idle.count(False) == AT_TABLE and any(idle) and (idle is not zero or not any(missing)):
            out = tuple(seat for seat, is_out in enumerate(idle) if is_out)
            break
    if named not in ((), out) or any(payments[seat] for seat in out if payments):
        refuse_entry(layout.title("sits_out"), layout.cell(row, "sits_out"), message("importers.sits-out"))
    fields |= {"sits_out": out} if out else {}
    if payments and out:
        fields["stated.payments"] = tuple(0 if at in out else amount for at, amount in enumerate(payments))


def _readings(row: Row, reader: RowReader) -> Iterator[tuple[str, str, Callable[[], Fields]]]:
    """Yield the cells that say something: the head of the column, the text, and its reader."""
    layout = reader.layout
    for role, key, place, read in reader.columns:
        text = cell_text(row, place)
        text = FACTORS.get(text.strip("xX×* "), text) if role in reader.factors else text
        dash_speaks = role in SPEAKING or (role == "result" and reader.plus_and_minus) or role + text == "special?"
        if text and (dash_speaks or not is_blank(text)):
            yield key, text, partial(read, reader, key, text)
    yield layout.title("contract"), layout.cell(row, "contract"), partial(_game, row, reader)
    for name, places in (("stated.payments", layout.payments), ("stated.totals", layout.totals)):
        yield "", "", partial(_payments, name, places, row, reader)


def _payments(name: str, places: tuple[int | None, ...], row: Row, reader: RowReader) -> Fields:
    amounts = amounts_of(row, places, reader)
    return {} if all(amount is None for amount in amounts) else {name: amounts}


def _add(fields: Fields, key: str, text: str, values: Fields) -> None:
    """Add values to the fields. Two columns may say the same; raise Problem if they contradict each other."""
    for name, value in values.items():
        if name == "x":
            fields["x"] = fields.get("x", {}) | value
        elif fields.setdefault(name, value) != value:
            refuse_entry(key, text, message("importers.other-column", value=fields[name]))


def amounts_of(row: Row, places: tuple[int | None, ...], reader: RowReader) -> tuple[int | None, ...]:
    """Return the amounts of a row, one for each player, None for an empty cell. If heads name several units, each
    counts for its own column."""
    amounts: list[int | None] = []
    for at in places:
        text = cell_text(row, at)
        head = " ".join(cell_text(reader.layout.head, at).split())
        unit = "(ct)" if at in reader.money.cents else ""
        is_of_head = len(reader.layout.units) > 1 or (reader.money.euros and at in reader.layout.totals)
        text = with_unit(head if is_of_head else unit, text)
        amounts.append(
            None if at is None or is_blank(text) or is_one_of(text, "out") else read_amount(head, text, reader.money)
        )
    return tuple(amounts)


def _game(row: Row, reader: RowReader) -> Fields:
    """Return the game of a row with its declarer. A player named for a game without one, a Ramsch, has lost it."""
    layout, table = reader.layout, reader.table
    key, text = layout.title("contract"), layout.cell(row, "contract")
    who, name = layout.title("declarer"), layout.cell(row, "declarer")
    both_named = name.replace("(mit ", "/").replace("(", "/").replace(")", "")
    parts = [] if normalize(name) in table.seats else split_names(both_named)
    both = [table.seats.get(normalize(part)) for part in parts]
    are_mates = len(both) == len(NAMES) - 1 and None not in both and is_blank(layout.cell(row, "partner"))
    mate = both[1] if are_mates else None
    declarer = None if is_blank(name) else both[0] if mate is not None else table.seat(who, name)
    suit, tout = layout.cell(row, "suit"), layout.cell(row, "tout")
    if is_blank(text):
        unsaid = {layout.title(role): layout.cell(row, role) for role in ("declarer", "suit", "tout")}
        unsaid = {title: cell for title, cell in unsaid.items() if not is_blank(cell)}
        return {"x": unsaid} if unsaid else {}
    partner, paid = layout.cell(row, "partner"), [parse_amount(cell_text(row, at)) for at in layout.payments]
    refuse_short_solo(key, text, partner, reader.spoken, table)
    whole = text if is_blank(suit) or normalize(suit) == normalize(text) else f"{text} {suit}"
    whole = game_of_suit(whole, reader.spoken, normalize(partner) in table.seats, paid)
    whole = f"{whole} tout" if tout and read_yes(layout.title("tout"), tout) else whole
    fields = fields_of_game(key, whole, reader.spoken, table)
    game, named = fields["game"], fields.get("stated.loser", fields["game"].declarer)
    if declarer is None:
        return fields
    if named not in (None, declarer):
        refuse_entry(who, name, message("importers.other-column", value=table.players[named]))
    if game.contract in NO_GAME:
        refuse_entry(who, name, message("importers.nobody-declares", game=text))
    if mate is not None and game.contract not in sheet_words()["parties"]["partner"]:
        refuse_entry(who, name, message("importers.one-declarer", game=text))
    if not reader.spoken.has_declarer(game.contract):
        return fields | {"stated.loser": declarer}
    return fields | {"game": replace(game, declarer=declarer)} | ({} if mate is None else {"partner": mate})
