"""Evenings by chance: heads with players and days, the deals of each as lines of the record format."""

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import count, islice
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from archive.generate.bulk import EveningPlan
from archive.generate.bulk import evening_lines as bulk_lines
from archive.generate.contract_mix import ContractMix, contract_mix_of
from archive.generate.playing import deals
from archive.notation import write_line
from archive.record import Session
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
SLOWLY = 100  # of so many evenings one is dealt slowly, where a table plays more than can be dealt in bulk
WHICH = 2  # of them
TOGETHER = 2000  # deals that are dealt in bulk
LEAST = 5000  # deals that pay for the import of numba


class EveningLines(Struct, frozen=True):
    """The head of an evening, and its deals as JSON lines without line ends."""

    session: Session
    lines: list[bytes]


class Evening(Struct, frozen=True):
    """An evening before it is dealt: its number, its head, how many deals, what everything of it is drawn from, and how
    many of the deals are kept."""

    number: int
    session: Session
    deals: int
    rng: Random
    kept: int


def evenings(ruleset: Ruleset, seed: int, wanted: int, one: bool = False, fast: bool = True) -> Iterator[EveningLines]:
    """Evenings with so many deals together, the last of them cut off; `one`: a single evening. The same seed gives the
    same lines, with numba (`fast`) or without. Raises LookupError where nobody can play by the rules."""
    menu, fast = contract_mix_of(ruleset), fast and wanted >= LEAST
    waiting: list[Evening] = []
    for each in evening_heads(ruleset, seed, wanted, one):
        if menu is None or is_slow(menu, each):
            yield from deal_in_bulk(ruleset, menu, waiting, fast)
            waiting = []
            whole = deals(each.rng, each.session, each.deals, STATES)
            yield EveningLines(each.session, [write_line(each.session, deal) for deal in islice(whole, each.kept)])
            continue
        waiting.append(each)
        if sum(evening.deals for evening in waiting) >= TOGETHER:
            yield from deal_in_bulk(ruleset, menu, waiting, fast)
            waiting = []
    yield from deal_in_bulk(ruleset, menu, waiting, fast)


def deal_in_bulk(
    ruleset: Ruleset, menu: ContractMix | None, waiting: list[Evening], fast: bool
) -> Iterator[EveningLines]:
    """The lines of evenings that are dealt in bulk."""
    if menu is None or not waiting:
        return
    plans = [EveningPlan(each.session, each.deals, each.rng) for each in waiting]
    for each, lines in zip(waiting, bulk_lines(ruleset, menu, plans, fast), strict=True):
        yield EveningLines(each.session, lines[: each.kept])


def is_slow(menu: ContractMix, evening: Evening) -> bool:
    """Whether an evening is dealt by the generator that knows everything."""
    return not menu.complete and evening.number % SLOWLY == WHICH


def evening_heads(ruleset: Ruleset, seed: int, wanted: int, one: bool) -> Iterator[Evening]:
    """The evenings before they are dealt, each drawn from the seed and its own number, so that a longer run begins with
    a shorter one."""
    left = wanted
    for number in count():
        rng = Random(f"{seed} {ruleset.id} {number}")
        players = tuple(rng.sample(NAMES, ruleset.house.seats))
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
