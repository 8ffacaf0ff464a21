"""Session files to fill in: a head and deals whose lines wait behind a #, fit for a ruleset.

Every line that waits is written by `write_toml`: with its # away it is what it seems to be, and says nothing before it
is filled in, for `??` is a card that is not known.
"""

import re
from collections.abc import Collection, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from archive.cards import ALPHABETS
from archive.judge.types import LedgerState
from archive.notation import write_toml
from archive.play.building import talon_wanted
from archive.play.cut import cutter
from archive.play.game_words import first_bids
from archive.play.seating import usual_sitters
from archive.record import Call, Deal, Exchange, Game, Session, Stated, Trick, Turn
from archive.rules import House, Ruleset, hand_size
from archive.rules.tables import most_tricks, score_of
from archive.text.ledger_state import table_contents
from archive.text.texts import EN as TEXT

UNKNOWN = "??"
SUIT = "G"  # in examples: it can be called, and be trump
MOST_SITTERS = 3  # more at the table than play
EXAMPLES = {"event": "Stammtisch", "place": "Offenbach", "recorder": "Anna"}

LETTERS = {  # of packs, by their faces
    "german": "E G H S and A Z K O U 9 8 7",
    "french": "K P H C (Kreuz, Pik, Herz, Karo) or ♣ ♠ ♥ ♦, and A 10 K D B 9 8 7",
}

# The settings that tables differ in most, with what there is to choose.
SETTINGS = {
    "contracts": "what is played, by name",
    "tariff": "Schneider, Schwarz and runners / Rufspiel / Solo",
    "price": "what each game and each addition costs",
    "runners_from": "how many runners are paid; 0: none",
    "knock": "who doubles the price before play: no, anyone, forehand, in-turn",
    "stoss": "until when Kontra may be said: no, first-card, second-card, own-card, any",
    "all_pass": "thrown-in, ramsch, muss",
    "stock": "what each pays in when a deal is thrown in, and in which games it is won",
    "bock": "after which deals: 60-60, schwarz, lost-alone, tout, thrown-in",
    "marks": "how many marks win, and how many points score",
    "list": "deals of a list; 0: no list",
}
OF_MARKS = ("contracts", "marks")  # where the score is kept in marks
OF_TABLES = {"bock": ("on", "mode"), "stock": ("amount", "won_by", "cap")}
HINTS = {
    "sits_out": "who is not dealt cards",
    "cut": "only where the cutter knocks",
    "hands": f"as dealt; {UNKNOWN} is a card that you do not know, and a hand may be left out",
    "piles": "set aside face down, and counted in the end",
    "blind": "the cards on the table",
    "talon": "in the order in which they are drawn",
    "knocks": "who knocked, in order; [] nobody",
    "auction": "what was said, in order",
    "exchange": "cards that were taken up and laid away",
    "doubles": 'as "Dora kontra", "Anna re"; [] nobody',
    "tricks": "who led, and the cards in the order played",
    "events": "what else was done at a turn, as '@3.1 Ben closes'; [] nothing",
    "turns": "in order, see docs/record-format.md",
    "stated.payments": "what the score sheet says, + and -, in the order of the players",
    "stated.marks": "the marks after the deal, in the order of the players",
}


# --- the head -------------------------------------------------------------------------------------------------------


def head_text(session: Session, ruleset: Ruleset, name: str) -> str:
    """The head of a session file: what is given, and what else one would likely say."""
    house = session.house or {}
    about = EXAMPLES | {key: value for key in EXAMPLES if (value := getattr(session, key))}
    whole = replace(
        session, **about, unit=session.unit or ruleset.house.unit, house=likely_settings(ruleset.house) | house
    )
    given = {key for key in (*EXAMPLES, "unit") if getattr(session, key)} | {"format", "date", "rules", "players"}
    head, _, settings = write_toml(replace(whole, carry=None), ()).partition("\n[house]\n")
    parts = [
        f"# Take the # off a line, fill it in, save; `schafkopf check --watch {name}` says what is missing or wrong.",
        f"# docs/typing.md tells how. Cards are written suit and rank: {LETTERS[ruleset.house.faces]}.\n",
        commented_lines(head, given, {"players": "in the direction of play"}).rstrip(),
    ]
    if ruleset.house.faces != "german":
        parts.append(f'cards = "{ruleset.house.faces}"')
    if session.carry:
        given_keys = {f"carry.{key}" for key in session.carry.__struct_fields__} - {"carry.totals"}
        lines = write_toml(Session(players=session.players, rules=session.rules, carry=session.carry), ())
        carry = "".join(line for line in lines.splitlines(keepends=True) if line.startswith("carry."))
        parts.append(
            commented_lines(carry, given_keys, {"carry.totals": "take the # off where the totals run on"}).rstrip()
        )
    parts.append(f"\n# What your table does otherwise than `schafkopf rules {session.rules}` says:")
    parts.append(("" if house else "# ") + "[house]")
    return "\n".join(parts) + "\n" + commented_lines(settings, house, SETTINGS)


def likely_settings(house: House) -> dict[str, Any]:
    """The settings that a table would likely change, as the ruleset has them."""
    wanted = OF_MARKS if house.marks else tuple(key for key in SETTINGS if key not in OF_MARKS[1:])
    return {key: _plain(key, house) for key in wanted if key != "price" or house.price}


def _plain(key: str, house: House) -> Any:
    """A setting as a ruleset file says it; of a table what is set and what a table of this house can mean by it."""
    built = msgspec.to_builtins(getattr(house, key))
    if not isinstance(built, dict):
        return built
    wanted = OF_TABLES.get(key, house.contracts if key == "runners_from" else built)
    return {inner: each for inner, each in built.items() if each is not None and inner in wanted}


# --- a deal ---------------------------------------------------------------------------------------------------------


def deal_text(session: Session, ruleset: Ruleset, before: LedgerState, dealer: int | None, alphabet: str) -> str:
    """A deal to fill in, by the rules in force and what lies on the table, in the letters of the file; None for a
    dealer who is not known."""
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
    there = table_contents(before, ruleset, TEXT)
    on_table = f"# On the table: {', '.join(there)}\n" if there else ""
    hints = {"dealer": "not known; else the deal passes on"} if dealer is None else {}
    return f"\n[[deal]]\n{on_table}{commented_lines(lines, given, HINTS | hints | {'game': game_hint(ruleset, suit)})}"


def game_hint(ruleset: Ruleset, suit: str) -> str:
    """The hint beside `game`: the games of a table, with `suit` where one is named."""
    rows = (ruleset.contracts[name] for name in ruleset.house.contracts)
    choices = ", ".join(f"{row.id}{'' if row.takes == 'none' else f' {suit}'}" for row in rows)
    return f"who plays, and what: {choices}; none where all pass"


def _prompts(session: Session, ruleset: Ruleset, active: list[int], dealer: int | None) -> Deal:
    """A deal that says nothing yet, with every key that the ruleset asks for."""
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
    """As many tricks as a hand has cards, none of which are known; forehand leads."""
    return tuple(Trick((UNKNOWN,) * house.seats, None if n else active[0]) for n in range(size))


def _auction(house: House, active: list[int]) -> tuple[Call, ...]:
    """Forehand plays, the others pass, as they say it in this auction."""
    first, *others = active
    passed = tuple(Call(seat, "pass") for seat in others)
    if house.auction == "two-rounds":
        return (Call(first, "pass"), *passed, Call(first, "take"))
    if house.bids and house.bids.rising:
        return (Call(first, str(house.bids.start)), *passed)
    return (Call(first, {"hanging": "hang", "lengths": "5"}.get(house.auction, "play")), *passed)


# --- lines that wait ------------------------------------------------------------------------------------------------


def commented_lines(text: str, given: Collection[str], hints: Mapping[str, str]) -> str:
    """Lines `key = value` of which those wait behind a # whose key is not `given`, each with its hint: beside it where
    the value is on one line, else above it."""
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
