"""The cells of a score sheet: what a name, an amount or a result says. A cell that would be read differently
from what it says is refused with a Problem that names the column."""

import re
import unicodedata
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from archive.notation.game_words import NO_GAME, ContractWords, read_contract, usual_words
from archive.notation.game_words import read_doubling as doubling_of
from archive.notation.problem import Problem, refuse_entry
from archive.record import Double, Game
from archive.record.names import name_key
from archive.resources import read_tables
from archive.say import message
from importers.dates import DATE

MOST = 120  # card points
AT_TABLE = 4  # players of a deal
NUMBER = re.compile(r"(?:(?:spiel|sp|game|deal|hand|nr|no) ?)*#?(\d{1,9})")  # of a deal, in small letters


@cache
def sheet_words() -> dict[str, Any]:
    """Return the tables of `score_sheet/words.toml`."""
    return read_tables(Path(__file__).with_name("words.toml"))


@lru_cache(4096)
def normalize(text: str) -> str:
    """Return a text in small letters with single blanks, without the signs that people put between words."""
    return name_key(text).removesuffix("?") or text.strip()


@lru_cache(4096)
def is_one_of(text: str, key: str) -> bool:
    """Return whether a cell is one of the words of a kind."""
    return text.casefold().removesuffix("\ufe0f") in sheet_words()["cells"][key]


def mentions(text: str, words: Iterable[str]) -> bool:
    """Return whether a text has one of some small words, perhaps within another: only then a pattern is compiled."""
    small = text.casefold()
    return any(word in small for word in words)


def is_blank(text: str) -> bool:
    return not text or is_one_of(text, "blank")


def read_yes(key: str, text: str) -> bool:
    if is_one_of(text, "yes"):
        return True
    return False if is_one_of(text, "no") else refuse_entry(key, text, message("importers.yes-or-no"))


def parse_no(text: str) -> int | None:
    """Return the number of a deal: `3`, `3.`, `3.0`, `#3`, `Spiel 3:`, `Nr.3`; or None."""
    match = NUMBER.fullmatch(normalize(text.removesuffix(".0")))
    return int(match[1]) if match and text[:1] != "-" else None


def read_number(key: str, text: str) -> int:
    number = parse_no(text)
    return refuse_entry(key, text, message("importers.number")) if number is None else number


def read_points(key: str, text: str) -> int:
    match = re.fullmatch(r"\d{1,3}", text)
    return int(text) if match and int(text) <= MOST else refuse_entry(key, text, message("importers.points", most=MOST))


# --- amounts ----------------------------------------------------------------------------------------------------------

UNIT = r"[€¢]|[^\W\d_]{1,8}"
THOUSANDS = r"[1-9]\d{0,2}(?P<group>[.,' ])\d{3}(?:(?P=group)\d{3}){0,3}"
AMOUNT = re.compile(
    rf"(?P<front>[+\-](?=\s?[^\W\d]|\s?[€¢]))?\s?(?P<before>{UNIT})?\s?(?P<sign>[+\-]?)\s?(?P<whole>{THOUSANDS}|\d{{1,12}})?"
    rf"(?:[.,](?P<part>\d{{1,2}}|-))?\s?(?P<after>{UNIT})?"
)
BEHIND = (
    r"\((?P<bracketed>[+\-]?[\d.,' €]*\d[\d.,' €]*)\)|"
    r"(?P<amount>[\d.,' ]*\d(?: ?(?:€|[^\W\d_]{1,8}))?) ?(?P<sign>[+-])(?P<unit> ?(?:€|[^\W\d_]{1,8}\.?))?"
)  # a loss in brackets, or an amount with the sign behind it
NOUGHT = re.compile(r"-{1,2}\s*(?:€|EUR)|(?:€|EUR)\s*-{1,2}", re.IGNORECASE)  # as the format of accounts shows 0 €
PRODUCT = re.compile(r"(?P<amount>[+\-]? ?\d[\d.,]{0,8}) ?[x×*] ?(?P<times>\d{1,2})", re.IGNORECASE)
IN_WORDS = r"(?i)(?:(plus|minus)\b ?)?([^a-z]*?[\d,.][^a-z]*?(?:[a-z€]{1,8})?)(?: (plus|minus))?"
# The dashes that stand for a minus, the blanks and strokes that part thousands.
SIGNS = str.maketrans("−–—‐‑‒﹣－＋\u00a0\u2007\u2009\u202f’", "--------+    '")


class Amount(NamedTuple):
    """An amount as written: in hundredths, whether it has decimals, the unit beside it, and whether it is a whole
    number as programs write it, `20.0`."""

    hundredths: int
    decimals: bool
    unit: str | None
    is_float: bool = False

    @property
    def is_money(self) -> bool:
        """Return whether it is in euros, by a sign or by its decimals."""
        return self.decimals or self.unit == "€"


@lru_cache(4096)
def parse_amount(text: str) -> Amount | None:
    """Read `+20`, `-0,50 €`, `-€ 0,50`, `1.234,50`, `20 ct`, `-,50`, `(30)`, `(+30)`, `50-`, `minus 20`, `3x50`, `1½`;
    None for anything else. A mark before three digits separates thousands, before one or two digits decimals."""
    text = _in_signs(text) if len(text) < 40 else text
    if NOUGHT.fullmatch(text):
        return Amount(0, False, "€")
    if product := PRODUCT.fullmatch(text):
        amount = parse_amount(product["amount"])
        return amount and amount._replace(hundredths=amount.hundredths * int(product["times"]))
    is_behind = text[:1] == "(" or (not text[:1].isalpha() and not {"+", "-"}.isdisjoint(text[1:]))
    behind = re.fullmatch(BEHIND, text) if is_behind and len(text) < 40 else None
    if behind:
        amount = parse_amount(f"{behind['bracketed'] or behind['amount']}{behind['unit'] or ''}")
        is_signed = (behind["bracketed"] or "")[:1] in ("+", "-") or behind["sign"] == "+"
        return amount if is_signed else amount and amount._replace(hundredths=-amount.hundredths)
    match = AMOUNT.fullmatch(text.removesuffix(".")) if len(text) < 40 else None
    if not match or (match["whole"] is None and not (match["part"] or "").isdigit()):
        return None
    if match["front"] and (match["sign"] or not match["before"]):
        return None
    units = sheet_words()["units"]
    units_of_text = [unit.casefold() for unit in (match["before"], match["after"]) if unit]
    if len(units_of_text) > 1 or any(unit not in units for unit in units_of_text):
        return None
    part = match["part"] or ""
    whole = re.sub(r"\D", "", match["whole"] or "0")
    value = int(whole) * 100 + (int(part.ljust(2, "0")) if part.isdigit() else 0)
    return Amount(
        -value if "-" in (match["front"], match["sign"]) else value,
        bool(part),
        units[units_of_text[0]] if units_of_text else None,
        part == "0" and text.endswith(".0"),
    )


def _in_signs(text: str) -> str:
    """Return an amount with signs in place of words, without what programs put before it: `minus 20`, `'+20`, `½`."""
    text = text.translate(SIGNS).removeprefix("'")
    text = text[1:].strip('"') if text.startswith("=") else text  # as programs keep text a text: ="20"
    text = "0" if text[:1] == "±" and not text.strip("±0,. ") else text
    if "½" in text:
        text = re.sub(r"(?<!\d)½", "0,5", text).replace("½", ",5")
    words = re.fullmatch(IN_WORDS, text) if "plus" in (small := text.casefold()) or "minus" in small else None
    if words and bool(words[1]) != bool(words[3]) and not set(words[2]) & set("+-"):
        return ("-" if (words[1] or words[3]).casefold() == "minus" else "+") + words[2].strip()
    return text


def are_floats(amounts: Iterable[Amount], in_cents: bool = False) -> bool:
    """Return whether the only decimals are those that a program gives every number, so that they tell no euros; `,00`
    are none of amounts `in_cents` either."""
    decimal = [amount.is_float or (in_cents and not amount.hundredths % 100) for amount in amounts if amount.is_money]
    return bool(decimal) and all(decimal)


class Money(NamedTuple):
    """The unit of the amounts of a sheet; `euros`: they are euros, and become cents; `floats`: all whole, as `20.0`;
    `cents`: the columns that are cents all the same."""

    unit: str | None
    euros: bool
    floats: bool = False
    cents: frozenset[int | None] = frozenset()

    def of(self, hundredths: int) -> int:
        """Return an amount in the unit of the record."""
        return hundredths if self.euros else hundredths // 100


def read_amount(key: str, text: str, money: Money) -> int:
    parsed = parse_amount(text)
    if parsed is None and DATE.fullmatch(text):
        refuse_entry(key, text, message("importers.amount-not-date"))
    if parsed is None:
        other = any(unicodedata.category(sign) == "Sc" for sign in text.replace("€", ""))
        refuse_entry(key, text, message("importers.other-currency" if other else "importers.amount"))
    if (parsed.unit == "€" and money.unit == "ct") or (money.euros and parsed.unit is None):
        return parsed.hundredths
    is_whole = parsed.is_float or (money.floats and not parsed.hundredths % 100)
    if (parsed.decimals and not is_whole) or parsed.unit not in (None, money.unit):
        unit = money.unit or message("importers.unit-of-sheet")
        refuse_entry(key, text, message("importers.whole-number", unit=unit))
    return parsed.hundredths // 100


# --- players ----------------------------------------------------------------------------------------------------------


class SeatNames(NamedTuple):
    """The players at the table, and the texts of cells by which each is meant; the heads of knocks and doublings
    with strokes below them."""

    players: tuple[str, ...]
    seats: Mapping[str, int]
    strokes: Container[str] = ()

    def seat(self, key: str, text: str) -> int:
        seat = self.seats.get(normalize(text))
        begun = tuple(name for name in self.players if normalize(name).startswith(normalize(text)))
        if seat is None and len(begun) > 1:
            refuse_entry(key, text, message("importers.whole-name", players=begun))
        if seat is None:
            raise Problem("unknown-player", key, text, players=", ".join(self.players))
        return seat


def seat_names_of(players: tuple[str, ...], heads: Sequence[str], cells: set[str]) -> tuple[SeatNames, dict[str, str]]:
    """Return the table by the names of the players and the heads of their columns, and the texts of `cells` that are
    neither, but the beginning of a single name, with that name."""
    names = {normalize(name): seat for cell in (heads, players) for seat, name in enumerate(cell)}
    short = {}
    for text in sorted({normalize(cell) for cell in cells if not is_blank(cell)} - set(names)):
        begun = {seat for name, seat in names.items() if name.startswith(text)}
        begun = begun or {seat for name, seat in names.items() if text in name.split()}
        if len(begun) == 1:
            short[text] = begun.pop()
    return SeatNames(players, names | short), {text: players[seat] for text, seat in short.items()}


def split_names(text: str) -> list[str]:
    """Return the entries of a list of names: `Anna, Ben und Cem`."""
    joined = "|".join(map(re.escape, sheet_words()["cells"]["and"]))
    return [part.strip() for part in re.split(rf"[,;/+&\n]|\s(?:{joined})\s", text) if part.strip()]


TIMES = re.compile(r"[x×*]\s?(\d{1,2})|(\d{1,2})\s?[x×]", re.IGNORECASE)


def counts_or_multiplies(texts: Iterable[str]) -> bool | None:
    """Return whether texts like `2x` count how often something was done, True, or multiply the price, False, by those
    that can mean only one of the two; None if none does."""
    cells = {*texts}
    if any(TIMES.fullmatch(text) and text.strip("xX×* ") in ("1", "3", "5", "6", "7") for text in cells):
        return True  # no price is three times another
    multiplies = any((match := TIMES.fullmatch(text)) and (match[1] or match[2] != "2") for text in cells)
    return False if multiplies else None


def _read_count(key: str, text: str, counted: bool | None, table: SeatNames) -> tuple[()] | int | None:
    """Return how often something was done if nobody is named, () for not at all: a number, strokes, `x`; else None.
    `x4` is a price doubled twice, `4x` is four times if `counted`. Raise Problem for a `2x` of which nobody says."""
    if is_one_of(text, "none"):
        return ()
    if re.fullmatch(r"\d", text):
        return int(text)
    if {*text} <= {*"I|"} and not ("I" in text and any(name[:1] == "i" for name in table.seats)):
        return len(text)
    if (key in table.strokes and {*text} <= {*"I|/"}) or not (split_calls(text) or text == "/"):
        refuse_entry(key, text, message("importers.strokes", text=text))
    if match := TIMES.fullmatch(text):
        times = int(match[1] or match[2])
        if counted is None and match[2] == "2":
            refuse_entry(key, text, message("importers.once-or-twice", text=text))
        return times if counted else times.bit_length() - 1 if times.bit_count() == 1 else None
    return 1 if is_one_of(text, "yes") else None


def read_knocks(key: str, text: str, table: SeatNames) -> tuple[int, ...] | int:
    """Return the seats that knocked, in order, or how many; `x` is one, `2 (Anna, Ben)` says both."""
    count = _read_count(key, text, counts_or_multiplies([text]), table)
    if is_one_of(text, "all") and len(table.players) <= AT_TABLE:
        return tuple(range(len(table.players)))
    return tuple(table.seat(key, part) for part in split_calls(text)) if count is None else count


def split_calls(text: str) -> list[str]:
    """Return the names in a cell of knocks or doublings, without how many they are: `2 (Anna, Ben)`."""
    parts = split_names(text.replace("(", ",").replace(")", "") if text[:1].isdecimal() else text)
    return parts[parts[:1] == [str(len(parts) - 1)] :]


def read_doubles(
    key: str, text: str, table: SeatNames, counted: bool | None, first: int = 0
) -> tuple[Double, ...] | int:
    """Return Kontra and what followed, by name or as a count: `Ben`, `Kontra Ben, Re Anna`, `2`, `Kontra`, `x`. In a
    column of the Re the `first` is 1."""
    count = _read_count(key, text, counted, table)
    if count is not None:
        return count
    if usual_words()["unclear"].get(text.casefold()) == "what-doubled":  # in a column of Kontra it is clear
        return 1
    doubles = [_double(key, part, place, table) for place, part in enumerate(split_calls(text), first)]
    named = [double for double in doubles if isinstance(double, Double)]
    if named and len(named) < len(doubles):
        refuse_entry(key, text, message("importers.all-named"))
    return tuple(named) if named else len(doubles)


def round_named(text: str) -> str:
    """Return the name of a special round, `bock` for `Bockrunde`, `kreuz` for `Kreuz-Runde`, or "" if none is named."""
    name = normalize(text).removesuffix("runden").removesuffix("runde").removesuffix("round").strip()
    generic = name in ("", "sonder", "sonderspiel", "besondere", "special")
    return "" if generic else name


def _double(key: str, text: str, place: int, table: SeatNames) -> Double | None:
    """Return one doubling, or None if nobody is named. The first is the Kontra, the second the Re."""
    usual = ("kontra", "re", "double")[min(place, 2)]
    word, rest, parts = usual, text, text.split()
    for at in (0, -1) if parts and normalize(text) not in table.seats else ():
        said = normalize(parts[at])
        if kind := doubling_of(said) or usual_words()["letters"]["doubles"].get(said):
            word, rest = kind, " ".join(parts[1:] if at == 0 else parts[:-1])
            break
    if word != usual:
        refuse_entry(key, text, message("importers.word-expected", word=usual))
    return Double(table.seat(key, rest), word) if rest else None


# --- results and games ------------------------------------------------------------------------------------------------

RUNNERS = re.compile(r"(?P<sign>[+-]|−|–|[^\W\d_]+)?\s*(?P<count>\d{1,2})")
SIDES = {"+": "with", "-": "without", "−": "without", "–": "without"}


def match_runners(text: str) -> re.Match[str] | None:
    """Return the sign and the count of runners in a cell, without the words for them and the points behind others."""
    words, of_runners = usual_words(), sheet_words()["columns"]["runners"]
    parts = [word.rstrip(".").casefold() for word in text.split()]
    parts = [word for word in parts if words["deal"].get(word) != "runners" and word not in of_runners]
    text = " ".join(str(words["numbers"].get(word, word)) for word in parts)
    return RUNNERS.fullmatch(text.removeprefix("l") if text[1:].isdecimal() else text.removesuffix("l"))


def read_runners(key: str, text: str) -> int:
    """Return the runners of a cell: `3`, `mit 3`, `ohne zwei`, `drei Laufende`; below 0 if they are without."""
    if question := next((id for word in text.casefold().split() if (id := usual_words()["unclear"].get(word))), ""):
        refuse_entry(key, text, message(f"notation.{question}", word=text))
    match = match_runners(text)
    sign = (match["sign"] or "+").casefold() if match else ""
    side = SIDES.get(sign) or usual_words()["letters"]["sides"].get(sign) or usual_words()["deal"].get(sign)
    if match is None or side not in ("with", "without"):
        refuse_entry(key, text, message("importers.runners"))
    return int(match["count"]) * (1 if side == "with" else -1)


LETTER_OF_GAME = r".|[rsw][ -][eghs]"  # and of its suit
NO_CONTRACT = message("importers.contract")
CALLED_RUNNERS = re.compile(r"\b(mit|with|ohne|without)\s+(\d{1,2})\b(?:\s+Laufenden?)?", re.IGNORECASE)


class TableWords(NamedTuple):
    """The names of contracts at a table: its ruleset with the words of that, its letters, its own words."""

    rules: str
    words: ContractWords
    alphabet: str
    own: tuple[tuple[str, str], ...]

    def has_declarer(self, contract: str) -> bool:
        return self.words.words.declarer.get(contract, True)


@lru_cache(1024)
def read_game(key: str, text: str, of: TableWords) -> tuple[Game, int | None]:
    """Return the game of a cell without its declarer, and the runners that it tells or None. Raise Problem if it is no
    game."""
    runners = None
    if re.search(r"[+-]\s*\d", text.replace("−", "-").replace("–", "-")):  # a number with a sign is no bid
        refuse_entry(key, text, NO_CONTRACT)
    if match := CALLED_RUNNERS.search(text):
        runners = int(match[2]) * (-1 if match[1].casefold() in ("ohne", "without") else 1)
    game_text = " ".join(re.sub(r"[\s(),;:/]+", " ", CALLED_RUNNERS.sub(" ", text)).split()).casefold()
    if re.fullmatch(LETTER_OF_GAME, game_text) and game_text not in dict(of.own):
        game_text = usual_words()["letters"]["games"].get(game_text[0], game_text[0]) + f" {game_text[2:]}"
    meant = sheet_words()["games"] | {word.casefold(): meaning for word, meaning in of.own}
    game_text = meant.get(game_text) or " ".join(meant.get(word, word) for word in game_text.replace("-", " ").split())
    game_text = game_text.strip().casefold()
    game_text = usual_words()["no-game"].get(game_text, game_text)
    if game_text in NO_GAME:
        return Game(game_text), runners
    try:
        return read_contract(key, game_text, of.alphabet, of.words), runners
    except Problem:
        refuse_entry(key, text, NO_CONTRACT)
