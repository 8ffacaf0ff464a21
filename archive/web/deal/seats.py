"""The players at the table: where each sits, the marks at the name, the cards that pass through each hand; and what the
whole table knows before a card shows it: who the partner is, which passed cards were seen."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

from archive.cards import BIT, CODES, NUMBER, is_known
from archive.judge.types import Judgement
from archive.play.hands import split_stacks
from archive.play.types import Turned
from archive.record import Exchange
from archive.say import Message, say
from archive.settle.types import SettlementLine
from archive.text.wording import Texts, card_name
from archive.web.deal.model import HandCard, Move, Seat, SeatMark
from archive.web.deal.moves import DealView, deal_tables, passed_openly, passed_unseen
from archive.web.deal.talon import cards_coming, closing_move, moves_that_show

# Where the seats lie, the next in play to the left of the one before: south, west, north, east and between.
AROUND = {
    1: ("s",),
    2: ("s", "n"),
    3: ("s", "w", "e"),
    4: ("s", "w", "n", "e"),
    5: ("s", "w", "w2", "e2", "e"),
    6: ("s", "w", "w2", "n", "e2", "e"),
    7: ("s", "w", "w2", "n", "n2", "e2", "e"),
}
MIRRORED = {"w": "e", "e": "w", "w2": "e2", "e2": "w2"}
Hand = tuple[str, ...]
HeldCard = tuple[str, str | None, str | None]  # a card, the move it comes with, the move it leaves with


def places_at_table(judgement: Judgement, seats: int) -> tuple[str, ...]:
    """Return the places at the table, in the direction of play from the player at its foot."""
    places = AROUND.get(seats, AROUND[7])
    rules = judgement.ruleset
    if rules and rules.house.direction == "counter-clockwise":
        return tuple(MIRRORED.get(place, place) for place in places)
    return places


def seats_at_table(view: DealView) -> tuple[Seat, ...]:
    """Return the players at the table in the order of play, each with the cards that pass through the hand."""
    judgement, order, table, t = view.judgement, view.moves, view.table, view.t
    replay, names, deal = judgement.replay, judgement.session.players, judgement.deal
    active, piles = (replay.active, replay.piles) if replay else ((), ())
    opener = _opening_move(judgement, order) if deal.game and "open" in deal.game.words else None
    seats = []
    for seat in active or [seat for seat in range(len(names)) if seat not in (deal.sits_out or ())]:
        pile = (piles[seat] if seat < len(piles) else None) or ()
        seats.append(
            Seat(
                seat=seat,
                name=names[seat],
                side=view.sides.get(seat, ""),
                marks=_marks(judgement, seat, order, t),
                cards=hand_cards(view, seat),
                opened=opener if replay and seat == replay.declarer else None,
                pile=tuple([HandCard(card, card_name(card, t), None, None) for card in pile]),
                pile_says=t["pile_points"].format(points=sum(table.points[NUMBER[card]] for card in pile))
                if pile and table and all(map(is_known, pile))
                else "",
            )
        )
    return tuple(seats)


def _marks(judgement: Judgement, seat: int, order: Sequence[Move], t: Texts) -> tuple[SeatMark, ...]:
    replay, deal = judgement.replay, judgement.deal
    marks = []
    if seat == (replay.dealer if replay else deal.dealer):
        marks.append(SeatMark(t["dealer"], "", "start"))
    if replay and len(replay.active) > 1 and seat == replay.active[0]:
        marks.append(SeatMark(t["forehand"], "", "start"))
    marks += [SeatMark(m.call or "", "loud", m.id) for m in order if m.seat == seat and m.id[0] in "ckd" and m.call]
    if replay and replay.talon and seat == replay.talon.closer:
        marks.append(SeatMark(t["has_closed"], "loud", closing_move(replay.talon)))
    if replay and seat == replay.declarer:
        marks.append(SeatMark(t["declarer"], "us", "g"))
    if replay and seat == replay.partner:
        is_secret = deal.game is not None and deal.game.called is not None
        marks.append(SeatMark(t["partner"], "us", partner_known(judgement, order), secret=is_secret))
    lines = judgement.settlement.lines if judgement.settlement else ()
    worth = [line for line in lines if line.part == "hand" and line.kind == "marks" and seat in line.who]
    marks += [SeatMark(t["hand_points"].format(points=points_words(line, t)), "", "end") for line in worth]
    if replay and seat in replay.active and seat not in replay.playing:
        marks.append(SeatMark(t["lays_down"], "", "g"))
    return tuple(marks)


def points_words(line: SettlementLine, t: Texts) -> str:
    """Return the points that a line names."""
    points = line.message.facts["points"]
    return say(points, t["lang"]) if isinstance(points, Message) else str(points)


def _opening_move(judgement: Judgement, order: Sequence[Move]) -> str | None:
    """Return the move with which the declarer's hand is laid open on the table, if it is; None if it was not yet."""
    rules = judgement.ruleset
    if rules is None or rules.house.bettel.open != "trick-1":
        return "g" if rules else None
    return next((move.id for move in order if move.take and move.part == "1"), None)


def hand_cards(view: DealView, seat: int | None) -> tuple[HandCard, ...]:
    """Return the cards of a seat, or of the blind, trumps first, each with the moves between which it is held."""
    judgement, order, table, t = view.judgement, view.moves, view.table, view.t
    opened = {} if seat is None else view.opened.get(seat, {})
    turned, talon = (judgement.replay.turned, judgement.replay.talon) if judgement.replay else (None, None)
    if turned is not None and turned.start:
        in_hand = judgement.ruleset is not None and judgement.ruleset.house.open_cards is not None
        return spot_cards(turned, len(judgement.session.players) if seat is None else seat, t) if in_hand else ()
    ids = {move.id for move in order}
    dealt, held_cards = _recorded_hands(judgement, seat)
    exchanges = judgement.deal.exchange or ()
    passed = [(f"x{n}", each) for n, each in enumerate(exchanges, 1) if seat in (each.giver, each.taker)]
    taken = {card for _, each in passed if each.taker == seat for card in each.cards}
    passed_on = [card for _, each in passed if each.giver == seat for card in each.cards]
    if dealt is None and held_cards is None and seat is not None:
        return ()
    kept = held_cards or ()
    given = (card for card in dict.fromkeys(passed_on) if card not in kept)  # which had been there from the start
    first = dealt if dealt is not None else [card for card in (*kept, *given) if card not in taken]
    cards: list[HeldCard] = [(card, None, None) for card in first]
    for at, each in passed:
        cards = cards_after_leaving(cards, each.cards, at) if each.giver == seat else cards
        cards += [(card, at, None) for card in each.cards] if each.taker == seat else []
    if dealt is not None and held_cards is not None and "g" in ids:  # passed on unseen
        now, at = [card for card, _, until in cards if until is None], passed[-1][0] if passed else "g"
        cards = cards_after_leaving(cards, [card for card in now if card not in held_cards], at)
        cards += [(card, at, None) for card in held_cards if card not in now]
    for come in cards_coming(talon, seat) if talon and seat is not None else ():
        cards = cards_after_leaving(cards, (come.card,), come.at) if come.goes else [*cards, (come.card, come.at, None)]
    for move in order:
        if move.card and move.seat == seat:
            cards = cards_after_leaving(cards, (move.card,), move.id)
    shown = moves_that_show(talon, judgement.deal.talon or (), seat) if talon and seat is not None else {}
    strength = {CODES[number]: place for place, number in enumerate(table.trumps)} if table else {}
    came = {at: manner_of(judgement, each, seat) for at, each in passed if each.taker == seat}
    found = [
        HandCard(
            card,
            card_name(card, t),
            since,
            until,
            since if came.get(since or "") == "open" else opened.get(card),
            shown.get((card, since)),
            is_unseen=came.get(since or "") == "unseen",
            is_covered=opened.get(card, "start") != "start",
        )
        for card, since, until in sorted(cards, key=lambda card: (strength.get(card[0], 99), NUMBER.get(card[0], 99)))
    ]
    return tuple(in_stacks(judgement, seat, found) if seat is not None and opened else found)


def spot_cards(turned: Turned, spot: int, t: Texts) -> tuple[HandCard, ...]:
    """Return the cards that come to a spot of a game without tricks and leave it again; those on the table lie open
    from the turn that lays them there."""
    cards: list[HeldCard] = [(card, None, None) for card in turned.start[spot]]
    before = turned.start[spot]
    for step in turned.steps:
        after, at = step.spots[spot], f"t{step.moment}"
        gone, come = Counter(before) - Counter(after), Counter(after) - Counter(before)
        cards = cards_after_leaving(cards, gone.elements(), at)
        cards += [(card, at, None) for card in come.elements()]
        before = after
    on_table, first = spot == len(turned.start) - 1, f"t{turned.steps[0].moment}" if turned.steps else ""
    return tuple(
        HandCard(
            card, card_name(card, t), since, until, (since or (first if until != first else "")) if on_table else None
        )
        for card, since, until in cards
    )


def stacks_of(judgement: Judgement, seat: int) -> list[tuple[str, str]]:
    """Return the stacks of a seat, each an open card and the one under it; if nobody wrote down the covered cards, one
    of those that came from under any of them."""
    hands, replay = judgement.deal.hands or (), judgement.replay
    written = (hands[seat] if seat < len(hands) else None) or ()
    flat, stacks = split_stacks(written)
    loose = (step.card for step in (replay.steps if replay else ()) if step.seat == seat and step.card not in flat)
    return [(top, next(loose, below) if below not in NUMBER else below) for top, below in stacks]


def open_moments(judgement: Judgement, seat: int) -> dict[str, str]:
    """Return the moves from which everybody sees the cards that a seat has on the table, stacks in its hand as dealt. A
    card that nobody wrote down is seen when it is played."""
    replay, written = judgement.replay, (judgement.deal.hands or ())[seat] or ()
    known, found = dict(split_stacks(written)[1]), dict[str, str]()
    if replay is None:
        return {}
    turned = {step.card: f"t{step.trick}.{len(replay.playing)}" for step in replay.steps}
    moments = {f"t{step.trick}.{step.place}" for step in replay.steps}
    for top, below in stacks_of(judgement, seat):
        at = turned.get(top, "") if known[top] == below else ""
        found |= {top: "start", below: at if at in moments else ""}
    return found


def in_stacks(judgement: Judgement, seat: int, cards: Sequence[HandCard]) -> list[HandCard]:
    """Return the cards in hand, then those on the table: each covered one before the card that lies on it."""
    by_code = {card.code: card for card in cards}
    both = (code for top, below in stacks_of(judgement, seat) for code in (below, top))
    order = [by_code[code] for code in both if code in by_code]
    return [*(card for card in cards if card not in order), *order]


def _recorded_hands(judgement: Judgement, seat: int | None) -> tuple[Hand | None, Hand | None]:
    """Return a hand as it was dealt and as it was when play began."""
    replay, deal = judgement.replay, judgement.deal
    if seat is None:
        hidden = replay is not None and deal.exchange is None and any(replay.held)
        taken = {card for hand in (replay.held if replay else ()) for card in hand or ()}
        return deal.blind, tuple(card for card in deal.blind or () if card not in taken) if hidden else None
    if replay:
        return replay.dealt[seat], replay.held[seat]
    recorded = deal.hands or deal.held or ()
    return (recorded[seat] if seat < len(recorded) else None), None


def cards_after_leaving(cards: Sequence[HeldCard], going: Iterable[str], at: str) -> list[HeldCard]:
    """Return a hand after cards have left it with a move; an unknown card leaves as one of the unknown ones."""
    after = list(cards)
    for card in going:
        places = [n for n, (_, _, until) in enumerate(after) if until is None]
        place = next((n for n in places if after[n][0] == card), None)
        if place is not None:
            after[place] = (card, after[place][1], at)
    return after


Manner = Literal["open", "unseen", ""]


def partner_known(judgement: Judgement, order: Sequence[Move]) -> str:
    """Return the move after which everybody knows the partner: the called card, the trick that shows that its holder
    has run away, or the partner's own answer to a Kontra. 001 Play; 004 Calling an Ace; 004 Play of the Cards."""
    called = judgement.deal.game.called if judgement.deal.game else None
    if not called:
        return "g"
    card = {move.id for move in order if move.card == called}
    telling = {*card, _run_away(judgement, called), _answer(judgement)}
    return next((move.id for move in order if move.id in telling), "end")


def _run_away(judgement: Judgement, called: str) -> str:
    """Return the last card of the trick in which the partner led the called suit for the first time without the called
    card; empty if nobody has."""
    replay, table = judgement.replay, deal_tables(judgement)
    if replay is None or table is None or not all(is_known(step.card) for step in replay.steps):
        return ""
    searched = (step for step in replay.steps if step.place == 1 and BIT[step.card] & table.called_suit)
    first = next(searched, None)
    if first is None or first.seat != replay.partner:
        return ""
    cards = [step.card for step in replay.steps if step.trick == first.trick]
    whole = len(cards) == len(replay.playing) and called not in cards
    return f"t{first.trick}.{len(cards)}" if whole else ""


def _answer(judgement: Judgement) -> str:
    """Return the doubling with which the partner answers an opponent, which only the declarer may do too; empty if
    there is none."""
    replay, rules, doubles = judgement.replay, judgement.ruleset, judgement.deal.doubles
    if replay is None or rules is None or not isinstance(doubles, tuple) or rules.house.stoss.by != "defence":
        return ""
    said = enumerate(doubles, 1)
    return next((f"d{n}" for n, each in said if each.seat == replay.partner and each.word != "kontra"), "")


def manner_of(judgement: Judgement, passed: Exchange, seat: int | None) -> Manner:
    """Return how a card came to a seat: face up before all, or face down and not looked at."""
    if passed_openly(judgement, passed):
        return "open"
    return "unseen" if seat is not None and passed_unseen(judgement, passed) else ""


def trumps_passed(judgement: Judgement) -> tuple[dict[str, str], set[str]]:
    """Return the cards that were passed face up, each with its move, and those that their new holder has not seen."""
    seen, unseen = dict[str, str](), set[str]()
    for n, each in enumerate(judgement.deal.exchange or (), 1):
        manner = manner_of(judgement, each, each.taker)
        cards = [card for card in each.cards if card in NUMBER]
        seen |= dict.fromkeys(cards, f"x{n}") if manner == "open" else {}
        unseen |= {*cards} if manner == "unseen" else set()
    return seen, unseen
