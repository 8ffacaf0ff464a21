"""Knocks and doublings: who may, when, in answer to whom, how often."""

from archive.play.seating import turn
from archive.play.types import DEALT_AGAIN, THROWN_IN
from archive.record import Deal, Double, Finding, finding
from archive.rules import Contract, House
from archive.rules.types import Stoss

ANY = 99  # later than any card
Leaders = tuple[int | None, ...]


def check_doubles(
    deal: Deal,
    players: tuple[str, ...],
    house: House,
    active: tuple[int, ...],
    sides: tuple[str | None, ...],
    contract: Contract | None = None,
    leaders: Leaders = (),
) -> tuple[Finding, ...]:
    """Every knock and every doubling that the house does not allow. `leaders` are those of the tricks played."""
    knocks = _knocks(deal, players, house, active)
    if not deal.doubles:
        return tuple(knocks)
    if contract is not None and contract.parties == "each" and house.ramsch.double != "no":
        return (*knocks, *_alone(deal, deal.doubles, players, active, leaders))
    return (*knocks, *_doublings(deal, deal.doubles, players, house, active, sides, contract, leaders))


def _knocks(deal: Deal, players: tuple[str, ...], house: House, active: tuple[int, ...]) -> list[Finding]:
    """001 Variants: Legen. `in-turn`: only if all players before have knocked."""
    knocks = deal.knocks
    if not knocks:
        return []
    if isinstance(knocks, int):
        most = {"no": 0, "forehand": 1}.get(house.knock, len(active) or house.seats)
        why = f"this table allows {most} knocks at most, the record has {knocks}"
        return [finding("knock-not-allowed", deal.source, player="somebody", why=why)] if knocks > most else []
    found = []
    before = {seat: active[:place] for place, seat in enumerate(active)}
    for place, seat in enumerate(knocks):
        why = ""
        if house.knock == "no":
            why = "this table does not play with knocking"
        elif seat in knocks[:place]:
            why = "a player knocks only once"
        elif active and seat not in active:
            why = "sits out"
        elif house.knock == "forehand" and active and seat != active[0]:
            why = "only forehand may knock at this table"
        elif house.knock == "in-turn" and active and not set(before[seat]) <= set(knocks):
            why = "not all players before have knocked"
        if why:
            found.append(finding("knock-not-allowed", deal.source, player=players[seat], why=why))
    return found


def _doublings(
    deal: Deal,
    doubles: tuple[Double, ...] | int,
    players: tuple[str, ...],
    house: House,
    active: tuple[int, ...],
    sides: tuple[str | None, ...],
    contract: Contract | None,
    leaders: Leaders,
) -> list[Finding]:
    """001 Doubling; 002 01.4 Contra; 001 Langendorf Schafkopf."""
    stoss, game = house.stoss, deal.game
    if game is not None and game.contract == DEALT_AGAIN:
        return []  # it may have been doubled before it was found that the cards must be dealt again
    if game is not None and (game.contract == THROWN_IN or (contract is not None and not contract.declarer)):
        return [_refused(deal, "nobody", 1, "there is no declarer to double against")]
    if game is None and house.ramsch.double != "no":
        return []  # where everyone plays alone, each may double
    if stoss.until == "no":
        return [_refused(deal, "nobody", 1, "this table does not play with doubling")]
    if game is not None and "muss" in game.words and house.muss and not house.muss.stoss:
        why = "a game that somebody must play is not doubled"  # 001 Avoiding Passed Out Hands: Muss-Spiel
        return [_refused(deal, "somebody", 1, why)]
    found = []
    if stoss.limit and (doubles if isinstance(doubles, int) else len(doubles)) > stoss.limit:
        found.append(_refused(deal, "somebody", stoss.limit + 1, f"this table allows {stoss.limit}"))
    said = () if isinstance(doubles, int) else doubles
    for number, double in enumerate(said, 1):
        why = _wrong_side(deal, double, number, stoss, sides) or _wrong_moment(said, number, stoss, active, leaders)
        if active and double.seat not in active:
            why = "sits out"
        if why:
            found.append(_refused(deal, players[double.seat], number, why))
    return found


def _alone(
    deal: Deal, doubles: tuple[Double, ...] | int, players: tuple[str, ...], active: tuple[int, ...], leaders: Leaders
) -> list[Finding]:
    """Where everyone plays alone, each may double once, before an own card of trick 1. 001 Langendorf Schafkopf."""
    if isinstance(doubles, int):
        why = f"each of {len(active)} players may double once"
        return [_refused(deal, "somebody", len(active) + 1, why)] if active and doubles > len(active) else []
    found = []
    for number, double in enumerate(doubles, 1):
        why = _not_at(double, 1, turn(double.seat, 1, active, leaders))
        if active and double.seat not in active:
            why = "sits out"
        elif double.seat in (each.seat for each in doubles[: number - 1]):
            why = "a player doubles only once"
        if why:
            found.append(_refused(deal, players[double.seat], number, why))
    return found


def _refused(deal: Deal, player: str, number: int, why: str) -> Finding:
    return finding("double-not-allowed", deal.source, player=player, number=number, why=why)


def _wrong_side(deal: Deal, double: Double, number: int, stoss: Stoss, sides: tuple[str | None, ...]) -> str:
    """Odd doublings come from the defence, even ones from the side of the declarer, or from the declarer alone."""
    side, declarer = sides[double.seat], deal.game.declarer if deal.game else None
    if number % 2 and side == "declarer" and stoss.by == "defence":
        return "only the defence may say it"
    if number % 2 == 0 and side == "defence":
        return "only the declarer's side may answer"
    if number % 2 == 0 and stoss.answer == "declarer" and declarer is not None and double.seat != declarer:
        return "only the declarer may answer"
    return ""


def _wrong_moment(
    said: tuple[Double, ...], number: int, stoss: Stoss, active: tuple[int, ...], leaders: Leaders
) -> str:
    """The moment `T.C` is before card C of trick T. Doubling `number` is said before an own card of trick `number`,
    where each speaks before an own card; without limit the play pauses until all have spoken, and where only the
    first cards count the answer follows at once."""
    double = said[number - 1]
    if stoss.until == "trick-by-trick":
        return _not_at(double, number, turn(double.seat, number, active, leaders))
    if stoss.until == "first-card":
        return _later(double, 1, 1, "before the first card")
    if stoss.until == "second-card":
        return _later(double, 1, 2, "before the second card of trick 1")
    if stoss.until == "any":
        return ""
    if number == 1 or stoss.limit:
        own = turn(double.seat, number, active, leaders)
        return _later(double, number, own, f"before one's own card of trick {number}")
    opened = said[0]
    if opened.trick and opened.card:
        return _later(double, opened.trick, opened.card, "at once, while the play is paused")
    own = turn(opened.seat, 1, active, leaders)
    return _later(double, 1, own, "at once, while the play is paused")


def _later(double: Double, trick: int, card: int | None, allowed: str) -> str:
    """Whether it was said after the last moment that is allowed."""
    if double.trick is None or (double.trick, double.card or 1) <= (trick, card or ANY):
        return ""
    return f"said {_when(double)}, allowed {allowed}"


def _not_at(double: Double, trick: int, card: int | None) -> str:
    """Whether it was said at another moment than just before an own card of a trick."""
    if double.trick is None or (double.trick == trick and (None in (double.card, card) or double.card == card)):
        return ""
    return f"said {_when(double)}, allowed just before one's own card of trick {trick}"


def _when(double: Double) -> str:
    return f"before card {double.card} of trick {double.trick}" if double.card else f"in trick {double.trick}"
