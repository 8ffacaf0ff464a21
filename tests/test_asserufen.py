"""Asserufen, sentence by sentence: document 004, Asserufen (4 active players)."""

from random import Random

import pytest
from generate import ruleset_of, session
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tables import auction_findings, judge_text, rules_of

from archive.audit import Table, judge
from archive.cards import BIT, mask
from archive.notation.words import CALLS
from archive.play.duties import narrow, seen
from archive.record import Call, Deal, Game
from archive.record.findings import wordings
from archive.rules import tables

EVENING = session("asserufen")
RULES = ruleset_of(EVENING)


def bidding(calls: str, game: str, more: str = "") -> list[str]:
    """The findings of a deal without cards, Anna being forehand."""
    return auction_findings(calls, game, "asserufen", more=more)


# --- Contracts --------------------------------------------------------------------------------------------------------


def test_004_asserufen_contracts_are_the_called_ace_and_solo() -> None:
    assert RULES.house.contracts == ("rufspiel", "solo")
    assert (RULES.house.seats, RULES.house.hand_size, RULES.house.faces) == (4, 8, "french")


@pytest.mark.parametrize("word", ["Asserufen", "Assrufen", "Assrufer", "Rufer", "rufspiel"])
def test_004_asserufen_contracts_names(word: str) -> None:
    (found,) = judge_text(f'[[deal]]\ndealer = "Dora"\ngame = "Anna {word} E"\n', "asserufen")
    assert found.deal.game == Game("rufspiel", 0, "E", "EA")


def test_004_asserufen_nobody_wants_to_be_declarer() -> None:
    assert bidding("Anna pass, Ben pass, Cem pass, Dora pass", "none") == []
    assert bidding("Anna pass, Ben pass, Cem pass, Dora pass", "Anna rufspiel E") == ["auction-result"]


# --- Bidding ----------------------------------------------------------------------------------------------------------

HANGS = "Anna pass, Ben hang, Cem may-i, Dora pass"


@pytest.mark.parametrize(
    ("calls", "game"),
    [
        ("Anna pass, Ben hang, Cem pass, Dora pass", "Ben rufspiel E"),
        (f"{HANGS}, Ben refuse", "Ben rufspiel E"),
        (f"{HANGS}, Ben accept", "Cem rufspiel E"),
        ("Anna hang, Ben may-i, Anna accept, Cem pass, Dora pass", "Ben rufspiel E"),
        # a Solo of any kind names the contract, but not the suit
        ("Anna hang, Ben may-i, Cem solo, Dora pass", "Cem solo E"),
        ("Anna hang, Ben may-i, Anna accept, Cem solo, Dora pass, Ben pass", "Cem solo E"),
        ("Anna solo, Ben solo H, Cem pass, Dora pass", "Ben solo H"),
        ("Anna hang, Ben solo, Cem solo H, Dora solo du", "Dora solo S du"),
        ("Anna solo H, Ben pass, Cem have-du, Dora pass", "Cem solo G tout"),
        ("Anna solo tout, Ben pass, Cem pass, Dora solo H du", "Dora solo H du"),
        ("Anna hang, Ben solo, Cem pass, Dora pass, Anna solo H, Ben pass", "Anna solo H"),
    ],
)
def test_004_asserufen_bidding(calls: str, game: str) -> None:
    assert bidding(calls, game) == []


def test_004_asserufen_bidding_a_heart_solo_is_a_solo_whose_suit_is_told_later() -> None:
    assert bidding("Anna solo, Ben pass, Cem pass, Dora pass", "Anna solo H") == []
    assert bidding("Anna solo H, Ben pass, Cem pass, Dora pass", "Anna solo E") == ["auction-result"]


def test_004_asserufen_bidding_an_offer_that_is_not_answered_in_the_record_is_told_by_the_game() -> None:
    assert bidding(HANGS, "Ben rufspiel E") == bidding(HANGS, "Cem rufspiel E") == []
    assert bidding(HANGS, "Dora rufspiel E") == ["auction-result"]


@pytest.mark.parametrize(
    ("calls", "game", "finding"),
    [
        # a player who passes takes no further part
        ("Anna pass, Ben hang, Cem pass, Dora pass, Anna may-i", "Ben rufspiel E", "auction-after-pass"),
        ("Anna pass, Cem hang, Ben pass, Dora pass", "Cem rufspiel E", "auction-out-of-turn"),
        # one hangs on if no one has yet bid
        ("Anna hang, Ben hang, Cem pass, Dora pass", "Anna rufspiel E", "auction-too-low"),
        ("Anna solo, Ben hang, Cem pass, Dora pass", "Anna solo E", "auction-too-low"),
        # one hangs off if one has hung on and no one else has bid
        ("Anna may-i, Ben pass, Cem pass, Dora pass", "none", "auction-call"),
        ("Anna hang, Ben solo, Cem may-i, Dora pass", "Ben solo G", "auction-too-low"),
        ("Anna hang, Ben may-i, Cem may-i, Dora pass, Anna accept", "Ben rufspiel G", "auction-call"),
        # the first bidder answers, and one who is asked
        ("Anna hang, Ben pass, Cem pass, Dora pass, Anna refuse", "Anna rufspiel G", "auction-call"),
        (f"{HANGS}, Cem accept", "Cem rufspiel E", "auction-call"),
        (f"{HANGS}, Ben refuse, Ben accept", "Ben rufspiel E", "auction-call"),
        ("Anna hang, Ben may-i, Cem solo, Dora pass, Anna accept", "Cem solo E", "auction-call"),
        # what nobody has outbid is not withdrawn
        ("Anna hang, Ben pass, Cem pass, Dora pass, Anna pass", "none", "auction-withdrawn"),
        (f"{HANGS}, Ben pass", "Cem rufspiel E", "auction-withdrawn"),
        (f"{HANGS}, Cem pass", "Ben rufspiel E", "auction-withdrawn"),
        # a Heart Solo overcalls an ordinary Solo, a Solo Du all others; no other bid does
        ("Anna solo, Ben solo, Cem pass, Dora pass", "Anna solo E", "auction-too-low"),
        ("Anna solo H, Ben solo H, Cem pass, Dora pass", "Anna solo H", "auction-too-low"),
        ("Anna solo du, Ben solo H, Cem pass, Dora pass", "Anna solo E du", "auction-too-low"),
        # the suit is not named, and nothing is said that is not bid here
        ("Anna solo E, Ben pass, Cem pass, Dora pass", "Anna solo E", "auction-call"),
        ("Anna wenz, Ben pass, Cem pass, Dora pass", "none", "auction-call"),
        ("Anna play, Ben pass, Cem pass, Dora pass", "none", "auction-call"),
        ("Anna hang, Ben hold, Cem 70, Dora pass", "Anna rufspiel E", "auction-call"),
    ],
)
def test_004_asserufen_bidding_what_is_not_said(calls: str, game: str, finding: str) -> None:
    assert set(bidding(calls, game)) == {finding}


@pytest.mark.parametrize(
    ("calls", "game"),
    [
        ("Anna pass, Ben hang, Cem pass, Dora pass", "Cem rufspiel E"),
        ("Anna pass, Ben hang, Cem pass, Dora pass", "none"),
        ("Anna pass, Ben hang, Cem pass, Dora pass", "Ben solo E"),
        (f"{HANGS}, Ben refuse", "Cem rufspiel E"),
        (f"{HANGS}, Ben accept", "Ben rufspiel E"),
        ("Anna hang, Ben may-i, Cem solo, Dora pass", "Anna rufspiel E"),
        ("Anna solo, Ben pass, Cem pass, Dora pass", "Anna solo E du"),
        ("Anna solo du, Ben pass, Cem pass, Dora pass", "Anna solo E"),
    ],
)
def test_004_asserufen_bidding_does_not_lead_to_the_game(calls: str, game: str) -> None:
    assert bidding(calls, game) == ["auction-result"]


@pytest.mark.parametrize(
    ("hand", "may"),
    [
        ("EO HO GU HA H9 EA SK GA", True),  # a suit without its Ace
        ("EO HO GU HA H9 EA SA GA", False),  # every Ace
        ("EO HO GU HA H9 EA GA GK", False),  # the Aces of two suits, the third void
        ("EO GO SO EU GU SU HA H9", False),  # void of all three suits: Queens and Jacks are trumps
        ("EO HO GU HA H9 HZ H8 S7", True),
        ("EO HO GU HA H9 EA GA ??", True),  # it is not known
    ],
)
def test_004_asserufen_bidding_one_hangs_off_with_a_suit_without_its_ace(hand: str, may: bool) -> None:
    told = bidding(f"{HANGS}, Ben refuse", "Ben rufspiel E", f'hands = ["Cem: {hand}"]')
    assert told == ([] if may else ["auction-call"])


# --- Calling an Ace ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "game", "finding"),
    [
        ("EO HO GU HA H9 EA GK S7", "rufspiel G", ""),
        ("EO HO GU HA H9 EA GK S7", "rufspiel E", "calls-own-card"),  # no secret Solo
        ("EO HO GU HZ H9 EA GK S7", "rufspiel H", "no-card-of-called-suit"),  # not the Ace of hearts
        ("EO HO GU HA H9 EA GK G7", "rufspiel S", "no-card-of-called-suit"),  # if possible with a card of it
        ("EO HO GU HA H9 EZ GO G7", "rufspiel S", "no-card-of-called-suit"),
        # the Aces of all their non-trump suits: a void suit, whether or not the record says so
        ("EO HO GU HA H9 EA GA G7", "rufspiel S", ""),
        ("EO HO GU HA H9 EA GA G7", "rufspiel S void", ""),
        ("EO GO HO SO EU GU HA HZ", "rufspiel S", ""),
        ("EO HO GU HA H9 EA GK S7", "rufspiel G void", "wrong-call"),
        # all three Aces, and only then: a Ten not held
        ("EO HO GU HA H9 EA GA SA", "rufspiel SZ", ""),
        ("EO HO GU HA H9 EA GA SA", "rufspiel GZ", ""),
        ("EO HO GU HA EZ EA GA SA", "rufspiel EZ", "calls-own-card"),
        ("EO HO GU HA H9 EA GA G7", "rufspiel SZ", "no-card-of-called-suit"),
        ("EO HO GU HA H9 EA GA G7", "rufspiel GZ", "wrong-call"),
        ("EO HO GU HA H9 EA GA S7", "rufspiel SZ", "wrong-call"),
        ("EO HO GU HA H9 EA GA SA", "rufspiel SK", "wrong-call"),
    ],
)
def test_004_asserufen_calling_an_ace(hand: str, game: str, finding: str) -> None:
    text = f'[[deal]]\ndealer = "Dora"\nhands = ["Ben: {hand}"]\ngame = "Ben {game}"\n'
    (found,) = judge_text(text, "asserufen")
    assert rules_of(found) == ([finding] if finding else [])


# --- Play of the Cards ------------------------------------------------------------------------------------------------

CALLED = [("EA", "E"), ("EZ", "E")]  # the Ten is called as an Ace is


def may(called: str, hand: str, card: str, led: str = "", searched: bool = False) -> str:
    """The finding that refuses a card of a hand, empty where it may be played to the card that was led."""
    compiled = tables(RULES, "rufspiel", "E", called)
    group = next((each for each in compiled.groups if led and each & BIT[led]), 0)
    spot = seen(compiled, mask(hand.split()), group, 0, int(searched))
    return narrow(RULES.contracts["rufspiel"].duties, spot, BIT[card])[2] or ""


@pytest.mark.parametrize("called", ["EA", "EZ"])
def test_004_asserufen_play_1_the_called_card_is_played_when_another_leads_its_suit(called: str) -> None:
    hand = f"{called} EK E9 E8 HA"
    assert may(called, hand, called, led="E7") == ""
    assert may(called, hand, "EK", led="E7") == "called-card-withheld"  # however many cards of it


@pytest.mark.parametrize("called", ["EA", "EZ"])
def test_004_asserufen_play_2_the_partner_leads_the_called_card_of_its_suit(called: str) -> None:
    hand = f"{called} EK E9 HA GA"
    assert may(called, hand, "EK") == "called-card-led-under"
    assert may(called, hand, called) == may(called, hand, "GA") == may(called, hand, "HA") == ""
    assert may(called, "EK E9 HA GA", "EK") == ""  # another player


@pytest.mark.parametrize("called", ["EA", "EZ"])
@pytest.mark.parametrize("led", ["G7", "H7"])
def test_004_asserufen_play_3_the_called_card_is_not_thrown_on_another_suit(called: str, led: str) -> None:
    hand = f"{called} EK SA S9"
    assert may(called, hand, called, led) == "called-card-thrown-off"
    assert may(called, hand, "EK", led) == may(called, hand, "SA", led) == ""
    assert may(called, called, called, led) == ""  # the last card


@pytest.mark.parametrize("called", ["EA", "EZ"])
def test_004_asserufen_play_4_with_four_cards_the_partner_may_underlead_and_is_released(called: str) -> None:
    assert may(called, f"{called} EK E9 E8 HA", "E8") == ""
    assert may(called, f"{called} EK EU E8 HA", "E8") == "called-card-led-under"  # a Jack is no card of the suit
    assert may(called, f"{called} EK HA", called, led="G7", searched=True) == ""
    assert may(called, f"{called} EK HA", "EK", led="E7", searched=True) == ""
    assert may(called, f"{called} EK HA", "EK", searched=True) == ""


# --- any auction ------------------------------------------------------------------------------------------------------


def an_auction(rng: Random) -> tuple[list[Call], Game]:
    """Each in turn: passes, hangs on where nobody has bid, asks where one has hung on and nobody else has bid, or says
    a Solo that is higher than what was said; then who was asked answers, unless a Solo was said."""
    solos = ("solo", "solo H", "solo du", "solo H du")
    calls: list[Call] = []
    hanger = asker = None
    highest, soloist = -1, None
    for seat in range(4):
        wish = rng.choice(("pass", "pass", "low", "low", "solo"))
        better = [place for place in range(4) if place > highest]
        if wish == "low" and soloist is None and hanger is None:
            hanger, said = seat, "hang"
        elif wish == "low" and soloist is None and asker is None:
            asker, said = seat, "may-i"
        elif wish == "solo" and better:
            highest, soloist = rng.choice(better), seat
            said = solos[highest]
        else:
            said = "pass"
        calls.append(Call(seat, said))
    if soloist is not None:
        _, *words = solos[highest].split()
        suit = "H" if "H" in words else rng.choice("EGS")
        return calls, Game("solo", soloist, suit, words=("du",) if "du" in words else ())
    if hanger is None:
        return calls, Game("none")
    if asker is not None:
        answer = rng.choice(("accept", "refuse"))
        calls.append(Call(hanger, answer))
        hanger = asker if answer == "accept" else hanger
    return calls, Game("rufspiel", hanger, "E", "EA")


def found_in(calls: list[Call], game: Game) -> list[str]:
    judgement = judge(EVENING, Deal(dealer=3, auction=tuple(calls), game=game), 1, Table(totals=(0,) * 4))
    return rules_of(judgement)


@given(st.integers(0, 2**32))
def test_an_auction_made_by_the_rules_is_accepted(seed: int) -> None:
    assert found_in(*an_auction(Random(seed))) == []


@given(st.integers(0, 2**32), st.data())
def test_an_auction_that_was_tampered_with_is_judged(seed: int, data: st.DataObject) -> None:
    calls, game = an_auction(Random(seed))
    said = st.sampled_from(
        [*sorted(CALLS), "wenz", "solo", "solo H", "solo E du", "rufspiel", "have-tout", "70", "x y"]
    )
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(calls)))
        how = data.draw(st.sampled_from(("drop", "swap", "change", "add")))
        if how == "drop":
            del calls[place : place + 1]
        elif how == "swap":
            calls[place:] = calls[place:][::-1]
        else:
            calls[place : place + (how == "change")] = [Call(data.draw(st.integers(0, 3)), data.draw(said))]
    assert set(found_in(calls, game)) <= set(wordings())


@given(st.integers(0, 2**32), st.integers(1, 3))
def test_nobody_plays_but_who_has_won_the_auction(seed: int, step: int) -> None:
    calls, game = an_auction(Random(seed))
    if game.declarer is not None:
        another = replace(game, declarer=(game.declarer + step) % 4)
        assert found_in(calls, another) == ["auction-result"]


@pytest.mark.parametrize("house", [{"contracts": ["ramsch"]}, {"contracts": ["solo"]}, {"contracts": ["wenz"]}])
def test_a_table_with_other_contracts_is_judged_too(house: dict[str, list[str]]) -> None:
    evening = session("asserufen", house)
    calls = tuple(Call(seat, said) for seat, said in enumerate(("hang", "may-i", "solo H du", "pass")))
    judgement = judge(evening, Deal(dealer=3, auction=calls, game=Game("none")), 1, Table(totals=(0,) * 4))
    assert set(rules_of(judgement)) <= set(wordings())
