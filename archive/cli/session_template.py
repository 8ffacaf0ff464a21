"""Session files to fill in: a head and deals whose lines wait behind a #, fit for a ruleset.

Every waiting line is written by `write_toml`: without its # it is a valid line, and it says nothing before it is filled
in, since `??` is a card that is not known.
"""

import re
from collections.abc import Collection, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from archive.cards import ALPHABETS
from archive.judge.types import LedgerState
from archive.notation import write_toml
from archive.play.cut import cutter
from archive.play.game_words import first_bids
from archive.play.other.solitaire import talon_wanted
from archive.play.seating import usual_sitters
from archive.record import Call, Deal, Exchange, Game, Session, Stated, Trick, Turn
from archive.rules import House, Ruleset, hand_size
from archive.rules.tables import most_tricks, score_of
from archive.say import make_sayer
from archive.text.ledger_state import table_contents
from archive.text.texts import TEXTS

comment = make_sayer("template.")
UNKNOWN = "??"
SUIT = "G"  # in examples: a suit that can be called, and be trump
MOST_SITTERS = 3  # players at the table who sit out, at most
EXAMPLES = {"event": "Stammtisch", "place": "Offenbach", "recorder": "Anna"}

# The settings that tables differ in most.
SETTINGS = (
    "contracts",
    "tariff",
    "price",
    "runners_from",
    "knock",
    "stoss",
    "all_pass",
    "stock",
    "bock",
    "marks",
    "list",
)
OF_MARKS = ("contracts", "marks")  # if the score is kept in marks
OF_TABLES = {"bock": ("on", "mode"), "stock": ("amount", "won_by", "cap")}
# The keys of a deal that have a comment beside them.
HINTS = (
    "sits_out", "cut", "hands", "piles", "blind", "talon", "knocks", "auction", "exchange", "doubles", "tricks",
    "events", "turns", "stated.payments", "stated.marks",
)  # fmt: skip


# --- the head -------------------------------------------------------------------------------------------------------


def head_text(session: Session, ruleset: Ruleset, name: str, language: str) -> str:
    """Return the head of a session file: what is given, and what a table would likely add; comments in the language."""
    house = session.house or {}
    about = EXAMPLES | {key: value for key in EXAMPLES if (value := getattr(session, key))}
    whole = replace(
        session, **about, unit=session.unit or ruleset.house.unit, house=likely_settings(ruleset.house) | house
    )
    given = {key for key in (*EXAMPLES, "unit") if getattr(session, key)} | {"format", "date", "rules", "players"}
    head, _, settings = write_toml(replace(whole, carry=None), ()).partition("\n[house]\n")
    parts = [
        f"# {comment('begin', language, file=name)}",
        f"# {comment('typing', language, letters=comment(f'letters-{ruleset.house.faces}', language))}\n",
        commented_lines(head, given, {"players": comment("head-players", language)}).rstrip(),
    ]
    if ruleset.house.faces != "german":
        parts.append(f'cards = "{ruleset.house.faces}"')
    if session.carry:
        given_keys = {f"carry.{key}" for key in session.carry.__struct_fields__} - {"carry.totals"}
        lines = write_toml(Session(players=session.players, rules=session.rules, carry=session.carry), ())
        carry = "".join(line for line in lines.splitlines(keepends=True) if line.startswith("carry."))
        parts.append(commented_lines(carry, given_keys, {"carry.totals": comment("head-totals", language)}).rstrip())
    parts.append(f"\n# {comment('house', language, rules=session.rules)}")
    parts.append(("" if house else "# ") + "[house]")
    hints = {key: comment(f"setting-{key}", language) for key in SETTINGS}
    return "\n".join(parts) + "\n" + commented_lines(settings, house, hints)


def likely_settings(house: House) -> dict[str, Any]:
    """Return the settings that a table would likely change, as the ruleset has them."""
    wanted = OF_MARKS if house.marks else tuple(key for key in SETTINGS if key not in OF_MARKS[1:])
    return {key: _plain(key, house) for key in wanted if key != "price" or house.price}


def _plain(key: str, house: House) -> Any:
    """Return a setting as a ruleset file writes it; for a table, what is set and what can matter in this house."""
    built = msgspec.to_builtins(getattr(house, key))
    if not isinstance(built, dict):
        return built
    wanted = OF_TABLES.get(key, house.contracts if key == "runners_from" else built)
    return {inner: each for inner, each in built.items() if each is not None and inner in wanted}


# --- a deal ---------------------------------------------------------------------------------------------------------


def deal_text(
    session: Session, ruleset: Ruleset, before: LedgerState, dealer: int | None, alphabet: str, language: str
) -> str:
    """Return a deal to fill in, by the rules in force and what lies on the table, in the letters of the file, with
    comments in the language; `dealer` is None if it is not known."""
    house, out = ruleset.house, usual_sitters(len(session.players), ruleset.house, dealer)
    first = 0 if dealer is None else dealer + 1
    seats = [(first + n) % len(session.players) for n in range(len(session.players))]
    active = [seat for seat in seats if seat not in out][: house.seats]
    prompts = _prompts(session, ruleset, active, dealer)
    written = write_toml(
        Session(players=session.players, rules=session.rules),
        [replace(prompts, dealer=active[-1] if dealer is None else dealer, sits_out=out or None)],
    )
    suit = next(letter for letter, suit in ALPHABETS[alphabet][0].items() if suit == SUIT and letter.isalpha())
    lines = re.sub(rf'^(game = ".*) {SUIT}\b', rf"\1 {suit}", written.partition("[[deal]]\n")[2], flags=re.MULTILINE)
    given = ("sits_out",) if dealer is None else ("dealer", "sits_out")
    there = table_contents(before, ruleset, TEXTS[language])
    on_table = f"# {comment('on-table', language, there=', '.join(there))}\n" if there else ""
    hints = {key: comment(f"deal-{key.removeprefix('stated.')}", language) for key in HINTS}
    hints["game"] = comment("deal-game", language, games=games_of(ruleset, suit))
    if dealer is None:
        hints["dealer"] = comment("deal-dealer", language)
    return f"\n[[deal]]\n{on_table}{commented_lines(lines, given, hints)}"


def games_of(ruleset: Ruleset, suit: str) -> str:
    """Return the games of a table, with `suit` if one is named."""
    rows = (ruleset.contracts[name] for name in ruleset.house.contracts)
    return ", ".join(f"{row.id}{'' if row.takes == 'none' else f' {suit}'}" for row in rows)


def _prompts(session: Session, ruleset: Ruleset, active: list[int], dealer: int | None) -> Deal:
    """Return a deal that says nothing yet, with every key that the ruleset asks for."""
    house, size = ruleset.house, hand_size(ruleset.house)
    row = ruleset.contracts[house.contracts[0]]
    in_hand, stack = (UNKNOWN,) * (size - 2 * house.stacks), (f"{UNKNOWN}/{UNKNOWN}",)
    hand, left = in_hand + stack * house.stacks, house.deck - (size + house.pile) * house.seats
    pile = (UNKNOWN,) * house.pile
    drawn = left if house.talon else talon_wanted(house, house.building).bit_count() if house.building else 0
    talon = (UNKNOWN,) * drawn
    blind = (UNKNOWN,) * (house.open_cards.count if house.open_cards else left - len(talon))
    declarer = active[0] if row.declarer else None
    suit = None if row.takes == "none" else SUIT
    bid = 5 if house.lengths else first_bids(house)[0] if house.bids else None
    zeros = (0,) * len(session.players)
    moves = (Exchange(None, declarer, blind), Exchange(declarer, None, blind)) if row.exchange == "blind" else None
    knocker = (
        None if dealer is None or not house.klopfen else session.players[cutter(dealer, len(session.players), house)]
    )
    return Deal(
        cut=f"{knocker} knocks" if knocker else None,
        hands=tuple(hand if seat in active else None for seat in range(len(session.players)))
        if not house.building
        else None,
        piles=tuple(pile if seat in active else None for seat in range(len(session.players))) if pile else None,
        blind=blind or None,
        knocks=None if house.knock == "no" else (active[0],) if house.hausbock else (),
        auction=_auction(house, active) if house.play == "tricks" and row.declarer else None,
        game=Game(row.id, declarer, suit, f"{suit}{row.called}" if row.called else None, (), bid),
        exchange=moves,
        doubles=None if house.stoss.until == "no" else (),
        talon=talon or None,
        tricks=_tricks(house, most_tricks(house), active) if house.play == "tricks" else None,
        turns=None if house.play == "tricks" else (Turn(None, UNKNOWN, "1") if talon else Turn(active[-1], "keeps"),),
        events=() if row.acts else None,
        stated=Stated(marks=zeros) if score_of(house) else Stated(payments=zeros),
    )


def _tricks(house: House, size: int, active: list[int]) -> tuple[Trick, ...]:
    """Return as many tricks as a hand has cards, with no card known; forehand leads."""
    return tuple(Trick((UNKNOWN,) * house.seats, None if n else active[0]) for n in range(size))


def _auction(house: House, active: list[int]) -> tuple[Call, ...]:
    """Return calls in which forehand plays and the others pass, in the words of this auction."""
    first, *others = active
    passed = tuple(Call(seat, "pass") for seat in others)
    if house.auction == "two-rounds":
        return (Call(first, "pass"), *passed, Call(first, "take"))
    if house.bids and house.bids.rising:
        return (Call(first, str(house.bids.start)), *passed)
    return (Call(first, {"hanging": "hang", "lengths": "5"}.get(house.auction, "play")), *passed)


# --- lines that wait ------------------------------------------------------------------------------------------------


def commented_lines(text: str, given: Collection[str], hints: Mapping[str, str]) -> str:
    """Return lines `key = value`, behind a # if their key is not `given`, each with its hint: beside it if the value is
    on one line, else above it."""
    lines = []
    key = ""
    for line in text.splitlines():
        if line[:1] not in (" ", "]"):
            key = line.partition(" = ")[0]
            hint = hints.get(key)
            if hint and (line.endswith("[") or len(line) + len(hint) > 100):
                lines.append(f"# {key}: {hint}")
            elif hint:
                line += f"  # {hint}"
        lines.append(line if key in given or not line else f"# {line}")
    return "".join(f"{line}\n" for line in lines)
