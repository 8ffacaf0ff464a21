"""The bill: lines that add up, each with the source of the value it uses."""

from math import prod

from msgspec import Struct

from archive.play.cut import knock_of
from archive.record import Deal
from archive.rules import HERE, House, Ruleset
from archive.rules.tables import remember
from archive.say import Message, message
from archive.settle.rounds import in_force
from archive.settle.types import Kind, LedgerState, Part, SettlementLine

DOUBLES = {"kontra": "settle.kontra", "re": "settle.re", "double": "settle.double"}  # by the word that was said


class Bill(Struct):
    """Lines under way: adding one moves the running price. Mutable, and never leaves a settlement."""

    ruleset: Ruleset
    lines: list[SettlementLine]
    running: int = 0

    def put(
        self,
        part: Part,
        kind: Kind,
        says: Message,
        amount: int,
        setting: str,
        who: tuple[int, ...] = (),
        proof: tuple[str, ...] = (),
    ) -> None:
        """Add a line; `setting` is the dotted key whose source is cited."""
        running: int | None
        if kind == "add":
            self.running = running = self.running + amount
        elif kind == "times":
            self.running = running = self.running * amount
        elif kind == "at-most":
            self.running = running = min(self.running, amount)
        else:
            running = None
        moments = proof if all(proof) else tuple(filter(None, proof))
        self.lines.append(
            SettlementLine(part, kind, says, amount, running, cite_of(self.ruleset, setting), who, moments)
        )

    def put_price(self, says: Message, name: str, amount: int, proof: tuple[str, ...]) -> None:
        """Add an amount that a price class sets: a tournament's points, a Ramsch's own price, this table's own `price`,
        else its tariff."""
        house = self.ruleset.house
        named = f"price.{name}" if name in house.price else "tariff"
        named = "ramsch.price" if amount == house.ramsch.price else named
        by = f"table.{name}" if name in house.table else named
        self.put("game", "add", says, amount, f"house.{by}", proof=proof)

    def put_doubles(self, deal: Deal, players: tuple[str, ...], before: LedgerState) -> int:
        """Add a line for each special round in force, a Hausbock, each knock and each doubling; or one for all knocks,
        for all doublings, if only their number is known. The cutter's knock does not count if all passed. Return their
        product."""
        above = len(self.lines)
        for name in in_force(deal, before) or ():
            if name in self.ruleset.rounds and (times := self.ruleset.rounds[name].times) > 1:
                title = message("settle.title", title=self.ruleset.rounds[name].title)
                self.put("round", "times", title, times, f"round.{name}.times")
        if self.ruleset.house.hausbock and (before.hausbock or 0) > 0:
            self.put("hausbock", "times", message("settle.hausbock"), 2, "house.hausbock")
        alone = deal.game is not None and self.ruleset.contracts[deal.game.contract].parties == "each"
        passed = alone or (deal.game is not None and "muss" in deal.game.words)
        cut = knock_of(deal, players) if self.ruleset.house.klopfen and not passed else None
        if cut:
            says = message("settle.cutter-knocks", player=players[cut.seat])
            self.put("knock", "times", says, 2, "house.klopfen", (cut.seat,), ("c1",))
        knocks, doubles = deal.knocks or (), deal.doubles or ()
        if isinstance(knocks, int):
            self.put("knock", "times", message("settle.knocks", n=knocks), 2**knocks, "house.knock")
        else:
            for place, seat in enumerate(knocks, 1):
                says = message("settle.knock", player=players[seat])
                self.put("knock", "times", says, 2, "house.knock", (seat,), (f"k{place}",))
        doubled = "house.ramsch.double" if alone else "house.stoss"
        if isinstance(doubles, int):
            self.put("kontra", "times", message("settle.doublings", n=doubles), 2**doubles, doubled)
        else:
            for place, double in enumerate(doubles, 1):
                says = message(DOUBLES[double.word], player=players[double.seat])
                self.put("kontra", "times", says, 2, doubled, (double.seat,), (f"d{place}",))
        return prod([line.amount for line in self.lines[above:]])

    def put_point(self) -> int:
        """Multiply the price by the worth of a point, and return it. 004 Schafkopf (3 active players): Scoring."""
        point = self.ruleset.house.point
        if point > 1:
            self.put("point", "times", message("settle.point"), point, "house.point")
        return point

    def put_cap(self, opponents: int, most: int = 0) -> None:
        """Add the most that one loser pays one winner, if the price, or `most` (paid to somebody), is higher.
        `opponents`: the number on the side with most. 001 Langendorf Schafkopf."""
        cap = cap_between(self.ruleset.house, opponents)
        if cap is not None and max(self.running, most) > cap:
            setting = "house.cap" if cap == self.ruleset.house.cap else "house.cap_of"
            self.put("cap", "at-most", message("settle.cap"), cap, setting)


def cap_between(house: House, opponents: int) -> int | None:
    """Return the most that one loser pays one winner, if one of them has `opponents` opponents; None without a limit. A
    limit on what one player pays or is paid in all is shared by these evenly. 001 Langendorf Schafkopf."""
    return house.cap if house.cap is None or house.cap_of == "pair" else house.cap // max(1, opponents)


def opponents_of(ours: int, theirs: int, house: House) -> int:
    """Return how many others a player of the smaller side pays, or is paid by."""
    most, fewest = max(ours, theirs), min(ours, theirs)
    return most if house.each_pays_each else most // fewest


@remember
def cite_of(ruleset: Ruleset, setting: str) -> str:
    """Return the source of a dotted key, or of its table, or of anything in it; the record's own table by its key."""
    parts, cites = setting.split("."), ruleset.cites
    for end in range(len(parts), 1, -1):
        key = ".".join(parts[:end])
        cite = cites.get(key) or next((c for k, c in cites.items() if k.startswith(f"{key}.")), None)
        if cite:
            return f"{HERE}: {key}" if cite == HERE else cite
    return ""
