"""Tables whose players are named in the cells, not in the heads: each becomes one with a column for each player;
and cells with something beside an amount: a mark for the dealer, a word of the game, which becomes a comment on the
cell, the standing."""

import re
from functools import cache
from itertools import pairwise
from string import ascii_uppercase

from archive.notation.game_words import contract_words, usual_words
from archive.notation.spoken_line import known_words
from archive.say import message
from importers.score_sheet.amount_columns import are_numbers, cell_text, head_key, is_amount, mostly, space_words
from importers.score_sheet.cells import is_blank, normalize, parse_amount, sheet_words
from importers.score_sheet.table_parts import FEWEST, MOST, MOSTLY, SAMPLE, Shape, Table, with_cells, with_players
from importers.score_sheet.tables import Row, RowKey
from importers.text import on_one_line

NUMBERED_NAME = (  # compiled for heads with a number
    r"(?:(?P<word>[^\W\d_]{1,12})\.? ?)?(?P<number>[1-7])"
    r"(?:[.):]? ?[-–—:=(]? ?)(?<=[ .):(=–—-])(?P<name>[^\W\d_][^()]{0,40}?)\)?"
)
IN_BRACKETS = r"^[(\[]([^()\[\]]+)[)\]]$"
DIGITS = frozenset("1234567")
NUMBERED = re.compile(r"(?P<word>[^\W\d_]{1,12})\.? ?(?P<number>[1-9])")
BESIDE = (  # compiled, as those below, for cells that may have something beside an amount
    r"(?P<before>[^\d+\-−–(\n]{1,12}?)?\s?(?P<amount>\(?[+\-−–]?\s?[\d.,½]+(?:\s?(?:€|ct\b))?\)?)"
    r"(?P<after>\s?[^\d(]{1,30}|\s?\([^\d()]{1,30}\))?"
)
INSTEAD = (
    r"(?P<amount>[+\-−–]?\s?[\d.,½]+(?:\s?(?:€|ct\b))?)\s*\(?"
    r"(?P<note>(?:%s) [+\-−–]?\s?\d[\d.,]*(?:\s?(?:€|ct))?)\)?"
)
PAIR = r"(?P<amount>[^→/|;()>]{1,16}?)\s*(?:→|->|=>|/|\||;|\()\s*(?P<standing>[^→/|;()>]{1,16})\)?"
BETWEEN = frozenset("→>/|;(")  # signs of which a pair has one
LIKE_DIGIT = r"(?i)(?<!\w)[is!|](?=[.,]?\d)|(?<=\d)[is](?!\w)"  # as a scan reads 1 and 5
LEAST = 2  # rows
OF_A_SIGN = ("won", "lost", "price", "euros")  # kinds of words by which an amount may have another sign or unit
LONGEST = 60  # characters of a cell with something beside an amount


def names_in_cells(table: Table) -> Shape | None:
    """Read cells that have a name and an amount each, below heads that name nobody: `Anna +50`."""
    free = table.free
    if len(free) < FEWEST or any(map(_name_and_amount, table.head.cells)):
        return None
    first = [sum(_name_and_amount(cell_text(row, at)) is not None for at in free) for row in table.body[:SAMPLE]]
    if sum(count >= FEWEST for count in first) < MOSTLY * len(first):
        return None
    amounts_by_row = dict[RowKey, dict[str, str]]()
    players: dict[str, str] = {}
    for row in table.body:
        pairs = [_name_and_amount(cell_text(row, at)) for at in free]
        named = {normalize(pair[0]): pair for pair in pairs if pair}
        if len(named) >= FEWEST:
            if len(named) < sum(pair is not None for pair in pairs):
                return None
            for key, (name, _) in named.items():
                players.setdefault(key, name)
            amounts_by_row[row.key] = {players[key]: amount for key, (_, amount) in named.items()}
    if not amounts_by_row or len(amounts_by_row) < MOSTLY * len(table.body) or not FEWEST <= len(players) <= MOST:
        return None
    drop = {at for at in free if any(_name_and_amount(cell_text(row, at)) for row in table.body)}
    return Shape(with_players(table, [*players.values()], amounts_by_row, drop))


def _name_and_amount(text: str) -> tuple[str, str] | None:
    """Return the parts of `Anna +50`, `Anna: -0,50 €`, or None for any other text."""
    words = on_one_line(text).rsplit(" ", 2)
    for cut in range(1, len(words)):
        name, amount = " ".join(words[:cut]).rstrip(" :="), " ".join(words[cut:])
        if name and name[0].isalpha() and amount[0] in "+-−–0123456789" and parse_amount(amount):
            return name, amount
    return None


# --- heads with numbers: `Spieler 1` ----------------------------------------------------------------------------------


def names_below_seats(table: Table) -> Shape | None:
    """Read a form with heads `Spieler 1` to `Spieler 4`, or `A` to `D`, the names in the row below, and amounts below
    these; a word for players beside either stands above the numbers of the deals."""
    seats = _seats(table) or _letters(table)
    if not table.body or not FEWEST <= len(seats) <= MOST or not _are_names(table, seats, 1):
        return None
    names, body = table.body[0], table.body[1:]
    if not all(mostly(body, at, is_amount) for at in seats):
        return None
    texts = {at: cell_text(names, at) or text for at, text in enumerate(table.head.cells)}
    of_numbers = {at for at in texts.keys() - {*seats} if are_numbers(body, at, names)}
    label = next((at for at in of_numbers if normalize(texts[at].rstrip(":")) in _words_of_players()), None)
    head = with_cells(table.head, texts | ({} if label is None else {label: "Nr"}))
    return Shape([*table.above, head._replace(end_line=names.end_line), *body])


def _letters(table: Table) -> list[int]:
    """Return the places of heads that are capital letters, with a name of its own below each and no such letter beside
    the amounts, which would be a seat and may begin another name; or []."""
    places = [at for at, text in enumerate(table.head.cells) if len(text) == 1 and text in ascii_uppercase]
    letters, names = (
        {table.head.cells[at] for at in places},
        {cell_text(row, at) for row in table.body[:1] for at in places},
    )
    words = (word for row in table.body for text in row.cells for word in re.findall(r"\w+", text))
    return places if len(names) == len(places) and letters.isdisjoint(words) else []


@cache
def _words_of_players() -> frozenset[str]:
    return frozenset((*sheet_words()["round_list"]["name"], *sheet_words()["columns"]["declarer"]))


def amounts_of_seats(table: Table) -> Shape | None:
    """Read columns of names below `Spieler 1` to `Spieler 4`, and as many of amounts with the same numbers, or with
    others in the same order."""
    seats = _seats(table)
    if not FEWEST <= len(seats) <= MOST or not _are_names(table, seats, len(table.body)):
        return None
    amounts = [
        at for at, text in enumerate(table.head.cells) if at not in seats and NUMBERED.fullmatch(on_one_line(text))
    ]
    amounts = [at for at in amounts if mostly(table.body, at, is_amount)]
    if len(amounts) != len(seats) or [_number(table, at) for at in amounts] != [_number(table, at) for at in seats]:
        return None
    players: dict[str, str] = {}
    amounts_by_row = dict[RowKey, dict[str, str]]()
    for row in table.body:
        names = [cell_text(row, at) for at in seats]
        keys = [normalize(name) for name in names if not is_blank(name)]
        if len(keys) < FEWEST or len(set(keys)) < len(keys):
            continue
        players |= {normalize(name): name for name in names if not is_blank(name) and normalize(name) not in players}
        amounts_by_row[row.key] = {
            players[normalize(name)]: cell_text(row, at)
            for name, at in zip(names, amounts, strict=True)
            if not is_blank(name)
        }
    if len(amounts_by_row) < MOSTLY * len(table.body) or not FEWEST <= len(players) <= MOST:
        return None
    return Shape(with_players(table, [*players.values()], amounts_by_row, {*seats, *amounts}))


def _seats(table: Table) -> list[int]:
    """Return the places of heads such as `Spieler 1`, whose numbers go up from 1, or []."""
    matches = {at: NUMBERED.fullmatch(on_one_line(text)) for at, text in enumerate(table.head.cells) if text}
    seats = [at for at, match in matches.items() if match and normalize(match["word"]) in _words_of_players()]
    numbers = [_number(table, at) for at in seats]
    return seats if numbers[:1] == [1] and all(b == a + 1 for a, b in pairwise(numbers)) else []


def _number(table: Table, at: int) -> int:
    return int(on_one_line(table.head.cells[at])[-1])


def _are_names(table: Table, seats: list[int], rows: int) -> bool:
    """Return whether the first rows have names in some columns, all or all but one of them in each row."""
    texts = [[cell_text(row, at) for at in seats] for row in table.body[:rows]]
    named = [[text for text in row if any(map(str.isalpha, text)) and not parse_amount(text)] for row in texts]
    fit = sum(len(row) >= max(FEWEST, len(seats) - 1) for row in named)
    return bool(texts) and fit >= MOSTLY * len(texts)


# --- heads with a word before the name --------------------------------------------------------------------------------


def numbers_before_names(table: Table) -> Shape | None:
    """Take the numbers of the seats before the names out of the heads: `1. Anna`, `Spieler 2: Ben`, `P3 (Cem)`."""
    texts = {at: text for at in table.free if not DIGITS.isdisjoint(text := on_one_line(table.head.cells[at]))}
    named = sum(any(map(str.isalpha, text)) for text in texts.values())
    texts = texts if named >= FEWEST else {}
    heads = {at: match for at, text in texts.items() if (match := re.fullmatch(NUMBERED_NAME, text))}
    numbers = [int(match["number"]) for match in heads.values()]
    names = {normalize(match["name"]) for match in heads.values()}
    words = {normalize(match["word"] or "") for match in heads.values()}
    if not FEWEST <= len(heads) <= MOST or numbers != [*range(1, len(heads) + 1)]:
        return None
    if len(names) < len(heads) or len(words) > 1 or not all(mostly(table.body, at, is_amount) for at in heads):
        return None
    head = with_cells(table.head, {at: match["name"] for at, match in heads.items()})
    return Shape([*table.above, head, *table.body])


def word_before_names(table: Table) -> Shape | None:
    """Take the same word before each name out of the heads: `Punkte Anna`, `score_ben`, `punkteCem`."""
    words = sheet_words()["before_names"]["words"]
    heads = {at: space_words(on_one_line(table.head.cells[at])).partition(" ") for at in table.free}
    heads = {at: parts for at, parts in heads.items() if normalize(parts[0]) in words}
    names = {at: re.sub(IN_BRACKETS, r"\1", name) for at, (_, _, name) in heads.items()}
    names = {at: name for at, name in names.items() if name[:1].isalpha()}
    if not FEWEST <= len(names) <= MOST or len({normalize(heads[at][0]) for at in names}) != 1:
        return None
    return Shape([*table.above, with_cells(table.head, names), *table.body])


def marked_amounts(table: Table) -> Shape | None:
    """Take marks and words of the game beside amounts out of the cells, in columns that have only amounts."""
    if any(parse_amount(text) or _parts(text) for text in table.head.cells):
        return None
    counts = sheet_words()["columns"]["runners"]
    columns = [at for at in table.free if head_key(table.head.cells[at]) not in counts and _is_column(table, at)]
    if len(columns) < FEWEST or not any(_parts(cell_text(row, at)) for row in table.body for at in columns):
        return None
    return Shape([*table.above, table.head, *(_without_marks(row, columns) for row in table.body)])


def _is_column(table: Table, at: int) -> bool:
    """Return whether most cells of a column are amounts, alone or with something beside them."""
    texts = [text for row in table.body if not is_blank(text := cell_text(row, at))]
    return bool(texts) and 2 * sum(bool(parse_amount(text) or _parts(text)) for text in texts) >= len(texts)


def _without_marks(row: Row, columns: list[int]) -> Row:
    parts = {at: marked for at in columns if (marked := _parts(cell_text(row, at)))}
    if not parts:
        return row
    comments = dict(row.comments)
    for at, (_, note) in parts.items():
        comments[at] = f"{comments[at]}, {note}" if at in comments else note
    amounts = {at: amount for at, (amount, _) in parts.items()}
    return with_cells(row, amounts)._replace(comments=tuple(comments.items()))


def amounts_with_standing(table: Table) -> Shape | None:
    """Keep the amount in cells that also have the standing after it, `+20 → 40`, `20/40`, `20 (40)`: in every column
    each standing is the one before plus the amount."""
    columns = [at for at in table.free if all(_pair(cell_text(row, at)) for row in table.body)]
    if len(columns) < FEWEST or len(table.body) < LEAST:
        return None
    for at in columns:
        pairs = [pair for row in table.body if (pair := _pair(cell_text(row, at)))]
        if any(before[1] + after[0] != after[1] for before, after in pairwise(pairs)):
            return None

    firsts = ({at: match[1] for at in columns if (match := _match_pair(cell_text(row, at)))} for row in table.body)
    body = [with_cells(row, texts) for row, texts in zip(table.body, firsts, strict=True)]
    return Shape([*table.above, table.head, *body], message("importers.note-with-standing"))


def _pair(text: str) -> tuple[int, int] | None:
    """Return the amount and the standing of a cell, in hundredths, or None."""
    match = _match_pair(text)
    both = [parse_amount(part) for part in match.groups()] if match else []
    return (both[0].hundredths, both[1].hundredths) if len(both) == 2 and both[0] and both[1] else None


def _match_pair(text: str) -> re.Match[str] | None:
    return None if len(text) > LONGEST or BETWEEN.isdisjoint(text) else re.fullmatch(PAIR, text)


def _parts(text: str) -> tuple[str, str] | None:
    """Return the amount of a cell and the note beside it, or None if the cell is anything else, or the note is not
    understood."""
    if len(text) > LONGEST or parse_amount(text) or not any(map(str.isnumeric, text)) or re.search(LIKE_DIGIT, text):
        return None
    if (instead := _instead().fullmatch(text)) and parse_amount(instead["amount"]):
        return instead["amount"].strip(), instead["note"]
    match = re.fullmatch(BESIDE, text)
    notes = [on_one_line(note).strip(" ()") for note in match.group("before", "after") if note] if match else []
    notes = [note for note in notes if note]
    if match is None or not notes or not parse_amount(match["amount"].strip()) or not all(map(_is_known, notes)):
        return None
    return match["amount"].strip(), ", ".join(notes)


@cache
def _instead() -> re.Pattern[str]:
    """Return the pattern of an amount with what stood there by mistake: `-20 (statt 20)`."""
    return re.compile(INSTEAD % "|".join(map(re.escape, sheet_words()["cells"]["instead"])), re.IGNORECASE)


def _is_known(note: str) -> bool:
    """Return whether a note is a mark, or has only words of the game."""
    words = [word for word in re.split(r"[\s,./+-]+", note.casefold()) if word]
    return note.casefold() in sheet_words()["cells"]["marks"] or (bool(words) and set(words) <= _words_of_game())


@cache
def _words_of_game() -> frozenset[str]:
    """Return the words of the game without those that may stand for a sign or a unit."""
    ends = {word for key in ("deal", "results") for word, kind in usual_words()[key].items() if kind in OF_A_SIGN}
    marks = {word for key in ("mark_won", "mark_lost", "won", "lost") for word in sheet_words()["cells"][key]}
    return known_words(contract_words()) - ends - marks
