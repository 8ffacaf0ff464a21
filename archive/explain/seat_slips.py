"""A part of the price for some seats only: a line of the settlement left out, or put in, in some columns and not in the
others. It moves amounts, not an account: only a slip in writing is tried after it."""

from collections.abc import Iterator

from archive.explain.account import Account, Amounts, Item, Items, amounts_of
from archive.explain.price_slips import end_of_doublings, missed_lines, missed_together
from archive.explain.scene import Scene, Slip, Vector, cost_of
from archive.explain.writing_slips import fits
from archive.say import Fact, Message

FOR_ONE = 0.5  # the cost if one column alone is wrong, and not those of a side
USUAL = 2.0  # the cost of a usual slip

Written = tuple[Slip, Amounts]


def seat_slips(scene: Scene, account: Account, stated: Vector) -> Iterator[Written]:
    """Yield the parts of the price that are missing, or too much, in the columns of some players, if that gives what is
    stated; with the amounts then."""
    right = amounts_of(account)
    if right is None or not account.items or scene.marks or not any(account.shares):
        return
    sides = [tuple(n for n, own in enumerate(account.shares) if own * sign > 0) for sign in (1, -1)]
    if not all(sides):
        return
    active = sorted(seat for side in sides for seat in side)
    groups = [*sides, *((seat,) for seat in active if (seat,) not in sides)]
    for slip, items, sayer in parts_of(scene, account.items):
        paid = amounts_of(Account(items, account.shares, account.pot, account.cap, account.unit))
        if paid is None:
            continue
        if sayer is not None and sayer in active:
            yield from between_two(scene, slip, sayer, right, paid, stated)
        others = [tuple(seat for seat in active if seat != sayer)] if sayer is not None else []
        for group in (*groups, *others):
            made = tuple([paid[n] if n in group else own for n, own in enumerate(right)])
            if fits(made, stated) and made not in (right, paid):
                extra = (cost_of(slip) - USUAL) / 2 + (0 if group in sides else FOR_ONE)
                yield for_some(scene, slip, group, extra), made


def for_some(scene: Scene, slip: Slip, group: tuple[int, ...], extra: float) -> Slip:
    """Return a slip made in the columns of some players."""
    clause = Message(f"explain.{slip.row or slip.cause}", slip.facts)
    names = tuple([scene.players[seat] for seat in group])
    return Slip("for-some", {"names": names, "clause": clause}, extra=extra, cite=slip.cite)


def parts_of(scene: Scene, items: Items) -> Iterator[tuple[Slip, Items, int | None]]:
    """Yield the parts of a price that may be left out, or be too much, each with the lines then, and the player of a
    knock or a Kontra."""
    for slip, made in (*missed_lines(scene, items), *missed_together(scene, items)):
        lost = [item for item in items if item not in made and item.line and item.part in ("knock", "kontra")]
        sayer = lost[0].line.who[0] if len(lost) == 1 and lost[0].line and lost[0].line.who else None
        yield slip, made, sayer
    end = end_of_doublings(items)
    yield Slip("doubling-extra"), (*items[:end], Item("slip", True, 2), *items[end:]), None


def between_two(
    scene: Scene, slip: Slip, sayer: int, right: Amounts, less: Amounts, stated: Vector
) -> Iterator[Written]:
    """Yield the slips by which a doubling counts only between its player and the declarer."""
    declarer = scene.case.replay.declarer
    if declarer is None or right[declarer] * right[sayer] >= 0:
        return
    made = list(less)
    made[sayer], made[declarer] = right[sayer], right[declarer]
    partners = [n for n, own in enumerate(right) if own * right[declarer] > 0 and n != declarer]
    if not partners:  # the declarer alone has what the others lack
        made[declarer] = less[declarer] - (right[sayer] - less[sayer])
    if not fits(tuple(made), stated):
        return
    facts: dict[str, Fact] = {"name": scene.players[sayer], "other": scene.players[declarer]}
    word = slip.facts.get("word", Message("explain.the-knock"))
    yield Slip("for-some", facts | {"word": word}, "between-two", (cost_of(slip) - USUAL) / 2, slip.cite), tuple(made)
