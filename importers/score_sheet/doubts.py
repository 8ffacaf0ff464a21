"""Rows of a score sheet that may be no deals, or may mean other amounts than they say: each is asked about.

A question is a Message; nothing is guessed. `columns.toml` answers it: by `deals` or `not_deals`, the numbers of
lines."""

import re
from collections.abc import Sequence
from functools import cache

from msgspec import Struct

from archive.notation.game_words import usual_words
from archive.notation.list_marks import denied_words
from archive.notation.problem import Problem
from archive.notation.spoken_line import known_words, words_of_line
from archive.record.names import is_like_name
from archive.say import Message, message
from importers.score_sheet.amount_columns import AT_TABLE, FEWEST, cell_text, is_paid
from importers.score_sheet.cells import is_blank, mentions, normalize, parse_amount, parse_no, sheet_words
from importers.score_sheet.columns import Layout, row_text
from importers.score_sheet.rows import RowReader, amounts_of, game_named, names_game, tells_games
from importers.score_sheet.running import is_step
from importers.score_sheet.tables import SHOWN, Row
from importers.score_sheet.unplayed_rows import words_beside
from importers.text import OF_DEAL_NUMBER, on_one_line

SEVERAL = 2  # fewest deals whose sums tell a row of sums from a deal
MANY = 5  # deals whose sums no deal has by chance
HUNDRED = 100  # times the usual amount: one is in cents, the other in euros
BARE_FACTOR = 20  # the same for amounts without decimals in a sheet that has them
FEW_FACTOR = 10  # times the largest amount with decimals, if too few rows show what is usual
RARE = 3  # numbers, one of which may repeat that of the row before
USUAL_ROWS = 3  # fewest rows that show what is usual


class RunningSums(Struct):
    """The sums of the payments above a row: of all, and since the last row of sums, in the unit of the record."""

    all_deals: list[int]
    latest: list[int]
    deals: int = 0

    def add(self, payments: Sequence[int | None]) -> None:
        self.all_deals = [total + (paid or 0) for total, paid in zip(self.all_deals, payments, strict=True)]
        self.latest = [total + (paid or 0) for total, paid in zip(self.latest, payments, strict=True)]
        self.deals += 1

    def begin_anew(self) -> None:
        self.latest = [0] * len(self.latest)


class UsualAmounts(Struct, frozen=True):
    """The usual amounts of a sheet, in hundredths: the median of the largest amount of each row, 0 if too few rows show
    it; the size from which an amount without decimals is asked about in a sheet that has them, 0 if none is. `signs`:
    there are amounts of both signs. `numbered`: the column of numbers numbers deals."""

    of_all: float
    bare_limit: float
    signs: bool
    numbered: bool


def median(sizes: Sequence[int]) -> float:
    """Return the middle of some sizes. `statistics` would import random numbers."""
    ordered, half = sorted(sizes), len(sizes) // 2
    return ordered[half] if len(sizes) % 2 else (ordered[half - 1] + ordered[half]) / 2


def usual_amounts(layout: Layout) -> UsualAmounts:
    """Return the usual amounts of a sheet."""
    rows = [[a for at in layout.payments if (a := parse_amount(cell_text(row, at)))] for row in layout.body]
    sizes = [(max(abs(a.hundredths) for a in row), any(a.is_money for a in row)) for row in rows if row]
    of_all = [size for size, _ in sizes if size]
    of_money = [size for size, money in sizes if size and money]
    bare = sum(not money for size, money in sizes if size)
    in_doubt = 0 < len(of_money) < bare  # a few rows in euros among bare ones, any of which may be in cents
    few = 1 if in_doubt else max(of_money, default=0) * FEW_FACTOR
    positive = {amount.hundredths > 0 for row in rows for amount in row if amount.hundredths}
    return UsualAmounts(
        of_all=median(of_all) if len(of_all) >= USUAL_ROWS else 0,
        bare_limit=median(of_money) * BARE_FACTOR if len(of_money) >= USUAL_ROWS else few,
        signs=len(positive) == 2,
        numbered=numbers_deals(layout),
    )


def question_about(
    row: Row, reader: RowReader, usual: UsualAmounts, above: RunningSums, before: Row | None
) -> Message | None:
    """Return the first question about a row, by its amounts, its words and the row before, or None if it is a deal like
    any other."""
    try:
        amounts = amounts_of(row, reader.layout.payments, reader)
    except Problem:
        return None  # which costs the row, and says why
    paid: list[int] = [amount or 0 for amount in amounts]
    number = reader.layout.cell(row, "number")
    is_number = usual.numbered and parse_no(number) is not None
    if note := void_note(row, reader.layout):
        return message("importers.void-note", text=note)
    if correction := corrects_deal(row):
        return message("importers.correction-row", text=correction)
    if any(paid):
        if not names_game(row, reader):
            if correction := _correction(row, reader.layout):
                return message("importers.correction-row", text=correction)
            if note := words_beside(row, reader.layout):
                return message("importers.void-note", text=note)
            if _are_sums(row, reader.layout, paid, above):
                return message("importers.row-of-sums")
            left_over: int = sum(paid)
            if not is_number and (nearly := _nearly_sums(paid, above, reader)):
                return nearly
            slip = bool(left_over) and (bool(is_number) or is_nearly_paid(paid))
            single = _is_single_deal(paid, reader.layout) or slip
            says_all = _says_all([amount for amount in amounts if amount is not None], len(amounts))
            if not tells_games(reader.layout) and says_all and not single:
                return message("importers.no-single-deal")
            whole = tells_games(reader.layout) and says_all and "stock" not in reader.layout.roles
            if whole and left_over:
                return message("importers.row-without-game", sum=left_over)
        if text := _far_too_large(row, reader, usual):
            return message("importers.hundredfold", text=text)
    same = before is not None and is_number and number == reader.layout.cell(before, "number")
    game = game_named(before, reader) if before is not None and same else None
    if before is not None and same and not (game and game.contract == "misdeal"):  # the next deal has its number
        return message("importers.same-number", number=number, line=before.line)
    return None


def corrects_deal(row: Row) -> str:
    """Return the text that is alone in a row and may correct a deal above: `Korrektur: …`, `Spiel 2 war verloren`; else
    ""."""
    texts = [text for text in row.cells if not is_blank(text)]
    if row.broken or len(texts) != 1 or parse_amount(texts[0]):
        return ""
    words, of, kinds = words_of_line(texts[0]), usual_words()["corrections"], usual_words()["deal"]
    says = {*of["of_deal"], *of["lacks"]}.intersection(words) or {"won", "lost"}.intersection(map(kinds.get, words))
    begins = normalize(texts[0]).startswith(tuple(sheet_words()["void"]["corrections"]))
    corrects = says or re.search(r"[\d:]", texts[0]) if begins else says and OF_DEAL_NUMBER.match(texts[0])
    return on_one_line(texts[0])[:SHOWN] if corrects else ""  # `Ausgleich bar bezahlt` tells of no deal


def void_note(row: Row, layout: Layout) -> str:
    """Return the text beside the amounts of a row by which it may not count, or ""."""
    amounts = {*layout.payments, *layout.totals}
    texts = [text for place, text in enumerate(row.cells) if place not in amounts] + [text for _, text in row.comments]
    return next((on_one_line(text)[:SHOWN] for text in texts if _voids_row(text.casefold())), "")


def _voids_row(note: str) -> bool:
    """Return whether a note may say that a row does not count; `Re gilt nicht` says it of the Re alone."""
    begun = (note.partition(word)[0] for word in sheet_words()["void"]["words"] if word in note)
    clauses = (re.split(r"[,;.:()–—]|\s-\s|\b(?:und|and)\b", before)[-1].split() for before in begun)
    return any(not clause or clause[0] not in denied_words() for clause in clauses)


def _correction(row: Row, layout: Layout) -> str:
    """Return the text of a row that corrects another, or ""."""
    texts = [text for place, text in enumerate(row.cells) if place not in layout.payments]
    words = tuple(sheet_words()["void"]["corrections"])
    return next((on_one_line(text)[:SHOWN] for text in texts if normalize(text).startswith(words)), "")


def _is_single_deal(paid: Sequence[int], layout: Layout) -> bool:
    """Return whether amounts may be those of one deal, possibly with a payment into a stock."""
    return (is_step([*paid]) if len(paid) < AT_TABLE else is_paid([*paid])) or "stock" in layout.roles


def is_nearly_paid(paid: Sequence[int]) -> bool:
    """Return whether amounts are those of one deal except for one that is empty or wrong, if enough players have
    one."""
    rest = sum(paid)
    if not rest or sum(map(bool, paid)) < FEWEST:
        return False
    return any(is_paid([*paid[:at], paid[at] - rest, *paid[at + 1 :]]) for at in range(len(paid)))


def _nearly_sums(paid: Sequence[int], above: RunningSums, reader: RowReader) -> Message | None:
    """Return the question about a row that has the sums of the rows above it, except for one, or None."""
    for sums in (above.all_deals, above.latest) if above.deals >= MANY else ():
        wrong = [at for at, (amount, total) in enumerate(zip(paid, sums, strict=True)) if amount != total]
        if len(wrong) == 1 and not is_nearly_paid(paid):
            at = wrong[0]
            facts = {"name": reader.layout.players[at], "written": paid[at], "amount": sums[at]}
            return message("importers.nearly-sums", **facts)
    return None


def rows_of_sums(layout: Layout, lines: Sequence[int]) -> tuple[int, int] | None:
    """Return how many rows of a sheet without games have amounts that no single deal has, and how many rows there are,
    or None if these are few. `lines` are confirmed deals."""
    if tells_games(layout) or not layout.payments:
        return None
    texts = [[cell_text(row, at) for at in layout.payments] for row in layout.body if row.line not in lines]
    rows = [[parse_amount(text) for text in row if not is_blank(text)] for row in texts]
    read = [[amount.hundredths for amount in row if amount] for row in rows if None not in row]
    paid = [amounts for amounts in read if _says_all(amounts, len(layout.payments))]
    numbered = numbers_deals(layout) and "number" in layout.roles
    sums = sum(
        any(amounts)
        and not _is_single_deal(amounts, layout)
        and not (sum(amounts) != 0 and (numbered or is_nearly_paid(amounts)))
        for amounts in paid
    )
    return (sums, len(paid)) if sums >= SEVERAL and 2 * sums > len(paid) else None


def are_all_noughts(layout: Layout, lines: Sequence[int]) -> int:
    """Return how many rows name a game or a declarer if none of them pays anything, as formulas that no program has
    computed; else 0. `lines` are confirmed deals."""
    rows = [row for row in layout.body if not row.broken and row.line not in lines]
    texts = [[cell_text(row, at) for at in layout.payments] for row in rows]
    amounts = [[amount.hundredths for text in each if (amount := parse_amount(text))] for each in texts]
    tell = [any(not is_blank(layout.cell(row, role)) for role in ("declarer", "partner")) for row in rows]
    noughts = sum(telling and len(each) == len(layout.payments) for telling, each in zip(tell, amounts, strict=True))
    return noughts if layout.payments and noughts >= SEVERAL and not any(map(any, amounts)) else 0


def _says_all(amounts: Sequence[int], players: int) -> bool:
    """Return whether amounts are all of a row: each player has one, or as many as sit at a table, or they add up."""
    return len(amounts) >= min(players, AT_TABLE) or (len(amounts) >= FEWEST and not sum(amounts))


def numbers_deals(layout: Layout) -> bool:
    """Return whether the column of numbers numbers deals: hardly a row has the number of the one before. Rounds are
    numbered alike too."""
    if normalize(layout.title("number")) in sheet_words()["columns"]["list"]:
        return False
    numbers = [layout.cell(each, "number") for each in layout.body]
    alike = sum(number == last and number != "" for number, last in zip(numbers[1:], numbers, strict=False))
    return alike * RARE <= len(numbers)


def _are_sums(row: Row, layout: Layout, paid: list[int], above: RunningSums) -> bool:
    """Return whether a row without a game has the sums of the rows above it, and something else that no deal has."""
    if not above.deals or paid not in (above.all_deals, above.latest):
        return False
    unnumbered = "number" in layout.roles and is_blank(layout.cell(row, "number"))
    if above.deals < SEVERAL:
        return unnumbered
    if not is_paid(paid):
        return True
    many = MANY if row.line < layout.body[-1].line else SEVERAL + 1
    return unnumbered or above.deals >= many or bool(_free_texts(row, layout))


def _free_texts(row: Row, layout: Layout) -> list[str]:
    """Return the texts of a row beside amounts, numbers, dates and the dealer."""
    known = {*layout.payments, *layout.totals, *(layout.roles.get(role) for role in ("date", "time", "dealer"))}
    texts = [text for place, text in enumerate(row.cells) if place not in known and not is_blank(text)]
    return [text for text in texts if parse_amount(text) is None]


# --- amounts in another unit ------------------------------------------------------------------------------------------


def _far_too_large(row: Row, reader: RowReader, usual: UsualAmounts) -> str | None:
    """Return the text of a row's largest amount, if it is a hundred times the usual and not in cents, or None."""
    cells = [(a, text) for at in reader.layout.payments if (a := parse_amount(text := cell_text(row, at)))]
    cells = [(a, text) for a, text in cells if not (reader.money.euros and a.unit == "ct")]
    if not cells:
        return None
    largest, text = max(cells, key=lambda cell: abs(cell[0].hundredths))
    bare = reader.money.euros and reader.layout.units != {"€"} and not any(amount.is_money for amount, _ in cells)
    limits = [usual.of_all * HUNDRED, usual.bare_limit if bare else 0]
    return text if any(limit and abs(largest.hundredths) >= limit for limit in limits) else None


# --- rows from which on nothing is read -------------------------------------------------------------------------------


def ends_the_sheet(row: Row, reader: RowReader, last: int) -> Message | None:
    """Return the question about a row from which on nothing can be read, up to the last line: somebody stands in for a
    player, or another table begins. None for any other row."""
    if text := stand_in(row, reader):
        return message("importers.stand-in", text=text, line=last)
    texts = [text for at in (*reader.layout.payments, *reader.layout.totals) if (text := cell_text(row, at))]
    names = [text for text in texts if parse_amount(text) is None and not is_blank(text)]  # below others: another head
    if len(names) >= SEVERAL and any(normalize(text) in reader.table.seats for text in names):
        return message("importers.other-table", text=row_text(row)[:SHOWN], line=last)
    return None


# --- who stands in ----------------------------------------------------------------------------------------------------


@cache
def _stand_in_words() -> tuple[str, ...]:
    words = usual_words()["stand-in"]
    return (*(f" {word} " for word in words["between"]), *words["anywhere"], *words["gone"])


@cache
def _stand_in_pattern() -> str:
    words = usual_words()["stand-in"]
    each = (words["between"], [*words["anywhere"], *words["gone"]])
    between, anywhere = ("|".join(map(re.escape, of)) for of in each)
    return rf"(?i)[^\W\d_]+ (?:{between}) (?P<whom>[^\W\d_]+)|\b(?:{anywhere})\b(?! d(?:ie|as|en|er) )"


def stand_in(row: Row, reader: RowReader) -> str | None:
    """Return the text of a row by which somebody plays for a player of the sheet, `ab hier Emil für Cem`, or None."""
    amounts = {*reader.layout.payments, *reader.layout.totals}
    for place, text in enumerate(row.cells):
        may_tell = place not in amounts and mentions(text, _stand_in_words())
        match = re.search(_stand_in_pattern(), text[:SHOWN]) if may_tell else None
        if match and (match["whom"] is None or normalize(match["whom"]) in reader.table.seats):
            return on_one_line(text[:SHOWN])
    return None


# --- one sign only ----------------------------------------------------------------------------------------------------


class Paid(Struct, frozen=True):
    """The payments of a deal, one for each seat, and whose were written if the rest was computed: those of the winners,
    the losers, the declarer or three players; `unsigned` if all were, without signs."""

    payments: tuple[int | None, ...]
    whose: str | None = None


def amount_beside(row: Row, reader: RowReader, missing: int | None) -> str:
    """Return the text of a note or of a column that nobody knows with the amount that a player lacks, alone or beside a
    name: the cells may be shifted, or it is that of somebody who has no column; "" if there is none. `20 Uhr` or
    `Preis 20` tell something else."""
    layout = reader.layout
    whole = [each for each in layout.body if all(cell_text(each, at) for at in layout.payments)]
    free = [at for at in layout.others if not any(parse_amount(cell_text(each, at)) for each in whole)]
    known = known_words(reader.spoken.words).union(usual_words()["stand-in"]["when"])  # `Uhr`, `Spiel`, `Runde`
    for text in (layout.cell(row, "note"), *(cell_text(row, at) for at in free)):
        for word in text.split():
            amount, rest = parse_amount(word), text.replace(word, "").strip(" :")
            is_name = not rest or (is_like_name(rest) and known.isdisjoint(normalize(rest).split()))
            if amount and is_name and reader.money.of(amount.hundredths) == missing:
                return text
    return ""


def complete_payments(
    payments: tuple[int | None, ...], side: frozenset[int] | None, won: bool | None, signs: bool
) -> Paid | Message:
    """Return the payments of a deal at four, also if a sheet has only those of the winners, of the losers or of the
    declarer; a question if the amounts have one sign and the deal does not say whose they are.

    `side` are the seats of the declarer's side, None if unknown; `signs`: the sheet has amounts of both signs."""
    written = {seat: amount for seat, amount in enumerate(payments) if amount}
    if len(payments) == AT_TABLE and payments.count(None) == 1 and len(written) == AT_TABLE - 1:
        rest = -sum(written.values())
        whole = tuple(rest if amount is None else amount for amount in payments)
        if len({amount > 0 for amount in written.values()}) == 2 and is_paid([amount or 0 for amount in whole]):
            return Paid(whole, "three")
    if not written or len({amount > 0 for amount in written.values()}) == 2:
        return Paid(payments)
    positive = min(written.values()) > 0
    if signs and None not in payments and 0 not in payments and is_nearly_paid([amount or 0 for amount in payments]):
        return Paid(payments)  # nothing is left to be computed: one sign is wrong
    ask = message("importers.one-sign")
    if side is None or len(payments) != 4:
        return ask
    if won is not None and positive and not signs and len(written) == AT_TABLE:
        signed = tuple(amount if (seat in side) == won else -amount for seat, amount in written.items())
        return Paid(signed, "unsigned") if is_paid([*signed]) else ask
    seats = frozenset(written)
    others = frozenset(range(4)) - side
    ours = bool(seats & side)
    if won is None and (signs or not positive) and not (seats & side and seats & others):
        won = positive == ours
    if won is None or (positive == won) != ours or (seats & side and seats & others):
        return ask
    price = _price_of(written, side if ours else others, side)
    if price is None:
        return ask
    each = price * len(others) // len(side)
    of_side, of_others = (each, -price) if won else (-each, price)
    whose = "declarer" if len(seats) == 1 and ours else "winners" if positive else "losers"
    whole = tuple(of_side if seat in side else of_others for seat in range(4))
    return Paid(whole, whose)


def _price_of(written: dict[int, int], party: frozenset[int], side: frozenset[int]) -> int | None:
    """Return the amount of each defender, paid or received, from equal amounts of a whole party or of the declarer
    alone; else None."""
    sizes = {abs(amount) for amount in written.values()}
    if len(sizes) != 1 or (frozenset(written) != party and not (party == side and len(written) == 1)):
        return None
    size = sizes.pop()
    if party != side:
        return size
    each, rest = divmod(size * len(side), 4 - len(side))
    return None if rest else each
