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
    yield from toml_files()
    yield from json_files()
    yield from text_files()
    yield from page_files()
    yield from sheet_files()
    yield from packed_files()


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


def toml_files() -> Iterator[Hostile]:
    for title, data in (
        ("many small tables", again("[[deal]]\n", HEAD)),
        ("many small deals", counted("[[deal]]\nno = %d\n", HEAD)),
        ("many tables of other names", counted("[t%d]\n", HEAD)),
        ("many keys", counted("k%d = 1\n", HEAD)),
        ("one key again and again", again("note = 1\n", HEAD)),
        ("dotted keys", again("a.", HEAD, "a = 1\n")),
        ("nested lists", lambda size: HEAD.encode() + b"x = " + b"[" * (size // 2) + b"]" * (size // 2)),
        ("nested tables", again("{a=", HEAD + "x = ", "1")),
        ("one long text", again("x", HEAD + 'note = "', '"\n')),
        ("one long number", again("9", HEAD + "x = ", "\n")),
        ("a long list of numbers", again("1,", HEAD + "x = [", "]\n")),
        ("a long list of texts", again('"E7",', HEAD + "[[deal]]\ntricks = [", "]\n")),
        ("comments", again("#\n", HEAD)),
        ("blank lines", again("\n", HEAD)),
        ("quotes", again('"', HEAD + "x = ")),
        ("backslashes", again("\\\\", HEAD + 'x = "', '"')),
        ("sample, many times", again(sample("club.toml") + b"\n")),
        ("deals of the sample, many times", deals_again("club.toml")),
    ):
        yield Hostile(f"TOML: {title}", "a.toml", data)


def deals_again(name: str) -> Callable[[int], bytes]:
    text = sample(name).decode()
    head, mark, rest = text.partition("[[deal]]")
    return again(mark + rest + "\n", head)


def json_files() -> Iterator[Hostile]:
    for title, data in (
        ("empty tables", again("{}\n")),
        ("numbers", again("1\n")),
        ("heads without deals", again(LINE + "}\n")),
        ("deals without anything", counted(LINE + ',"no":%d}\n')),
        ("other players in each line", counted('{"schafkopf":1,"rules":"pub","players":["A%d","B","C","D"]}\n')),
        ("another house in each line", counted(LINE + ',"house":{"rufspiel":%d}}\n')),
        ("nested lists", again("[")),
        ("nested lists in a deal", lambda size: (LINE + ',"x":').encode() + b"[" * (size // 2) + b"]" * (size // 2)),
        ("nested tables", again('{"a":')),
        ("one long number", again("9", LINE + ',"no":', "}\n")),
        ("one long exponent", again("9", LINE + ',"no":1e', "}\n")),
        ("one long text", again("x", LINE + ',"note":"', '"}\n')),
        ("one long text in signs", again("\\u0041", LINE + ',"note":"', '"}\n')),
        ("one key again and again", again(',"no":1', LINE, "}\n")),
        ("many keys", counted(',"k%d":1', LINE, "}\n")),
        ("many tricks in one deal", again('"E7 E8 E9 EZ",', LINE + ',"tricks":[', '""]}\n')),
        ("many calls in one deal", again('"A pass",', LINE + ',"auction":[', '""]}\n')),
        ("many players", counted('"P%d",', '{"schafkopf":1,"rules":"pub","players":[', '"Z"]}\n')),
        ("one long line of no text", again("\xff".encode("latin-1"))),
        ("blank lines", again("\n")),
        ("sample, many times", again(sample("online.jsonl"))),
    ):
        yield Hostile(f"JSON lines: {title}", "a.jsonl", data)


def text_files() -> Iterator[Hostile]:
    net, one_line = sample("netschafkopf.txt"), sample("one-line.txt")
    first, mark, rest = net.partition(b"Geber:")
    yield Hostile("NetSchafkopf: sample, many times", "a.txt", again(net))
    yield Hostile("NetSchafkopf: one evening, many deals", "a.txt", again(mark + rest, first))
    yield Hostile("NetSchafkopf: dealers", "a.txt", again(b"Geber: Leni\n", first))
    yield Hostile("NetSchafkopf: hands", "a.txt", again(b"Leni hat: E8 E9\n", first + b"Geber: Leni\n"))
    yield Hostile("NetSchafkopf: tricks", "a.txt", again(b"Leni spielt aus: E8 E9 E7 EA\n", first + b"Geber: Leni\n"))
    yield Hostile("NetSchafkopf: a sentence without end", "a.txt", again(b"Leni gewinnt ", first + b"Geber: Leni\n"))
    yield Hostile("NetSchafkopf: other dealers", "a.txt", counted("Geber: L%d\n", first.decode("latin-1")))
    yield Hostile("one line: sample, many times", "a.txt", again(one_line))
    yield Hostile("one line: words in one line", "a.txt", again(one_line.splitlines()[-1] + b" "))
    for name in ("sauspiel-chat", "sauspiel-events"):
        for path in sorted(SAMPLES.glob(f"{name}*")):
            if path.suffix != ".expected":
                yield Hostile(f"{path.name}: many times", path.name, again(path.read_bytes()))
    for title, part in (("blanks", b" "), ("letters", b"a"), ("brackets", b"("), ("digits", b"1"), ("NUL", b"\0")):
        yield Hostile(f"text: {title}", "a.txt", again(part))
    yield Hostile("text: words", "a.txt", again(b"aa bb:cc 12, "))
    yield Hostile("text: combining signs", "a.txt", again("a" + "\u0301" * 1000))
    yield Hostile("text: lines of one sign", "a.txt", again(b"x\n"))


def page_files() -> Iterator[Hostile]:
    for title, data in (
        ("open elements", again("<div>")),
        ("tables in tables", again("<table><tr><td>")),
        ("open signs", again("<")),
        ("comments", again("<!--")),
        ("attributes", counted(' a%d="x"', "<html><div", ">")),
        ("one long attribute", again("x", '<html><a href="', '">')),
        ("entities", again("&amp;", "<html>")),
        ("list items", again("<li>x</li>", "<html><ul>", "</ul>")),
        ("scripts", again("<script>", "<html>")),
    ):
        yield Hostile(f"page: {title}", "a.html", data)
    for path in sorted(SAMPLES.glob("*.html")):
        yield Hostile(f"{path.name}: many times", path.name, again(path.read_bytes()))
    for path in sorted(SAMPLES.glob("*.json")):
        yield Hostile(f"{path.name}: many times", path.name, again(path.read_bytes()))
    yield Hostile("JSON: nested lists", "a.json", again("["))
    yield Hostile("JSON: a list of tables", "a.json", again("{},", "[", "{}]"))


def sheet_files() -> Iterator[Hostile]:
    head = "Nr;Spiel;Anna;Bert;Cilli;Dora\n"
    for title, data in (
        ("many rows", counted("%d;Rufspiel;20;20;-20;-20\n", head)),
        ("many columns", lambda size: (";".join(f"c{n}" for n in range(size // 8)) + "\n").encode()),
        ("empty cells", again(";", head)),
        ("open quotes", again('"', head)),
        ("quotes in each row", again('1;"x;20;20\n', head)),
        ("names", counted("N%d;1\n", head)),
        ("one long cell", again("x", head + "1;")),
        ("dates", again("24.12.2025;Rufspiel;20;20;-20;-20\n", head)),
    ):
        yield Hostile(f"sheet: {title}", "a.csv", data)
    for path in sorted(SAMPLES.glob("*.csv"))[:3]:
        yield Hostile(f"{path.name}: many times", path.name, again(path.read_bytes()))


def packed_files() -> Iterator[Hostile]:
    yield Hostile("gzip: a bomb of blanks", "a.gz", lambda size: gzip.compress(b" " * (size * 100), 9))
    yield Hostile("gzip: a bomb of records", "a.gz", lambda size: gzip.compress(again("{}\n")(size), 9))
    yield Hostile("ZIP: a bomb of blanks", "a.zip", lambda size: zipped({"a.jsonl": b" " * (size * 100)}))
    yield Hostile("ZIP: many small files", "a.zip", lambda size: zipped({f"{n}.txt": b"x" for n in range(size // 110)}))


def zipped(files: dict[str, bytes]) -> bytes:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in files.items():
            packed.writestr(name, data)
    return raw.getvalue()


if __name__ == "__main__":
    main()
