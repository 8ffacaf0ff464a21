"""Names for the parts of a price in sentences, and for the game that a price belongs to."""

from typing import Any

from archive.explain.account import Item, Items
from archive.explain.scene import Scene
from archive.rules.titles import contract_title
from archive.say import Message, message

NAMED = ("game", "runners", "schneider", "schwarz", "suit", "stake")


def part_title(item: Item) -> Message:
    """Return the name of a line."""
    return message(f"explain.part-{item.part}" if item.part in NAMED else "explain.part-other")


def words_of_wrong_game(scene: Scene, item: Item, value: int) -> tuple[dict[str, Any], str]:
    """Return the facts and the row for a game at a price of the same list: the game that costs it, or another row."""
    contracts, house = scene.case.ruleset.contracts, scene.case.ruleset.house
    of = [name for name, price in scene.prices.items() if price == value and name in contracts]
    titles = [contract_title(contracts[name]) for name in of if name in house.contracts]
    if titles:
        return {"value": value, "title": titles[0]}, "wrong-game-of"
    return {"value": value, "what": part_title(item)}, "wrong-row"


def row_of_unpaid(scene: Scene) -> str:
    """Return the row that says why runners are not paid; that a record says of 0 runners that none of them are does not
    say how many there were."""
    few = scene.count is None or scene.count < scene.least
    stated = scene.case.deal.stated
    if few and scene.from_facts and stated and 0 in (stated.runners, stated.runner_count):
        return "runners-below"
    return "runners-unpaid" if not scene.least else "" if few else "runners-unclaimed"


def parts_moved(rest: Items, was: int, place: int) -> tuple[dict[str, Any], str]:
    """Return the parts of the price that a Tout doubles too, or no longer, if it stands elsewhere among the other
    lines; and the row that says which."""
    parts = [item for item in rest[min(was, place) : max(was, place)] if not item.times and item.amount]
    row = "tout-over-more" if place > was else "tout-over-less"
    return ({"what": tuple(dict.fromkeys(map(part_title, parts)))}, row) if parts else ({}, "tout-over-other")
