"""The attacks that `benchmarks/attacks.py` sends: those of attack_list.toml, and those that a fuzzer makes.

Each is a request that costs its sender nothing. The fuzzer combines paths, parameters and values at random; the same
seed gives the same requests.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from urllib.parse import quote, urlencode

from msgspec import Struct

LISTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
FORMS = {"a page": "", "JSON": ".json", "CSV": ".csv"}
OF_COLUMNS = ("_sort", "_sort_desc", "_facet", "_facet_array", "_col", "_nocol")


class Attack(Struct, frozen=True):
    """A request: its kind, its address, and whether a fuzzer has made it."""

    name: str
    path: str
    fuzzed: bool = False


def written_out(text: str) -> str:
    """Return a text of the lists with its parts and repetitions in it."""
    text = re.sub(r"\$(count|rows|stars)", lambda each: written_out(LISTS["parts"][each[1]]), text)
    text = re.sub(r"\$long(\d+)", r"<\1:hex(>'aaaaaaaaaaaaaaaa'<\1:)>", text)
    return re.sub(
        r"<(\d+):(.+?)>", lambda part: "".join(part[2].replace("#", str(n)) for n in range(int(part[1]))), text
    )


def thought_of() -> Iterator[Attack]:
    """Return the attacks of the list."""
    for n, (name, sql) in enumerate(LISTS["sql"].items()):
        for form, ending in FORMS.items():
            if n < 4 or form == "JSON":
                yield Attack(f"{name}, as {form}", f"/data{ending}?sql={quote(written_out(sql))}")
    yield from (Attack(name, f"/data/{written_out(path)}") for name, path in LISTS["tables"].items())
    yield from (Attack(name, written_out(path)) for name, path in LISTS["viewer"].items())


def fuzzed(seed: int) -> Iterator[Attack]:
    """Yield requests put together at random, without end."""
    rng = Random(seed)
    paths, keys, endings = (LISTS[name] for name in ("paths", "keys", "endings"))
    words = list(map(written_out, LISTS["words"]))
    number = 0
    while True:
        number += 1
        path, pairs = rng.choice(paths), []
        ending = rng.choice(endings) if path.startswith("/data/") else ""
        for _ in range(rng.randrange(5)):
            key = rng.choice(keys)
            own = LISTS["columns"] if key in OF_COLUMNS else words
            pairs.append((key, rng.choice(own if rng.random() < 0.8 else words)))
        query = urlencode(pairs)
        yield Attack(f"number {number} of the fuzzer", f"{path}{ending}?{query}" if query else path + ending, True)
