"""Notes with a line for each player: a block of such lines for each deal, or all deals of a player in his line. Each
deal becomes one line of amounts behind names."""

import re
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, pairwise, takewhile
from typing import NamedTuple

from msgspec.structs import replace

from archive.notation.game_words import ContractWords
from archive.notation.list_marks import without_mark
from archive.notation.seated_deal import seated_deal
from archive.notation.spoken_deal import read_spoken_deal
from archive.notation.spoken_facts import MOST_POINTS, MOST_RUNNERS
from archive.notation.spoken_line import AMOUNT, ARTICLES, game_names, length_of_name
from archive.notation.spoken_line import LONGEST as LONGEST_LINE
from archive.notation.spoken_people import ALL, REST
from archive.notation.tariff import is_paid
from archive.record import Deal, Finding, Stated
from archive.record.names import NAME, name_key
from archive.say import Message, message
from importers.chat_messages import TypedLine
from importers.keyed_deals import KEYED, is_number_alone
from importers.marked_text import tells_deal_of_somebody
from importers.typed_heads import SIGNED, Evening, paid_names

CELL = r"(?>[+\-−–]?\d{1,6}(?:[.,]\d\d?)?(?:\s?(?:€|ct|P\b))?)"  # taken whole: a line of many cells ends soon
LINE = (
    rf"(?P<name>{NAME})\s*[:=|;]?\s*(?P<cells>{CELL}(?:(?:\s*[,;|/]\s*|\s+|(?=[+\-−–])){CELL})*)"
    rf"(?:\s*=\s*(?P<sum>{CELL}))?[.,;|]?"
)
STROKES = rf"{NAME}(?:\s*[:=|;]\s*|\s+)(?>[I|/l]{{1,30}}[\s,;]*){{1,9}}(?:=?\s*\d{{1,3}})?"
BEFORE_SUMS, BETWEEN = r"\s*(?:=>|->|[|=→(])\s*", r"\s*[;/]\s*|,?\s+"
ONE, AND = r"[^\W\d_][\w.'’]*", r"(?:\s*[/&]\s*|\s+(?:u(?:nd|\.)?|and)\s+)"
SIDE = re.compile(  # who won or lost the same: `Hias/Beni +20`, `Hias und Beni je +20`
    rf"(?<![\w/&])(?P<names>{ONE}(?:{AND}{ONE})*)\s*[:=]?\s*"
    rf"(?:(?:je(?:weils|der)?|each)\s+)?(?P<amount>{CELL})[,;\s]*"
)
SIGN = r"(?<=[+\-−–])\s(?=\d)"  # behind a sign
IS_AMOUNT = re.compile(AMOUNT).fullmatch
BEFORE_NUMBER = re.compile(r"(?:\s*[|/(;]\s*|,?\s+)(?=[+\-−–]?\d)")
UNSIGNED = re.compile(r"(?<![\d.,+\-−–])(?=\d)")
AFTER_NAME = re.compile(r"(?<=[^\W\d_][\s:=])(?=\d)")  # where an amount without a sign begins
OF_SUMS = (
    r"(?:zwischen|end|gesamt)?(?:stand|standings?|summe|gesamt|totals?|abrechnung)|(?:zwischen|end|gesamt)ergebnis"
    r"|saldo|bilanz|kasse(?:nstand)?|heute(?=:)|am ende|(?:macht )?zusammen|insgesamt"
)
TOTALS = re.compile(  # what each has won so far, behind a deal or alone
    rf"(?P<deal>.*?)(?:^|[\s,;|(/=>→–-]+)(?P<word>{OF_SUMS})\b(?:\s[^:=]{{1,30}}(?=[:=])|\s(?:nach|after)\s\d{{1,3}}\.?\s\w+)?"
    r"\s*(?:[:=]|=>|->|→)?\s*(?P<sums>[^:]*\d.*?)[)\s.]*",
    re.IGNORECASE,
)
SUMS = re.compile(rf"{OF_SUMS}|[=Σ∑]", re.IGNORECASE)  # a word that such a line has
OF_DEAL = ("stand", "zwischenstand")  # in a chat, whose other sums may be of more than an evening
PLACES = ("platz", "plätze", "rang", "place", "rank")  # before who came first
FEWEST, AT_TABLE, MOST = 3, 4, 7  # players
LONGEST = 200  # characters of such a line
TITLES = 3  # most lines above a note
TWICE = 2  # blocks of the same players, or deals, that show what a line holds
ONCE, STANDINGS, TALLY = map(message, ("importers.amounts-once", "importers.standings-in-lines", "importers.tally"))


class PlayerLine(NamedTuple):
    """A line of one player: his name, his amounts, and their sum as written, or ""."""

    line: TypedLine
    name: str
    cells: tuple[str, ...]
    sum: str


class Paid(NamedTuple):
    """Amounts as they are written, by name, and the line of the first."""

    line: TypedLine
    paid: dict[str, str]


def deals_of_player_lines(lines: list[TypedLine]) -> list[TypedLine]:
    """Return the lines with one for each deal in place of those of one player each, if the text tells deals in such
    lines alone, and it is plain how; and of those of one side each."""
    lines = [*_with_sides_together(lines)]
    whole = _whole_blocks(lines)
    deals = [] if not whole or _why_not(whole) else _deals_of(whole)
    rows = [each.line._replace(text=_text_of(each)) for each in deals]
    if deals and len(whole) == 1 and (sums := _sums_of(whole[0])):
        rows.append(rows[-1]._replace(text=f"Stand: {_text_of(sums)}"))
    inside = {id(each.line) for each in chain(*whole)} if deals else set()
    return sorted([*(line for line in lines if id(line) not in inside), *rows], key=lambda line: line.number)


def _with_sides_together(lines: Sequence[TypedLine]) -> Iterator[TypedLine]:
    """Yield the lines, those that tell what each player of a side has won with an amount behind each, in a line or with
    a line for each side: `Wenz: Resl +150, Hias/Beni/Lois -50`."""
    place = 0
    while place < len(lines):
        near = (without_mark(line.text[:LONGEST]) for line in lines[place : place + AT_TABLE])
        texts = [*takewhile(SIGNED.search, near)]
        joined = ((many, _amount_of_each(texts[:many])) for many in range(1, len(texts) + 1))
        count, text = next((each for each in joined if each[1]), (1, lines[place].text))
        yield lines[place]._replace(text=text)
        place += count


def _amount_of_each(texts: Sequence[str]) -> str:
    """Return lines as one, with the amount of a side behind each of its players, if they are three or more, two of them
    together, and it adds up to zero; else nothing."""
    text = " ".join(texts)
    if not re.search(AND, text) or not SIGNED.search(text):
        return ""
    sides = [(re.split(AND, side["names"]), side["amount"]) for side in SIDE.finditer(text)]
    names = [name.casefold() for players, _ in sides for name in players]
    total = sum(len(players) * _hundredths(amount) for players, amount in sides)
    are_sides = FEWEST <= len({*names}) == len(names) > len(sides) and not total
    if not are_sides or (len(texts) > 1 and SIDE.sub("", text)):
        return ""
    behind = iter(" ".join(f"{name} {amount}" for name in players) for players, amount in sides)
    return SIDE.sub(lambda _: f"{next(behind)} ", text).strip()


def with_plus_behind_names(text: str, players: Sequence[str]) -> str:
    """Return a line with a plus before the amounts without a sign behind the names of at least three players, if they
    add up to zero: `Wenz: Anna -50, Ben 150, Cem -50, Dora -50`."""
    behind = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, players))})(\s*[:=]?\s*)({CELL})", re.IGNORECASE)
    paid = behind.findall(text) if len(text) <= LONGEST and SIGNED.search(text) else []
    is_whole = FEWEST <= len(paid) == len({name.casefold() for name, _, _ in paid})
    if not is_whole or sum(_hundredths(cell) for _, _, cell in paid) != 0:
        return text
    plus = {cell: UNSIGNED.sub("+", cell) if _hundredths(cell) else cell for _, _, cell in paid}
    return behind.sub(lambda each: each[1] + each[2] + plus[each[3]], text)


def with_signs_behind(text: str, players: Sequence[str]) -> str:
    """Return a line with a plus before those of the amounts behind its deal, one for each player, that have no sign:
    `Toni Wenz gewonnen -50 150 -50 -50`; if they are not zero in all, only before what counts no runners, nor card
    points behind the result; and of those behind the names of players."""
    text = with_plus_behind_names(text, players)
    parts = BEFORE_NUMBER.split(text.rstrip(" ).")) if SIGNED.search(text) else []
    before, cells = parts[: -len(players)], parts[-len(players) :]
    amounts = [cell.replace("−", "-").replace("–", "-").replace(",", ".") for cell in cells]
    is_row = bool(before) and all(map(IS_AMOUNT, cells))
    gains = [float(each) for each in amounts if each[0].isdecimal()] if is_row else []
    adds_up = is_row and sum(round(100 * float(each)) for each in amounts) == 0
    most = MOST_POINTS if is_row and amounts[0][0].isdecimal() else MOST_RUNNERS
    if not is_row or (not adds_up and min(gains, default=0) <= most):
        return text
    return f"{' '.join(before)}, {' '.join(UNSIGNED.sub('+', cell) for cell in cells)}"


def count_paid(words: Sequence[str], of: ContractWords, players: Sequence[str]) -> int:
    """Return how many numbers there are among words of several players, perhaps of their game; 0 if there is anything
    else: `Anna+Ben: 20, Rest -20`."""
    known = {*REST, *ALL, *ARTICLES, "und", "u", "and", "je"} | game_names(of) | of.words.suits.keys()
    named = place = 0
    while place < len(words):
        length = length_of_name(words, place, players)
        if not length and words[place][0].isalpha() and words[place] not in known:
            return 0
        named += bool(length) or words[place] in REST
        place += length or 1
    return sum(1 for word in words if IS_AMOUNT(word)) if named > 1 else 0


def is_ranking(words: Sequence[str], of: ContractWords, players: Sequence[str]) -> bool:
    """Return whether words that name no game say who came first: `Platz: Toni`, or every player with a number from 1
    on, `1. Toni 2. Sepp …`, which are no amounts that they pay each other."""
    if not game_names(of).isdisjoint(words):
        return False
    is_place = words[:1] != [] and words[0] in PLACES and not length_of_name(words, 0, players)
    numbers = sorted(word for word in words if word.isdecimal())
    places = [str(number) for number in range(1, len(players) + 1)]
    named = sum(length_of_name(words, at, players) > 0 for at in range(len(words)))
    are_places = numbers in (places, places[1:]) and count_paid(words, of, players) == len(numbers)
    return is_place or (are_places and named == len(players))


def standing_behind(line: TypedLine, evening: Evening) -> tuple[str, tuple[int, ...]] | None:
    """Return a line that ends with an amount for each player and what each has won so far, without these sums, and
    them: `-50 150 -50 -50 | -30 130 -30 -70`; None if it is none, or they do not go on from the deals before."""
    parts = re.split(BEFORE_SUMS, without_mark(line.text[:LONGEST]).rstrip(" )."))
    rows = [re.split(BETWEEN, part)[-len(evening.players) :] for part in parts]
    before = evening.sums if evening.deals else (0,) * len(evening.players)
    is_row = not line.is_chat and len(rows) == TWICE and all(re.fullmatch(CELL, cell) for cell in chain(*rows))
    if not is_row or before is None or {*map(len, rows)} != {len(evening.players)}:
        return None
    each = 1 if evening.whole_euros or any("," in cell or "." in cell for cell in rows[0]) else 100
    paid, sums = ([_hundredths(cell) // each for cell in row] for row in rows)
    goes_on = all(then + amount == now for then, amount, now in zip(before, paid, sums, strict=True))
    return (parts[0], tuple(sums)) if goes_on else None


def parted_totals(line: TypedLine, evening: Evening) -> tuple[str, tuple[int | None, ...]] | None:
    """Return a line without what each player has won so far, and these sums, one for each: `Stand: -20 20 -20 20`; None
    if it does not say that."""
    if not line.is_left_out and (behind := standing_behind(line, evening)):
        return behind
    is_read = not line.is_left_out and len(line.text) <= LONGEST_LINE and SUMS.search(line.text) is not None
    text = re.sub(r"^\s*[=Σ∑](?!>)\s*[:=]?\s*", "Summe: ", without_mark(line.text)) if is_read else ""
    match = TOTALS.fullmatch(text)
    if match is None or (line.is_chat and match["word"].casefold() not in OF_DEAL):
        return None
    sums = match["sums"].replace("|", " ")
    cells = sums.replace(";", " ").replace("/", " ").split()
    by_name = set(map(str.casefold, paid_names(sums))) == set(map(str.casefold, evening.players))
    if not by_name and not (len(cells) == len(evening.players) and all(IS_AMOUNT(cell) for cell in cells)):
        return None
    signed = AFTER_NAME.sub("+", sums) if by_name else UNSIGNED.sub("+", " ".join(cells))
    spoken = read_spoken_deal(signed, evening.words, evening.players)
    if isinstance(spoken, Finding):
        return None
    paid = seated_deal(spoken, evening.players, evening.whole_euros, None).stated
    return (match["deal"].strip(), paid.payments) if paid and paid.payments else None


def totals_below(waiting: deque[TypedLine], evening: Evening) -> tuple[int | None, ...] | None:
    """Return what each player has won so far, if the next line says that and nothing else, and take it; else None."""
    parted = parted_totals(waiting[0], evening) if waiting else None
    if parted is None or parted[0]:
        return None
    waiting.popleft()
    return parted[1]


def with_totals(deal: Deal, totals: tuple[int | None, ...] | None) -> Deal:
    """Return the deal with what each player has won so far, if that is told."""
    return replace(deal, stated=replace(deal.stated or Stated(), totals=totals)) if totals else deal


def why_no_deals(lines: Sequence[TypedLine], known: Collection[str]) -> Message | None:
    """Return why the lines of one player each in a text without a deal tell none, each of them known if any are; None
    if there are no such lines."""
    if sum(bool(re.fullmatch(STROKES, line.text[:LONGEST])) for line in lines) >= FEWEST:
        return TALLY
    whole = _whole_blocks(lines)
    named = {name_key(each.name) for each in chain(*whole)}
    return _why_not(whole) if whole and (not known or named <= {*known}) else None


def _why_not(whole: Sequence[Sequence[PlayerLine]]) -> Message | None:
    """Return why the amounts of blocks are no deals, or None if most are those of one, and they do not go on like what
    each had so far."""
    deals = _deals_of(whole)
    amounts = [[*map(_hundredths, deal.paid.values())] for deal in deals]
    steps = ([now - then for now, then in zip(*pair, strict=True)] for pair in pairwise(amounts))
    if len(deals) < TWICE:
        return ONCE
    uneven = any(len({(len(each.cells), bool(each.sum)) for each in block}) > 1 for block in whole)
    sums = [_sums_of(block) for block in whole]
    added = [each.paid.values() for each, block in zip(sums, whole, strict=True) if each and not block[0].sum]
    may_be_deal = any(is_paid([*map(_hundredths, each)]) for each in added)
    is_odd = uneven or may_be_deal or len(amounts[0]) > MOST or (len(whole) > 1 and any(sums))
    paid = sum(is_paid(each) or not any(each) for each in amounts)
    return STANDINGS if is_odd or 2 * paid <= len(deals) or all(map(is_paid, [amounts[0], *steps])) else None


def _deals_of(whole: Sequence[Sequence[PlayerLine]]) -> list[Paid]:
    """Return what may be the deals of blocks, a column each; who has no line in a block has nothing in it."""
    deals, nobody = list[Paid](), dict.fromkeys((each.name for each in chain(*whole)), "0")
    for block in whole:
        columns = [*zip(*(each.cells for each in block), strict=False)]
        columns = columns[:-1] if _sums_of(block) and not block[0].sum else columns
        names = [each.name for each in block]
        deals += [Paid(block[0].line, nobody | dict(zip(names, column, strict=True))) for column in columns]
    return deals


def _sums_of(block: Sequence[PlayerLine]) -> Paid | None:
    """Return the sums of the players as they are written: behind a sign, or as the last of three or more amounts that
    is that of those before it; None if they are not."""
    added = all(
        len(each.cells) > TWICE and _hundredths(each.cells[-1]) == sum(map(_hundredths, each.cells[:-1]))
        for each in block
    )
    sums = {each.name: each.sum or (each.cells[-1] if added else "") for each in block}
    return Paid(block[0].line, sums) if all(sums.values()) else None


def _whole_blocks(lines: Sequence[TypedLine]) -> list[list[PlayerLine]]:
    """Return the blocks of lines of a table's players; none if another line of the text tells a deal, or names what the
    columns of a block are, or if there are more others than a title, and a number above each block."""
    whole = [block for block in _blocks_of(lines) if FEWEST <= len(block) <= MOST]
    whole = [block for block in whole if not any(tells_deal_of_somebody(each.line.text) for each in block)]
    inside = {id(each.line): len(each.cells) for block in whole for each in block}
    others = [line.text for line in lines if whole and line.text and id(line) not in inside]
    keys = {match["key"].casefold() for text in others if (match := KEYED.fullmatch(text))}
    is_told = any(tells_deal_of_somebody(text) or paid_names(text) for text in others)
    columns = [(above.text, inside.get(id(line), 0)) for above, line in pairwise(lines) if id(above) not in inside]
    has_heads = any(
        count > 1 and len(text.split()) in (count, count + 1) and not any(map(str.isdigit, text))
        for text, count in columns
    )
    is_long = len(others) > TITLES + len(whole) and not lines[0].is_chat
    return [] if is_told or has_heads or is_long or keys & {"spiel", "game"} else whole


def _blocks_of(lines: Sequence[TypedLine]) -> Iterator[list[PlayerLine]]:
    """Yield the lines of one player each that follow each other, no player twice."""
    block: list[PlayerLine] = []
    for line in lines:
        match = None if line.is_left_out else re.fullmatch(LINE, re.sub(SIGN, "", without_mark(line.text[:LONGEST])))
        if match is None or is_number_alone(line):
            yield block
            block = []
            continue
        cells = tuple(re.findall(CELL, match["cells"]))
        is_apart = len(block) >= AT_TABLE and line.number > block[-1].line.number + 1
        if is_apart or any(name_key(match["name"]) == name_key(each.name) for each in block):
            yield block
            block = []
        block.append(PlayerLine(line, match["name"], cells, match["sum"] or ""))
    yield block


def _text_of(paid: Paid) -> str:
    """Return amounts behind names, each with its sign."""
    return " ".join(
        f"{name} {'' if cell[0] in '+-−–' or not _hundredths(cell) else '+'}{cell}" for name, cell in paid.paid.items()
    )


def _hundredths(cell: str) -> int:
    whole, _, part = re.sub(r"[^\d.,]", "", cell).replace(",", ".").partition(".")
    amount = 100 * int(whole) + int(part.ljust(2, "0") if part else 0)
    return -amount if cell[0] in "-−–" else amount
