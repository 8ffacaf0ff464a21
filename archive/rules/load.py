"""TOML -> Ruleset. A ruleset file is a list of paragraphs: where it is said, and the values it sets.

    [[rule]]                            [[reading]]
    cite = "001 Contracts: Wenz"        setting = "bettel.beat"
    [rule.contract.wenz]                is = true
    lords = "U"                         cite = "001 Bettel"
                                        [reading.contract.bettel]
                                        duties = ["follow", "overtake"]

`extends` names the ruleset below. A reading is what a house setting means for the rows: it holds where the setting
has that value. A record's own `[house]` comes last.
"""

import hashlib
import re
import tomllib
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from archive.cards import SUITS
from archive.record import NOWHERE, Finding, finding, message_of
from archive.rules.added_files import AddedRuleset, added_files
from archive.rules.file_types import File, Paragraph, Raw, Reading
from archive.rules.tables import hand_size
from archive.rules.types import EVENTS, Contract, House, Round, Ruleset
from archive.say import Message, message, nearest

BUNDLED = Path(__file__).with_name("rulesets")
T = TypeVar("T")
UNKNOWN = "unknown"  # the tariff of a source that states none;
NOMINAL = "1/1"  # who pays whom is reckoned with this, and no amount of it is shown
SHOWN = 80  # characters of a name that nobody may ever have written
# What msgspec says of a value, and the message that it is.
COMPLAINTS = {
    "Invalid enum value ": "rules.invalid-value",
    "Object missing required field ": "rules.field-missing",
}
UNKNOWN_KEY = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
EXPECTED = re.compile(r"Expected (.*?), got (.*)", re.DOTALL)
HERE = "this table"  # the citation of a value that the record sets itself


@cache
def bundled_files() -> dict[str, Path]:
    """The files of the rulesets that come with the archive, by name, in the order of their names."""
    return {path.stem: path for path in sorted(BUNDLED.glob("*.toml"), key=lambda path: path.stem)}


@cache
def bundled() -> tuple[str, ...]:
    """The names of the rulesets that come with the archive."""
    return tuple(bundled_files())


@cache
def added_rulesets() -> tuple[AddedRuleset, ...]:
    """The rulesets of other packages and of the folders that SCHAFKOPF_RULESETS names, each with why it cannot be used
    where that is so: it cannot be read, or another has its name."""
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
    """Why a ruleset cannot be used, None where it can."""
    ruleset, findings = load_file(path)
    if ruleset and ruleset.id != path.stem:
        return message("rules.other-id", id=ruleset.id)
    return message_of(findings[0]) if findings else None


@cache
def installed_files() -> dict[str, Path]:
    """The files of all rulesets that can be named: those that come with the archive, then those that were added."""
    return bundled_files() | {each.name: each.path for each in added_rulesets() if each.path and not each.why}


@cache
def installed_rulesets() -> tuple[str, ...]:
    """The names of all rulesets that can be named."""
    return tuple(installed_files())


def load(name: str, house: Raw | None = None, beside: Path | None = None) -> tuple[Ruleset | None, tuple[Finding, ...]]:
    """The ruleset `name` (installed, or a path relative to `beside`) with a table's own settings; else the findings.
    Beside NOWHERE there are only installed ones, and no other file is looked at."""
    path = ruleset_path(name, beside)
    if path is None:
        return None, (finding("unknown-rules", name=name[:SHOWN], why=message("rules.bundled-only")),)
    return _load(path, msgspec.json.encode(house or {}))


def load_file(path: Path) -> tuple[Ruleset | None, tuple[Finding, ...]]:
    """The ruleset of a file, at its absolute path; else the findings."""
    return _load(path, b"{}")


def ruleset_path(name: str, beside: Path | None = None) -> Path | None:
    """The absolute path of a ruleset's file, by which it is remembered: the same name is another file in another
    folder. None for one that is not installed, beside NOWHERE."""
    if name in installed_files():
        return installed_files()[name]
    return None if beside == NOWHERE else (beside or Path()).absolute() / name


@lru_cache(maxsize=256)
def _load(path: Path, house: bytes) -> tuple[Ruleset | None, tuple[Finding, ...]]:
    files, findings = _chain(path)
    if findings:
        return None, findings
    values: Raw = {}
    cites: dict[str, str] = {}
    readings: list[Reading] = []
    for file in files:
        for rule in file.rule:
            _set(values, cites, _patch(rule), rule.cite)
        readings += file.reading
    _set(values, cites, {"house": msgspec.json.decode(house)}, HERE)
    for reading in readings:
        if _get(values.get("house", {}), reading.setting) == reading.is_:
            _set(values, cites, _patch(reading), reading.cite)
    return _convert(path, files, values, cites)


def _patch(row: Paragraph | Reading) -> Raw:
    """The values that a paragraph or a reading sets."""
    return {key: getattr(row, key) for key in ("house", "contract", "round") if getattr(row, key)}


def _chain(path: Path) -> tuple[list[File], tuple[Finding, ...]]:
    """The file and those it extends, the lowest first; or why one of them cannot be read."""
    files: list[File] = []
    seen: list[Path] = []
    following: Path | None = path
    while following is not None:
        seen.append(following)
        try:
            files.insert(0, _bundled_file(following) if following.parent == BUNDLED else _file(following))
        except (OSError, ValueError) as error:  # msgspec.ValidationError is a ValueError too
            return [], (finding("unknown-rules", name=following.stem, why=_why(error, following.stem)),)
        below = files[0].extends
        following = None if below is None else bundled_files().get(below) or seen[-1].parent.absolute() / below
        if following in seen:
            return [], (finding("unknown-rules", name=path.stem, why=message("rules.extends-itself")),)
    return files, ()


def _file(path: Path) -> File:
    return msgspec.convert(tomllib.loads(path.read_text("utf-8")), File)


_bundled_file = cache(_file)  # these never change, and the rules of a table are tried in many readings


def _set(values: Raw, cites: dict[str, str], patch: Raw, cite: str, prefix: str = "") -> None:
    """Merges a patch into the values, and notes for each of its leaves where it comes from."""
    for key, value in patch.items():
        dotted = f"{prefix}{key}"
        if isinstance(value, dict):
            below = values.setdefault(key, {})
            if not isinstance(below, dict):
                below = values[key] = {}
            _set(below, cites, value, cite, dotted + ".")
        else:
            values[key] = value
            cites[dotted] = cite


def _get(values: Raw, dotted: str) -> Any:
    value: Any = values
    for key in dotted.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _convert(
    path: Path, files: list[File], values: Raw, cites: dict[str, str]
) -> tuple[Ruleset | None, tuple[Finding, ...]]:
    """The values as typed rows, or what is wrong with them."""
    findings: list[Finding] = []
    house = _to_type(values.get("house", {}), House, "house", path, findings)
    contracts: dict[str, Contract] = {}
    for name, row in values.get("contract", {}).items():
        row = row | _ranks(values.get("house", {}), name, row)
        contract = _to_type({"id": name} | row, Contract, f"contract.{name}", path, findings)
        if contract is not None:
            contracts[name] = contract
    rounds = _to_type(values.get("round", {}), dict[str, Round], "round", path, findings)
    if house is None or rounds is None or findings:
        return None, tuple(findings)
    unknown = [(key, name) for key, name in _contract_names(house) if name not in contracts]
    findings += [finding("bad-setting", key=key, why=message("rules.no-contract", name=name)) for key, name in unknown]
    prices = _prices(house, findings)
    if prices and house.ramsch.march_price not in prices:
        why = message("rules.no-price", name=house.ramsch.march_price)
        findings.append(finding("bad-setting", key="house.ramsch.march_price", why=why))
    for row in contracts.values():
        if prices and row.price not in prices and row.id not in prices:
            why = message("rules.no-price", name=row.price)
            findings.append(finding("bad-setting", key=f"contract.{row.id}.price", why=why))
    findings += [finding("bad-setting", key="house.table", why=why) for why in _wrong_points(house, contracts)]
    findings += [finding("bad-setting", key=key, why=why) for key, why in _wrong_consequences(house)]
    findings += [finding("bad-setting", key=key, why=why) for key, why in _without_use(house, contracts)]
    if house.marks and list(house.marks.scores) != sorted(house.marks.scores):
        findings.append(finding("bad-setting", key="house.marks.scores", why=message("rules.scores-fall")))
    if house.score and (house.score.to - house.score.start) * house.score.step <= 0:
        findings.append(finding("bad-setting", key="house.score.step", why=message("rules.score-never-ends")))
    own = values if path.parent == BUNDLED else (files[-1].id, values)  # two names may have the same values
    digest = hashlib.sha256(msgspec.json.encode(own, order="deterministic")).hexdigest()[:12]
    if findings:
        return None, tuple(findings)
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
    ), ()


def _ranks(house: Raw, name: str, row: Raw) -> Raw:
    """The ranks that a house gives a contract in place of those of the row, in some suits too: `solo H`."""
    own = house.get("rank", {})
    keys = {"rank": name, "tout_rank": f"{name} tout", "open_rank": f"{name} open"}
    suits = {suit: own[f"{name} {suit}"] for suit in SUITS if f"{name} {suit}" in own}
    by_suit = {"suit_rank": row.get("suit_rank", {}) | suits} if suits else {}
    return {key: own[rank] for key, rank in keys.items() if rank in own} | by_suit


def _contract_names(house: House) -> list[tuple[str, str]]:
    """Where a house names contracts, and which."""
    names = [("house.contracts", name) for name in house.contracts]
    names += [("house.runners_from", name) for name in house.runners_from]
    names += [("house.stock.won_by", name) for name in house.stock.won_by]
    names += [("house.rank", name.split()[0]) for name in house.rank if name]
    names += [("house.muss.contract", house.muss.contract)] if house.muss else []
    specials = (("bock", house.bock), ("kreuz", house.kreuz), ("schieber", house.schieber), ("teufel", house.teufel))
    return names + [(f"house.{key}.on", on) for key, each in specials for on in each.on if on not in EVENTS]


def _to_type(raw: Raw, kind: type[T], key: str, path: Path, findings: list[Finding]) -> T | None:
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        text, _, place = str(error).partition(" - at `$")
        dotted = key + place.rstrip("`") if place else key
        if unknown := UNKNOWN_KEY.fullmatch(text):
            near = nearest(unknown[1], () if place else getattr(kind, "__struct_fields__", ()))
            why = message("rules.no-key-near", name=near) if near else message("rules.no-key")
            findings.append(finding("bad-setting", key=f"{dotted}.{unknown[1]}", why=_in_line(path, unknown[1], why)))
            return None
        findings.append(finding("bad-setting", key=dotted, why=_in_line(path, dotted, _sentence(text))))
        return None


def _in_line(path: Path, dotted: str, why: Message | str) -> Message | str:
    """The complaint about a value, with file and line where it stands in a ruleset that is not bundled."""
    if path.parent == BUNDLED:
        return why
    named = re.split(r"[.\[]", dotted)[-1]
    key = re.compile(rf"[^#=]*\b{re.escape(named)}\b")
    lines = path.read_text("utf-8").splitlines()
    line = next((n for n, written in enumerate(lines, 1) if key.match(written)), 1)
    return message("rules.in-line", why=why, file=path.name, line=line)


def _sentence(text: str) -> Message | str:
    """A complaint of msgspec by its id and facts; any other text as it is."""
    if match := EXPECTED.fullmatch(text):
        return message("rules.expected-got", kind=match[1], got=match[2])
    begin = next((begin for begin in COMPLAINTS if text.startswith(begin)), None)
    return text if begin is None else message(COMPLAINTS[begin], value=text.removeprefix(begin))


def _prices(house: House, findings: list[Finding]) -> dict[str, int]:
    """Prices by class. 001 Scoring: X/Y is X for a Rufer, Schneider and runner, Y for the rest, 2X for Schwarz;
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


def _wrong_points(house: House, contracts: dict[str, Contract]) -> Iterator[Message]:
    """The mistakes in a tournament's point table."""
    known = {"tout", *contracts, *(row.price for row in contracts.values())}
    yield from (message("rules.no-price-class", name=key) for key in house.table if key not in known)
    for row in (contracts[name] for name in house.contracts if house.table):
        own = house.table.get(row.id) or house.table.get(row.price)
        if not own:
            yield message("rules.no-points", name=row.id)
        points = (*(own or ()), *(house.table.get("tout", ()) if row.tout_rank is not None else ()))
        losers = house.seats - 1 if row.parties == "alone" else 1
        odd = next((point for point in points if point % losers), None)
        if odd is not None:
            yield message("rules.points-not-shared", losers=losers, points=odd, name=row.id)


def _wrong_consequences(house: House) -> Iterator[tuple[str, Message]]:
    """Consequences that are none of what they are set for: before the deal there is only cutting, and dealing, again,
    and after it no cutting."""
    before = ("table", "played-on", "cut-again", "dealt-again")
    for name, consequence in house.consequences.items():
        cutting = name == "exposed-cutting"
        if consequence == "cut-again" if not cutting else consequence not in before:
            yield f"house.consequences.{name}", message("rules.when-cutting" if cutting else "rules.not-when-cutting")


def _without_use(house: House, contracts: dict[str, Contract]) -> Iterator[tuple[str, Message]]:
    """Settings with which this table has nothing to do: a play of none of its contracts, and cards that are dealt to
    nobody and that nobody takes up."""
    played = [contracts[name] for name in house.contracts if name in contracts]
    goals = {row.goal for row in played}
    for key, play, goal in (("building", "building", "all-built"), ("open_cards", "exchange", "lowest-pays")):
        if getattr(house, key) is not None and (house.play != play or goal not in goals):
            yield f"house.{key}", message("rules.no-use")
    if house.table:  # which says what each is paid in all
        own = (("bonus_times", house.bonus_times), ("each_pays_each", house.each_pays_each))
        yield from ((f"house.{key}", message("rules.no-use")) for key, value in own if value)
    if (house.stoss.until == "cards") != (house.stoss.cards > 0):
        yield "house.stoss.cards", message("rules.no-use")
    left = house.deck - house.seats * (hand_size(house) + house.pile)
    takes = house.talon or house.open_cards or any(row.exchange == "blind" for row in played)
    if left > 0 and not takes:
        yield "house.hand_size", message("rules.cards-left", n=left)


def _why(error: Exception, name: str) -> Message | str:
    """Why a file cannot be read; of one that is not there, which ruleset is called nearly so."""
    if not isinstance(error, FileNotFoundError):
        return _sentence(str(error))
    near = nearest(name, bundled())
    return message("rules.no-file-near", name=near) if near else message("rules.no-file")
