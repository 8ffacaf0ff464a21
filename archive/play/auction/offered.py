"""Cards that are offered in turn, from forehand on, until somebody takes them up and is bound to play; if nobody does,
the cards are thrown in. 001 Special Rounds: Schieber.

The calls from some point on may be missing: the player who took the cards up is then the declarer.
"""

from collections.abc import Iterator

from archive.play.auction.ranks import OUT, AuctionJudgement, call_finding
from archive.play.types import THROWN_IN, Scene
from archive.record import Call, Finding, Game
from archive.say import Message, message

TAKES = ("take", "play", "accept")  # to take up what is offered


def by_offer(scene: Scene, calls: tuple[Call, ...]) -> AuctionJudgement:
    """Judge the calls in their order: each in turn, until one player takes the cards up."""
    players, waiting = scene.players, list(scene.active)
    taker: int | None = None
    findings: list[Finding] = []
    for number, call in enumerate(calls, 1):
        for rule, facts in _wrong(call, waiting, taker, players):
            findings.append(call_finding(scene, number, call, rule, **facts))
        if call.seat in waiting:
            waiting.remove(call.seat)
            if taker is None and call.call in TAKES:
                taker = call.seat
    return tuple(findings), _after(scene.deal.game, taker, waiting, players) if scene.deal.game else ()


def _wrong(
    call: Call, waiting: list[int], taker: int | None, players: tuple[str, ...]
) -> Iterator[tuple[str, dict[str, str | Message]]]:
    """Yield the mistakes of a call; `waiting` are those who have not spoken, in turn."""
    if taker is not None:
        yield "auction-call", {"why": message("play.auction-over")}
    elif call.seat not in waiting:
        yield "auction-after-pass", {}
    elif call.seat != waiting[0]:
        yield "auction-out-of-turn", {"expected": players[waiting[0]]}
    if call.call not in (*OUT, *TAKES):
        yield "auction-call", {"why": message("play.cards-are-offered")}


def _after(game: Game, taker: int | None, waiting: list[int], players: tuple[str, ...]) -> Iterator[Message]:
    """Yield why the offers do not lead to the game; nothing if those that matter are not recorded."""
    thrown_in, declarer = game.contract == THROWN_IN, game.declarer
    if taker is not None:
        if thrown_in or declarer not in (None, taker):
            yield message("play.took-cards", player=players[taker])
    elif declarer is not None and declarer not in waiting and not thrown_in:
        yield message("play.has-passed", player=players[declarer])
    elif not waiting and not thrown_in:
        yield message("play.all-passed-thrown-in")
