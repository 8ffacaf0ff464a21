"""Knocks and doublings: who may, when, in answer to whom, how often."""

from archive.record import Deal, Double, Finding, finding
from archive.rules import House
from archive.rules.types import Stoss

ANY = 99  # later than any card


def check_doubles(
    deal: Deal, players: tuple[str, ...], house: House, active: tuple[int, ...], sides: tuple[str | None, ...]
) -> tuple[Finding, ...]:
    """Every knock and every doubling that the house does not allow."""
    if deal.doubles and deal.game and "muss" in deal.game.words and house.muss and not house.muss.stoss:
        why = "a game that somebody must play is not doubled"  # 001 Avoiding Passed Out Hands: Muss-Spiel
        return (*_knocks(deal, players, house, active), _refused(deal, "somebody", 1, why))
    return (*_knocks(deal, players, house, active), *_doublings(deal, players, house.stoss, active, sides))


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
    deal: Deal, players: tuple[str, ...], stoss: Stoss, active: tuple[int, ...], sides: tuple[str | None, ...]
) -> list[Finding]:
    """001 Doubling; 002 01.4 Contra."""
    doubles = deal.doubles
    if not doubles:
        return []
    count = doubles if isinstance(doubles, int) else len(doubles)
    if deal.game is not None and deal.game.declarer is None:
        return [_refused(deal, "nobody", 1, "there is no declarer to double against")]
    if stoss.until == "no":
        return [_refused(deal, "nobody", 1, "this table does not play with doubling")]
    found = []
    if stoss.limit and count > stoss.limit:
        found.append(_refused(deal, "somebody", stoss.limit + 1, f"this table allows {stoss.limit}"))
    for number, double in enumerate(() if isinstance(doubles, int) else doubles, 1):
        why = _wrong_side(deal, double, number, stoss, sides) or _too_late(double, number, stoss, active)
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


def _too_late(double: Double, number: int, stoss: Stoss, active: tuple[int, ...]) -> str:
    """The moment `T.C` is before card C of trick T. An answer follows at once, so it has the same card as its limit;
    where each speaks before an own card, the answer may come one trick later."""
    if double.trick is None or double.card is None or not active:
        return ""
    own = active.index(double.seat) + 1 if double.seat in active else ANY
    trick, card, said = {
        "first-card": (1, 1, "before the first card"),
        "second-card": (1, 2, "before the second card of trick 1"),
        "own-card": (1, own, "before one's own first card") if number % 2 else (2, ANY, "before one's own second card"),
        "any": (ANY, ANY, ""),
    }[stoss.until]
    late = (double.trick, double.card) > (trick, card)
    return f"said before card {double.card} of trick {double.trick}, allowed {said}" if late else ""
