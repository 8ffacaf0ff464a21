"""The check turned against itself: damage to a good game is noticed, or no check could notice it.

Each game is damaged in one place: two cards of a trick change places, an amount, a knock, the declarer, the suit. The
engine must notice exactly those mutants that the second opinion (`oracle`) does not excuse. It excuses a mutant only
where its play is legal to the last card and every fact that the record states still follows from it: such a mutant is
itself a good record of another game, and nothing in it tells that it is the wrong one.
`docs/what-no-check-can-notice.md` gives the argument for each kind, and the counts.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, islice
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from support import oracle, talon_mutants
from support.paths import ROOT
from support.real_games import FOLDER, logs, needed, plain, played, settled
from support.samples import valid_deals
from support.talon_mutants import DECKS
from support.thorough import THOROUGH, examples
from support.two_players import IN_HAND

from archive import generate
from archive.judge import Judgement, LedgerState, judge
from archive.judge.judge_deal import judge_session
from archive.judge.judge_stream import judge_stream
from archive.judge.shares import is_cut_short
from archive.judge.types import case_of
from archive.play.other.sixty_six import ACTS
from archive.play.types import NOT_PLAYED
from archive.record import Deal, Session, Source, Stated, Trick
from importers import netschafkopf

PAGE = ROOT / "docs" / "what-no-check-can-notice.md"
WORDS = ("tout", "du", "hand", "open", "muss", "void")
Amounts = tuple[int | None, ...]
STATED = Stated.__struct_fields__
STATED_ALL = ("points", "tricks", "winners", "won", "partner", "schneider", "schwarz", "runners", "price", "payments")
STATED_ALL += ("marks",)
ROUNDS_IN = ("bavarian", "pub", "expats")
WITH_ROUNDS = {
    "bock": {"on": ["schwarz", "lost-alone"], "mode": "overlap"},
    "kreuz": {"on": ["wenz"]},
    "schieber": {"on": ["tout", "solo"]},
    "teufel": {"on": ["60-60", "rufspiel"]},
    "hochzeit": {"when": "before"},
}


# --- kinds of damage --------------------------------------------------------------------------------------------------


def swapped(deal: Deal) -> Iterator[Deal]:
    """Two cards of a trick change places: every pair of every trick."""
    tricks = deal.tricks or ()
    for number, trick in enumerate(tricks):
        for one, other in combinations(range(len(trick.cards)), 2):
            cards = list(trick.cards)
            cards[one], cards[other] = cards[other], cards[one]
            yield replace(deal, tricks=(*tricks[:number], Trick(tuple(cards), trick.leader), *tricks[number + 1 :]))


def another_amount(deal: Deal) -> Iterator[Deal]:
    """One stated amount is one more: a payment, a running total, the price, a step of it."""
    stated = deal.stated
    if stated is None:
        return
    for key in ("payments", "totals", "marks"):
        amounts: Amounts = getattr(stated, key) or ()
        for seat, amount in enumerate(amounts):
            if amount is not None:
                more = (*amounts[:seat], amount + 1, *amounts[seat + 1 :])
                yield replace(deal, stated=replace(stated, **{key: more}))
    if stated.price is not None:
        yield replace(deal, stated=replace(stated, price=stated.price + 1))
    yield from another_step(deal)


def another_step(deal: Deal) -> Iterator[Deal]:
    """One step of the stated price is another."""
    stated = deal.stated
    if stated is None:
        return
    for place, step in enumerate(stated.steps or ()):
        steps = stated.steps or ()
        changed = replace(step, amount=step.amount + 1)
        yield replace(deal, stated=replace(stated, steps=(*steps[:place], changed, *steps[place + 1 :])))


def another_knock(deal: Deal) -> Iterator[Deal]:
    """A knock more, a knock less, a knock of another player."""
    knocks = deal.knocks
    if isinstance(knocks, int):
        yield from (replace(deal, knocks=count) for count in (knocks - 1, knocks + 1) if count >= 0)
        return
    told = knocks or ()
    for seat in set(range(seats_of(deal))) - set(told):
        yield replace(deal, knocks=(*told, seat))
        for place in range(len(told)):
            yield replace(deal, knocks=(*told[:place], seat, *told[place + 1 :]))
    for place in range(len(told)):
        yield replace(deal, knocks=told[:place] + told[place + 1 :])


def another_declarer(deal: Deal) -> Iterator[Deal]:
    """Another player declares the game."""
    game = deal.game
    if game and game.declarer is not None:
        yield from (replace(deal, game=replace(game, declarer=s)) for s in range(seats_of(deal)) if s != game.declarer)


def another_suit(deal: Deal) -> Iterator[Deal]:
    """Another Ace is called, or another suit is trump."""
    game = deal.game
    if game and game.suit:
        for suit in oracle.SUITS.replace(game.suit, ""):
            called = suit + game.called[1] if game.called else None
            yield replace(deal, game=replace(game, suit=suit, called=called))


def another_partner(deal: Deal) -> Iterator[Deal]:
    """Another partner is named."""
    if deal.partner is not None:
        yield from (replace(deal, partner=seat) for seat in range(seats_of(deal)) if seat != deal.partner)


def another_bid(deal: Deal) -> Iterator[Deal]:
    """Another number of points was bid."""
    if deal.game and deal.game.bid is not None:
        yield from (replace(deal, game=replace(deal.game, bid=deal.game.bid + more)) for more in (-5, 5))


def another_exchange(deal: Deal) -> Iterator[Deal]:
    """A card that was passed on is another one of who passed it; an exchange is left out; two change places."""
    told = deal.exchange or ()
    for place, passed in enumerate(told):
        hand = (deal.blind if passed.giver is None else (deal.hands or ())[passed.giver]) or ()
        for at in range(len(passed.cards)):
            for card in set(hand) - set(passed.cards):
                other = replace(passed, cards=(*passed.cards[:at], card, *passed.cards[at + 1 :]))
                yield replace(deal, exchange=(*told[:place], other, *told[place + 1 :]))
        yield replace(deal, exchange=told[:place] + told[place + 1 :])
    for place in range(len(told) - 1):
        yield replace(deal, exchange=(*told[:place], told[place + 1], told[place], *told[place + 2 :]))


def another_word(deal: Deal) -> Iterator[Deal]:
    """A word of the game more, or one less."""
    for word in WORDS if deal.game and deal.game.contract not in NOT_PLAYED else ():
        words = deal.game.words
        changed = tuple(each for each in words if each != word) if word in words else (*words, word)
        yield replace(deal, game=replace(deal.game, words=changed))


def another_round(deal: Deal) -> Iterator[Deal]:
    """The special round under way is none."""
    if deal.round and deal.game and deal.game.contract not in NOT_PLAYED:
        yield replace(deal, round=())


# Calls of an auction in lengths, or of one in which one hangs on, that another could have been said for.
OTHER_CALLS = {
    "hang": ("may-i", "pass"),
    "may-i": ("hang", "pass"),
    "refuse": ("accept",),
    "mit": ("good", "2", "8"),
    "concede": ("lowest 7", "lowest A"),
}


def another_call(deal: Deal) -> Iterator[Deal]:
    """Another length is bid, another lowest card named; one hangs on, or asks, or answers otherwise."""
    told = deal.auction or ()
    hanging = any(each.call == "hang" for each in told)
    for place, each in enumerate(told):
        others = OTHER_CALLS.get(each.call, ("refuse",) if hanging and each.call == "accept" else ())
        if each.call.isdigit() and int(each.call) < 9:
            others = (str(int(each.call) - 1), str(int(each.call) + 1))
        if each.call.startswith("lowest "):
            others = tuple(f"lowest {rank}" for rank in "AZKO987" if rank != each.call[-1])
        for call in others:
            yield replace(deal, auction=(*told[:place], replace(each, call=call), *told[place + 1 :]))


def another_blind(deal: Deal) -> Iterator[Deal]:
    """A card of the blind and one of a hand change places."""
    for place, card in enumerate(deal.blind or ()):
        for seat, hand in enumerate(deal.hands or ()):
            for other in hand or ():
                blind = (*deal.blind[:place], other, *deal.blind[place + 1 :])  # type: ignore[index]
                held = tuple(card if each == other else each for each in hand or ())
                yield replace(deal, blind=blind, hands=(*deal.hands[:seat], held, *deal.hands[seat + 1 :]))  # type: ignore[index]


SURRENDER = ("offers-surrender", "accepts", "refuses")
ANSWERS = {"accepts": "refuses", "refuses": "accepts"}


def another_event(deal: Deal) -> Iterator[Deal]:
    """A surrender that is not offered, or not answered, or answered otherwise."""
    told = deal.events or ()
    for place, event in enumerate(told):
        if event.verb in SURRENDER:
            yield replace(deal, events=told[:place] + told[place + 1 :])
        if event.verb in ANSWERS:
            yield replace(deal, events=(*told[:place], replace(event, verb=ANSWERS[event.verb]), *told[place + 1 :]))


def seats_of(deal: Deal) -> int:
    return len(deal.hands or ()) or 4


KINDS: dict[str, Callable[[Deal], Iterator[Deal]]] = {
    "two cards of a trick": swapped,
    "an amount": another_amount,
    "a knock": another_knock,
    "the declarer": another_declarer,
    "the suit": another_suit,
    "the partner": another_partner,
    "the bid": another_bid,
    "an exchange": another_exchange,
    "a word of the game": another_word,
    "the round": another_round,
    "a call": another_call,
    "the blind": another_blind,
    "an event": another_event,
    **talon_mutants.KINDS,
}


# --- the two opinions -------------------------------------------------------------------------------------------------


def notices(original: Judgement, mutant: Deal) -> bool:
    """Whether the engine says of the mutant anything that it did not say of the original."""
    found = judge(original.session, mutant, original.number, original.before)
    return bool(found.findings) or found.verdict != original.verdict


def what(facts: oracle.Facts, key: str) -> Any:
    """The fact that decides whether a stated value holds."""
    by_key = {
        "points": (facts.points, facts.side_points),
        "points_against": facts.against,
        "tricks": facts.tricks,
        "price": facts.price,
        "steps": facts.parts,
        "totals": facts.payments,
        "marks": (facts.marks, facts.chalk),
        "stock": sum(facts.payments),  # what the players do not pay each other
        "result": None,  # words
    }
    return by_key[key] if key in by_key else getattr(facts, key)


def excuses(original: Judgement, mutant: Deal) -> bool:
    """Whether no check could notice the mutant: it is legal, played out, and all that it states follows from it.

    Where a stated value is what changed, the play is that of the original, which gives the value it had before.
    """
    if mutant.stated != original.deal.stated:
        return False
    if mutant.talon:
        return talon_mutants.excuses(original, mutant)
    if mutant.game.contract in NOT_PLAYED:
        play = plain(original, mutant)
        return not (oracle.doubling_fault(play) or oracle.aside_fault(play))
    play = plain(original, mutant)
    unseen = "schieber" in (mutant.round or ()) and mutant.exchange is None
    passed = oracle.passing_fault(play, original.deal.hands or ()) if unseen else ""  # type: ignore[arg-type]
    after = oracle.facts(play) if not passed and not oracle.fault(play) else None
    if after is None:
        return False
    before = oracle.facts(plain(original))
    assert before
    keys = [] if mutant.stated is None else [k for k in STATED if getattr(mutant.stated, k) is not None]
    case = case_of(original)
    if case is not None and is_cut_short(case):  # a Tout that is lost may be played on, and points made after it
        keys = [key for key in keys if key not in ("points", "points_against", "tricks")]
    return all(what(before, key) == what(after, key) for key in keys)


def argued(kind: str, original: Judgement, mutant: Deal) -> bool:
    """The argument of the page for this kind, where a mutant passes: what it says must be so in every single case."""
    if kind in talon_mutants.ARGUED:
        return talon_mutants.ARGUED[kind](original, mutant)
    thrown_in = bool(mutant.game and mutant.game.contract in NOT_PLAYED)
    return {
        "two cards of a trick": mutant.hands is None or (bool(mutant.round) and mutant.exchange is None),
        "an amount": False,
        "a knock": thrown_in or number_of(mutant.knocks) == number_of(original.deal.knocks) or mutant.stated is None,
        "the declarer": mutant.stated is None,
        "the suit": mutant.game is not None,
        "an exchange": broken_off(mutant),
        "a call": caller(original.deal, mutant) not in (None, mutant.game.declarer if mutant.game else None),
        "the blind": broken_off(mutant),
        "a word of the game": said(mutant) ^ said(original.deal) in ({"tout"}, {"du"}, {"void"}),
    }.get(kind, False)


def broken_off(deal: Deal) -> bool:
    """Whether not every card was played."""
    return len(deal.tricks or ()) < max(len(hand or ()) for hand in deal.hands or ((),))


def caller(deal: Deal, mutant: Deal) -> int | None:
    """Whose call was changed."""
    both = zip(deal.auction or (), mutant.auction or (), strict=True)
    return next((one.seat for one, other in both if one != other), None)


def said(deal: Deal) -> set[str]:
    return set(deal.game.words) if deal.game else set()


def number_of(knocks: tuple[int, ...] | int | None) -> int:
    return knocks if isinstance(knocks, int) else len(knocks or ())


def counted(games: Iterator[Judgement], step: int = 1) -> tuple[Counter[tuple[str, bool]], list[str]]:
    """Mutants by kind and whether they were noticed, and those on which the two opinions part. Of swapped cards, which
    are four in five of them, each so many-th is tried; of each other kind one in a fifth of it."""
    counts: Counter[tuple[str, bool]] = Counter()
    parted: list[str] = []
    for game in games:
        for kind, mutants in KINDS.items():
            for mutant in islice(mutants(game.deal), 0, None, step if mutants is swapped else max(1, step // 5)):
                noticed = notices(game, mutant)
                counts[kind, noticed] += 1
                if noticed == excuses(game, mutant) or not (noticed or argued(kind, game, mutant)):
                    parted.append(f"{game.deal.source}, {kind}, noticed: {noticed}: {mutant}")
    return counts, parted


def one_by_one(records: Iterator[tuple[Session, Deal]]) -> Iterator[Judgement]:
    return (judge(session, deal, 1, LedgerState(totals=(0,) * 4)) for session, deal in records)


def of_logs(schieber: bool = False) -> Iterator[Judgement]:
    deals = (each for _, found in logs() for each in found if isinstance(each, Judgement))
    return (each for each in deals if schieber == bool(each.deal.round))


def of_samples() -> Iterator[Judgement]:
    """The sample deals whose cards are all there, under rounds and exchanges that the second opinion knows: none."""
    return (found for found in valid_deals() if found.verdict == "agrees" and is_plain(found.deal))


def of_generated(
    rules: str, count: int, house: dict[str, Any] | None = None, players: tuple[str, ...] | None = None
) -> Iterator[Judgement]:
    """Random deals of a ruleset, each stating all there is to state."""
    rng = Random(rules)
    for more in ({}, WITH_ROUNDS if rules in ROUNDS_IN else {}):
        evening = generate.session(rules, {**(house or {}), **more}, **({"players": players} if players else {}))
        deals = generate.deals(rng, evening, count, STATED_ALL)
        yield from (each for each in judge_session(evening, list(deals)) if is_plain(each.deal))


@cache
def counted_samples(step: int = 1) -> tuple[int, Counter[tuple[str, bool]], list[str]]:
    """How many sample deals there are, and what comes of their mutants."""
    games = list(of_samples())
    return len(games), *counted(iter(games), step)


def is_plain(deal: Deal) -> bool:
    hands = [hand for seat, hand in enumerate(deal.hands or ()) if seat not in (deal.sits_out or ())]
    known = hands and all(hand and not any("?" in card for card in hand) for hand in hands)
    stacked = deal.piles or any("/" in card for hand in hands for card in hand or ())
    odd = (
        deal.held
        or stacked
        or deal.turns is not None
        or not deal.game
        or any(each.verb not in (*SURRENDER, *ACTS) for each in deal.events or ())
    )
    return bool(known and not odd)


# --- the tests --------------------------------------------------------------------------------------------------------

# Which kinds of damage can pass unnoticed in which games: the page says why. Every other kind never does.
PASSES = {
    "settled": {"a knock", "the suit"},
    "logs": {"the suit"},
    "played": {"the declarer", "the suit", "a word of the game"},
}
IN_REAL_GAMES = {"two cards of a trick", "an amount", "a knock", "the declarer", "the suit", "a word of the game"}


@needed
@pytest.mark.parametrize(
    ("games", "source"),
    [
        ("settled", lambda: one_by_one(settled())),
        ("logs", lambda: of_logs()),
        ("played", lambda: one_by_one(islice(played(), 0, None, examples(4, 1)))),
    ],
)
def test_real_games_every_mutant_is_noticed_or_excused(games: str, source: Callable[[], Iterator[Judgement]]) -> None:
    counts, parted = counted(source(), examples(25, 1))
    assert parted == []
    assert {kind for kind in KINDS if counts[kind, False]} == PASSES[games]
    nowhere = {"an amount"} if games == "played" else set()  # these games state none
    assert {kind for kind in KINDS if counts[kind, True]} == IN_REAL_GAMES - nowhere


def test_sample_games_every_mutant_is_noticed_or_excused_and_the_page_has_the_counts() -> None:
    """When samples change, `PYTHONPATH=tests python tests/judge/test_mutations.py` writes the table anew."""
    _, counts, parted = counted_samples(examples(100, 1))
    assert parted == []
    assert {kind for kind in KINDS if counts[kind, True]} == set(KINDS)
    if THOROUGH:
        assert PAGE.read_text("utf-8") == with_table(PAGE.read_text("utf-8"))


def test_random_deals_with_a_sitter_every_mutant_is_noticed_or_excused() -> None:
    counts, parted = counted(of_generated("palatinate", 4, players=("Anna", "Ben", "Cem", "Dora")))
    assert parted == []
    assert counts["the blind", True]


@pytest.mark.one_in(6)
@pytest.mark.parametrize("rules", IN_HAND)
def test_random_deals_every_mutant_is_noticed_or_excused(rules: str) -> None:
    counts, parted = counted(of_generated(rules, 7), examples(10, 1))
    assert parted == []
    assert sum(counts[kind, True] for kind in KINDS) > examples(100, 350)


@pytest.mark.parametrize("deck", DECKS)
def test_random_deals_with_a_talon_every_mutant_is_noticed_or_excused(deck: str) -> None:
    counts, parted = counted(of_generated("sixty-six", examples(2, 60), DECKS[deck]), examples(5, 1))
    assert parted == []
    assert {kind for kind in KINDS if counts[kind, True]} >= set(talon_mutants.KINDS)


@needed
def test_without_hands_swaps_are_noticed_or_excused() -> None:
    counts: Counter[bool] = Counter()
    without = list(one_by_one((session, replace(deal, hands=None)) for session, deal in settled()))
    for game in without[:: examples(8, 1)]:
        for mutant in swapped(game.deal):
            noticed = notices(game, mutant)
            counts[noticed] += 1
            assert noticed != excuses(game, mutant), (game.deal.source, mutant.tricks)
    assert counts == ({True: 1994, False: 1258} if THOROUGH else {True: 259, False: 173})


@needed
def test_amounts_from_which_settings_are_inferred_are_noticed_all_the_same() -> None:
    """A changed price step may not be explained away by a house that is inferred from it."""
    seen = 0
    for path in sorted((FOLDER / "netschafkopf").glob("Schafkopfprotokoll*.txt")):
        items = list(netschafkopf.read(path.read_bytes(), Source(path.name)))
        (head,) = (item for item in items if isinstance(item, Session))
        deals = [item for item in items if isinstance(item, Deal)]
        for place, deal in list(enumerate(deals))[:: examples(20, 1)]:
            for mutant in () if deal.round else another_step(deal):
                found = judge_stream([head, *deals[:place], mutant, *deals[place + 1 :]])
                assert any(each.findings for each in found if isinstance(each, Judgement)), mutant.stated
                seen += 1
    assert seen == examples(7, 157)


@needed
def test_schieber_every_mutant_but_swaps_and_steps_is_noticed_or_excused() -> None:
    for game in of_logs(schieber=True):
        for kind in set(KINDS) - {"two cards of a trick", "an amount"}:
            for mutant in KINDS[kind](game.deal):
                assert notices(game, mutant) != excuses(game, mutant), mutant


@needed
def test_schieber_cards_played_came_from_the_hands_dealt() -> None:
    games = [game for game in of_logs(schieber=True) if game.deal.tricks]
    mutants = [(game, mutant) for game in games for mutant in swapped(game.deal)]
    assert len(mutants) == 96
    assert [mutant for game, mutant in mutants if notices(game, mutant) == excuses(game, mutant)] == []


@needed
def test_schieber_every_amount_is_noticed() -> None:
    assert all(notices(game, mutant) for game in of_logs(schieber=True) for mutant in another_amount(game.deal))


@needed
def test_the_stated_pot_is_noticed() -> None:
    for game in of_logs():
        assert game.deal.stated.stock == 0
        assert notices(game, replace(game.deal, stated=replace(game.deal.stated, stock=1)))


def with_table(page: str) -> str:
    """The page with the counts of the sample games between its marks."""
    deals, counts, _ = counted_samples()
    rows = [f"| {kind} | {counts[kind, True]} | {counts[kind, False]} |" for kind in KINDS]
    head = f"{deals} deals of `sample_games/valid`:\n\n| changed | noticed | not noticed |\n|---|---:|---:|"
    start, end = "<!-- samples -->\n", "<!-- end -->"
    before, rest = page.split(start)
    return f"{before}{start}" + "\n".join([head, *rows]) + f"\n{end}{rest.split(end)[1]}"


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text("utf-8")), "utf-8")
