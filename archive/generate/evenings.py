"""Evenings by chance: heads with players and days, and the deals of each."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import count, islice
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from archive.generate.bulk import bulk_deals
from archive.generate.contract_mix import ContractMix, contract_mix_of
from archive.generate.plan import Evening
from archive.generate.playing import deals
from archive.notation import write_line
from archive.record import Deal, Session
from archive.rules import Ruleset

NAMES = (
    "Alois", "Anna", "Anton", "Barbara", "Bastian", "Ben", "Cem", "Christa", "Dora", "Elif", "Emil", "Erika", "Eva",
    "Ferdl", "Franz", "Fritz", "Georg", "Hanna", "Heidi", "Ida", "Ilse", "Jakob", "Johann", "Josef", "Karin", "Kathi",
    "Lena", "Leo", "Lisl", "Ludwig", "Maria", "Markus", "Max", "Michl", "Monika", "Nina", "Otto", "Paul", "Peter",
    "Quirin", "Resi", "Rita", "Robert", "Rosa", "Sepp", "Simon", "Sofie", "Steffi", "Theo", "Toni", "Ulla", "Ursula",
    "Vera", "Vinzenz", "Vroni", "Walter", "Wiggerl", "Xaver", "Yasemin", "Zenta",
)  # fmt: skip
FIRST_DAY, DAYS = date(2000, 1, 1), 36_500
SHORTEST, LONGEST = 24, 48  # deals of an evening
STATES = ("points", "won", "payments", "totals", "marks")
SLOWLY = 100  # one evening in this many is dealt deal by deal, if a table plays more than the core covers
WHICH = 2  # the number of that evening among them
TOGETHER = 2000  # deals that are dealt in bulk
LEAST = 5000  # deals that are worth the import of numba


class DealtEvening(Struct, frozen=True):
    """The head of an evening, and its deals."""

    session: Session
    deals: list[Deal]

    @property
    def lines(self) -> list[bytes]:
        """Return the deals as JSON lines without line ends."""
        return [write_line(self.session, deal) for deal in self.deals]


def evenings(ruleset: Ruleset, seed: int, wanted: int, one: bool = False, fast: bool = True) -> Iterator[DealtEvening]:
    """Yield evenings with `wanted` deals in total, the last of them cut short; with `one`, a single evening. The same
    seed gives the same deals, with numba (`fast`) or without. Raise LookupError if nobody can play by the rules."""
    mix, fast = contract_mix_of(ruleset), fast and wanted >= LEAST
    batch: list[Evening] = []
    for evening in evening_heads(ruleset, seed, wanted, one):
        batch.append(evening)
        if not in_bulk(mix, evening) or sum(each.deals for each in batch) >= TOGETHER:
            yield from deal_batch(ruleset, mix, batch, fast)
            batch = []
    yield from deal_batch(ruleset, mix, batch, fast)


def deal_batch(
    ruleset: Ruleset, mix: ContractMix | None, batch: Sequence[Evening], fast: bool
) -> Iterator[DealtEvening]:
    """Yield some evenings dealt, in bulk if the core covers their games, else deal by deal."""
    together = [evening for evening in batch if in_bulk(mix, evening)]
    bulk = iter(bulk_deals(ruleset, mix, together, fast) if mix and together else ())
    for evening in batch:
        one_by_one = deals(evening.rng, evening.session, evening.deals, STATES)
        whole = list(islice(bulk if in_bulk(mix, evening) else one_by_one, evening.deals))
        yield DealtEvening(evening.session, whole[: evening.kept])


def in_bulk(mix: ContractMix | None, evening: Evening) -> bool:
    """Return whether the integer core deals an evening."""
    return mix is not None and (mix.complete or evening.number % SLOWLY != WHICH)


def evening_heads(ruleset: Ruleset, seed: int, wanted: int, one: bool) -> Iterator[Evening]:
    """Yield the evenings before they are dealt, each drawn from the seed and its own number, so that a longer run
    begins with a shorter one."""
    left = wanted
    for number in count():
        rng = Random(f"{seed} {ruleset.id} {number}")
        least, most = ruleset.house.least_seats, ruleset.house.seats
        players = tuple(rng.sample(NAMES, rng.randint(least, most) if least else most))
        day = FIRST_DAY + timedelta(number % DAYS)
        head = Session(rules=ruleset.id, players=players, date=day.isoformat(), event=f"Generated, seed {seed}")
        length = rng.randint(SHORTEST, LONGEST)
        if ruleset.house.list:
            length = min(length, ruleset.house.list)
        length = left if one else length
        yield Evening(number, replace(head, unit=ruleset.house.unit), length, rng, min(length, left))
        left -= length
        if left <= 0:
            return
