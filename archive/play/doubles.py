"""Knocks and doublings: who may, when, in answer to whom, how often."""

from archive.play.seating import place_in_trick
from archive.play.types import DEALT_AGAIN, THROWN_IN
from archive.record import Deal, Double, Finding, Game, finding
from archive.rules import Contract, House
from archive.rules.types import Stoss
from archive.say import Message, message

ANY = 99  # later than any card
Leaders = tuple[int | None, ...]


def check_doubles(
    deal: Deal,
    players: tuple[str, ...],
    house: House,
    active: tuple[int, ...],
    sides: tuple[str | None, ...],
    contract: Contract | None,
    leaders: Leaders,
) -> tuple[Finding, ...]:
    """Return findings for knocks and doublings that the house does not allow. 001 Doubling; 002 01.4 Contra; 001
    Langendorf Schafkopf. `leaders` has one seat per trick played."""
    findings = _knocks(deal, players, house, active)
    stoss, game, doubles = house.stoss, deal.game, deal.doubles
    if not doubles or (game is not None and game.contract == DEALT_AGAIN):
        return tuple(findings)  # it may have been doubled before it was found that the cards must be dealt again
    if contract is not None and contract.parties == "each" and house.ramsch.double != "no":
        return (*findings, *_alone(deal, players, active, leaders))
    if game is None and house.ramsch.double != "no":
        return tuple(findings)  # if all play alone, each may double
    if why := _why_never_doubled(game, house, contract):
        return (*findings, _refuse(deal, players, 1, why))
    if stoss.limit and (doubles if isinstance(doubles, int) else len(doubles)) > stoss.limit:
        findings.append(_refuse(deal, players, stoss.limit + 1, message("play.doublings-allowed", n=stoss.limit)))
    calls = () if isinstance(doubles, int) else doubles
    for number, double in enumerate(calls, 1):
        wrong = _wrong_side(deal, double, number, stoss, sides) or _wrong_moment(calls, number, stoss, active, leaders)
        if active and double.seat not in active:
            wrong = message("play.sits-out")
        if wrong:
            findings.append(_refuse(deal, players, number, wrong))
    return tuple(findings)


def _why_never_doubled(game: Game | None, house: House, contract: Contract | None) -> Message | None:
    if game is not None and (game.contract == THROWN_IN or (contract is not None and not contract.declarer)):
        return message("play.nobody-to-double")
    if house.stoss.until == "no":
        return message("play.no-doubling")
    if game is not None and "muss" in game.words and house.muss and not house.muss.stoss:
        return message("play.muss-not-doubled")  # 001 Muss-Spiel
    return None


def _knocks(deal: Deal, players: tuple[str, ...], house: House, active: tuple[int, ...]) -> list[Finding]:
    """Return findings for knocks. `in-turn`: only if all players before have knocked. 001 Variants: Legen."""
    knocks = deal.knocks
    if not knocks:
        return []
    if isinstance(knocks, int):
        most = {"no": 0, "forehand": 1, "dealer": 1}.get(house.knock, len(active) or house.seats)
        facts = {"player": message("play.somebody"), "why": message("play.many-knocks", most=most, knocks=knocks)}
        return [finding("knock-not-allowed", deal.source, at=None, **facts)] if knocks > most else []
    findings = []
    for place, seat in enumerate(knocks):
        why = None
        if house.knock == "no":
            why = message("play.no-knocking")
        elif seat in knocks[:place]:
            why = message("play.knocks-once")
        elif active and seat not in active:
            why = message("play.sits-out")
        elif house.knock == "forehand" and active and seat != active[0]:
            why = message("play.forehand-knocks")
        elif house.knock == "dealer" and active and seat != active[-1]:
            why = message("play.dealer-knocks")
        elif house.knock == "in-turn" and active and not set(active[: active.index(seat)]) <= set(knocks):
            why = message("play.knock-in-turn")
        if why:
            findings.append(finding("knock-not-allowed", deal.source, player=players[seat], why=why))
    return findings


def _alone(deal: Deal, players: tuple[str, ...], active: tuple[int, ...], leaders: Leaders) -> list[Finding]:
    """Return findings if all play alone: each doubles once, before an own card of trick 1. 001 Langendorf Schafkopf."""
    doubles = deal.doubles or ()
    if isinstance(doubles, int):
        why = message("play.each-doubles-once", n=len(active))
        over = active and doubles > len(active)
        return [_refuse(deal, players, len(active) + 1, why)] if over else []
    findings = []
    for number, double in enumerate(doubles, 1):
        wrong = _not_at(double, 1, place_in_trick(double.seat, 1, active, leaders))
        if active and double.seat not in active:
            wrong = message("play.sits-out")
        elif double.seat in (each.seat for each in doubles[: number - 1]):
            wrong = message("play.doubles-once")
        if wrong:
            findings.append(_refuse(deal, players, number, wrong))
    return findings


def _refuse(deal: Deal, players: tuple[str, ...], number: int, why: Message) -> Finding:
    who = players[deal.doubles[number - 1].seat] if isinstance(deal.doubles, tuple) else message("play.somebody")
    return finding("double-not-allowed", deal.source, player=who, number=number, why=why)


def _wrong_side(deal: Deal, double: Double, number: int, stoss: Stoss, sides: tuple[str | None, ...]) -> Message | None:
    """Return why this side may not: odd doublings are the defence's, even ones the declarer's or that side's."""
    side, declarer = sides[double.seat], deal.game.declarer if deal.game else None
    if side is None and declarer is not None and double.seat in (declarer, deal.partner):
        side = "declarer"  # as written, where nobody says who dealt
    if number % 2 and side == "declarer" and stoss.by == "defence":
        return message("play.defence-doubles")
    if number % 2 == 0 and side == "defence":
        return message("play.side-answers")
    if number % 2 == 0 and stoss.answer == "declarer" and declarer is not None and double.seat != declarer:
        return message("play.declarer-answers")
    return None


def _wrong_moment(
    calls: tuple[Double, ...], number: int, stoss: Stoss, active: tuple[int, ...], leaders: Leaders
) -> Message | None:
    """Return why this is not the moment to double. Doubling `number` is said before an own card of trick `number` if
    each speaks before an own card; without limit the play pauses until all have spoken, and if only the first cards
    count the answer follows at once."""
    double = calls[number - 1]
    if stoss.until == "trick-by-trick":
        return _not_at(double, number, place_in_trick(double.seat, number, active, leaders))
    if stoss.until == "first-card":
        return _later(double, 1, 1, message("play.before-first-card"))
    if stoss.until == "second-card":
        return _later(double, 1, 2, message("play.before-second-card"))
    if stoss.until == "any":
        return None
    if stoss.until == "cards":
        return _later(double, stoss.cards, len(active) or None, message("play.before-cards", cards=stoss.cards))
    if number == 1 or stoss.limit:
        own = place_in_trick(double.seat, number, active, leaders)
        return _later(double, number, own, message("play.before-own-card", trick=number))
    opened = calls[0]
    if opened.trick and opened.card:
        return _later(double, opened.trick, opened.card, message("play.at-once"))
    own = place_in_trick(opened.seat, 1, active, leaders)
    return _later(double, 1, own, message("play.at-once"))


def _later(double: Double, trick: int, card: int | None, allowed: Message) -> Message | None:
    """Return why it was said too late, or None if it was in time; `trick` and `card` are the last moment allowed."""
    if double.trick is None or (double.trick, double.card or 1) <= (trick, card or ANY):
        return None
    return message("play.said-late", moment=_when(double), allowed=allowed)


def _not_at(double: Double, trick: int, card: int | None) -> Message | None:
    """Return why it was not said just before an own card of the trick, or None if it was."""
    if double.trick is None or (double.trick == trick and (None in (double.card, card) or double.card == card)):
        return None
    return message("play.said-apart", moment=_when(double), trick=trick)


def _when(double: Double) -> Message:
    if double.card:
        return message("play.before-card", card=double.card, trick=double.trick)
    return message("play.in-trick", trick=double.trick)
