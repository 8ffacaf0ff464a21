"""The columns of a score sheet that hold the amounts of players: by what they hold, and by the names in the sheet."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import combinations, compress, pairwise

from archive.notation.game_words import usual_words
from archive.notation.tariff import is_paid as is_paid
from archive.record.names import one_form
from importers.score_sheet.cells import AT_TABLE as AT_TABLE
from importers.score_sheet.cells import (
    is_blank,
    is_one_of,
    mentions,
    normalize,
    parse_amount,
    parse_no,
    seat_names_of,
    sheet_words,
)
from importers.score_sheet.tables import EMPTY_FORMULA, Row
from importers.text import on_one_line

Rows = Sequence[Row]
FEWEST, MOST = 3, 7  # players of a table
LONGEST = 60  # signs of a head with a sum
OF_POINT = r"(?:[x×*·à]|mal|je) ?\d+(?:[.,]\d+)? ?(?:€|eur|euro|ct|cent)?"  # before what points are in money
MONEY = ("€", "ct")
FACTORS = {"1": "0", "2": "1", "4": "2", "8": "3"}  # of a price, and how often it was doubled
SYLLABLE = re.compile(r"(?<=[^\W\d_])-[ \t]*\n\s*(?=[a-zäöüß])")  # between two, with the end of a line
UNIT = re.compile(r"\s*(?:[(\[]\s*(?:in\s+)?|\bin\s+|(?=€))(€|[^\W\d_]{1,8})\s*[)\]]?$")
LAST_WORD = re.compile(r"\s+([^\W\d_]{2,8})$")
SUM_BEHIND = r"(.*?[^\W_])[\s:=(]+([+\-−–]\s?\d[\d.,]*(?: ?€)?|0(?:[.,]00?)?(?: ?€)?)\)?"  # a name before its sum
EXPLAINED = r"(?<!\s)\s*[(\[][^()\[\]/=,]*[/=,][^()\[\]]*[)\]]$"  # behind a head: `Ergebnis (g/v)`
SIGNS_BEFORE, SIGNS_BEHIND = re.compile(r"[^\w(\['\"]+"), re.compile(r"[^\w)\].'\"!?]+")  # around a name


Named = dict[str, tuple[str, int]]  # columns by the name of a player in small letters: the name as written, the place


def amount_columns(free: dict[int, str], roles: dict[str, int], body: Rows) -> tuple[Named, Named]:
    """Return the columns of payments and those of totals: they hold amounts, or the name of a declarer somewhere."""
    named = [roles[role] for role in ("declarer", "partner", "dealer") if role in roles]
    spoken = {normalize(cell_text(row, at)) for at in named for row in body}
    paid: Named = {}
    totals: Named = {}
    for at, head in free.items():
        name = plain_name(head)
        of = without_total(name)
        if not any(map(str.isalpha, of)) or not (normalize(of) in spoken or mostly(body, at, is_amount)):
            continue
        (totals if of != name or normalize(name) in paid else paid).setdefault(normalize(of), (of, at))
    strangers = columns_of_no_player(paid, spoken, body)
    paid = {name: column for name, column in paid.items() if name not in strangers}
    short = seat_names_of(tuple(paid), (), {*totals})[1] if totals.keys() - paid.keys() else {}  # of `ΣA`
    totals = {short.get(name, name): column for name, column in totals.items()}
    return paid, {name: column for name, column in totals.items() if name in paid or not paid}


def columns_of_players(paid: Named, roles: dict[str, int], body: Rows) -> list[str]:
    """Return the roles of columns that are players called like them, as a Mr Bock: what they hold, some of it losses,
    is what makes most rows add up to zero."""
    amounts = {role: [hundredths_of(cell_text(row, at)) for row in body] for role, at in roles.items()}
    names = [role for role, own in amounts.items() if role not in ("stock", "check") and min(own, default=0) < 0]
    others = [sum(hundredths_of(cell_text(row, at)) for _, at in paid.values()) for row in body]
    rows = [*zip((sum(amounts[role][at] for role in names) for at in range(len(body))), others, strict=True)]
    made = sum(own == -rest != 0 for own, rest in rows)
    return names if len(paid) > 1 and made > 1 and 2 * made > sum(any(row) for row in rows) else []


def columns_of_no_player(paid: Named, spoken: set[str], body: Rows) -> set[str]:
    """Return the columns of amounts that are nobody's: they belong to a kitty by their head, or no row names them and
    in every row where they hold something the others pay each other without them, as beside minutes or stakes."""
    rows = [{name: hundredths_of(cell_text(row, at)) for name, (_, at) in paid.items()} for row in body]
    words = sheet_words()
    drunk = {name for name in paid if not {*name.split()}.isdisjoint(words["totals"]["drinks"])} - spoken
    beside = [sum(row.values()) for row in rows if any(row[name] for name in drunk)]
    are_drinks = 2 * beside.count(0) <= len(beside)  # and no names of players
    strangers = {name for name in paid if name in words["nobody"]["heads"]} - spoken | (drunk if are_drinks else set())
    for name in paid:
        others = [each for each in paid if each != name and each not in strangers]
        if name in spoken or name in strangers or len(others) < FEWEST:
            continue
        of_others = [[row[other] for other in others] for row in rows if row[name]]
        idle = not of_others and len(others) >= AT_TABLE and any(any(row.values()) for row in rows)
        if not any(map(sum, of_others)) and (idle or any(map(any, of_others))):
            strangers.add(name)
    return strangers or _fees(paid, spoken, rows)


def pot_among(paid: Named, body: Rows) -> str:
    """Return the column of what lies in a pot, by its name: never below 0, it rises by what the others pay into it,
    once at least without a gain of anybody, stands while they pay each other, and falls by what they take; "" if
    there is none."""
    deals = [row for row in body if len(paid) > FEWEST and not _is_of_sums(row, None)]
    rows = [{name: parse_amount(cell_text(row, at)) for name, (_, at) in paid.items()} for row in deals]
    for name in paid:
        before, grown, stood = 0, False, False
        for row in rows:
            others = [amount.hundredths for other, amount in row.items() if amount and other != name]
            now = amount.hundredths if (amount := row[name]) else before
            if now < 0 or now - before != -sum(others):
                break
            grown |= now > before and max(others) <= 0
            stood |= now == before > 0 and amount is not None
            before = now
        else:
            if grown and stood:
                return name
    return ""


def _fees(paid: Named, spoken: set[str], rows: list[dict[str, int]]) -> set[str]:
    """Return two columns that no row names and that take from nobody, as prices and fines, if in each row the others
    pay each other without them; else an empty set."""
    never_lost = [name for name in paid if name not in spoken and all(row[name] >= 0 for row in rows)]
    for pair in combinations(never_lost, 2) if len(paid) <= MOST + 2 else ():
        of_others = [[amount for name, amount in row.items() if name not in pair] for row in rows if any(row.values())]
        added = sum(any(row[name] for name in pair) for row in rows)
        apart = all(any(amounts) and not sum(amounts) for amounts in of_others)
        if apart and added >= FEWEST and len(paid) >= len(pair) + FEWEST:
            return {*pair}
    return set()


def without_other_unit(paid: Named, totals: Named, units: dict[int, str | None], body: Rows) -> tuple[Named, Named]:
    """Return the columns of payments and totals. If the second block of the same players has the same amounts in
    another unit, as points and euros, only the money is taken, or the cents if nothing says which is which."""
    if not paid or paid.keys() != totals.keys():
        return paid, totals
    rows = [
        (hundredths_of(cell_text(row, paid[name][1])), hundredths_of(cell_text(row, totals[name][1])))
        for row in body
        for name in paid
    ]
    filled = [(one, other) for one, other in rows if one or other]
    if not filled or 0 in filled[0] or any(one * filled[0][1] != other * filled[0][0] for one, other in filled):
        return paid, totals
    if filled[0][0] == filled[0][1] or filled[0][0] * filled[0][1] < 0:
        return paid, totals
    of_money = [block for block in (paid, totals) if all(units.get(at) in MONEY for _, at in block.values())]
    of_money = of_money or [
        block for block in (paid, totals) if all(mostly(body, at, is_money) for _, at in block.values())
    ]
    if len(of_money) == 1:
        return of_money[0], {}
    one, other = map(abs, filled[0])
    cents = paid if one == 100 * other else totals if other == 100 * one else None  # by their amounts alone
    return (paid, totals) if cents is None else (cents, {})


def price_of_points(body: Rows, at: int, payments: Sequence[int], head: str) -> bool | None:
    """Return whether a column of points has the price of each deal, True, another amount of it, False, or neither. If
    nobody has amounts of his own, three points or more that are all tens are hardly counted in cards."""
    rows = [(cell_text(row, at), [abs(hundredths_of(cell_text(row, place))) for place in payments]) for row in body]
    bare = [(text.lstrip("+-−–"), sizes) for text, sizes in rows if any(sizes)]
    told = [(100 * int(text), [size for size in sizes if size]) for text, sizes in bare if text.isdecimal()]
    if not any(size for _, sizes in rows for size in sizes) and normalize(head) in sheet_words()["prices"]["heads"]:
        points = [text for text, _ in rows if text.isdecimal()]
        return True if len(points) >= FEWEST and all(text.endswith("0") for text in points) else None
    if len(told) < FEWEST or not all(value in sizes for value, sizes in told):
        return None
    are_signed = any(text[:1] in ("-", "−", "–") and text[1:] for text, _ in rows)  # what the declarer won or lost
    return not are_signed and all(value == min(sizes) for value, sizes in told)


def are_factors(body: Rows, at: int | None, payments: Sequence[int]) -> bool:
    """Return whether each row with payments has a factor of its price: 1, 2, 4 or 8, mostly 1."""
    texts = [cell_text(row, at).strip("xX×* ") for row in body if any(cell_text(row, place) for place in payments)]
    return len(texts) > FEWEST and {*texts} <= {*FACTORS} and len({*texts}) > 1 and 2 * texts.count("1") >= len(texts)


def hundredths_of(text: str) -> int:
    """Return the amount of a cell in hundredths, 0 if it has none."""
    amount = parse_amount(text)
    return amount.hundredths if amount else 0


@lru_cache(1024)
def split_unit(text: str) -> tuple[str, str | None]:
    """Return the head of a column without the unit in it, and the unit or None: `Anna (€)`, `Preis ct`. A word that
    goes on in the next line of its cell is one."""
    text = on_one_line(SYLLABLE.sub("", text))
    match = UNIT.search(text) or (end if (end := LAST_WORD.search(text)) and _is_price(text[: end.start()]) else None)
    word = sheet_words()["units"].get(match[1].casefold()) if match else None
    return (text[: match.start()].strip() or text, word) if match and word else (text, None)


def _is_price(head: str) -> bool:
    return any(normalize(head) in sheet_words()["columns"][role] for role in ("price", "stock"))


def with_unit(head: str, text: str) -> str:
    """Return an amount without a unit of its own with that of its head, `Preis (ct)`."""
    unit, amount = split_unit(head)[1], parse_amount(text)
    return f"{text} {unit}" if unit and amount and amount.unit is None else text


def tells_cents(head: Row, players: Sequence[int], price: int | None, units: set[str | None]) -> bool:
    """Return whether the amounts of players are told to be cents, by some units beside them or in their heads, and not
    in that of the price alone: then `20,00` are 20 of them."""
    of_players, of_price = ({split_unit(cell_text(head, at))[1] for at in each} for each in (players, [price]))
    return "ct" in of_players | (units - of_price) and "€" not in of_players | units


def split_units(head: Row) -> dict[int, tuple[str, str | None]]:
    """Return the heads of columns by place, and their units. A letter in brackets, or a word without them, may belong
    to a name, as in `Ben (C)` or `Anna Chips`, and is a unit if three heads have it, or behind `Preis` or `Stock`."""
    heads = _without_sums({at: on_one_line(SYLLABLE.sub("", text)) for at, text in enumerate(head.cells) if text})
    ends = {at: UNIT.search(text) or LAST_WORD.search(text) for at, text in heads.items()}
    often = Counter(end[1].casefold() for end in ends.values() if end)

    def split(text: str, end: re.Match[str] | None) -> tuple[str, str | None]:
        may_be_name = (
            end and (end.re is LAST_WORD or re.fullmatch(r"\w", end[1])) and not _is_price(text[: end.start()])
        )
        if end is None or (may_be_name and often[end[1].casefold()] < FEWEST):
            return text, None
        unit = sheet_words()["units"].get(end[1].casefold())
        return (text[: end.start()].strip() or text, unit) if unit else (text, None)

    return {at: split(text, ends[at]) for at, text in heads.items()}


def _without_sums(heads: dict[int, str]) -> dict[int, str]:
    """Return heads without the sums of an evening behind the names, `Anna +120`, if these add up to zero and are not
    those of one deal, which may be the first."""
    signed = {at: text for at, text in heads.items() if len(text) < LONGEST and text.rstrip("€) ")[-1:].isdecimal()}
    parts = {at: re.fullmatch(SUM_BEHIND, text) for at, text in signed.items()} if len(signed) >= FEWEST else {}
    named = {at: match for at, match in parts.items() if match}
    sums = [hundredths_of(match[2]) for match in named.values()]
    are_sums = len(named) >= FEWEST and not sum(sums) and not is_paid(sums)
    return heads | {at: match[1] for at, match in named.items()} if are_sums else heads


@lru_cache(4096)
def head_key(head: str) -> str:
    """Return a head as those of columns are compared, without an explanation behind it; that of games if it lists some,
    `RS/HS/W`."""
    key = normalize(re.sub(EXPLAINED, "", head) if head.endswith((")", "]")) else head)
    if {*"/,;"}.isdisjoint(head):
        words = normalize(space_words(head)).removesuffix(" name")
        return words if words in usual_heads() else key
    parts = re.split(r"\s*[/,;]\s*", key if "/" not in head else head.casefold())
    games = sheet_words()["games"]
    short = {*usual_words()["letters"]["games"], *games, *games.values()}
    return "spielart" if len(parts) > 1 and short.issuperset(parts) else key


def space_words(head: str) -> str:
    """Return a head as programs write it with blanks between its words: `gameType`, `score_anna`."""
    return re.sub(r"(?<=[a-zäöüß])(?=[A-ZÄÖÜ])|_", " ", head)


@cache
def usual_heads() -> frozenset[str]:
    return frozenset(name for names in sheet_words()["columns"].values() for name in names)


def by_name(columns: Sequence[tuple[str, int]]) -> Named:
    """Return the heads and places of columns, by the normal form of their heads; a repeated head has its place added,
    so that each column stays one."""
    named: Named = {}
    for head, at in columns:
        key = normalize(head)
        named[f"{key}:{at}" if key in named else key] = (head, at)
    return named


def rows_of_deals(body: Rows, roles: dict[str, int], places: Sequence[int]) -> Rows:
    """Return the rows whose amounts tell the unit: of those with a declarer, if there is a column of them, those that
    no word or no missing number tells to be sums, as `Euro` below points; all if such a row has the very sums of the
    deals in euros."""
    if "declarer" in roles:
        played = [row for row in body if not is_blank(cell_text(row, roles["declarer"]))]
        return [row for row in played if not _is_of_sums(row, None)] or played
    below = [_is_of_sums(row, roles.get("number")) for row in body]
    told = [row for row, is_below in zip(body, below, strict=True) if not is_below]
    sums = [sum(hundredths_of(cell_text(row, at)) for row in told) for at in places]
    others = [[parse_amount(cell_text(row, at)) for at in places] for row in compress(body, below)]
    in_euros = [
        [each.hundredths for each in row if each] for row in others if any(each and each.is_money for each in row)
    ]
    return told if told and sums not in in_euros else body


def _is_of_sums(row: Row, number: int | None) -> bool:
    """Return whether a row begins with a word of sums or of what is neither a deal nor sums, or with no number of a
    deal where one belongs."""
    label, text = normalize(next(filter(None, row.cells), "")), cell_text(row, number)
    return begins_with(label, _words_of_sums()) or (bool(text) and parse_no(text) is None)


def begins_with(text: str, words: frozenset[str]) -> bool:
    """Return whether a label begins with one of some words, or names money, if these do: `x 0,10 €`."""
    is_price = "€" in words and re.fullmatch(OF_POINT, text) is not None
    return is_price or text in words or any(text[:at] in words for at, sign in enumerate(text) if sign == " ")


@cache
def _words_of_sums() -> frozenset[str]:
    return frozenset(
        word for kind in ("words", "rows", "beside", "drinks", "money") for word in sheet_words()["totals"][kind]
    )


def are_numbers(body: Rows, at: int, head: Row) -> bool:
    """Return whether a column numbers the deals: numbers, beside words of sums and repeated heads; below `Lfd`, where
    runners may stand too, they rise from 1 or more, and perhaps from 1 again, but for few slips among many."""
    words = sheet_words()["totals"]
    sums = {*words["words"], *words["rows"], *words["carried"], normalize(cell_text(head, at))}
    cells = [normalize(cell_text(row, at).removesuffix(".0")) for row in body]
    numbers = sum(parse_no(text) is not None for text in cells)
    counted = [int(text) for text in cells if text.isdecimal()]
    may_be_runners = head_key(cell_text(head, at)) in sheet_words()["columns"]["runners"]
    slips = sum(1 < number <= before for before, number in pairwise(counted))
    if may_be_runners and (0 in counted or slips > (len(counted[1:]) // 4 if counted[:1] == [1] else 0)):
        return False
    others = [text for text in cells if not is_blank(text) and text not in sums]
    return numbers > 0 and 2 * numbers >= len(others)


def are_dealers(body: Rows, at: int, players: Sequence[str]) -> bool:
    """Return whether the cells of a column name the players in turn, each once before the first comes again."""
    turns = [-1 if seat is None else seat for seat in seats_below(body, at, players)]
    in_turn = all((new - old) % len(players) == 1 for old, new in pairwise(turns))
    return in_turn and -1 not in turns and len(turns) >= len(players)


def seats_below(body: Rows, at: int, players: Sequence[str]) -> list[int | None]:
    """Return the players whom the cells of a column name, by their seats, None for a cell that names nobody."""
    texts = [normalize(text) for row in body if (text := cell_text(row, at))]
    seats = seat_names_of(tuple(players), players, {*texts})[0].seats
    return [seats.get(text) for text in texts]


def plain_name(head: str) -> str:
    """Return a name without the signs around it, in composed letters: `Leni ♥`, `Anna:`; not `Hans M.`, `Sepp (2)`."""
    name = one_form(head)
    before, behind = SIGNS_BEFORE.match(name), SIGNS_BEHIND.match(name[::-1])  # from either end, so that no run is long
    return name[before.end() if before else 0 : len(name) - (behind.end() if behind else 0)] or name


def without_total(name: str) -> str:
    """Return the player of a head like `Summe Anna`, `Anna (Stand)`, `Stand Hans M.`, or the head itself if it is
    none."""
    name = f"{name[0]} {name[1:]}" if name[:1] in ("Σ", "∑") and name[1:2].isalpha() else name
    match = re.search(_total_words(), name) if mentions(name, sheet_words()["totals"]["words"]) else None
    if not match:
        return name
    before, behind = name[: match.start()].strip(" \n:()[]-_/"), name[match.end() :]
    if before and not any(map(str.isalnum, behind)):
        return name[: match.start()].rstrip(" \n:([-_/") if before[0] != "(" else before
    behind = behind.lstrip(" \n:.)]-_/").rstrip(" \n:-_/")
    if not before and behind[:1] + behind[-1:] in ("()", "[]"):
        return behind[1:-1].strip()
    return behind if not before else re.sub(_total_words(), "", name).strip(" \n:.()[]-_/")


@cache
def _total_words() -> str:
    """Return the words of a head that make it one of totals."""
    pattern = "|".join(re.escape(word) for word in sorted(sheet_words()["totals"]["words"], key=len, reverse=True))
    return rf"(?i)(?<!\w)(?:{pattern})(?!\w)"


def mostly(body: Rows, at: int, holds: Callable[[str], object]) -> bool:
    """Return whether at least half of the cells of a column that say something are of a kind; `x` or `G` beside
    amounts says that somebody sits out."""
    cells = [text for row in body if at < len(row.cells) and not is_blank(text := row.cells[at])]
    cells = [text for text in cells if holds(text) or holds is not is_amount or not is_one_of(text, "out")]
    return bool(cells) and 2 * sum(bool(holds(text)) for text in cells) >= len(cells)


def is_money(text: str) -> bool:
    return bool((amount := parse_amount(text)) and (amount.is_money or amount.unit in MONEY))


def is_amount(text: str) -> bool:
    return text == EMPTY_FORMULA or parse_amount(text) is not None


def cell_text(row: Row, place: int | None) -> str:
    """Return the text of a cell, "" if the row is shorter, the sheet has no such column, or the value is missing."""
    text = row.cells[place] if place is not None and place < len(row.cells) else ""
    return "" if text == EMPTY_FORMULA else text
