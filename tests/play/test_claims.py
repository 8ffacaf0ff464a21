"""Claims to all the rest: 003 3.4, and the search against one that knows nothing of it.

The oracle plays every card of everyone out. Its tricks and duties are those of `oracle.py`, written apart from the
engine's; of the engine it only takes what beats what.
"""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rulesets import load_rules
from support.thorough import examples

from archive.cards import CODES, NUMBER, mask, numbers
from archive.play.claims import Claim, is_claim_right
from archive.rules import TRUMP, Tables, tables

FOLLOW = ("follow",)


def compiled(contract: str, suit: str | None = None, rules: str = "pub") -> tuple[Tables, tuple[str, ...]]:
    ruleset = load_rules(rules)
    row = ruleset.contracts[contract]
    return tables(ruleset, contract, suit, f"{suit}{row.called}" if row.called else None), row.duties


def ask(hands: str, claimer: int, turn: int, contract: str, suit: str | None = None, trick: str = "") -> bool | None:
    """Hands as `SO G7 | EK E9 | …`, in the order of the seats."""
    table, duties = compiled(contract, suit)
    given_hands = tuple(mask(hand.split()) for hand in hands.split("|"))
    return is_claim_right(
        Claim(claimer, given_hands, turn, tuple(NUMBER[card] for card in trick.split())), table, duties
    )


# --- the oracle -------------------------------------------------------------------------------------------------------


def brute(
    hands: list[list[str]],
    claimer: int,
    turn: int,
    trick: list[tuple[int, str]],
    table: Tables,
    duties: tuple[str, ...],
    searched: bool,
) -> bool:
    """Whether somebody can be made to win a trick that the claimer wanted."""
    if len(trick) == len(hands):
        best_seat, best = trick[0]
        for seat, card in trick[1:]:
            if table.beats[NUMBER[best]] >> NUMBER[card] & 1:
                best_seat, best = seat, card
        if best_seat != claimer:
            return False
        led = group(trick[0][1], table)
        called = searched or (bool(table.called) and led == group(show(table.called), table))
        return not hands[claimer] or brute(hands, claimer, claimer, [], table, duties, called)
    outcomes = []
    for card in legal(hands[turn], trick, table, duties, searched):
        left = [[each for each in hand if each != card] for hand in hands]
        then = (turn + 1) % len(hands)
        outcomes.append(brute(left, claimer, then, [*trick, (turn, card)], table, duties, searched))
        if outcomes[-1] == (turn == claimer):
            break
    return any(outcomes) if turn == claimer else all(outcomes)


def show(bits: int) -> str:
    return CODES[bits.bit_length() - 1]


def group(card: str, table: Tables) -> int:
    return table.group[NUMBER[card]]


def legal(
    hand: list[str], trick: list[tuple[int, str]], table: Tables, duties: tuple[str, ...], searched: bool
) -> list[str]:
    """003 3.2; 001 Play; the called card stands above all until its suit was led. 000 The Play, Alter Schoofkopp."""
    called = show(table.called) if table.called else None
    suit = [card for card in hand if called and group(card, table) == group(called, table)]
    holds_it = called in hand and not searched and "called-card" in duties
    if not trick:
        if holds_it and len(suit) < table.run_away:
            return [card for card in hand if card not in suit or card == called]
        return hand
    led = group(trick[0][1], table)
    if holds_it and led == group(called or "", table):
        return [called or ""]
    follows = [card for card in hand if group(card, table) == led]
    best = trick[0][1]
    for _, card in trick[1:]:
        best = card if table.beats[NUMBER[best]] >> NUMBER[card] & 1 else best
    over = [card for card in hand if table.beats[NUMBER[best]] >> NUMBER[card] & 1]
    if "overtake" in duties or ("overtake-trump" in duties and led == TRUMP):
        follows = [card for card in follows if card in over] or follows
    free = [card for card in hand if card != called] if holds_it else hand
    if "trump-when-void" in duties:
        trumps = [card for card in follows or hand if group(card, table) == TRUMP]
        lords = [card for card in trumps if table.lords >> NUMBER[card] & 1 and card in over]
        on_lord = "beat-lord" in duties and table.lords >> NUMBER[best] & 1
        return (lords if on_lord and trumps else []) or follows or trumps or hand
    return follows or free or hand


BEAT_LORD = ("follow", "trump-when-void", "beat-lord")
OVERTAKE_TRUMP = ("follow", "trump-when-void", "overtake-trump")
GAMES = [
    ("rufspiel", "E"), ("rufspiel", "S"), ("wenz", None), ("solo", "G"), ("farbwenz", "H"), ("geier", None),
    ("bettel", None),
]  # fmt: skip


@settings(max_examples=examples(10, 400))
@given(
    seed=st.integers(0, 2**32),
    size=st.integers(1, 3),
    game=st.sampled_from(GAMES),
    lying=st.integers(0, 3),
    strong=st.booleans(),
    duties=st.sampled_from([None, ("follow", "overtake"), BEAT_LORD, OVERTAKE_TRUMP]),
    searched=st.booleans(),
)
def test_the_search_says_what_playing_everything_out_says(
    seed: int,
    size: int,
    game: tuple[str, str | None],
    lying: int,
    strong: bool,
    duties: tuple[str, ...] | None,
    searched: bool,
) -> None:
    """The last tricks of random deals; a claimer with strong cards makes claims that hold frequent."""
    rng = Random(seed)
    table, own = compiled(*game)
    duties = duties or own
    pack = [CODES[n] for n in numbers(table.pack)]
    rng.shuffle(pack)
    claimer = rng.randrange(4)
    hands = [pack[place * size : (place + 1) * size] for place in range(4)]
    if strong:
        best = sorted(pack[: 4 * size], key=lambda card: table.beats[NUMBER[card]].bit_count())
        high = rng.sample(best[: size + 2], size)
        rest = [card for card in pack if card not in high]
        hands = [rest[place * size : (place + 1) * size] for place in range(4)]
        hands[claimer] = high
    leader = rng.choice([claimer, rng.randrange(4)])
    trick: list[tuple[int, str]] = []
    for step in range(lying):
        seat = (leader + step) % 4
        card = rng.choice(legal(hands[seat], trick, table, duties, searched))
        hands[seat].remove(card)
        trick.append((seat, card))
    turn = (leader + lying) % 4
    position = Claim(claimer, tuple(map(mask, hands)), turn, tuple(NUMBER[card] for _, card in trick), int(searched))
    assert is_claim_right(position, table, duties) is brute(hands, claimer, turn, trick, table, duties, searched)


# --- 003 3.4 ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hands", "turn", "game", "trick", "right"),
    [
        # the highest trumps take all the rest
        ("EO GO HO | SO EU HA | SA SZ SK | E7 E8 E9", 0, ("rufspiel", "G"), "", True),
        # two leads of trump draw the other two; then the low Schellen is good because nobody has one
        ("EO GO S7 | HA H7 EA | GA GZ GK | E7 E8 E9", 0, ("rufspiel", "G"), "", True),
        # one trump left is enough to make a claim false
        ("EO S8 S7 | HA H7 EA | GA GZ GK | E7 E8 E9", 0, ("rufspiel", "G"), "", False),
        # who is not on lead must be able to win this trick too
        ("EO GO | E7 EA | SA S7 | GA HA", 1, ("wenz",), "", False),
        ("EO GO | SO HA | SA S7 | GA G7", 3, ("rufspiel", "E"), "", True),
        # a card lies in the trick already; the claimer, who plays next, must beat it
        ("GO | E7 | G7 | ", 0, ("rufspiel", "G"), "EO", False),
        ("EO | E7 | G7 | ", 0, ("rufspiel", "G"), "GO", True),
        (" | E7 | G7 | GO", 1, ("rufspiel", "G"), "HO", False),  # the claimer's own card, and it is beaten
        # at the first card: seven trumps from the top and a plain Ace that nobody can take once they are drawn
        (
            "EO GO HO SO EU GU HU EA | SU HA HZ HK E7 E8 G7 G8 | H9 H8 H7 S7 S8 S9 SK SZ | GA GZ GK G9 EZ EK E9 SA",
            0, ("solo", "H"), "", True,
        ),
    ],
)  # fmt: skip
def test_003_3_4_what_a_claim_of_forehand_is(
    hands: str, turn: int, game: tuple[str, ...], trick: str, right: bool
) -> None:
    assert ask(hands, 0, turn, *game, trick=trick) is right


def test_a_search_that_would_be_too_long_is_left_undecided() -> None:
    table, duties = compiled("solo", "H")
    rng = Random(5)
    pack = list(numbers(table.pack))
    rng.shuffle(pack)
    hands = tuple(sum(1 << card for card in pack[place * 8 : place * 8 + 8]) for place in range(4))
    top = sum(1 << card for card in table.trumps[:4])
    claim = Claim(0, (hands[0] & ~top | top, *(hand & ~top for hand in hands[1:])), 0)
    assert is_claim_right(claim, table, duties, 5) is None
