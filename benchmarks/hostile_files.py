"""`schafkopf check` of files made to hurt: processor time and memory for each megabyte, above those of a small file.

    python benchmarks/hostile_files.py                     the recorded run, in benchmarks/results/hostile-files.md
    python benchmarks/hostile_files.py --megabytes 4 --only "TOML: many keys"

Each file is checked by a process of its own. The limits are a second of processor time and 100 MB of memory for each
megabyte of the file, and the time to judge its deals: a millisecond for each, three if its cards are not known and all
its possible courses are tried. The limits are not part of the program, which counts and never looks at a clock.
"""

import gzip
import io
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple, TypeVar

import measured
from measured import ROOT, markdown, schafkopf
from support.file_damage import NASTY

from archive import read_records
from archive.record import Deal

T = TypeVar("T")
SAMPLES = ROOT / "sample_games" / "valid"
MB, SECONDS, MEMORY = 1 << 20, 1.0, 100 * (1 << 20)  # for each megabyte
EACH = {True: 0.001, False: 0.003}  # seconds for each deal, by whether its cards are known
HEAD = 'format = "schafkopf-record/1"\nrules = "pub"\nplayers = ["A", "B", "C", "D"]\n'
SHEET = "Nr;Spiel;Anna;Bert;Cilli;Dora\n"
LINE = '{"format":"schafkopf-record/1","rules":"pub","players":["A","B","C","D"]'


class Hostile(NamedTuple):
    """A file that may hurt: its name in the table, that of the file, and its bytes for a size."""

    title: str
    name: str
    data: Callable[[int], bytes]


def main() -> None:
    parser = measured.arguments(__doc__, "hostile-files", runs=1)
    parser.add_argument("--megabytes", type=int, default=3)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    rows, over = [], 0
    with measured.folder_for_files() as folder:
        small = folder / "small.toml"
        small.write_text(HEAD)
        base = schafkopf("check", small)
        for each in hostile_files():
            if not each.title.startswith(given.only):
                continue
            path = folder / each.name
            apart(write, each.title, given.megabytes * MB, path)
            size = path.stat().st_size / MB
            size = size if size > 0.5 else given.megabytes  # a packed file counts with its size unpacked
            ran = schafkopf("check", path)
            seconds, memory = (ran.cpu - base.cpu) / size, (ran.memory - base.memory) / size
            deals = apart(deals_of, path)
            allowed = SECONDS + sum(EACH[known] * count for known, count in deals.items()) / size
            worse = seconds > allowed or memory > MEMORY
            over += worse
            figures = f"{size:.1f}", deals.total(), f"{max(seconds, 0):.2f} s", f"{memory / MB:.0f} MB"
            row = (each.title, *figures, "over" if worse else "")
            print(*row, sep=" | ", flush=True)
            rows.append(row)
            path.unlink()
    lines = [
        f"A megabyte may take {SECONDS:g} s of processor time and {MEMORY // MB} MB of memory, and a millisecond for "
        f"each deal, three for one without cards; {over} of {len(rows)} files take more. What a small file takes is "
        "taken off.\n",
        markdown("file | megabytes | deals | time for each | memory for each | ", rows),
    ]
    measured.kept(given.out, "Files made to hurt", __file__, ("msgspec",), lines)


def apart(work: Callable[..., T], *given: object) -> T:
    """Return the result of some work in a process of its own: the most memory that a process has had counts for those
    that it starts, and this one starts the measured ones."""
    with ProcessPoolExecutor(1, get_context("fork")) as pool:
        return pool.submit(work, *given).result()


def write(title: str, size: int, path: Path) -> None:
    """Write the file of this title."""
    path.write_bytes(next(each for each in hostile_files() if each.title == title).data(size))


def deals_of(path: Path) -> Counter[bool]:
    """Return how many deals a file has, by whether their cards are known."""
    return Counter(item.tricks is not None for item in read_records(path) if isinstance(item, Deal))


def hostile_files() -> Iterator[Hostile]:
    """Yield the files, by what they are made of."""
    yield from (Hostile(f"alone: {ascii(unit)[2:-1]}", "a.txt", again(unit)) for unit in NASTY)
    for nth, (name, (begin, end)) in enumerate(AROUND.items()):
        for unit in NASTY[nth % 3 :: 3]:
            yield Hostile(f"{name}: {ascii(unit)[2:-1]}", name, again(unit, begin, end))
    for title, (name, *parts) in COUNTED.items():
        yield Hostile(title, name, counted(*parts))
    for pattern, most in MANY_TIMES.items():
        paths = [path for path in sorted(SAMPLES.glob(pattern)) if path.suffix != ".expected"]
        yield from (Hostile(f"{path.name}: many times", path.name, again(path.read_bytes())) for path in paths[:most])
    head, mark, rest = (SAMPLES / "club.toml").read_bytes().partition(b"[[deal]]")
    yield Hostile("club.toml: its deals many times", "a.toml", again(mark + rest + b"\n", head))
    head, mark, rest = (SAMPLES / "netschafkopf.txt").read_bytes().partition(b"Geber:")
    yield Hostile("netschafkopf.txt: its deals many times", "a.txt", again(mark + rest, head))
    for unit in ("Geber: Leni\n", "Leni hat: E8 E9\n", "Leni spielt aus: E8 E9 E7 EA\n", "Leni gewinnt "):
        yield Hostile(f"netschafkopf.txt: {unit.strip()}", "a.txt", again(unit, head))
    yield Hostile("netschafkopf.txt: other dealers", "a.txt", counted("Geber: L%d\n", head.decode("latin-1")))
    yield Hostile("gzip: a bomb of blanks", "a.gz", lambda size: gzip.compress(b" " * (size * 100), 9))
    yield Hostile("gzip: a bomb of records", "a.gz", lambda size: gzip.compress(again("{}\n")(size), 9))
    yield Hostile("ZIP: a bomb of blanks", "a.zip", lambda size: zipped({"a.jsonl": b" " * (size * 100)}))
    yield Hostile("ZIP: many small files", "a.zip", lambda size: zipped({f"{n}.txt": b"x" for n in range(size // 110)}))


def again(part: str | bytes, begin: str | bytes = b"", end: str | bytes = b"") -> Callable[[int], bytes]:
    """Return a part repeated between a beginning and an end."""
    raw, first, last = (each.encode() if isinstance(each, str) else each for each in (part, begin, end))
    return lambda size: first + raw * max(1, (size - len(first) - len(last)) // len(raw)) + last


def counted(part: str, begin: str = "", end: str = "") -> Callable[[int], bytes]:
    """Return a part with a number in it (`%d`), a different one each time."""

    def data(size: int) -> bytes:
        parts, length = [begin], len(begin) + len(end)
        while length < size:
            parts.append(part.replace("%d", str(len(parts))))
            length += len(parts[-1])
        return "".join((*parts, end)).encode()

    return data


def zipped(files: dict[str, bytes]) -> bytes:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in files.items():
            packed.writestr(name, data)
    return raw.getvalue()


AROUND = {  # what stands before, and behind, what is repeated: by the name of the file
    "a.toml": (HEAD, ""), "b.toml": (HEAD + 'note = "', '"\n'), "c.toml": (HEAD + "x = [", "]\n"),
    "a.jsonl": (LINE + ',"x":', "}\n"), "a.html": ("<html>", ""), "a.csv": (SHEET, ""),
}  # fmt: skip
COUNTED: dict[
    str, tuple[str, ...]
] = {  # no two parts are the same: the name of the file, the part, before it, behind it
    "TOML: many small deals": ("a.toml", "[[deal]]\nid = '%d'\n", HEAD),
    "TOML: many tables of other names": ("a.toml", "[t%d]\n", HEAD),
    "TOML: many keys": ("a.toml", "k%d = 1\n", HEAD),
    "lines: heads without deals": ("a.jsonl", LINE + "}\n"),
    "lines: deals without anything": ("a.jsonl", LINE + ',"id":"%d"}\n'),
    "lines: other players in each": ("a.jsonl", LINE.replace('"A"', '"A%d"') + ',"game":"none"}\n'),
    "lines: another house in each": ("a.jsonl", LINE + ',"house":{"price":{"schneider":%d}},"game":"none"}\n'),
    "lines: many keys": ("a.jsonl", ',"k%d":1', LINE, "}\n"),
    "lines: many tricks": ("a.jsonl", '"E7 E8 E9 EZ",', LINE + ',"tricks":[', '""]}\n'),
    "lines: many calls": ("a.jsonl", '"A pass",', LINE + ',"auction":[', '""]}\n'),
    "lines: many players": ("a.jsonl", '"P%d",', '{"format":"schafkopf-record/1","players":[', '"Z"]}\n'),
    "page: attributes": ("a.html", ' a%d="x"', "<html><div", ">"),
    "sheet: many rows": ("a.csv", "%d;Rufspiel;20;20;-20;-20\n", SHEET),
    "sheet: many columns": ("a.csv", "c%d;"),
    "sheet: names": ("a.csv", "N%d;1\n", SHEET),
}
# Samples, and how many of them at most.
MANY_TIMES = {
    "club.toml": None, "online.jsonl": None, "one-line.txt": None, "sauspiel-chat*": None, "sauspiel-events*": None,
    "*.html": None, "[!s]*.json": None, "*.csv": 3,
}  # fmt: skip


if __name__ == "__main__":
    main()
