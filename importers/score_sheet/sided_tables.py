"""Tables with one value a row, and who won it from whom: marks of the players, columns of winners and losers, the
declarer and the partner. Each becomes a column of amounts for each player."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from archive.notation.game_words import words_of_rules
from archive.notation.problem import Problem
from archive.notation.spoken_facts import MOST_RUNNERS
from archive.say import message
from importers.score_sheet.amount_columns import AT_TABLE, cell_text, mostly
from importers.score_sheet.cells import MOST as MOST_POINTS
from importers.score_sheet.cells import (
    TableWords,
    is_blank,
    is_one_of,
    normalize,
    parse_amount,
    read_game,
    sheet_words,
    split_names,
)
from importers.score_sheet.game_cells import read_result
from importers.score_sheet.table_parts import FEWEST, MOST, MOSTLY, Shape, Table, with_cells, with_players
from importers.score_sheet.tables import Row, RowKey
from importers.text import on_one_line

RULES = "bavarian"  # if nobody names any
PAIR, ALONE = 2, 1  # players of a side
MINUS = ("-", "−", "–")
LOST, WON = range(61), range(61, MOST_POINTS + 1)  # card points of the declarer


class Side(NamedTuple):
    """The names of those who won a deal, and of those who lost it."""

    won: list[str]
    lost: list[str]


def side_of_mark(text: str) -> bool | None:
    """Return whether a mark says that its player won, or None for any other text."""
    if is_one_of(text, "mark_won"):
        return True
    return False if is_one_of(text, "mark_lost") else None


def result_of(text: str) -> bool | None:
    """Return whether a result says that the declarer's side won, or None if it does not say so."""
    if is_one_of(text, "won") or is_one_of(text, "lost"):
        return is_one_of(text, "won")
    try:
        won: bool | None = read_result("", text).get("won") if text else None
    except Problem:
        return None
    return won


def contract_of(text: str) -> str:
    """Return the contract that a text names if nobody names rules, or ""."""
    of = TableWords(RULES, words_of_rules(RULES, Path()), "german", ())
    try:
        return read_game("", text, of)[0].contract
    except Problem:
        return ""


def payments_of_sides(side: Side, value: str) -> dict[str, str] | None:
    """Return the amounts by name: each of two pays or gets the value once; a lone player, from each or to each of the
    others. Return None if the sides are no two parties, or the value is no amount."""
    amount = parse_amount(value)
    sizes = {len(side.won), len(side.lost)}
    if amount is None or not sizes <= {1, 2, 3} or len({*side.won, *side.lost}) != len(side.won) + len(side.lost):
        return None
    if sizes != {PAIR} and ALONE not in sizes:
        return None
    paid: dict[str, str] = {}
    for party, others, sign in ((side.won, side.lost, "+"), (side.lost, side.won, "-")):
        hundredths = abs(amount.hundredths) * (len(others) if len(party) == ALONE else 1)
        has_part = amount.decimals and not amount.is_float
        whole = f"{hundredths // 100},{hundredths % 100:02}" if has_part else str(hundredths // 100)
        paid |= dict.fromkeys(party, f"{sign}{whole} {amount.unit or ''}".strip())
    return paid


def may_be_of_one(rows: Iterable[tuple[Side, str]]) -> bool:
    """Return whether the values of rows with a lone player may all be what that player pays or gets in sum, not from
    each: all of them can be divided by the number of the others."""
    lone = [
        (max(map(len, side)), amount)
        for side, value in rows
        if ALONE in map(len, side) and (amount := parse_amount(value))
    ]
    units = any(amount.decimals for _, amount in lone)
    return bool(lone) and all((amount.hundredths // (1 if units else 100)) % many == 0 for many, amount in lone)


def marks_of_players(table: Table) -> Shape | None:
    """Read a column for each player with marks of won and lost, and one value a row: `+`, `-`, `+`, `-` and 20. Crosses
    for those who played count if the result says whether they won."""
    value = table.roles.get("price")
    columns = [] if value is None else [at for at in table.free if _are_marks(table, at)]
    if value is None or not FEWEST <= len(columns) <= MOST:
        return None
    players = [on_one_line(table.head.cells[at]) for at in columns]
    texts = [[cell_text(row, at) for at in columns] for row in table.body]
    cells = {text for row in texts for text in row if text}
    ticked = all(is_one_of(text, "ticks") or side_of_mark(text) is False for text in cells)
    crossed = not ticked and any(is_one_of(text, "crosses") for text in cells)
    of_players = crossed and _cross_players(table, texts)
    if crossed and not of_players and not any(sum(map(bool, row)) == len(row) - 1 for row in texts):
        return None  # crosses may mark those who played

    def sides(row: Row) -> Side:
        marks = {name: cell_text(row, at) for name, at in zip(players, columns, strict=True)}
        won = [name for name, text in marks.items() if side_of_mark(text) or is_one_of(text, "crosses")]
        lost = [name for name, text in marks.items() if side_of_mark(text) is False or (crossed and not text)]
        if not of_players:
            return Side(won, lost)
        ended = result_of(table.cell(row, "result"))
        return Side([], []) if ended is None else Side(won, lost) if ended else Side(lost, won)

    return _by_sides(table, sides, {*columns, value}, value, players)


def _are_marks(table: Table, at: int) -> bool:
    """Return whether a column has marks of won and lost, and hardly anything else."""
    texts = [text for row in table.body if (text := cell_text(row, at))]
    marks = [text for text in texts if side_of_mark(text) is not None or is_one_of(text, "crosses")]
    return bool(marks) and len(marks) >= MOSTLY * len(texts)


def _cross_players(table: Table, texts: Sequence[Sequence[str]]) -> bool:
    """Return whether crosses can only mark the declarer's side, not the winners: no row has three, and one that was
    lost has a single one, though three won it."""
    if "result" not in table.roles or "declarer" in table.roles or any(len(row) != AT_TABLE for row in texts):
        return False
    rows = [
        (sum(map(bool, row)), result_of(table.cell(each, "result")))
        for row, each in zip(texts, table.body, strict=True)
    ]
    return all(count <= PAIR for count, _ in rows) and (1, False) in rows


def winners_and_losers(table: Table) -> Shape | None:
    """Read columns of winners, of losers, and one value a row: `Anna + Cem`, `Ben + Dora`, 20; also one column a name,
    `Gewinner 1`. Without one of them, they are the others of four; columns of players may stand there empty. The winner
    may be the head of the party that won, with the names below two such heads: `Spielpartei`, `Gegenpartei`."""
    won, lost = _columns_of(table, "winners"), _columns_of(table, "losers")
    value = _value_of(table) if won or lost else None
    if value is None:
        return None
    first = won or lost
    listed = {normalize(name): name for row in table.body for at in first for name in split_names(cell_text(row, at))}
    named = [at for at, text in enumerate(table.head.cells) if normalize(text) in listed]
    heads = [at for at in named if all(is_blank(cell_text(row, at)) for row in table.body)]
    parties = {normalize(table.head.cells[at]): at for at in named if at not in heads}
    if parties and (heads or len(parties) != PAIR or parties.keys() != listed.keys()):
        return None

    def names_in(row: Row, places: Sequence[int], others: bool = False) -> list[str]:
        texts = [text for text in (cell_text(row, at) for at in places) if others or not is_one_of(text, "others")]
        return [name for text in texts for name in split_names(text) if not is_blank(name)]

    if parties:
        listed = {normalize(name): name for row in table.body for name in names_in(row, [*parties.values()])}
    names = listed | {normalize(head): head for at in heads if (head := on_one_line(table.head.cells[at]))}
    if (not (won and lost) or parties) and len(names) != AT_TABLE:
        return None

    everyone = {normalize(name): name for row in table.body for name in names_in(row, [*won, *lost])}
    everyone = everyone if won and lost else names

    def sides(row: Row) -> Side:
        winners, losers = names_in(row, won), names_in(row, lost)
        if parties:
            side = parties.get(normalize("".join(winners)))
            both = [names_in(row, [at]) for at in sorted(parties.values(), key=lambda at: at != side)]
            return Side([], []) if side is None else Side(*both)
        if len(everyone) != AT_TABLE:
            return Side(names_in(row, won, True), names_in(row, lost, True))  # `alle anderen` are asked about
        if not (won and lost) or any(is_one_of(cell_text(row, at), "others") for at in (*won, *lost)):
            told = {*map(normalize, (*winners, *losers))}
            rest = [name for key, name in everyone.items() if key not in told]
            return Side(winners or rest, losers or rest)
        return Side(winners, losers)

    return _by_sides(table, sides, {*won, *lost, *heads, value}, value)


def _columns_of(table: Table, side: str) -> list[int]:
    """Return the places of the heads of winners, or of losers, with or without a number: `Gewinner`, `2. Gewinner`."""
    words = sheet_words()["shapes"][side]
    heads = [(at, normalize(text).strip("123 ")) for at, text in enumerate(table.head.cells) if text]
    return [at for at, head in heads if head in words]


def amount_of_the_declarer(table: Table) -> Shape | None:
    """Read declarer, partner, and the amount of each of them, whose sign or whose result says whether they won, if
    players have no columns."""
    declarer, partner = (table.roles.get(role) for role in ("declarer", "partner"))
    if declarer is None or partner is None or "contract" not in table.roles:
        return None
    players = [cell_text(row, at) for row in table.body for at in (declarer, partner)]
    names = {normalize(name): name for name in players if not is_blank(name) and not is_one_of(name, "alone")}
    named = [at for at in range(len(table.head.cells)) if normalize(cell_text(table.head, at)) in names]
    if named or len(names) != AT_TABLE:
        return None
    value = _value_of(table)
    if value is None:  # at best is told how a deal ended
        endings = [at for role in ("points", "result") if (at := table.roles.get(role)) is not None]
        texts = [text for row in table.body for at in endings if not is_blank(text := cell_text(row, at))]
        others = [text for text in texts if not (text.isdecimal() and int(text) <= MOST_POINTS)]
        paid = any(mostly(table.body, at, parse_amount) for at in table.free) or any(map(parse_amount, others))
        ended = endings and not paid  # not even `-30`, `0,20`, `150`, which only an amount can be
        return Shape(with_players(table, [*names.values()], {}, set())) if ended else None
    body = []
    for row in table.body:  # in doubt if the sign of the amount and the result contradict each other
        facts = {"amount": cell_text(row, value), "result": table.cell(row, "result")}
        if result_of(facts["result"]) not in (None, _declarer_won(table, row, value)):
            row = row._replace(doubt=row.doubt or message("importers.sign-and-result", **facts))
        body.append(row)
    table = table._replace(body=body)
    valued = [row for row in table.body if cell_text(row, value)]
    if sum(_declarer_won(table, row, value) is not None for row in valued) < MOSTLY * len(valued):
        return None

    def sides(row: Row) -> Side:
        ours = [key for at in (declarer, partner) if (key := normalize(cell_text(row, at))) in names]
        won = _declarer_won(table, row, value)
        with_partner = ("", *sheet_words()["parties"]["partner"])  # nobody knows it of a game that is not understood
        if won is None or (len(ours) == 1 and contract_of(table.cell(row, "contract")) in with_partner):
            return Side([], [])
        both = [[names[key] for key in keys] for keys in (ours, [key for key in names if key not in ours])]
        return Side(*(both if won else reversed(both)))

    return _by_sides(table, sides, {value}, value)


def players_of_sides(table: Table) -> Shape | None:
    """Read columns of the players of both sides: `Spieler 1`, `Spieler 2`, `Gegner 1`; also with an amount whose
    sign or whose result says who won."""
    words = sheet_words()["sides"]
    heads = [(at, normalize(text).strip("123 ")) for at, text in enumerate(table.head.cells)]
    ours, theirs = ([at for at, head in heads if head in words[key]] for key in ("ours", "theirs"))
    value = _value_of(table) if len(ours) == PAIR <= len(theirs) else None
    if len(ours) != PAIR or len(theirs) < PAIR or ("contract" not in table.roles and value is None):
        return None
    texts = (cell_text(row, at) for at in (*ours, *theirs) for row in table.body)
    players = [*{normalize(text): text for text in texts if not is_blank(text)}.values()]
    if not FEWEST <= len(players) <= MOST:
        return None
    renamed = {ours[0]: words["ours"][0], ours[1]: words["mates"][0], **dict.fromkeys(theirs, "")}
    table = table._replace(head=with_cells(table.head, renamed))
    if value is None:
        return Shape(with_players(table, players, {row.key: {} for row in table.body}, {*theirs}))

    def sides(row: Row) -> Side:
        both = [[text for at in places if not is_blank(text := cell_text(row, at))] for places in (ours, theirs)]
        won = _declarer_won(table, row, value)
        return Side([], []) if won is None else Side(*(both if won else reversed(both)))

    return _by_sides(table, sides, {*theirs, value}, value, players)


def _value_of(table: Table) -> int | None:
    """Return the place of the values of deals: of prices, or of points with a minus, unless they may be those of the
    cards with the sign of the result, or of the only amounts below another head, if these can be nothing else."""
    price, points = (table.roles.get(role) for role in ("price", "points"))
    texts = [text for row in table.body if (text := cell_text(row, points))]
    heads = sheet_words()["prices"]["heads"]
    if price is not None or (points is not None and normalize(table.head.cells[points]) not in heads):
        return price
    if any(text[:1] in MINUS for text in texts) and not all(map(_may_be_of_cards, texts)):
        return points
    amounts = [at for at in table.free if mostly(table.body, at, parse_amount)]
    return amounts[0] if len(amounts) == 1 and _are_prices(table, amounts[0]) else None


def _are_prices(table: Table, at: int) -> bool:
    """Return whether numbers below a head that tells no totals are prices with a sign: none is 0, as in totals, and not
    all may count runners."""
    texts = [text for row in table.body if not is_blank(text := cell_text(row, at))]
    amounts = [amount for text in texts if text[0] in (*MINUS, "+") and (amount := parse_amount(text))]
    prices = [amount for amount in amounts if amount.is_money or abs(amount.hundredths) > MOST_RUNNERS * 100]
    totals = {*sheet_words()["totals"]["words"]}.isdisjoint(normalize(table.head.cells[at]).split())
    return totals and bool(prices) and len(texts) == len(amounts) and all(amount.hundredths for amount in amounts)


def _may_be_of_cards(text: str) -> bool:
    """Return whether a number may be the card points of the declarer, with a minus if he lost: `+74`, `74`, `-40`."""
    digits = text.lstrip("+-−– ")
    return digits.isdecimal() and int(digits) in (LOST if text[0] in MINUS else WON)


def _declarer_won(table: Table, row: Row, value: int) -> bool | None:
    """Return whether the declarer's side won a row, by the sign of its amount, else by its result; None if neither says
    so. In a column without results, some of whose amounts have a minus, one without any sign was won."""
    sign = cell_text(row, value)[:1]
    if sign in MINUS or sign == "+":
        return sign == "+"
    signs = {cell_text(each, value)[:1] for each in table.body}
    bare = sign.isdecimal() and "result" not in table.roles and "+" not in signs and not signs.isdisjoint(MINUS)
    return True if bare else result_of(table.cell(row, "result"))


def _by_sides(
    table: Table, sides: Callable[[Row], Side], drop: set[int], value: int, players: Sequence[str] = ()
) -> Shape | None:
    """Return the rows with what each side was paid, or None if the names are not those of one table, or most do not
    fit. If the value of a lone player may be that from each or that from all, the row is in doubt, and so is one that
    names fewer than sit at the table."""
    names = {normalize(name): name for name in players}
    amounts_by_row, unfit = dict[RowKey, dict[str, str]](), list[RowKey]()
    read = dict[RowKey, tuple[Side, str]]()
    for row in table.body:
        side = sides(row)
        side = Side(*([names.setdefault(normalize(name), name) for name in party] for party in side))
        if paid := payments_of_sides(side, cell_text(row, value)):
            amounts_by_row[row.key], read[row.key] = paid, (side, cell_text(row, value))
        elif any(side) and parse_amount(cell_text(row, value)):
            unfit.append(row.key)
    if not amounts_by_row or len(amounts_by_row) < MOSTLY * len(table.body) or not FEWEST <= len(names) <= MOST:
        return None
    few = [key for key, paid in amounts_by_row.items() if len(paid) < min(AT_TABLE, len(names))]
    doubts = dict.fromkeys(few, message("importers.side-incomplete"))
    doubts |= dict.fromkeys(unfit, message("importers.no-two-sides"))
    if may_be_of_one(read.values()):
        lone = [key for key, (side, _) in read.items() if ALONE in map(len, side)]
        doubts = dict.fromkeys(lone, message("importers.value-of-one")) | doubts
    body = [row._replace(doubt=row.doubt or doubts.get(row.key)) for row in table.body]
    shaped = with_players(table._replace(body=body), [*names.values()], amounts_by_row, drop)
    return Shape(shaped, message("importers.note-value-of-sides"))
