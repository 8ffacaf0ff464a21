"""Single changes of the parts of a record other than its cards: the game, the partner, the dealer, knocks and
doublings, and who passed cards to whom."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from archive.judge.derived_hands import possible_games
from archive.judge.sentences import game_fact
from archive.judge.types import Case
from archive.judge.who_plays import seats_in_play
from archive.record import Deal
from archive.say import Message, message


class Change(Struct, frozen=True):
    """A change: its kind, its sentence, and the changed record."""

    kind: str
    message: Message
    deal: Deal


def other_game(case: Case) -> Iterator[Change]:
    """Yield any other game of the house by any declarer: another suit, another contract, another declarer, or all of
    them; or a word of the game that was not said."""
    game = case.deal.game
    if game is None:
        return
    fewer = [replace(game, words=tuple(each for each in game.words if each != word)) for word in game.words]
    seats = [seat for seat in seats_in_play(case) if seat != game.declarer] if game.declarer is not None else []
    rows = [each for each in possible_games(case) if each.declarer is not None]
    same = [replace(game, declarer=seat) for seat in seats]
    others = [replace(each, declarer=seat) for each in rows for seat in seats]
    for other in dict.fromkeys((*same, *possible_games(case), *fewer, *others)):
        says = message(
            "repair.game",
            game=game_fact(case.players, case.ruleset, other),
            other=game_fact(case.players, case.ruleset, game),
        )
        yield Change("game", says, replace(case.deal, game=other))


def other_partner(case: Case) -> Iterator[Change]:
    """Yield another partner, if the record names one."""
    named = case.deal.partner
    if named is None:
        return
    for seat in (*seats_in_play(case), None):
        if seat != named:
            if seat is None:
                says = message("repair.no-partner", other=case.players[named])
            else:
                says = message("repair.partner", player=case.players[seat], other=case.players[named])
            yield Change("partner", says, replace(case.deal, partner=seat))


def other_dealer(case: Case) -> Iterator[Change]:
    """Yield another dealer, and so another forehand."""
    dealer = case.deal.dealer
    for seat, name in enumerate(case.players) if dealer is not None else ():
        if seat != dealer and seat not in (case.deal.sits_out or ()):
            says = message("repair.dealer", player=name, other=case.players[dealer or 0])
            yield Change("dealer", says, replace(case.deal, dealer=seat))


def other_sitter(case: Case) -> Iterator[Change]:
    """Yield another player who sat out, if the record names one."""
    out = case.deal.sits_out or ()
    for place, seat in enumerate(out):
        for other in (each for each in range(len(case.players)) if each not in out):
            says = message("repair.sitter", player=case.players[other], other=case.players[seat])
            now = tuple(sorted((*out[:place], other, *out[place + 1 :])))
            yield Change("sitter", says, replace(case.deal, sits_out=now))


def other_doubler(case: Case) -> Iterator[Change]:
    """Yield a knock or doubling by another player, or one that nobody made."""
    for key, row in (("knocks", "knock"), ("doubles", "double")):
        calls = getattr(case.deal, key)
        for place, call in enumerate(calls if isinstance(calls, tuple) else ()):
            before, after = calls[:place], calls[place + 1 :]
            seat = call if key == "knocks" else call.seat
            says = message(f"repair.no-{row}", player=case.players[seat])
            yield Change("doubling", says, replace(case.deal, **{key: (*before, *after)}))
            for other in sorted({*seats_in_play(case)} - ({*calls} if key == "knocks" else {seat})):
                says = message(f"repair.{row}", player=case.players[other], other=case.players[seat])
                moved = other if key == "knocks" else replace(call, seat=other)
                yield Change("doubling", says, replace(case.deal, **{key: (*before, moved, *after)}))


def other_exchange(case: Case) -> Iterator[Change]:
    """Yield cards passed by another player, or to another."""
    moves = case.deal.exchange or ()
    for place, each in enumerate(moves):
        for seat in seats_in_play(case):
            for key, was in (("giver", each.giver), ("taker", each.taker)):
                if was is not None and seat != was:
                    now = (*moves[:place], replace(each, **{key: seat}), *moves[place + 1 :])
                    facts = {"exchange": place + 1, "player": case.players[seat], "other": case.players[was]}
                    yield Change("exchange", message(f"repair.{key}", **facts), replace(case.deal, exchange=now))


OF_GAME = (other_game, other_partner, other_dealer, other_sitter, other_doubler, other_exchange)
