"""The second opinion against the engine on dealt-out chance: legal plays, and plays with a card at random in them."""

from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support import oracle
from support.real_games import ALL_CONTRACTS, plain, same
from support.thorough import examples

from archive import generate
from archive.judge import Judgement, LedgerState, judge
from archive.judge.judge_deal import judge_session
from archive.record import Call, Deal, Game, Session, Stated, Trick
from archive.settle.ledger import empty_ledger

PLAYERS = ("Anna", "Ben", "Cem", "Dora")
DECLARED = [name for name in ALL_CONTRACTS if name not in ("ramsch", "sie")]
TIES = ["tricks", "taken-trumps", "taken-trump", "own-trump", "taken-ober", "own-ober"]

chances = st.randoms(use_true_random=False)
contracts = st.sampled_from([*DECLARED, "rufspiel", "rufspiel", "ramsch"])
houses = st.fixed_dictionaries(
    {
        "deck": st.sampled_from([32, 24]),
        "solo_needs_suit": st.booleans(),
        "call": st.fixed_dictionaries(
            {
                "run_away": st.sampled_from([4, 3, 99]),
                "run_away_counts": st.sampled_from(["held", "dealt"]),
                "after_run_away": st.sampled_from(["free", "due"]),
            }
        ),
        "hochzeit": st.fixed_dictionaries({"when": st.just("no"), "bonuses": st.booleans()}),
        "kreuz": st.fixed_dictionaries({"aces": st.sampled_from(["drawn", "drawn", "held"])}),
        "cap": st.sampled_from([None, 150]),
        "cap_of": st.sampled_from(["pair", "player"]),
        "bettel": st.fixed_dictionaries(
            {
                "trumps": st.sampled_from(["none", "hearts"]),
                "beat": st.booleans(),
                "lead": st.sampled_from(["forehand", "declarer"]),
            }
        ),
        "ramsch": st.fixed_dictionaries(
            {
                "tie": st.permutations(TIES),
                "virgin": st.sampled_from(["no", "double-all", "double-own", "double-own-once"]),
                "march": st.sampled_from(["no", "tricks", 60]),
                "price": st.just(10),
            }
        ),
        "price": st.just({"bettel": 30}),
        "tout": st.sampled_from(["base", "base+runners", "all"]),
        "knock": st.just("anyone"),
        "runners_most": st.sampled_from([0, 0, 3, 4]),
        "point": st.sampled_from([1, 1, 10]),
    }
)


def dealt(chance: Random, house: dict[str, Any], contract: str, tout: bool) -> Deal:
    """A deal without tricks: hands, a dealer, a game."""
    cards = list(oracle.pack(house["deck"]))
    chance.shuffle(cards)
    size = len(cards) // 4
    declarer = chance.randrange(4) if contract != "ramsch" else None
    takes = contract in ("rufspiel", "solo", "farbwenz", "farbgeier")
    suit = chance.choice("EGS" if contract == "rufspiel" else "EGHS") if takes else None
    called = f"{suit}A" if contract == "rufspiel" else None
    words = ("tout",) if tout and contract not in ("rufspiel", "ramsch", "bettel") else ()
    return Deal(
        dealer=chance.randrange(4),
        hands=tuple(tuple(cards[seat * size : seat * size + size]) for seat in range(4)),
        knocks=chance.randrange(3),
        game=Game(contract, declarer, suit, called, words),
        tricks=(),
    )


def with_tricks(chance: Random, deal: Deal, found: Judgement, slips: float) -> Deal:
    """The deal played out by chance; now and then a player takes any card of the hand, or a neighbour's."""
    play = plain(found, deal)
    hands = [list(hand) for hand in oracle.held(play)]
    turn = oracle.first_turn(play)
    searched, tricks = False, []
    while hands[turn]:
        cards: tuple[str, ...] = ()
        for place in range(len(oracle.at_play(play))):
            hand = hands[oracle.playing(play, turn, place)]
            slip = chance.random() < slips
            allowed = hand if slip else [c for c in hand if not oracle.objection(play, hand, cards, c, searched)]
            card = chance.choice(allowed)
            hand.remove(card)
            cards = (*cards, card)
        tricks.append(Trick(cards, turn))
        searched = searched or (play.called is not None and oracle.kind(play, cards[0]) == play.called[0])
        turn = oracle.playing(play, turn, oracle.best_place(play, cards))
    kept = ("dealer", "hands", "blind", "exchange", "knocks", "game")
    return Deal(**{key: getattr(deal, key) for key in kept}, tricks=tuple(tricks))


def judged(house: dict[str, Any], deal: Deal) -> Judgement:
    session = Session(players=PLAYERS, rules="bavarian", house={"contracts": ALL_CONTRACTS} | house)
    return judge(session, deal, 1, LedgerState(totals=(0,) * 4))


@settings(max_examples=examples(10, 300))
@given(chances, houses, contracts, st.booleans())
def test_legal_plays_have_the_same_facts(chance: Random, house: dict[str, Any], contract: str, tout: bool) -> None:
    deal = dealt(chance, house, contract, tout)
    found = judged(house, with_tricks(chance, deal, judged(house, deal), slips=0))
    play = plain(found)
    fault = oracle.fault(play)
    assert (fault == "") == (found.findings == ()), (fault, found.findings)
    assert not [each for each in found.findings if each.at], "a legal card was refused"
    if not fault:
        assert found.verdict == ("agrees" if oracle.facts(play) else "undecidable")
        if oracle.facts(play):
            assert same(oracle.facts(play), found)


@settings(max_examples=examples(10, 300))
@given(chances, houses, contracts)
def test_illegal_plays_break_first_at_the_same_card(chance: Random, house: dict[str, Any], contract: str) -> None:
    deal = dealt(chance, house, contract, False)
    found = judged(house, with_tricks(chance, deal, judged(house, deal), slips=0.1))
    fault = oracle.play_fault(plain(found))
    broken = next((each for each in found.findings if "." in (each.at or "")), None)
    told = "" if broken is None else "trick {} card {}".format(*(broken.at or "").split("."))
    assert fault.split(":")[0] == told, (fault, broken)


@settings(max_examples=examples(10, 200))
@given(chances, houses, st.sampled_from([*DECLARED, "sie"]))
def test_hands_may_declare_the_same_games(chance: Random, house: dict[str, Any], contract: str) -> None:
    deal = dealt(chance, house, contract, False)
    found = judged(house, deal)
    play = plain(found)
    assert (oracle.hand_fault(play) + oracle.game_fault(play) == "") == (found.findings == ())


def test_virgins_may_be_named_in_any_order() -> None:
    evening = generate.session("bavarian", {"contracts": ALL_CONTRACTS, "deck": 24, "all_pass": "ramsch"})
    two = generate.deal(Random(3), evening, "ramsch", want=lambda found: len(found.settlement.virgins) == 2)
    one, other = judge(evening, two, 1, LedgerState()).settlement.virgins  # type: ignore[union-attr]
    for virgins in ((one, other), (other, one)):
        assert judge(evening, replace(two, stated=Stated(virgins=virgins)), 1, LedgerState()).findings == ()


OF_PALATINATE = ("palatinate", "asserufen", "bauernstoss", "alter-schoofkopp", "deutscher-schafkopf")


@settings(max_examples=examples(10, 120))
@given(chances, st.sampled_from(OF_PALATINATE), st.booleans())
def test_generated_deals_of_the_palatinate_have_the_same_facts(chance: Random, rules: str, more: bool) -> None:
    """Games of game points and of marks, with a dealer who sits out where three play."""
    evening = generate.session(rules, {"point": 10} if more else None)
    if more and rules == "palatinate":
        evening = replace(evening, players=PLAYERS)
    for found in judge_session(evening, list(generate.deals(chance, evening, 3))):
        play, made = plain(found), found.deal
        if made.game and made.game.contract != "none":
            assert (oracle.fault(play), found.findings) == ("", ()), made
            assert same(oracle.facts(play), found), (oracle.facts(play), found.settlement)


@settings(max_examples=examples(10, 200))
@given(chances, st.sampled_from(OF_PALATINATE))
def test_slips_in_games_of_the_palatinate_break_first_at_the_same_card(chance: Random, rules: str) -> None:
    """Must trump, must beat a Jack, must beat a trump, and who has laid the hand down plays no card."""
    evening = generate.session(rules)
    contract = chance.choice(generate.ruleset_of(evening).house.contracts)
    made = generate.deal(chance, evening, contract, doubles=False)
    before = next(judge_session(evening, [made]))
    found = next(judge_session(evening, [with_tricks(chance, made, before, slips=0.1)]))
    fault = oracle.play_fault(plain(found))
    broken = next((each for each in found.findings if "." in (each.at or "")), None)
    told = "" if broken is None else "trick {} card {}".format(*(broken.at or "").split("."))
    assert fault.split(":")[0] == told, (fault, broken)


# --- auctions, said at random -----------------------------------------------------------------------------------------


def told(chance: Random, rules: str, order: list[int], hands: tuple[tuple[str, ...], ...]) -> list[tuple[int, str]]:
    """Calls that could be said, though not all of them here."""
    if rules == "asserufen":
        solos = ["solo", "solo H", "solo du", "solo H du"]
        calls = [(seat, chance.choice(["pass"] * 4 + ["hang", "may-i"] * 3 + solos)) for seat in order]
        answers = [(chance.choice(order), chance.choice(["accept", "refuse"])) for _ in range(chance.choice((0, 1, 2)))]
        return calls + answers
    if rules == "palatinate":
        calls = [(seat, chance.choice(["pass"] * 5 + ["have-solo", "play", "solo", "solo H du"])) for seat in order]
        second = [(seat, chance.choice(["pass", "play", "take"])) for seat in order[: chance.randrange(4)]]
        return calls + (second if all(call == "pass" for _, call in calls) else [])
    calls = []
    for seat in order:
        jacks = sum(card[1] == "U" for card in hands[seat])
        lengths = [str(sum(c[0] == s and c[1] != "U" for c in hands[seat]) + jacks) for s in oracle.SUITS]
        calls.append((seat, chance.choice([*lengths, *lengths, "mit", "mit", "pass", "good", "big-solo"])))
        if calls[-1][1] == "big-solo":
            return calls
    names = ["concede", *(f"lowest {rank}" for rank in "789OKZA")]
    return calls + [
        (seat, chance.choice(names)) for seat, call in calls if call in ("mit", *"345") and chance.random() < 0.6
    ]


@settings(max_examples=examples(10, 400))
@given(chances, st.sampled_from(OF_PALATINATE))
def test_calls_said_at_random_are_refused_alike(chance: Random, rules: str) -> None:
    """By two rounds, by hanging on, by lengths: both opinions let the same auctions lead to the same games."""
    evening = generate.session(rules)
    house = generate.ruleset_of(evening).house
    cards, size = list(oracle.pack(32)), house.hand_size or 8
    chance.shuffle(cards)
    if rules == "asserufen" and chance.random() < 0.3:
        cards.sort(key=lambda card: card[1] != "A")  # who has all the Aces calls a Ten
    hands = tuple(tuple(cards[seat * size : seat * size + size]) for seat in range(house.seats))
    dealer = chance.randrange(house.seats)
    order = [(dealer + 1 + step) % house.seats for step in range(house.seats)]
    calls = told(chance, rules, order, hands)
    contract = (
        "big-solo" if calls[-1][1] == "big-solo" else chance.choice([c for c in house.contracts if "solo" not in c])
    )
    contract = "solo" if any(call.startswith(("solo", "have")) for _, call in calls) else contract
    declarer = chance.choice([seat for seat, call in calls if call not in ("pass", "good")] or order)
    suit = chance.choice("EGS" if contract == "rufspiel" else "EGHS")
    called = suit + chance.choice("AAAZ") if contract == "rufspiel" else None
    words = ("du",) if contract == "solo" and chance.random() < 0.4 else ()
    deal = Deal(
        dealer=dealer, hands=hands, blind=tuple(cards[house.seats * size :]) or None,
        auction=tuple(Call(*each) for each in calls), game=Game(contract, declarer, suit, called, words),
    )  # fmt: skip
    found = judge(evening, deal, 1, replace(empty_ledger(house.seats), game_deals=3, chalk=0))
    play = plain(found)
    fault = oracle.game_fault(play) or oracle.word_fault(play) or oracle.bid_fault(play)
    assert (fault == "") == (found.findings == ()), (fault, found.findings, deal)
