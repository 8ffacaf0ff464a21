"""`schafkopf check` of files made to hurt: processor time and memory for each megabyte, above those of a small file.

    python benchmarks/hostile_files.py                     the recorded run, in benchmarks/results/hostile-files.md
    python benchmarks/hostile_files.py --megabytes 4 --only "TOML: many small tables"

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

from archive import read_records
from archive.record import Deal

T = TypeVar("T")
SAMPLES = ROOT / "sample_games" / "valid"
MB, SECONDS, MEMORY = 1 << 20, 1.0, 100 * (1 << 20)  # for each megabyte
EACH = {True: 0.001, False: 0.003}  # seconds for each deal, by whether its cards are known
HEAD = 'schafkopf = 1\nrules = "pub"\nplayers = ["A", "B", "C", "D"]\n'
SHEET = "Nr;Spiel;Anna;Bert;Cilli;Dora\n"
LINE = '{"schafkopf":1,"rules":"pub","players":["A","B","C","D"]'


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
    for (kind, name), files in MADE.items():
        yield from (Hostile(f"{kind}: {title}", name, data) for title, data in files.items())
    for pattern, most in MANY_TIMES.items():
        paths = [path for path in sorted(SAMPLES.glob(pattern)) if path.suffix != ".expected"]
        yield from (Hostile(f"{path.name}: many times", path.name, again(path.read_bytes())) for path in paths[:most])
    yield from net_schafkopf_files()
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


def sample(name: str) -> bytes:
    return (SAMPLES / name).read_bytes()


def deals_again(name: str) -> Callable[[int], bytes]:
    text = sample(name).decode()
    head, mark, rest = text.partition("[[deal]]")
    return again(mark + rest + "\n", head)


def zipped(files: dict[str, bytes]) -> bytes:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in files.items():
            packed.writestr(name, data)
    return raw.getvalue()


MADE: dict[tuple[str, str], dict[str, Callable[[int], bytes]]] = {  # by kind and name of the file
    ("TOML", "a.toml"): {
        "many small tables": again("[[deal]]\n", HEAD),
        "many small deals": counted("[[deal]]\nno = %d\n", HEAD),
        "many tables of other names": counted("[t%d]\n", HEAD),
        "many keys": counted("k%d = 1\n", HEAD),
        "one key again and again": again("note = 1\n", HEAD),
        "dotted keys": again("a.", HEAD, "a = 1\n"),
        "nested lists": lambda size: HEAD.encode() + b"x = " + b"[" * (size // 2) + b"]" * (size // 2),
        "nested tables": again("{a=", HEAD + "x = ", "1"),
        "one long text": again("x", HEAD + 'note = "', '"\n'),
        "one long number": again("9", HEAD + "x = ", "\n"),
        "a long list of numbers": again("1,", HEAD + "x = [", "]\n"),
        "a long list of texts": again('"E7",', HEAD + "[[deal]]\ntricks = [", "]\n"),
        "comments": again("#\n", HEAD),
        "blank lines": again("\n", HEAD),
        "quotes": again('"', HEAD + "x = "),
        "backslashes": again("\\\\", HEAD + 'x = "', '"'),
        "sample, many times": again(sample("club.toml") + b"\n"),
        "deals of the sample, many times": deals_again("club.toml"),
    },
    ("JSON lines", "a.jsonl"): {
        "empty tables": again("{}\n"),
        "numbers": again("1\n"),
        "heads without deals": again(LINE + "}\n"),
        "deals without anything": counted(LINE + ',"no":%d}\n'),
        "other players in each line": counted('{"schafkopf":1,"rules":"pub","players":["A%d","B","C","D"]}\n'),
        "another house in each line": counted(LINE + ',"house":{"rufspiel":%d}}\n'),
        "nested lists": again("["),
        "nested lists in a deal": lambda size: (LINE + ',"x":').encode() + b"[" * (size // 2) + b"]" * (size // 2),
        "nested tables": again('{"a":'),
        "one long number": again("9", LINE + ',"no":', "}\n"),
        "one long exponent": again("9", LINE + ',"no":1e', "}\n"),
        "one long text": again("x", LINE + ',"note":"', '"}\n'),
        "one long text in signs": again("\\u0041", LINE + ',"note":"', '"}\n'),
        "one key again and again": again(',"no":1', LINE, "}\n"),
        "many keys": counted(',"k%d":1', LINE, "}\n"),
        "many tricks in one deal": again('"E7 E8 E9 EZ",', LINE + ',"tricks":[', '""]}\n'),
        "many calls in one deal": again('"A pass",', LINE + ',"auction":[', '""]}\n'),
        "many players": counted('"P%d",', '{"schafkopf":1,"rules":"pub","players":[', '"Z"]}\n'),
        "one long line of no text": again("\xff".encode("latin-1")),
        "blank lines": again("\n"),
        "sample, many times": again(sample("online.jsonl")),
    },
    ("JSON", "a.json"): {
        "nested lists": again("["),
        "a list of tables": again("{},", "[", "{}]"),
    },
    ("one line", "a.txt"): {
        "sample, many times": again(sample("one-line.txt")),
        "words in one line": again(sample("one-line.txt").splitlines()[-1] + b" "),
    },
    ("text", "a.txt"): {
        "blanks": again(" "),
        "letters": again("a"),
        "brackets": again("("),
        "digits": again("1"),
        "NUL": again("\0"),
        "words": again("aa bb:cc 12, "),
        "combining signs": again("a" + "\u0301" * 1000),
        "lines of one sign": again("x\n"),
    },
    ("page", "a.html"): {
        "open elements": again("<div>"),
        "tables in tables": again("<table><tr><td>"),
        "open signs": again("<"),
        "comments": again("<!--"),
        "attributes": counted(' a%d="x"', "<html><div", ">"),
        "one long attribute": again("x", '<html><a href="', '">'),
        "entities": again("&amp;", "<html>"),
        "list items": again("<li>x</li>", "<html><ul>", "</ul>"),
        "scripts": again("<script>", "<html>"),
    },
    ("sheet", "a.csv"): {
        "many rows": counted("%d;Rufspiel;20;20;-20;-20\n", SHEET),
        "many columns": lambda size: (";".join(f"c{n}" for n in range(size // 8)) + "\n").encode(),
        "empty cells": again(";", SHEET),
        "open quotes": again('"', SHEET),
        "quotes in each row": again('1;"x;20;20\n', SHEET),
        "names": counted("N%d;1\n", SHEET),
        "one long cell": again("x", SHEET + "1;"),
        "dates": again("24.12.2025;Rufspiel;20;20;-20;-20\n", SHEET),
    },
}
# Samples, and how many of them at most.
MANY_TIMES = {"sauspiel-chat*": None, "sauspiel-events*": None, "*.html": None, "*.json": None, "*.csv": 3}


def net_schafkopf_files() -> Iterator[Hostile]:
    net = sample("netschafkopf.txt")
    first, mark, rest = net.partition(b"Geber:")
    for title, data in (
        ("sample, many times", again(net)),
        ("one evening, many deals", again(mark + rest, first)),
        ("dealers", again(b"Geber: Leni\n", first)),
        ("hands", again(b"Leni hat: E8 E9\n", first + b"Geber: Leni\n")),
        ("tricks", again(b"Leni spielt aus: E8 E9 E7 EA\n", first + b"Geber: Leni\n")),
        ("a sentence without end", again(b"Leni gewinnt ", first + b"Geber: Leni\n")),
        ("other dealers", counted("Geber: L%d\n", first.decode("latin-1"))),
    ):
        yield Hostile(f"NetSchafkopf: {title}", "a.txt", data)


if __name__ == "__main__":
    main()
