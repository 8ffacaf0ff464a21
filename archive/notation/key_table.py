"""The keys of the record format, one table: what stands under a key in a file, what reads it, what writes it.

From the table come the structs that msgspec decodes into, both ways between files and records, the JSON Schema
(docstrings and descriptions are published there), and which keys a correction may set and a difference shows.
`docs/record-format.md` explains every key. UNSET is a key that is absent.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, structs

from archive import record
from archive.cards import ALPHABETS
from archive.notation import game_words, read_values, write_values
from archive.notation.convert import OF_FILE
from archive.notation.names import Reader, read_cards, seat_of_name
from archive.notation.problem import Problem
from archive.notation.read_values import Read
from archive.notation.write_values import Write, Writer
from archive.record import Deal as DealRecord
from archive.record import Session
from archive.record.names import one_form
from archive.say import message

FORMAT = "schafkopf-record/1"
FIELDS = {"with": "partner", "skat": "blind"}  # keys of a deal that its record calls otherwise


class Form(NamedTuple):
    """The form of a key's value in a file: its type there, and what reads and writes it if that is not the value
    itself. `by_player`: it has an entry for each player."""

    type: Any
    read: Read | None = None
    write: Write | None = None
    by_player: bool = False


Keys = Mapping[str, Form]

# --- forms ----------------------------------------------------------------------------------------------------------

_WHOLE = Annotated[int, Meta(ge=-(2**53), le=2**53)]  # what JSON readers everywhere keep exact
_COUNT = Annotated[int, Meta(ge=0, le=2**53)]
_NAME = Annotated[str, Meta(description="a name of players, or Seat1, Seat2, …")]
_CARDS = Annotated[str | list[str], Meta(description="cards: `EO GU H7`, or a list of codes")]
_PER_SEAT = list[_WHOLE | None] | dict[str, _WHOLE | None]  # one entry a player, or by name
_HANDS = list[str | list[str] | None] | dict[str, str | list[str]]
_FREE = dict[str, Any]


def _list_form(read: Read, write: Write, type: Any = list[str]) -> Form:
    """Return the form of strings, or values of another type, that are read one by one."""
    return Form(type, read_values.list_of(read), write_values.list_of(write))


TEXT, FLAG, WHOLE, COUNT = Form(str), Form(bool), Form(_WHOLE), Form(_COUNT)
TEXTS = Form(list[str], read_values.read_texts)
NAME = Form(_NAME, seat_of_name, write_values.write_name)
NAMES = _list_form(seat_of_name, write_values.write_name, list[_NAME])
NAMES_OR_COUNT = NAMES._replace(type=list[_NAME] | _COUNT)
CARDS = Form(_CARDS, read_cards, write_values.write_cards)
HANDS = Form(_HANDS, read_values.read_hands, write_values.write_hands, True)
PER_SEAT = Form(_PER_SEAT, read_values.read_per_seat, write_values.write_per_seat, True)
FREE_TABLE = Form(_FREE, read_values.check_free_table)
RULING_KIND = Form(str, read_values.read_ruling_kind)


def _struct_of(name: str, keys: Keys, doc: str, required: Iterable[str] = ()) -> Any:
    """Return the struct into which a table with these keys is decoded."""
    names = {key: "partner" if key == "with" else key for key in keys}  # with is a word of Python
    fields = [
        (names[key], form.type) if key in required else (names[key], form.type | UnsetType, UNSET)
        for key, form in keys.items()
    ]
    return msgspec.defstruct(
        name, fields, kw_only=True, forbid_unknown_fields=True, namespace={"__doc__": doc},
        rename={"partner": "with"} if "with" in keys else None,
    )  # fmt: skip


def _table(kind: type[Struct], keys: Keys) -> tuple[Read, Write]:
    """Return the reader and writer of a table within a deal or a head; the first of its wrong keys is its problem."""

    def read(table: Reader, key: str, value: Struct) -> Struct:
        fields, problems = read_keys(table, value, keys, f"{key}.")
        if problems:
            raise problems[0]
        return kind(**fields)

    return read, lambda to, value: write_keys(to, value, keys)


# --- the table ------------------------------------------------------------------------------------------------------

STATED: Keys = {
    "points": PER_SEAT._replace(type=_WHOLE | _PER_SEAT),
    "points_against": WHOLE,
    "tricks": PER_SEAT._replace(type=_COUNT | _PER_SEAT),
    "winners": NAMES,
    "won": FLAG,
    "partner": NAME,
    "loser": NAME,
    "virgins": NAMES_OR_COUNT,
    "schneider": FLAG,
    "schwarz": FLAG,
    "runners": WHOLE,
    "runner_count": COUNT,
    "steps": _list_form(read_values.read_step, write_values.write_step),
    "price": WHOLE,
    "payments": PER_SEAT,
    "totals": PER_SEAT,
    "stock": WHOLE,
    "marks": PER_SEAT,
    "result": TEXT,
    "of_list": FLAG,
    "deals": COUNT,
    "wins": PER_SEAT,
    "solos": PER_SEAT,
    "touts": PER_SEAT,
}
CARRY: Keys = {
    "stock": WHOLE,
    "pots": Form(dict[str, _WHOLE]),
    "totals": PER_SEAT,
    "chalk": NAME,
    "marks": PER_SEAT,
    "hausbock": WHOLE,
    "bock": WHOLE,
    "queue": TEXTS,
    "stake": WHOLE,
}
CORRECTION: Keys = {"by": TEXT, "when": TEXT, "why": TEXT, "set": FREE_TABLE}
RULING: Keys = {"by": TEXT, "when": TEXT, "why": TEXT, "payments": PER_SEAT, "cite": TEXT, "kind": RULING_KIND}

Stated = _struct_of("Stated", STATED, "What the source says of the result.")
Carry = _struct_of("Carry", CARRY, "State of the ledger brought in or restated.")
Correction = _struct_of(
    "Correction", CORRECTION, "A later correction of the record: what is set, by whom, when and why.", CORRECTION
)
Ruling = _struct_of("Ruling", RULING, "What a person decided about the result.", ("by", "when", "why", "payments"))

# What a deal can change from then on; a `house` of null, in JSON, says what absence says.
HOLDS: Keys = {
    "rules": TEXT,
    "house": Form(_FREE | None, read_values.read_house),
    "players": Form(list[str], read_values.read_players),
}
FREE: Keys = {
    "inferred": Form(list[str], read_values.read_texts, write_values.write_evidence),
    "carry": Form(Carry, *_table(record.Carry, CARRY)),
    **dict.fromkeys(("table", "list", "url", "time", "licence", "origin", "note"), TEXT),
    "x": FREE_TABLE,
}
ABOUT: Keys = {
    "event": TEXT,
    "date": Form(str, read_values.read_date),
    **dict.fromkeys(("place", "recorder", "unit"), TEXT),
}
ROWS: Any = list  # of structs that are made here, which mypy does not take for types
OWN: Keys = {  # of a deal alone, in the order in which they are written
    "no": COUNT,
    "id": TEXT,
    "dealer": NAME,
    "sits_out": NAMES,
    "round": TEXTS,
    "draw": _list_form(read_values.read_draw, write_values.write_draw),
    "cut": TEXT,
    "hands": HANDS,
    "held": HANDS,
    "piles": HANDS,
    "packet": COUNT,
    "packets": TEXT,
    "blind": CARDS,
    "skat": CARDS,
    "talon": CARDS,
    "knocks": NAMES_OR_COUNT,
    "auction": _list_form(read_values.read_call, write_values.write_call),
    "game": Form(str, read_values.read_game, write_values.write_game),
    "with": NAME,
    "exchange": _list_form(read_values.read_exchange, write_values.write_exchange),
    "doubles": _list_form(read_values.read_double, write_values.write_double, list[str] | _COUNT),
    "tricks": _list_form(read_values.read_trick, write_values.write_trick, list[str | list[str]]),
    "turns": _list_form(read_values.read_turn, write_values.write_turn),
    "events": _list_form(read_values.read_event, write_values.write_event),
    "stated": Form(Stated, *_table(record.Stated, STATED)),
    "correction": _list_form(*_table(record.Correction, CORRECTION), ROWS[Correction]),
    "ruling": _list_form(*_table(record.Ruling, RULING), ROWS[Ruling]),
}
SHARED: Keys = {**HOLDS, **FREE}
HEAD: Keys = {**SHARED, "format": TEXT, "cards": TEXT, **ABOUT}
SESSION: Keys = {**SHARED, **ABOUT}
DEAL: Keys = {**SHARED, **OWN}
WRITTEN: Keys = {key: form for key, form in {**OWN, **FREE}.items() if key != "skat"}  # in a deal, besides HOLDS

HeadOfLine = _struct_of(
    "HeadOfLine", SHARED, "In a line: the session's own values of keys that stand in the line for the deal."
)
LINE: Keys = {**DEAL, **{key: HEAD[key] for key in OF_FILE}, "head": Form(HeadOfLine)}
HEAD_OF_LINE = (*OF_FILE, *HOLDS, "head")  # the keys of a line that its session may have

Head = _struct_of("Head", HEAD, "The head of a session file.")
Deal = _struct_of("Deal", DEAL, "One deal.")
Line = _struct_of("Line", LINE, "One deal with the keys of its session: a line of a JSON Lines file.")
HeadOnly = msgspec.defstruct(
    "HeadOnly", [(key, LINE[key].type | UnsetType, UNSET) for key in HEAD_OF_LINE], kw_only=True
)

BY_PLAYER = frozenset(
    f"{prefix}{key}"
    for prefix, keys in (("", DEAL), ("carry.", CARRY), ("stated.", STATED))
    for key, form in keys.items()
    if form.by_player
)


# --- reading --------------------------------------------------------------------------------------------------------


def read_keys(table: Reader, value: Struct, keys: Keys, prefix: str = "") -> tuple[dict[str, Any], list[Problem]]:
    """Return the fields of a record from the keys that are there, and what is wrong with others."""
    fields: dict[str, Any] = {}
    problems = []
    for key, form in keys.items():
        entry = getattr(value, "partner" if key == "with" else key)
        if entry is UNSET:
            continue
        try:
            fields[key] = form.read(table, prefix + key, entry) if form.read else entry
        except Problem as problem:
            problems.append(problem.with_traceback(None))
    return fields, problems


def read_deal(table: Reader, deal: Any) -> tuple[dict[str, Any], list[Problem]]:
    """Return the fields of a Deal from the struct of a deal or a line, and what is wrong with it."""
    fields, problems = read_keys(table, deal, DEAL)
    if deal.blind is not UNSET and deal.skat is not UNSET:
        problems.append(Problem("wrong-type", "skat", why=message("notation.blind-twice")))
    return {FIELDS.get(key, key): value for key, value in fields.items()}, problems


def read_head(head: Any, folder: Path) -> tuple[Session | None, Reader | None, list[Problem]]:
    """Return the Session of a head and the table with which its deals are read, or what is wrong with it. A ruleset
    that is not bundled lies in `folder`."""
    problems = []
    if head.format != FORMAT:
        value = message("notation.format-missing") if head.format is UNSET else repr(head.format)
        problems.append(Problem("unknown-format", "format", value=value))
    alphabet = "german" if head.cards is UNSET else head.cards
    if alphabet not in ALPHABETS:
        why = message("notation.alphabet-expected", alphabet=alphabet)
        problems.append(Problem("wrong-type", "cards", why=why))
        alphabet = "german"
    for key in ("players", "rules"):
        if getattr(head, key) is UNSET:
            problems.append(Problem("wrong-type", key, why=message("notation.head-key-missing")))
    players = () if head.players is UNSET else tuple(map(one_form, head.players))
    rules = None if head.rules is UNSET else head.rules
    words = game_words.contract_words() if rules is None else game_words.words_of_rules(rules, folder)
    table = Reader(players, alphabet, words)
    fields, wrong_keys = read_keys(table, head, SESSION)
    problems += wrong_keys
    return (None, None, problems) if problems else (Session(**fields), table, [])


# --- writing --------------------------------------------------------------------------------------------------------


def write_keys(to: Writer, value: Struct, keys: Keys) -> dict[str, Any]:
    """Return the keys that are recorded, as a file has them."""
    table = {}
    for key, form in keys.items():
        entry = getattr(value, "partner" if key == "with" else key)
        if entry is not None:
            table[key] = form.write(to, entry) if form.write else list(entry) if isinstance(entry, tuple) else entry
    return table


def without_settings_of(session: Session, deal: DealRecord) -> DealRecord:
    """Return the deal without settings that its session has anyway."""
    same = {key: None for key in ("rules", "players") if getattr(deal, key) == getattr(session, key)}
    return structs.replace(deal, **same, house=deal.house or None)


# --- the JSON Schema ------------------------------------------------------------------------------------------------


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of both encodings: a session file (as TOML tools see it) if there are deals, else a line,
    whose keys include those of a head. One key chooses, so that an editor marks the value that is wrong."""
    (_, deal, line), parts = msgspec.json.schema_components((Head, Deal, Line), ref_template="#/$defs/{name}")
    parts["SessionFile"] = {
        **parts["Head"],
        "title": "SessionFile",
        "description": "A session file: the head and its deals.",
        "properties": parts["Head"]["properties"] | {"deal": {"type": "array", "items": deal}},
        "required": ["format", "players", "rules"],
    }
    parts["Line"]["required"] = ["format", "players", "rules"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": FORMAT,
        "if": {"required": ["deal"]},
        "then": {"$ref": "#/$defs/SessionFile"},
        "else": line,
        "$defs": parts,
    }
