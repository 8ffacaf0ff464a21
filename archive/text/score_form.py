"""A score sheet to fill in, as cells: an evening with a row for each deal, the prices by its tariff, and the games that
its drop-downs offer. A finished evening uses the same rows."""

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

from msgspec import Struct

from archive.judge import Judgement
from archive.judge.price import price_of
from archive.judge.types import declaring_seats
from archive.notation.tariff import usual_tariff
from archive.record import Deal, Game, Stated
from archive.rules import load
from archive.say import make_sayer
from archive.settle.rounds import in_force
from archive.text.case import ruling_words
from archive.text.texts import TEXTS
from archive.text.wording import Texts, contract_title, game_title

word = make_sayer("sheet.")
RULES = "bavarian"  # the rules that a score sheet without rules is read by
TARIFF = "10/20/50"
ROWS = 40  # deals of a sheet to fill in
HEAD_ROW = 4  # the row of the column heads, counted from 1
COLUMNS = ("number", "contract", "declarer", "partner", "result", "runners", "knocks", "doubles")
WIDTHS = (7, 24, 12, 12, 20, 11, 8, 8)  # characters
PLAYER_WIDTH, NOTE_WIDTH = 10, 28
MOST_DOUBLED = 4
LISTS_AT = 11  # column of the sheet of prices at which the lists of the drop-downs begin
SUITS = "EGHS"
# Games that the drop-down offers, in this order: contract, suits, words.
OFFERED: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("rufspiel", "EGS", ()),
    ("wenz", "", ()),
    ("solo", SUITS, ()),
    ("geier", "", ()),
    ("farbwenz", SUITS, ()),
    ("wenz", "", ("tout",)),
    ("solo", SUITS, ("tout",)),
    ("sie", "", ()),
    ("hochzeit", "", ()),
    ("bettel", "", ()),
    ("ramsch", "", ()),
    ("none", "", ()),
)
PRICED = (("rufspiel", 3, 8), ("solo", 3, 7), ("wenz", 2, 4))  # contract, fewest runners paid, most shown
ENDINGS = ("", "schneider", "schwarz")
MOST_RUNNERS = 8


class Cell(Struct, frozen=True):
    """A cell: what it shows and, if it is computed, its formula in Excel's words. `style`: title, head, input, text,
    sum, check."""

    value: str | int | None = None
    style: str = "text"
    formula: str = ""


class Choice(Struct, frozen=True):
    """A drop-down in a range of cells, which offers the contents of another, `Prices!$K$1:$K$9`."""

    cells: str
    source: str


class FormSheet(Struct, frozen=True):
    """A worksheet: its rows of cells, widths of columns in characters, drop-downs, cells that must be 0, and the number
    of rows that stay in sight."""

    title: str
    rows: tuple[tuple[Cell, ...], ...]
    widths: tuple[int, ...]
    choices: tuple[Choice, ...] = ()
    zeros: str = ""
    fixed: int = 0


def score_form(
    language: str, players: Sequence[str] = (), tariff: str | None = TARIFF, filled: Sequence[Judgement] = ()
) -> tuple[FormSheet, ...]:
    """Return the worksheets of a form in a language: for these players, or for four without names; with the deals of a
    finished evening, or with empty rows. `tariff`: such as 10/20/50; None if unknown, without prices."""
    names = tuple(players) or tuple(word("player", language, n=n) for n in range(1, 5))
    lists = (offered_games(language), result_words(language), runner_words(language), range(1, MOST_DOUBLED + 1))
    return evening_sheet(language, names, tariff, filled), price_sheet(language, tariff, lists)


def filled_form(language: str, deals: Sequence[Judgement]) -> tuple[FormSheet, ...]:
    """Return the worksheets of a finished evening, one or more deals of one session, with a column for everybody who
    sat in one of them."""
    ruleset = deals[0].ruleset
    tariff = form_tariff(ruleset.house.tariff) if ruleset and isinstance(ruleset.house.tariff, str) else None
    people = tuple(dict.fromkeys(name for each in deals for name in each.session.players))
    return score_form(language, people, tariff, deals)


def form_tariff(text: str) -> str | None:
    """Return a tariff as the form has it, in whole cents: if it has two parts, as 10/50, the first counts for runners
    and Schneider too. None if it is no such tariff."""
    parts = usual_tariff(text).split("/")
    if len(parts) not in (2, 3) or not all(part.isascii() and part.isdecimal() and len(part) < 7 for part in parts):
        return None
    return "/".join(parts if len(parts) == 3 else (parts[0], *parts))


def offered_games(language: str) -> list[str]:
    """Return the names of the games of the drop-down in a language, with German cards."""
    ruleset, _ = load(RULES, None, Path())
    t: Texts = {**TEXTS[language], "faces": "german"}
    return [game_title(game, ruleset, t) for game in games_offered()]


def games_offered() -> Iterator[Game]:
    """Yield the games of the drop-down."""
    for contract, suits, words in OFFERED:
        for suit in suits or (None,):
            called = f"{suit}A" if contract == "rufspiel" else None
            yield Game(contract, suit=suit, called=called, words=words)


def result_words(language: str) -> list[str]:
    results = [word(key, language) for key in ("won", "lost")]
    return [*results, *(word(key, language, result=each) for key in ENDINGS[1:] for each in results)]


def runner_words(language: str) -> list[str]:
    return [word(key, language, n=n) for key in ("with", "without") for n in range(1, MOST_RUNNERS + 1)]


# --- the evening ----------------------------------------------------------------------------------------------------


def letter(column: int) -> str:
    """Return the letters of a column, counted from 1."""
    before, last = divmod(column - 1, 26)
    return (letter(before) if before else "") + chr(65 + last)


def evening_sheet(language: str, names: Sequence[str], tariff: str | None, filled: Sequence[Judgement]) -> FormSheet:
    """Return the worksheet of the deals: date and tariff, heads, a row for each deal, sums."""
    first, last = HEAD_ROW + 1, HEAD_ROW + (len(filled) or ROWS)
    left, right = len(COLUMNS) + 1, len(COLUMNS) + len(names)
    date = filled[0].session.date if filled else None
    special = any(map(special_rounds, filled))
    behind = ("check", "special", "note") if special else ("check", "note")
    heads = [*(word(key, language) for key in COLUMNS), *names, *(word(key, language) for key in behind)]
    rows: list[tuple[Cell, ...]] = [
        (Cell(word("date", language), "head"), Cell(date, "input")),
        (Cell(word("tariff", language), "head"), Cell(tariff, "input")) if tariff else (),
        () if filled else (Cell(word("how", language)),),
        tuple(Cell(each, "input" if left <= at <= right else "head") for at, each in enumerate(heads, 1)),
    ]
    for at in range(first, last + 1):
        told = told_deal(filled[at - first], names, language) if filled else (at - HEAD_ROW, *[None] * (right + 1))
        paid = [each for each in told[left - 1 : right] if isinstance(each, int)]
        cells = f"{letter(left)}{at}:{letter(right)}{at}"
        check = Cell(sum(paid), "check", f"SUM({cells})")
        more = told[right:] if special else told[-1:]
        rows.append((*(Cell(each, "input") for each in told[:right]), check, *(Cell(each, "input") for each in more)))
    sums = [
        sum(row[at].value for row in rows[HEAD_ROW:] if isinstance(row[at].value, int))  # type: ignore[misc]
        for at in range(left - 1, right)
    ]
    columns = [letter(at) for at in range(left, right + 1)]
    totals = [Cell(each, "sum", f"SUM({at}{first}:{at}{last})") for at, each in zip(columns, sums, strict=True)]
    whole = Cell(sum(sums), "check", f"SUM({columns[0]}{last + 1}:{columns[-1]}{last + 1})")
    rows.append((Cell(word("sum", language), "head"), *[Cell(None, "sum")] * (len(COLUMNS) - 1), *totals, whole))
    return FormSheet(
        word("title-evening", language),
        tuple(rows),
        (*WIDTHS, *(max(PLAYER_WIDTH, len(name) + 2) for name in names), 11, *([14] if special else []), NOTE_WIDTH),
        evening_choices(language, first, last, f"${letter(left)}${HEAD_ROW}:${letter(right)}${HEAD_ROW}"),
        f"{letter(right + 1)}{first}:{letter(right + 1)}{last + 1}",
        HEAD_ROW,
    )


def evening_choices(language: str, first: int, last: int, names: str) -> tuple[Choice, ...]:
    """Return the drop-downs of the evening: games, results, runners and number of doublings; players by the heads of
    their columns."""
    lists, here = word("title-prices", language), word("title-evening", language)
    lengths = (len(list(games_offered())), len(result_words(language)), 2 * MOST_RUNNERS, MOST_DOUBLED)
    places = range(LISTS_AT, LISTS_AT + len(lengths))
    sources = [f"{lists}!${letter(at)}$1:${letter(at)}${n}" for at, n in zip(places, lengths, strict=True)]
    of = dict(zip(("contract", "result", "runners", "doubles"), sources, strict=True))
    of |= {"knocks": of["doubles"], "declarer": f"{here}!{names}", "partner": f"{here}!{names}"}
    columns = {key: letter(COLUMNS.index(key) + 1) for key in of}
    return tuple(Choice(f"{columns[key]}{first}:{columns[key]}{last}", source) for key, source in of.items())


def told_deal(judgement: Judgement, names: Sequence[str], language: str) -> tuple[str | int | None, ...]:
    """Return the row of a deal: the columns, what each of these was paid, the special rounds, the note."""
    deal, stated, players = judgement.deal, judgement.deal.stated, judgement.session.players
    t: Texts = {**TEXTS[language], "faces": "german", "for_points": "{points}", "for_trumps": "{points}"}
    declarer, partner = declaring_seats(judgement)
    partner = partner if deal.partner is None else deal.partner  # as it is written, whomever the cards show
    if declarer is None and stated:
        declarer = stated.loser
    settled = judgement.settlement.payments if judgement.settlement else None
    paid = (stated.payments if stated else None) or settled or [None] * len(players)
    payments = {players[seat]: amount for seat, amount in enumerate(paid) if seat not in (deal.sits_out or ())}
    decided = (  # by whom, and what; the amounts of the row stay as written
        word("ruled", language, by=each.by, what=ruling_words(each, players, language)) for each in deal.ruling or ()
    )
    return (
        judgement.number,
        game_title(deal.game, judgement.ruleset, t) if deal.game else None,
        None if declarer is None else players[declarer],
        None if partner is None else players[partner],
        told_result(deal, language),
        told_runners(stated, language) if stated else None,
        how_often(deal.knocks),
        how_often(deal.doubles),
        *map(payments.get, names),
        ", ".join(map(str.capitalize, special_rounds(judgement))) or None,
        "; ".join((*filter(None, (deal.note,)), *decided)) or None,
    )


def special_rounds(judgement: Judgement) -> tuple[str, ...]:
    """Return the special rounds that a deal belongs to, each once."""
    return tuple(dict.fromkeys(in_force(judgement.deal, judgement.before) or ()))


def told_runners(stated: Stated, language: str) -> str | int | None:
    """Return the runners as the record states them, with or without, or their number alone; None if it states none."""
    if stated.runners:
        return word("with" if stated.runners > 0 else "without", language, n=abs(stated.runners))
    return stated.runner_count if stated.runners is None else 0


def how_often(doubled: Sequence[object] | int | None) -> int | None:
    """Return how often a price was doubled; None if nobody says."""
    return doubled if isinstance(doubled, int) or doubled is None else len(doubled)


def told_result(deal: Deal, language: str) -> str | None:
    """Return who won and how, as the record states it; None if it does not."""
    stated = deal.stated
    if stated is None or stated.won is None:
        return None
    text = word("won" if stated.won else "lost", language)
    for ending in ("schwarz", "schneider"):
        if getattr(stated, ending):
            text = word(ending, language, result=text)
            break
    return f"{text} {stated.points}" if isinstance(stated.points, int) else text


# --- prices ---------------------------------------------------------------------------------------------------------


def price_sheet(language: str, tariff: str | None, lists: Sequence[Sequence[str | int]]) -> FormSheet:
    """Return the worksheet of prices, if there is a tariff, and beside them the lists of the drop-downs."""
    rows = price_rows(language, tariff) if tariff else []
    rows += [()] * (max(map(len, lists)) - len(rows))
    beside = [
        (*row, *[Cell()] * (LISTS_AT - 1 - len(row)), *(Cell(each[at] if at < len(each) else None) for each in lists))
        for at, row in enumerate(rows)
    ]
    return FormSheet(word("title-prices", language), tuple(beside), (24, *[14] * 8, 3, 26, 22, 12, 6))


def price_rows(language: str, tariff: str) -> list[tuple[Cell, ...]]:
    """Return the rows of prices: formulas on the tariff of the first worksheet, with the values that the rules give."""
    ruleset, _ = load(RULES, None, Path())
    first = f"{word('title-evening', language)}!$B$2"
    one = f'FIND("/",{first})'
    two = f'FIND("/",{first},{one}+1)'
    extra, called, alone = map(int, tariff.split("/"))
    parts = (
        ("extra", extra, f"VALUE(LEFT({first},{one}-1))"),
        ("rufspiel", called, f"VALUE(MID({first},{one}+1,{two}-{one}-1))"),
        ("solo", alone, f"VALUE(MID({first},{two}+1,9))"),
    )
    heads = ["", word("price-none", language), *(word("price-runners", language, n=n) for n in range(2, 9))]
    rows: list[tuple[Cell, ...]] = [
        (Cell(word("price-head", language), "title"),),
        tuple(Cell(word(f"tariff-{key}", language), "head") for key, _, _ in parts),
        tuple(Cell(value, "sum", formula) for _, value, formula in parts),
        tuple(Cell(each, "head") for each in heads),
    ]
    for (contract, least, most), ending in product(PRICED, ENDINGS):
        name = contract_title(contract, ruleset, TEXTS[language])
        base = "$B$3" if contract == "rufspiel" else "$C$3"
        cells = [Cell(word(ending, language, result=name) if ending else name, "head")]
        for count in (0, *range(2, MOST_RUNNERS + 1)):
            if count and not least <= count <= most:
                cells.append(Cell(None))
                continue
            added = ENDINGS.index(ending) + count
            formula = f"{base}+{added}*$A$3" if added else base
            cells.append(Cell(price_by_rules(contract, ending, count, tariff), "sum", formula))
        rows.append(tuple(cells))
    return [*rows, (Cell(word("price-how", language, n=extra)),)]


def price_by_rules(contract: str, ending: str, runners: int, tariff: str) -> int | None:
    """Return the price of a deal by the rules that score sheets are read by; None if they do not price it."""
    told = f"{contract}, won, {f'with {runners}' if runners else 'without runners'}, {ending or 'no schneider'}"
    priced = price_of(told, RULES, {"tariff": tariff})
    return priced.settlement.price if isinstance(priced, Judgement) and priced.settlement else None
