"""The moves that the viewer steps through: one for each thing that happened in a deal, in order, as a sentence.

Everything the script shows is in a `Move`; neither the script nor this module judges anything: cards, winners,
allowed cards and factors come from the replay and the settlement.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from archive.cards import NUMBER, mask, part_in_faces, rank_name, suit_name
from archive.judge.types import Judgement
from archive.play.exchange import cards_face_up
from archive.play.tricks import deal_tables as trumps_of_deal
from archive.play.types import Replay, Step, Turned
from archive.record import Exchange
from archive.rules import TRUMP, Tables
from archive.say import say as say_message
from archive.text.wording import (
    Texts,
    call_words,
    card_name,
    cards_seen,
    cut_words,
    doubled_when,
    draw_words,
    event_words,
    exchange_words,
    knock_word,
    packets_words,
    sentence,
    turn_word,
    turn_words,
)
from archive.web.deal.model import DrawnPart, Heap, Move, PointGroup, Tally
from archive.web.deal.talon import acts_by_move, draw_move
from archive.web.sentences import Sentence, to_sentence, worded_finding


def deal_tables(judgement: Judgement) -> Tables | None:
    """Return the tables of the contract that was played, or None if there is none or its rules are not known."""
    game, rules = judgement.deal.game, judgement.ruleset
    if game is None or rules is None or game.contract not in rules.contracts:
        return None
    return trumps_of_deal(rules, judgement.deal, rules.contracts[game.contract])


class DealView(Struct, frozen=True):
    """The source of all parts of a page: a judgement whose names keep their direction to themselves, the same as it is
    `stored`, the words of its ruleset and of the page (`texts`), the title of its game, its moves, the tables of its
    contract, the side of each seat in play, the moves that open the cards of a seat, the players or sides whose points
    count together, the card points of the pack, and the rows of the `people`."""

    judgement: Judgement
    stored: Judgement
    t: Texts
    texts: Texts
    title: str
    moves: tuple[Move, ...]
    table: Tables | None
    sides: dict[int, str]
    opened: dict[int, dict[str, str]]
    groups: tuple[PointGroup, ...]
    total: int
    people: dict[str, int]


class Led(NamedTuple):
    """The lead that a step has to follow: the card, None for the step that leads, and its suit or trumps in words, None
    if not known. `thrown` is the text on a card thrown instead, by a hand that is known and had none of these."""

    card: str | None
    suit: str | None = None
    thrown: str = ""


Groups = Mapping[str, int]  # the suit, or the trumps, to which each card belongs; empty if that is not known


def deal_moves(judgement: Judgement, game: str, t: Texts) -> tuple[Move, ...]:
    """Return all moves of a deal. `game` is its game in words."""
    table, replay = deal_tables(judgement), judgement.replay
    groups: Groups = {code: table.group[number] for code, number in NUMBER.items()} if table else {}
    led = [_find_led(replay, table, groups, step, t) for step in replay.steps] if replay else []
    asides = [*_asides(judgement, t)] if judgement.deal.doubles or judgement.deal.events else []
    order = [*_before(judgement, game, asides, t), *_play(judgement, groups, led, asides, t)]
    ending = replay.ending if replay else None
    why = say_message(ending.why, t["lang"], t["faces"]) if ending else ""
    ending_text = f"{sentence(why)}. " if why else ""
    seat, result = _result(judgement, t)
    reason = to_sentence(judgement.reason, t, t["faces"], whole=True)
    drawn = drawn_parts(reason, before=ending_text)
    if replay and replay.turned:
        start = heaps_after(judgement, replay.turned.start)
        order = [replace(move, heaps=move.heaps or start) for move in (*order, *_turns(judgement, replay.turned, t))]
    heaps = order[-1].heaps if order else ()
    order.append(Move("end", "end", ending_text + reason.read_aloud, seat, call=result, drawn=drawn, heaps=heaps))
    return tuple(_with_next(judgement, [*_with_state(judgement, order)], led, t))


def _find_led(replay: Replay, table: Tables | None, groups: Groups, step: Step, t: Texts) -> Led:
    """Return what a step has to follow."""
    card = replay.steps[step.n - step.place].card if step.place > 1 else None
    group, hand = groups.get(card or ""), step.hand
    if table is None or card is None or group is None:
        return Led(card)
    suit = t["trump"] if group == TRUMP else suit_name(card[0], t["faces"])
    if hand is None or group in map(groups.get, hand):
        return Led(card, suit)
    side, holder = replay.sides[step.seat], None if step.winner is None else replay.sides[step.winner]
    worth = table.points[NUMBER[step.card]] if step.card in NUMBER else 0
    if groups.get(step.card) == TRUMP:
        return Led(card, suit, "s_trump")
    return Led(card, suit, "s_schmear" if worth and holder == side in ("declarer", "defence") else "s_discard")


def _result(judgement: Judgement, t: Texts) -> tuple[int | None, str | None]:
    """Return the seat that won or lost, and which of the two in a word; None for both if it is not known."""
    settled, replay = judgement.settlement, judgement.replay
    if settled is not None and settled.loser is not None:
        return settled.loser, t["loses"]
    if settled is None or settled.won is None or replay is None or replay.declarer is None:
        return None, None
    return replay.declarer, t["won" if settled.won else "lost"]


def _before(judgement: Judgement, game: str, asides: Sequence[tuple[str | None, Move]], t: Texts) -> Iterator[Move]:
    """Yield the moves from dealing to the first card."""
    deal, names, replay = judgement.deal, judgement.session.players, judgement.replay
    say = t["s_start"]
    if replay and replay.dealer is not None and replay.active:
        say = t["s_start_dealer"].format(dealer=names[replay.dealer], forehand=names[replay.active[0]])
    yield Move("start", "start", say)
    if deal.draw:
        yield Move("w1", "start", draw_words(deal.draw, names, t))
    yield from (move for at, move in asides if at == "cut")
    if deal.cut:
        seat, say = cut_words(deal, names, t)
        yield Move("c1", "start", say, seat, call=t["cut"] if seat is None else t["knocks"])
    if deal.packets:
        yield Move("c2", "start", t["s_packets"].format(packets=packets_words(deal.packets, t)))
    knockers = deal.knocks if isinstance(deal.knocks, tuple) else ()
    when, knocks = (cards_seen(deal.packet, t), knock_word(judgement.ruleset, t)) if knockers else ("", "")
    for n, seat in enumerate(knockers, 1):
        yield Move(f"k{n}", "start", t["s_knock"].format(name=names[seat], verb=knocks), seat, call=knocks, when=when)
    for n, call in enumerate(deal.auction or (), 1):
        words = call_words(call.call, judgement.ruleset, t)
        yield Move(f"a{n}", "start", t["s_call"].format(name=names[call.seat], call=words), call.seat, call=words)
    named = []
    if deal.game:
        name = "" if deal.game.declarer is None else names[deal.game.declarer]
        say = sentence(t["s_game" if name else "s_game_alone"].format(name=name, game=game))
        named = [Move("g", "start", say, deal.game.declarer, call=game)]
    passed = [_exchange_move(judgement, n, each, t) for n, each in enumerate(deal.exchange or (), 1)]
    first = all(None in (each.giver, each.taker) for each in deal.exchange or ())  # with the blind alone
    yield from (*passed, *named) if first else (*named, *passed)


def _exchange_move(judgement: Judgement, n: int, each: Exchange, t: Texts) -> Move:
    """Return a move in which cards change hands. All see how many; only giver and taker see which, unless they pass
    face up, or the taker may not look at them."""
    names = judgement.session.players
    seats = tuple(seat for seat in (each.giver, each.taker) if seat is not None)
    open_text, heard = exchange_words(each, names, t), exchange_words(each, names, t, with_names=False)
    move = Move(f"x{n}", "start", open_text, seats[0] if seats else None, passed=each.cards)
    if passed_openly(judgement, each):
        return move
    return replace(move, heard=heard, knows=seats[:1] if passed_unseen(judgement, each) else seats)


def passed_openly(judgement: Judgement, each: Exchange) -> bool:
    """Return whether cards change hands face up. 000 Making Trumps: Small Solo."""
    table, cards = deal_tables(judgement), mask(each.cards)
    return each.is_open or (table is not None and 0 < cards == cards_face_up(_exchange_kind(judgement), table, cards))


def passed_unseen(judgement: Judgement, each: Exchange) -> bool:
    """Return whether the taker of a card does not look at it: the partner who lays the hand down. 000 Small Solo."""
    replay = judgement.replay
    if _exchange_kind(judgement) != "partner" or replay is None:
        return False
    return each.taker not in (None, replay.declarer) and not passed_openly(judgement, each)


def _exchange_kind(judgement: Judgement) -> str:
    """Return how cards change hands in the contract that was played."""
    rules, game = judgement.ruleset, judgement.deal.game
    row = rules.contracts.get(game.contract) if rules and game else None
    return row.exchange if row else "none"


def _asides(judgement: Judgement, t: Texts) -> Iterator[tuple[str | None, Move]]:
    """Yield doublings and events, each with the id of the card before which it happened; `cut` before the deal, None
    after it, `end` after all."""
    deal, names = judgement.deal, judgement.session.players
    when: str | None = None
    part = "start"
    for n, double in enumerate(deal.doubles if isinstance(deal.doubles, tuple) else (), 1):
        word = double.word.capitalize()
        moment = doubled_when(double, t)
        say = t["s_double_when" if moment else "s_double"].format(name=names[double.seat], word=word, when=moment)
        if double.trick:  # otherwise right after the one before
            when, part = f"t{double.trick}.{double.card or 1}", str(double.trick)
        yield when, Move(f"d{n}", part, say, double.seat, call=word, when=moment)
    talon = judgement.replay.talon if judgement.replay else None
    acts = acts_by_move(talon) if talon else {}
    for n, event in enumerate(deal.events or (), 1):
        verb = event_words(event, names, t)
        say = t["s_event"].format(name=names[event.seat], verb=verb)
        act = acts.get(f"v{n}")
        trick, _, card = (f"{act.trick}.{act.place}" if act else event.moment or "end").partition(".")
        when = f"t{trick}.{card or 1}" if trick.isdigit() else {"cut": "cut", "deal": None}.get(trick, "end")
        part = trick if trick.isdigit() else "start" if when in (None, "cut") else "end"
        yield when, Move(f"v{n}", part, say, event.seat, call=verb)


def _play(
    judgement: Judgement, groups: Groups, led: Sequence[Led], asides: Sequence[tuple[str | None, Move]], t: Texts
) -> Iterator[Move]:
    """Yield the cards in order, with the calls between them."""
    replay = judgement.replay
    between: dict[str | None, list[Move]] = {}  # by the card before which they are said
    for when, move in asides:
        between.setdefault(when, []).append(move)
    between.pop("cut", None)  # before the deal
    yield from between.pop(None, ())
    for step, follows in zip(replay.steps if replay else (), led, strict=True):
        assert replay is not None  # a step comes out of a replay
        yield from between.pop(f"t{step.trick}.{step.place}", ())
        yield _card(judgement, replay, step, groups, follows, t)
        if replay.talon and step.place == len(replay.playing):
            later = str(step.trick + 1)
            yield from draw_move(judgement, replay.talon, step.trick, later if step.n < len(replay.steps) else "end", t)
    yield from (replace(move, part="end") for when, move in asides if when in between)


def _card(judgement: Judgement, replay: Replay, step: Step, groups: Groups, led: Led, t: Texts) -> Move:
    facts = {"name": judgement.session.players[step.seat], "card": card_name(step.card, t)}
    at = f"{step.trick}.{step.place}"
    broken = [worded_finding(f, t) for f in judgement.findings if f.rule == step.broken and f.at == at]
    say = t["s_lead" if step.place == 1 else "s_card"].format(**facts)
    if not broken and led.suit and led.thrown:
        in_open = judgement.ruleset is not None and judgement.ruleset.house.stacks  # nobody knows what lies covered
        say = t[led.thrown].format(**facts, suit=t["open_suit"].format(suit=led.suit) if in_open else led.suit)
    take, why = (None, "")
    if step.place >= len(replay.playing):
        take, why = _trick_taken(replay, step, judgement.session.players, groups, t)
    move = Move(f"t{step.trick}.{step.place}", str(step.trick), say + why, step.seat, step.card, best=step.winner)
    if broken:  # only those who see the hand know that a duty was broken
        drawn = drawn_parts(broken[0], after=why)
        move = replace(move, say=broken[0].read_aloud + why, drawn=drawn, heard=move.say, knows=(step.seat,))
    return replace(move, take=take)


def _turns(judgement: Judgement, turned: Turned, t: Texts) -> Iterator[Move]:
    """Yield the turns of a game without tricks."""
    names = judgement.session.players
    for step in turned.steps:
        say, at = turn_words(step, names, t), step.moment
        broken = [worded_finding(found, t).read_aloud for found in judgement.findings if found.at == at]
        heaps = heaps_after(judgement, step.spots)
        yield Move(f"t{at}", str(step.round), " ".join((say, *broken)), step.seat, call=turn_word(step, t), heaps=heaps)


def heaps_after(judgement: Judgement, spots: Sequence[Sequence[str]]) -> tuple[Heap, ...]:
    """Return the heaps of a play in which suits are built: of each the card on top, and how many lie there. The talon
    is covered; empty if there are no heaps."""
    if judgement.ruleset is None or judgement.ruleset.house.building is None or not spots:
        return ()
    *heaps, talon = spots
    return (*((heap[-1] if heap else "", len(heap)) for heap in heaps), ("back" if talon else "", len(talon)))


def drawn_parts(sentence: Sentence, before: str = "", after: str = "") -> tuple[DrawnPart, ...]:
    """Return a sentence, with the text before and after it, as words and drawn cards; empty if it names no card."""
    if not any(part.kind == "card" for part in sentence.parts):
        return ()
    parts = ((part.code, part.rank, part.label) if part.kind == "card" else part.text for part in sentence.parts)
    return tuple(filter(None, (before, *parts, after)))


def _trick_taken(
    replay: Replay, step: Step, names: Sequence[str], groups: Groups, t: Texts
) -> tuple[Tally | None, str]:
    """Return the seat that takes the trick which a card completes, with its points, and a sentence that says why."""
    index = step.trick - 1
    if index >= len(replay.winners):
        return None, ""
    winner, points = replay.winners[index], replay.trick_points[index]
    if winner is None or points is None:
        return None, ""
    text = t["s_takes"].format(name=names[winner], points=points)
    steps = [each for each in replay.steps if each.trick == step.trick]
    why = _why(steps, winner, groups, t)
    return (winner, points), " " + (f"{text[:-1]}{why}" if why else text)


def _why(trick: Sequence[Step], winner: int, groups: Groups, t: Texts) -> str:
    """Return the reason why a card takes its trick: the only or highest trump, …; empty if some cards are not known."""
    there = {step.seat: groups.get(step.card) for step in trick}
    card = next((step.card for step in trick if step.seat == winner), None)
    if card is None or None in there.values():
        return ""
    alone = [*there.values()].count(there[winner]) == 1
    if there[winner] == TRUMP:
        key, suit = "s_only_trump" if alone else "s_highest_trump", ""
    else:
        key, suit = "s_only_suit" if alone else "s_highest_suit", suit_name(card[0], t["faces"])
    return t[key].format(card=card_name(card, t), suit=suit)


def _with_state(judgement: Judgement, order: Sequence[Move]) -> Iterator[Move]:
    """Yield the moves with what has been won, the factor so far, and the marks of the findings; one without a place is
    the end's, and so is the verdict of a deal that does not agree."""
    replay = judgement.replay
    flagged = {f"t{f.at}" if "." in f.at else f"t{f.at}.1" for f in judgement.findings if f.at and f.at[0].isdigit()}
    flagged |= {f.at for f in judgement.findings if f.at}
    unplaced = judgement.verdict != "agrees" and not flagged & {move.id for move in order}
    flagged |= {"end"} if unplaced or any(f.severity == "error" and not f.at for f in judgement.findings) else set()
    times = [line for line in judgement.settlement.lines if line.kind == "times"] if judgement.settlement else []
    won: dict[int, Tally] = dict.fromkeys(replay.active, (0, 0)) if replay else {}
    seen: set[str] = set()
    acts, closer = acts_by_move(replay.talon) if replay and replay.talon else {}, None
    for move in order:
        seen.add(move.id)
        if act := acts.get(move.id):
            closer = act.seat if act.verb == "closes" else closer
            won[act.seat] = (won[act.seat][0] + act.points, won[act.seat][1])
        if move.take:
            seat, points = move.take
            won[seat] = (won[seat][0] + points * (closer in (None, seat)), won[seat][1] + 1)
        if move.id == "end" and replay:  # with the cards that were set aside for each
            for seat in replay.active:
                in_all, tricks = replay.points[seat], replay.tricks_won[seat]
                won |= {seat: (in_all, tricks)} if in_all is not None and tricks is not None else {}
        factor = 1
        for line in times:
            factor *= line.amount if seen.issuperset(line.proof or ("g",)) else 1
        yield replace(move, won=dict(won), factor=factor, flag=move.id in flagged)


def _with_next(judgement: Judgement, moves: Sequence[Move], led: Sequence[Led], t: Texts) -> Iterator[Move]:
    """Yield the moves with what the next player to play a card must do."""
    steps = zip(judgement.replay.steps if judgement.replay else (), led, strict=True)
    ahead = next(steps, None)
    named = max((n for n, move in enumerate(moves) if move.id[0] in "gx"), default=0)
    opened = judgement.deal.game is None
    for n, move in enumerate(moves):
        opened = opened or n >= named
        if move.card:
            opened, ahead = True, next(steps, None)
        if not opened or ahead is None:
            yield move
        else:
            step, follows = ahead
            allowed = step.allowed_cards
            duty = "" if allowed is None else _duty(judgement, step, allowed, follows, t)
            yield replace(move, turn=step.seat, next=duty, may=allowed or ())


def _duty(judgement: Judgement, step: Step, allowed: tuple[str, ...], led: Led, t: Texts) -> str:
    """Return the duty of the player of a step before it is played, as a sentence; empty if the hand is not known."""
    name, suit, hand = judgement.session.players[step.seat], led.suit, step.hand
    if hand is None:
        return ""
    called = judgement.deal.game.called if judgement.deal.game else None
    if step.duty == "called-card" and allowed == (called,):
        key = "n_called"
    elif step.duty:
        key = f"n_{step.duty}" if f"n_{step.duty}" in t else "n_other"
        if key == "n_follow-or-trump" and suit == t["trump"]:
            key = "n_follow"
    elif len(hand) == 1:
        key = "n_one"
    else:
        key = "n_lead" if step.place == 1 else "n_void" if suit and led.thrown else "n_any"
    facts = {
        "lord": rank_name(led.card[1], t["faces"]) if led.card else "",
        "cards": " ".join([part_in_faces(card, card, t["faces"]) for card in allowed]),
    }
    return t[key].format(name=name, suit=suit or t["trump"], **facts)
