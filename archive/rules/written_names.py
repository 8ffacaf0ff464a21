"""A ruleset file as it is written, and the settings of a house as the rules have them, from what people write:
contracts, price classes and events by their usual names, and `none` for a limit that a table does not have."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct, field

from archive.resources import read_tables
from archive.rules.types import EVENTS, Contract
from archive.say import Message, message, nearest

Raw = dict[str, Any]


class Reading(Struct, frozen=True, forbid_unknown_fields=True):
    """The change that a house setting makes to the rows if it has the value `is_`."""

    setting: str
    is_: Any = field(name="is")
    cite: str
    house: Raw = {}
    contract: Raw = {}
    round: Raw = {}


class Paragraph(Struct, frozen=True, forbid_unknown_fields=True):
    """The values that one place of the sources gives."""

    cite: str
    house: Raw = {}
    contract: Raw = {}
    round: Raw = {}


class File(Struct, frozen=True, forbid_unknown_fields=True):
    """A ruleset file. `id` and `title` are the name of the file if it does not say them; `house` are settings without a
    source, which come after those of all paragraphs and are cited by the title."""

    id: str = ""
    title: str = ""
    extends: str | None = None
    incomplete: str = ""
    sources: dict[str, str] = {}
    house: Raw = {}
    rule: tuple[Paragraph, ...] = ()
    reading: tuple[Reading, ...] = ()


LISTS = ("contracts", "stock.won_by", "muss.contract")  # settings that take contracts,
CAUSES = ("bock.on", "kreuz.on", "schieber.on", "teufel.on")  # or events besides them;
TABLES = ("runners_from", "rank")  # tables by contract,
PRICED = ("price", "table")  # or by price class too;
PRICE_CLASS = "ramsch.march_price"  # a price class alone
# A limit, and its value at a table that has none.
LIMITS: dict[str, Any] = {
    "cap": None, "stock.cap": None, "stoss.limit": 0, "runners_most": 0, "levels.stakes_most": 0,
    "muss.levels.stakes_most": 0, "hand_size": None, "surrender": 0, "least_cut": 0, "least_seats": 0, "list": 0,
    "ramsch.announce": 0, "ramsch.bonus_under": 0,
}  # fmt: skip
NONE = ("none", "no", "keine", "kein")  # how that is written, or `false`
BONUSES = ("schneider", "schwarz", "runner")
CLASSES = ("rufspiel", "ramsch", "solo", "bettel", *BONUSES)  # prices that a tariff gives
Wrong = tuple[str, Message]  # a dotted key, and what is wrong there


class UsualWords(Struct, frozen=True, forbid_unknown_fields=True):
    """The words that hold at every table, in lower case, each with what the rules call it."""

    suits: dict[str, str]
    prices: dict[str, str]
    events: dict[str, str]
    forms: dict[str, str]


class Written(NamedTuple):
    """A house as the rules have it, what is wrong with its names, and what is worth knowing of them."""

    house: Raw
    wrong: tuple[Wrong, ...] = ()
    notes: tuple[Wrong, ...] = ()


class Named(NamedTuple):
    """A contract, the suit that a name gives it, and its form: `tout`, `open`, or empty."""

    id: str
    suit: str = ""
    form: str = ""


@cache
def usual_words() -> UsualWords:
    """Return the words of words.toml."""
    return msgspec.convert(read_tables(Path(__file__).with_name("words.toml")), UsualWords)


def read_house(house: Raw, names: "Names") -> Written:
    """Return the settings of a house with the names that the contracts have in the rules. What is no name stays as
    written: checking the settings finds it."""
    wrong: list[Wrong] = []
    notes: list[Wrong] = []
    read = {key: dict(value) if isinstance(value, dict) else value for key, value in house.items()}
    for dotted in LIMITS:
        _change(read, dotted, _without_limit)
    for dotted in (*LISTS, *CAUSES):
        _change(read, dotted, partial(names.read_list, notes))
    _change(read, PRICE_CLASS, lambda _, value: names.read_class(value) if isinstance(value, str) else value)
    for table in (*TABLES, *PRICED):
        if isinstance(rows := read.get(table), dict):
            read[table] = names.read_keys(rows, table, wrong)
    return Written(read, tuple(wrong), tuple((f"house.{key}", why) for key, why in notes))


def _without_limit(dotted: str, value: Any) -> Any:
    """Return the value of a limit, or the one for no limit if it says `none`."""
    is_none = value is False or (isinstance(value, str) and value.casefold() in NONE)
    return LIMITS[dotted] if is_none else value


def _change(house: Raw, dotted: str, read: Callable[[str, Any], Any]) -> None:
    """Read one value of the settings, if it is set."""
    *tables, last = dotted.split(".")
    place: Any = house
    for table in tables:
        if not isinstance(place.get(table), dict):
            return
        place[table] = dict(place[table])
        place = place[table]
    if last in place:
        place[last] = read(dotted, place[last])


class Names:
    """The names of the contracts of a ruleset, from their rows by id."""

    def __init__(self, contracts: Raw) -> None:
        self.rows = {id: row for id, row in contracts.items() if isinstance(row, dict)}
        self.ids: dict[str, str] = {}
        for id, row in self.rows.items():
            for name in (row.get("names") or (), (id,)):
                self.ids |= {_plain(each): id for each in name if isinstance(each, str)}
        self.ids |= {_plain(id): id for id in self.rows}
        self.classes = {_plain(str(row.get("price"))): str(row.get("price")) for row in self.rows.values()}
        self.classes |= {_plain(each): to for each, to in usual_words().prices.items()}
        self.classes |= {each: each for each in CLASSES}

    def read(self, text: str) -> Named | None:
        """Return the contract of a name, with any suit and form, or None."""
        if id := self.ids.get(_plain(text)):
            return Named(id)
        words = text.casefold().split()
        for at in (-1, 0):
            if len(words) > 1 and (form := usual_words().forms.get(words[at])):
                rest = self.read(" ".join(words[:-1] if at else words[1:]))
                return rest and rest._replace(form=form)
        return next(self._with_suit(text), None)

    def _with_suit(self, text: str) -> Iterator[Named]:
        """Yield the contract of a name that has a suit in it: Herzsolo, Solo Herz, solo H."""
        plain, words = _plain(text), text.casefold().replace("-", " ").split()
        for word, suit in usual_words().suits.items():
            if len(word) == 1 and word not in words:
                continue
            rest = plain.removeprefix(word) if plain.startswith(word) else plain.removesuffix(word)
            id = self.ids.get(rest) if rest != plain else None
            row = self.rows[id] if id else {}
            if id and row.get("takes") == "trump":
                yield Named(id, suit)
            elif id and row.get("with_suit") in self.rows:
                yield Named(row["with_suit"], suit)

    def read_list(self, notes: list[Wrong], dotted: str, value: Any) -> Any:
        """Return one name, or a list of them, each once."""
        if isinstance(value, str):
            return self._read_entry(value, dotted, notes)
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            return value
        return list(dict.fromkeys(self._read_entry(each, dotted, notes) for each in value))

    def _read_entry(self, text: str, dotted: str, notes: list[Wrong]) -> str:
        if dotted in CAUSES and text not in self.rows:
            event = usual_words().events.get(text.casefold(), text.casefold())
            if event in EVENTS:
                return event
        named = self.read(text)
        if named is None or named.form:
            return text
        if named.suit:
            notes.append((dotted, message("rules.any-suit", name=text, contract=named.id)))
        return named.id

    def read_keys(self, rows: Raw, table: str, wrong: list[Wrong]) -> Raw:
        """Return a table by names; note a second name of the same contract in `wrong`."""
        read: Raw = {}
        for key, value in rows.items():
            name = self._read_key(key, table)
            if name in read:
                wrong.append((f"house.{table}.{key}", message("rules.named-twice", name=name)))
            read[name] = value
        return read

    def read_class(self, text: str) -> str:
        """Return a price class; any other name as it is."""
        if text in self.rows:
            return text
        return self.classes.get(_plain(text), self.ids.get(_plain(text), text))

    def _read_key(self, key: str, table: str) -> str:
        if table in PRICED and key not in self.rows and _plain(key) in self.classes:
            return self.classes[_plain(key)]
        if table == "table" and usual_words().forms.get(key.casefold()) == "tout":
            return "tout"
        named = self.read(key)
        return key if named is None else " ".join(filter(None, named))

    def nearest(self, text: str, more: tuple[str, ...] = ()) -> str | None:
        """Return the id or other word with the nearest name, or None."""
        near = nearest(_plain(text), (*self.ids, *map(_plain, more)))
        return self.ids.get(near, near) if near else None


def find_taken(contracts: Mapping[str, Contract]) -> Iterator[Wrong]:
    """Yield the names of contracts that are read as another one: as that of a ruleset that comes with the archive, or
    as the last that has it here."""
    every = [(row, name) for row in contracts.values() for name in (row.id, *row.names)]
    meant = {name.lower(): row.id for row, name in every}
    meant |= msgspec.json.decode(Path(__file__).with_name("vocabulary.json").read_bytes())["names"]
    for row, name in every:
        if (other := meant[name.lower()]) != row.id:
            yield f"contract.{row.id}.names", message("rules.contract-name-taken", name=name, contract=other)


def _plain(text: str) -> str:
    """Return a name without capitals, spaces and hyphens."""
    return "".join(text.casefold().replace("-", " ").split())
