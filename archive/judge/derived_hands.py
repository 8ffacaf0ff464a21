"""Unwritten hands, which follow from the cards in the order played under the recorded contract.

Another contract gives other winners, so other leaders and other hands, and no single card looks wrong. A duty broken by
a derived hand reveals the wrong contract; games of the house under which none is broken are named beside it.
"""

from collections.abc import Iterator
from itertools import islice

from msgspec.structs import replace

from archive.cards import SUITS
from archive.judge.sentences import game_fact
from archive.judge.types import Case
from archive.play.replay import replay
from archive.record import Finding, Game, finding
from archive.say import message

MOST_NAMED = 3  # games


def hands_derived(case: Case, findings: tuple[Finding, ...]) -> Iterator[Finding]:
    """Yield a finding if a hand derived from the tricks, whose leaders are derived too, breaks a duty."""
    deal = case.deal
    broken = next((each for each in findings if each.severity == "error" and "hand" in each.facts), None)
    if broken is None or deal.game is None or not any(case.replay.held):
        return
    if deal.hands or deal.held or deal.exchange or any(trick.leader is not None for trick in (deal.tricks or ())[1:]):
        return
    legal = (game_fact(case.players, case.ruleset, game) for game in possible_games(case) if breaks_nothing(case, game))
    fits = tuple(islice(legal, MOST_NAMED + 1))
    more = ("…",) if len(fits) > MOST_NAMED else ()
    named = (*fits[:MOST_NAMED], *more) or message("judge.no-other-game")
    facts = {
        "contract": game_fact(case.players, case.ruleset, replace(deal.game, declarer=None)),
        "player": broken.facts["player"],
        "fits": named,
    }
    yield finding("hands-derived", deal.source, **facts)


def possible_games(case: Case) -> Iterator[Game]:
    """Yield the games that could have been played instead: every contract with every suit by the same declarer (if none
    is recorded, by anyone), then the same contract by another."""
    game, ruleset, active = case.deal.game, case.ruleset, case.replay.active
    if game is None:
        return
    for name in ruleset.house.contracts:
        row = ruleset.contracts[name]
        declarers = (None,) if not row.declarer else active if game.declarer is None else (game.declarer,)
        for suit in (None,) if row.takes == "none" else SUITS:
            called = suit + row.called if suit and row.takes == "called" else None
            if row.ends != "not-played" and (name, suit) != (game.contract, game.suit):
                yield from (Game(name, seat, suit, called, game.words, game.bid) for seat in declarers)
    if game.declarer is not None:
        yield from (replace(game, declarer=seat) for seat in active if seat != game.declarer)


def breaks_nothing(case: Case, game: Game) -> bool:
    """Return whether the same cards are legal play in this game."""
    played = replay(replace(case.deal, game=game), case.players, case.ruleset, case.before.dealer)
    return not any(each.severity == "error" for each in played.findings)
