"""The bill: lines that add up, each with the source of the value it uses."""

from msgspec import Struct

from archive.record import Deal
from archive.rules import HERE, Ruleset
from archive.settle.types import Kind, Line


class Bill(Struct):
    """Lines under way: adding one moves the running price. Mutable, and never leaves a settlement."""

    ruleset: Ruleset
    lines: list[Line]
    running: int = 0

    def put(
        self, kind: Kind, text: str, amount: int, setting: str, who: tuple[int, ...] = (), proof: tuple[str, ...] = ()
    ) -> None:
        """Adds a line; `setting` is the dotted key whose source is cited."""
        self.running = {"add": self.running + amount, "times": self.running * amount}.get(kind, self.running)
        running = self.running if kind in ("add", "times") else None
        shown = tuple(filter(None, proof))
        self.lines.append(Line(kind, text, amount, running, cited(self.ruleset, setting), who, shown))

    def put_price(self, text: str, name: str, amount: int, proof: tuple[str, ...] = ()) -> None:
        """Adds an amount that a price class sets: this table's own `price`, else its tariff."""
        own = name in self.ruleset.house.price
        self.put("add", text, amount, f"house.price.{name}" if own else "house.tariff", proof=proof)

    def put_doubles(self, deal: Deal, players: tuple[str, ...]) -> None:
        """One line for each knock and each doubling, or one for all where only their number is known."""
        knocks, doubles = deal.knocks or (), deal.doubles or ()
        if isinstance(knocks, int):
            self.put("times", _counted(knocks, "knock"), 2**knocks, "house.knock")
        else:
            for place, seat in enumerate(knocks, 1):
                self.put("times", f"knock: {players[seat]}", 2, "house.knock", (seat,), (f"k{place}",))
        if isinstance(doubles, int):
            self.put("times", _counted(doubles, "doubling"), 2**doubles, "house.stoss")
        else:
            for place, said in enumerate(doubles, 1):
                self.put("times", f"{said.word}: {players[said.seat]}", 2, "house.stoss", (said.seat,), (f"d{place}",))


def _counted(count: int, word: str) -> str:
    return f"{count} {word}" + ("" if count == 1 else "s")


def cited(ruleset: Ruleset, setting: str) -> str:
    """Where a dotted key comes from, or the table it is in, or anything in it; the record's own table by its key."""
    parts = setting.split(".")
    for end in range(len(parts), 1, -1):
        key = ".".join(parts[:end])
        cite = ruleset.cites.get(key) or next((c for k, c in ruleset.cites.items() if k.startswith(f"{key}.")), None)
        if cite:
            return f"{HERE}: {key}" if cite == HERE else cite
    return ""
