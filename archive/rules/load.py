"""TOML -> Ruleset. A ruleset file is a list of paragraphs: each has a source, and the values it sets.

    [[rule]]                            [[reading]]
    cite = "001 Contracts: Wenz"        setting = "bettel.beat"
    [rule.contract.wenz]                is = true
    lords = "U"                         cite = "001 Bettel"
                                        [reading.contract.bettel]
                                        duties = ["follow", "overtake"]

`extends` names the ruleset below. A reading is what a house setting means for the rows: it holds if the setting has
that value. The `[house]` of a file, settings without a source, comes after its paragraphs, a record's own last of all.
"""

import hashlib
import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from archive.cards import SUITS
from archive.record import NOWHERE, Finding, finding, message_of
from archive.resources import read_tables
from archive.rules.added_files import AddedRuleset, added_files
from archive.rules.complaints import AT, UNKNOWN_KEY, line_of_setting, say_complaint, why_unreadable
from archive.rules.house_checks import REFUSED, WITHOUT_USE, Table, find_wrong, wrong_tables
from archive.rules.titles import flatten
from archive.rules.types import Contract, House, Round, Ruleset
from archive.rules.written_names import LIMITS, File, Names, Paragraph, Raw, Reading, Wrong, find_taken, read_house
from archive.say import Message, message, nearest

BUNDLED = Path(__file__).with_name("rulesets")
T = TypeVar("T")
UNKNOWN = "unknown"  # the tariff of a source that states none;
NOMINAL = "1/1"  # payers and payees are worked out with this, and no amount is shown
SHOWN = 80  # characters of a name that nobody may ever have written
HERE = "this table"  # the citation of a value that the record sets itself


@cache
def bundled_files() -> dict[str, Path]:
    """Return the files of the rulesets that come with the archive, by name, in the order of their names."""
    return {path.stem: path for path in sorted(BUNDLED.glob("*.toml"), key=lambda path: path.stem)}


@cache
def bundled() -> tuple[str, ...]:
    """Return the names of the rulesets that come with the archive."""
    return tuple(bundled_files())


@cache
def added_rulesets() -> tuple[AddedRuleset, ...]:
    """Return the rulesets of other packages and of the folders that SCHAFKOPF_RULESETS names, each with why it cannot
    be used, if so: it cannot be read, or another has its name."""
    every: list[AddedRuleset] = []
    names = set(bundled())
    for each in added_files():
        why = each.why
        if each.path and not why:
            why = message("rules.name-taken") if each.name in names else _why_not(each.path)
            names.add(each.name)
        every.append(replace(each, why=why))
    return tuple(every)


def _why_not(path: Path) -> Message | None:
    """Return why a ruleset cannot be used, or None if it can."""
    ruleset, findings = load_file(path)
    if ruleset and ruleset.id != path.stem:
        return message("rules.other-id", id=ruleset.id)
    return message_of(findings[0]) if findings else None


@cache
def installed_files() -> dict[str, Path]:
    """Return the files of all rulesets that can be named: those that come with the archive, then those added."""
    return bundled_files() | {each.name: each.path for each in added_rulesets() if each.path and not each.why}


@cache
def installed_rulesets() -> tuple[str, ...]:
    """Return the names of all rulesets that can be named."""
    return tuple(installed_files())


def load(name: str, house: Raw | None = None, beside: Path | None = None) -> tuple[Ruleset | None, tuple[Finding, ...]]:
    """Return the ruleset `name` (installed, or a path relative to `beside`) with a table's own settings, or None and
    the findings. Beside NOWHERE there are only installed ones, and no other file is looked at."""
    path = ruleset_path(name, beside)
    if path is None or not name:
        why = message("rules.bundled-only" if path is None else "rules.no-file")
        return None, (finding("unknown-rules", name=name[:SHOWN], why=why),)
    return _load(path, msgspec.json.encode(house or {}))


def load_file(path: Path) -> tuple[Ruleset | None, tuple[Finding, ...]]:
    """Return the ruleset of a file, at its absolute path, or None and the findings."""
    return _load(path, b"{}")


def ruleset_path(name: str, beside: Path | None) -> Path | None:
    """Return the absolute path of a ruleset's file, by which it is remembered: the same name is another file in another
    folder. None if it is not installed and `beside` is NOWHERE."""
    if name in installed_files():
        return installed_files()[name]
    return None if beside == NOWHERE else (beside or Path()).absolute() / name


@lru_cache(maxsize=256)
def _load(path: Path, house: bytes) -> tuple[Ruleset | None, tuple[Finding, ...]]:
    try:
        return _merge(path, house)
    except RecursionError as error:  # of a dotted key with a thousand parts, which `tomllib` reads
        return None, (_unreadable(path, error),)


def _merge(path: Path, house: bytes) -> tuple[Ruleset | None, tuple[Finding, ...]]:
    files, bundled_ones, findings = _chain(path)
    if findings:
        return None, findings
    below = files[bundled_ones - 1].id if bundled_ones else ""
    merged, its_cites = _bundled_values(below)
    values, cites = merged.copy(), its_cites.copy()
    table = OwnSettings(bundled_names(path) if path.parent == BUNDLED else names_in(files))
    for file in files[bundled_ones:]:
        for rule in (*file.rule, Paragraph(file.title, file.house)):
            _set(values, cites, table.read_patch(_patch(rule)), rule.cite)
    _set(values, cites, table.read_patch({"house": msgspec.json.decode(house)}), HERE)
    for reading in (each for file in files for each in file.reading):
        value: Any = values.get("house", {})
        for key in reading.setting.split("."):
            value = value.get(key) if isinstance(value, dict) else None
        if value == reading.is_:
            _set(values, cites, _patch(reading), reading.cite)
    return _convert(path, files, values, cites, table, below)


@cache
def _bundled_values(name: str) -> tuple[Raw, dict[str, str]]:
    """Return the values of a ruleset that comes with the archive, with those it extends, and where each comes from;
    nothing if there is no name."""
    if not name:
        return {}, {}
    file = _bundled_file(bundled_files()[name])
    values, cites = (below.copy() for below in _bundled_values(file.extends or ""))
    for rule in file.rule:
        _set(values, cites, _patch(rule), rule.cite)
    return values, cites


@cache
def bundled_houses() -> tuple[House, ...]:
    """Return the settings of each ruleset that comes with the archive, without what its readings add."""
    return tuple(msgspec.convert(_bundled_values(name)[0].get("house", {}), House) for name in bundled())


class OwnSettings:
    """The settings of rulesets that are not bundled, and of a record: read by the names that people write, with their
    dotted keys and with what is wrong in them."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.keys: set[str] = set()
        self.wrong: list[Wrong] = []
        self.notes: list[Wrong] = []

    def read_patch(self, patch: Raw) -> Raw:
        """Return a patch with the names in its settings as the rules have them."""
        if not patch.get("house"):
            return patch
        read = read_house(patch["house"], self.names)
        self.keys |= {key for key, _ in flatten(read.house)}
        self.wrong += read.wrong
        self.notes += read.notes
        return patch | {"house": read.house}


@cache
def bundled_names(path: Path) -> Names:
    """Return the names of the contracts of a ruleset that comes with the archive."""
    return names_in(_chain(path)[0])


def names_in(files: list[File]) -> Names:
    """Return the names of the contracts of rulesets."""
    contracts: Raw = {}
    for file in files:
        for rule in file.rule:
            _set(contracts, {}, rule.contract, rule.cite)
    return Names(contracts)


def _patch(row: Paragraph | Reading) -> Raw:
    """Return the values that a paragraph or a reading sets."""
    return {key: getattr(row, key) for key in ("house", "contract", "round") if getattr(row, key)}


def _chain(path: Path) -> tuple[list[File], int, tuple[Finding, ...]]:
    """Return the file and those it extends, the lowest first, and how many of these are bundled; or the finding why one
    of them cannot be read."""
    files: list[File] = []
    seen: list[Path] = []
    following: Path | None = path
    while following is not None:
        seen.append(following)
        try:
            files.insert(0, _bundled_file(following) if following.parent == BUNDLED else _file(following))
        except (OSError, ValueError, RecursionError) as error:  # msgspec.ValidationError is a ValueError too
            return [], 0, (_unreadable(following, error),)
        below = files[0].extends
        following = None if below is None else bundled_files().get(below) or seen[-1].parent.absolute() / below
        if following in seen:
            return [], 0, (finding("unknown-rules", name=path.name, why=message("rules.extends-itself")),)
    return files, sum(each.parent == BUNDLED for each in seen), ()


def _unreadable(path: Path, error: Exception) -> Finding:
    return finding("unknown-rules", name=path.name, why=why_unreadable(error, path.stem, bundled()))


def _file(path: Path) -> File:
    import tomllib  # here, since the rules that come with the archive are read from JSON

    file = msgspec.convert(tomllib.loads(path.read_text("utf-8-sig")), File)
    return replace(file, id=file.id or path.stem, title=file.title or path.stem)


@cache
def _bundled_file(path: Path) -> File:  # these never change, and the rules of a table are tried in many readings
    return msgspec.convert(read_tables(path), File)


def _set(values: Raw, cites: dict[str, str], patch: Raw, cite: str, prefix: str = "") -> None:
    """Merge a patch into the values, and note for each of its leaves where it comes from. The tables in which something
    changes are copied first: others may have them too."""
    for key, value in patch.items():
        dotted = f"{prefix}{key}"
        if isinstance(value, dict):
            below = values.get(key)
            below = values[key] = below.copy() if isinstance(below, dict) else {}
            _set(below, cites, value, cite, dotted + ".")
        else:
            values[key] = value
            cites[dotted] = cite


class Place(NamedTuple):
    """The file of a ruleset and where each of its values comes from, to say where a wrong one stands."""

    path: Path
    cites: dict[str, str]

    def wrong(self, dotted: str, why: Message | str, rule: str = "bad-setting") -> Finding:
        """Return the finding on a value, with the file and line where it stands in a ruleset that is not bundled."""
        here = any(key.startswith(dotted) and cite == HERE for key, cite in self.cites.items())
        if self.path.parent != BUNDLED and not here:
            line = line_of_setting(self.path.read_text("utf-8"), dotted) or 1
            why = message("rules.in-line", why=why, file=self.path.name, line=line)
        return finding(rule, key=dotted, why=why)


@cache
def _bundled_contract(ruleset: str, name: str) -> tuple[Raw, Contract | None]:
    """Return a contract of a ruleset that comes with the archive: its values, and these as a row; None if some are
    wrong or there is no such contract."""
    values = _bundled_values(ruleset)[0].get("contract", {}).get(name, {})
    return values, _to_type({"id": name} | values, Contract, name, Place(BUNDLED / f"{ruleset}.toml", {}), [])


def _convert(
    path: Path, files: list[File], values: Raw, cites: dict[str, str], own: OwnSettings, below: str
) -> tuple[Ruleset | None, tuple[Finding, ...]]:
    """Return the values as typed rows, or None and what is wrong with them. `below` is the ruleset that comes with the
    archive and is extended; empty if none is."""
    place = Place(path, cites)
    findings = [place.wrong(key, why) for key, why in own.wrong]
    house = _to_type(values.get("house", {}), House, "house", place, findings)
    contracts: dict[str, Contract] = {}
    for name, row in values.get("contract", {}).items():
        ranks = _ranks(values.get("house", {}), name, row)
        as_below, contract = _bundled_contract(below, name)
        if ranks or row is not as_below:
            contract = _to_type({"id": name} | row | ranks, Contract, f"contract.{name}", place, findings)
        if contract is not None:
            contracts[name] = contract
    rounds = _to_type(values.get("round", {}), dict[str, Round], "round", place, findings)
    if house is None and not below and path.parent != BUNDLED:
        return None, (finding("unknown-rules", name=path.stem, why=message("rules.no-extends")),)
    if house is None or rounds is None or findings:
        return None, tuple(findings)
    prices = _prices(house, findings)
    wrong = [*wrong_tables(house, contracts, rounds, own.names, prices)]
    table = Table(house, contracts, rounds, with_tables(own.keys))
    if not wrong and not findings:
        wrong += find_wrong(table, REFUSED)
    findings += [place.wrong(key, why) for key, why in wrong]
    if findings:
        return None, tuple(findings)
    taken = () if path.parent == BUNDLED else find_taken(contracts)
    notes = [*own.notes, *taken, *find_wrong(table, WITHOUT_USE)]
    named = values if path.parent == BUNDLED else (files[-1].id, values)  # two names may have the same values
    digest = hashlib.sha256(msgspec.json.encode(named, order="deterministic")).hexdigest()[:12]
    return Ruleset(
        id=files[-1].id,
        title=files[-1].title,
        sources={number: title for file in files for number, title in file.sources.items()},
        house=house,
        contracts=contracts,
        rounds=rounds,
        prices=prices,
        incomplete=" ".join(file.incomplete for file in files if file.incomplete),
        cites=cites,
        digest=digest,
    ), tuple([place.wrong(key, why, "house-note") for key, why in notes])


def with_tariff(ruleset: Ruleset, tariff: str) -> Ruleset | None:
    """Return a ruleset with another tariff, to settle by; None if this is none. The settlement cites what it cited."""
    house = replace(ruleset.house, tariff=tariff)
    prices = _prices(house, [])
    return replace(ruleset, house=house, prices=prices, digest=f"{ruleset.digest} {tariff}") if prices else None


def with_tables(keys: set[str]) -> frozenset[str]:
    """Return dotted keys with those of the tables that they stand in."""
    parts = [key.split(".") for key in keys]
    return frozenset([".".join(each[:count]) for each in parts for count in range(1, len(each) + 1)])


def _ranks(house: Raw, name: str, row: Raw) -> Raw:
    """Return the ranks that a house gives a contract, or one of its suits, in place of the row's own."""
    own = house.get("rank")
    if not own or not isinstance(own, dict):
        return {}
    keys = {"rank": name, "tout_rank": f"{name} tout", "open_rank": f"{name} open"}
    suits = {suit: own[f"{name} {suit}"] for suit in SUITS if f"{name} {suit}" in own}
    more = {"suit_rank": row.get("suit_rank", {}) | suits} if suits else {}
    return {key: own[rank] for key, rank in keys.items() if rank in own} | more


def _to_type(raw: Raw, kind: type[T], key: str, place: Place, findings: list[Finding]) -> T | None:
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        match = re.fullmatch(AT, str(error))
        text, inside = (match[1], match[2]) if match else (str(error), "")
        dotted = key + inside
        if unknown := re.fullmatch(UNKNOWN_KEY, text):
            near = nearest(unknown[1], () if inside else getattr(kind, "__struct_fields__", ()))
            why = message("rules.no-key-near", name=near) if near else message("rules.no-key")
            findings.append(place.wrong(f"{dotted}.{unknown[1]}", why))
            return None
        is_limit = dotted.removeprefix("house.") in LIMITS
        complaint = say_complaint(text, kind, inside)
        complaint = message("rules.tariff", tariff=f"{raw['tariff']}") if dotted == "house.tariff" else complaint
        findings.append(place.wrong(dotted, message("rules.no-limit", why=complaint) if is_limit else complaint))
        return None


def _prices(house: House, findings: list[Finding]) -> dict[str, int]:
    """Return prices by class. 001 Scoring: X/Y is X for a Rufer, Schneider and runner, Y for the rest, 2X for Schwarz;
    001 Stakes: X/R/S is X for runner and Schneider, R for a Rufer, S for the rest."""
    parts = (NOMINAL if house.tariff == UNKNOWN else house.tariff).split("/")
    if len(parts) not in (2, 3) or not all(part.isdecimal() and len(part) < 10 for part in parts):
        findings.append(finding("bad-setting", key="house.tariff", why=message("rules.tariff", tariff=house.tariff)))
        return {}
    extra, call, others = int(parts[0]), int(parts[-2]), int(parts[-1])
    prices = {"rufspiel": call, "ramsch": call, "solo": others, "bettel": others}
    prices |= {"schneider": extra, "schwarz": 2 * extra, "runner": extra} | house.price
    if house.ramsch.price is not None:
        prices["ramsch"] = house.ramsch.price
    return prices | {name: points[0] for name, points in house.table.items() if points}
