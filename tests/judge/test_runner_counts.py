"""How many runners a pack can give a side: the most are dealt here card by card, and one more is refuted."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from support.tables import rules_of

from archive.cards import CODES, PACKS, numbers
from archive.generate import session
from archive.judge import Judgement, judge
from archive.record import Deal, Game, Stated
from archive.rules import Contract, Ruleset, Tables, bundled, hand_size, load, tables
from archive.settle.ledger import empty_ledger

DECLARER, CALLED = 0, "G"


def games() -> Iterator[tuple[str, str]]:
    """Every contract with runners that a ruleset plays, but those that bound how many trumps the declarer holds, and
    games with cards on the table or without tricks."""
    for rules in bundled():
        ruleset, _ = load(rules)
        house = ruleset.house
        from_hands = house.play == "tricks" and not house.stacks
        for name in house.contracts if house.seats * hand_size(house) == house.deck and from_hands else ():
            row = ruleset.contracts[name]
            if {"few-lords", "one-trump"} & set(row.holds):
                continue
            if row.parties != "each" and row.goal not in ("no-trick", "dealt") and row.declarer:
                yield rules, name


def game_of(row: Contract) -> Game:
    called = CALLED + row.called if row.called else None
    suit = "E" if row.takes == "trump" else CALLED if row.called else None
    return Game(row.id, DECLARER, suit=suit, called=called)


def judged(rules: str, row: Contract, stated: int, **parts: object) -> Judgement:
    """A record without tricks, with nothing left open that could decide."""
    head, partner = session(rules), 2 if row.parties in ("called", "named") else None
    game = parts.pop("game", game_of(row))
    deal = Deal(dealer=len(head.players) - 1, game=game, partner=partner, events=(), stated=Stated(runners=stated))
    before = replace(empty_ledger(len(head.players)), game_deals=1)  # no Solo is played in the first deal of a game
    return judge(head, replace(deal, **parts), 1, before)


def dealt(ruleset: Ruleset, row: Contract, compiled: Tables, count: int) -> dict[str, object] | None:
    """A pack dealt so that the declarer's side has the top trumps, or lacks them, with what the contract asks of its
    hands; None where there is no room."""
    house, size, trumps = ruleset.house, hand_size(ruleset.house), list(compiled.trumps)
    if abs(count) > len(trumps):
        return None
    run, end = trumps[: abs(count)], trumps[abs(count) : abs(count) + 1]
    seats = list(range(house.seats))
    ours = seats[:1] if row.parties == "alone" else [0, 2]
    theirs = [seat for seat in seats if seat not in ours]
    hands: dict[int, list[int]] = {seat: [] for seat in seats}
    plain = [card for card in numbers(PACKS[house.deck]) if card not in trumps]
    lords = [card for card in trumps if compiled.lords >> card & 1]
    own = [card for card in trumps if card not in lords]
    first = {
        "callable": [card for card in plain if CODES[card][0] == CALLED and CODES[card] != CALLED + "A"][:1],
        "trump-card": own[-1:],
        "top-trump": trumps[:1],
    }
    for demand in set(row.holds) & set(first):
        hands[0] += [card for card in first[demand] if card not in hands[0]]
        if not first[demand] or (count < 0 and set(hands[0]) & set(run)):
            return None
    if row.called:
        hands[2] += [card for card in plain if CODES[card] == CALLED + "A"]
    if set(hands[0]) & set(end) and count > 0:
        return None
    gone = {card for hand in hands.values() for card in hand}
    order = [*theirs, *ours]

    def put(cards: list[int], places: list[int]) -> bool:
        for card in cards:
            place = next((each for each in places if len(hands[each]) < size), None)
            if card not in gone:
                if place is None:
                    return False
                hands[place].append(card)
                gone.add(card)
        return True

    having, lacking = (ours, theirs) if count > 0 else (theirs, ours)
    rest = [card for card in plain if card not in gone]
    if not put(run, having) or not put(end, lacking):
        return None
    own_first = [0, *[each for each in order if each != 0]]
    if not put(rest, own_first) or not put(trumps, order):
        return None
    passed = not set(hands[0]) & set(end) or count < 0
    whole = all(len(hand) == size for hand in hands.values())
    cards = {seat: tuple(CODES[card] for card in hand) for seat, hand in hands.items()}
    return {"hands": tuple(cards[seat] for seat in seats)} if passed and whole else None


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("rules", "name"), list(games()))
def test_the_most_runners_can_be_dealt_and_one_more_is_refuted(rules: str, name: str) -> None:
    ruleset, _ = load(rules)
    row, game = ruleset.contracts[name], game_of(ruleset.contracts[name])
    compiled = tables(ruleset, name, game.suit, game.called)
    every = [n for n in range(-len(compiled.trumps) - 1, len(compiled.trumps) + 2) if n]
    passing = []
    for count in every:
        found = judged(rules, row, count)
        assert [each.rule for each in found.findings] in ([], ["stated-runners"]), (count, found.findings)
        passing += [] if found.findings else [count]
    assert passing
    shown = []
    for count in every:
        parts = dealt(ruleset, row, compiled, count)
        if parts is not None:
            found = judged(rules, row, count, **parts)
            assert not found.findings, (count, found.findings, parts)
            assert rules_of(judged(rules, row, count + 1 or 2, **parts)) == ["stated-runners"], (count, parts)
            shown.append(count)
    assert passing == shown
