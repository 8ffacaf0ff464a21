"""Judging the lines of a file in bulk: what the core covers over integers, everything else by the scalar path.

A deal is *covered* when its line is canonical, its rules, its game and what was said before play are such as the core
knows, and the core finds it clean and as stated. Every other deal is judged as ever, by `judge_next`, between the runs
of those that are covered; its table goes back into integers where it fits.
"""

import gc
from array import array
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import accumulate, chain, pairwise
from typing import Any, NamedTuple

from msgspec.structs import replace

from archive.bulk.backend import PythonBackend, choose_backend
from archive.bulk.batch import OTHER, Batch
from archive.bulk.ledger_row import ledger_row, ledger_state
from archive.bulk.repeated_deals import RepeatedDeals, deal_keys, key_of_id, key_of_text, repeated_deals
from archive.bulk.session_heads import SessionHead, current_plans, head_at, read_head
from archive.bulk.struct_reader import CoreInput, read_rows
from archive.engine import columns as c
from archive.judge.judge_deal import SessionState, initial_state, judge_next, rules_of
from archive.notation.jsonl import LineReader
from archive.record import Deal, Finding, Session, Source, finding

ROWS = 4096  # lines that are judged together
Items = dict[int, list[Session | Deal | Finding]]


@contextmanager
def gc_paused() -> Iterator[None]:
    """Many small objects at once, none of which is garbage: nobody needs to look through them."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


class Lines(NamedTuple):
    """Lines that are not blank: their numbers, their first bytes in the file, themselves without their ends."""

    numbers: list[int]
    starts: list[int]
    raw: list[bytes]


class ScalarSession:
    """The session under way, as the scalar path has it."""

    def __init__(self, session: Session, rules: str | None, head: SessionHead | None = None) -> None:
        self.session = session
        self.under = head.under if head else session if rules is None else replace(session, rules=rules)
        self.wrong = head.findings if head else rules_of(self.under)[1]
        self.said = {each.message for each in self.wrong}
        self.list_name = session.list
        self.lies: SessionState = head.begun if head else initial_state(self.under)


class BulkJudge:
    """A file under way."""

    def __init__(
        self, source: Source, rules: str | None, using: PythonBackend, met: RepeatedDeals | None = None
    ) -> None:
        self.source, self.rules, self.engine = source, rules, using
        self.reader = LineReader(source)
        self.known = met or repeated_deals(using.fast)
        self.head: SessionHead | None = None  # of the last line that the core has seen
        self.sitting: ScalarSession | None = None
        self.opened: Session | None = None  # as it was yielded
        self.state = using.row((0,) * c.STATE_WIDTH)
        self.left = using.row((0,) * c.MOST_SEATS)
        self.in_core = False  # whether `state` has what lies on the table, and not `sitting.lies`
        self.number = 0  # of the last deal
        self.unended = 0  # the last line of the file where nothing ends it

    def batch(self, lines: Lines) -> Batch:
        """Judges some lines that are not blank, up to one by whose rules too many were judged."""
        with gc_paused():
            made = self._with_heads(lines)
            given = read_rows(made.raw, made.heads, made.head, self.engine)
            made.quick = given.deals
            made.head = [head if covered else OTHER for head, covered in zip(made.head, given.covered, strict=True)]
            self._judge(made, self._place_others(made, lines, given), given)
        return made

    # --- reading ------------------------------------------------------------------------------------------------------

    def _with_heads(self, lines: Lines) -> Batch:
        """The lines with their heads."""
        plans = current_plans()
        if self.head and self.head.plans is not plans:
            self.head = None
        heads: list[SessionHead] = [self.head] if self.head else []
        rows, now = len(lines.raw), self.head
        head, last = [OTHER] * rows, len(heads) - 1
        prefix = now.prefix + b"," if now else b"\0"
        for row, raw in enumerate(lines.raw):
            if not raw.startswith(prefix):
                if plans.is_full and row:
                    rows = row
                    break
                now = read_head(raw, self._place(lines.numbers[row]), self.rules, plans, now)
                if now is None:
                    prefix = b"\0"
                    continue
                last = len(heads)
                heads.append(now)
                prefix = now.prefix + b","
            head[row] = last
        self.head = now
        return Batch(
            engine=self.engine, source=self.source, plans=plans, heads=heads, head=head[:rows],
            line=lines.numbers[:rows], number=[0] * rows, position=[0] * rows, raw=lines.raw[:rows],
            code=[OTHER] * rows, told={}, facts=self.engine.facts(rows), keys=array("q"), begins=[False] * rows,
        )  # fmt: skip

    def _place(self, line: int) -> Source:
        return replace(self.source, line=line, end_line=line)

    def _place_others(self, made: Batch, lines: Lines, given: CoreInput) -> Items:
        """The items of the reader for the rows that the core is not given; sets positions, numbers and beginnings."""
        items: Items = {}
        reader, rows, row = self.reader, len(made.raw), 0
        while row < rows:
            reader.byte = lines.starts[row]
            if not given.covered[row]:
                end_of_line = b"" if made.line[row] == self.unended else b"\n"
                items[row] = list(reader.read(made.line[row], made.raw[row] + end_of_line))
                self.opened = next((each for each in items[row] if isinstance(each, Session)), self.opened)
                row += 1
                continue
            end, head = row + 1, made.head[row]
            while end < rows and made.head[end] == head:
                end += 1
            self._opens(made, row, head)
            if before := list(reader.skip(end - row, made.heads[head].bare)):
                items[row] = list(before)
            made.position[row:end] = range(reader.position - (end - row) + 1, reader.position + 1)
            row = end
        each = zip(given.numbers, made.position, strict=True)
        made.number = [position if number == c.NONE else number for number, position in each]
        return items

    def _opens(self, made: Batch, row: int, head: int) -> None:
        """Whether a run of rows begins a session, or goes on with one, which is the same object then."""
        own = made.heads[head]
        made.begins[row] = own.bare != self.reader.last
        place = self._place(made.line[row])
        if made.begins[row] and own.session.source != place:  # what stands before it in the same head is no deal
            made.heads[head] = head_at(own, place)
        elif not made.begins[row] and self.opened is not None and own.session is not self.opened:
            made.heads[head] = replace(own, session=self.opened, under=replace(own.under, source=self.opened.source))
        self.head = made.heads[head] if self.head is own else self.head
        self.opened = made.heads[head].session

    # --- judging ------------------------------------------------------------------------------------------------------

    def _judge(self, made: Batch, items: Items, given: CoreInput) -> None:
        fresh = [ledger_row(each.begun.table, len(each.players)) for each in made.heads]
        nothing = (0,) * c.STATE_WIDTH
        begins = [head if begins else -1 for head, begins in zip(made.head, made.begins, strict=True)]
        run = (
            self.engine.plans(made.plans), given.asked, *given.cards[:4],
            self.engine.row(begins), self.engine.rows([each or nothing for each in fresh] or [nothing]), made.facts,
            self.state, self.left,
        )  # fmt: skip
        row = 0
        for stop in [*self._stops(made, items, given, fresh), len(made.raw)]:
            while row < stop:
                row = self._run(made, given, run, row, stop)
            if stop < len(made.raw):
                self._alone(made, given, items.get(stop, ()), stop)
                row = stop + 1

    def _stops(self, made: Batch, items: Items, given: CoreInput, fresh: list[Any]) -> list[int]:
        """The rows before which the core stops: what it is not given, findings before a deal, a session that it cannot
        begin, deals that are missing. Whether it can go on after a deal that it has not seen is asked there."""
        stops = {row for row, covered in enumerate(given.covered) if not covered}.union(items)
        for row, (before, number) in enumerate(pairwise(made.number), 1):
            if number > before + 1 and given.covered[row - 1]:
                stops.add(row)
        for row, begins in enumerate(made.begins):
            if begins and (made.number[row] > 1 or made.heads[head := made.head[row]].findings or not fresh[head]):
                stops.add(row)
        return sorted(stops)

    def _run(self, made: Batch, given: CoreInput, run: tuple[Any, ...], row: int, stop: int) -> int:
        """Judges rows up to the first that is not clean, and that one by the scalar path; where it goes on."""
        if not made.begins[row] and (not self.in_core or made.number[row] > self.number + 1):
            self._of_scalar(made, row)
            return row + 1
        end = self.engine.run(*run, row, stop)
        made.code[row:end] = [0] * (end - row)
        self.in_core = True
        self._find_repeats(made, given, row, end)
        last = end if end < stop else end - 1
        begun_at = next((at for at in range(last, row - 1, -1) if made.begins[at]), None)
        if begun_at is not None:
            head = made.heads[made.head[begun_at]]
            self.sitting, self.number = ScalarSession(head.session, self.rules, head), 0
        if end > row and (begun_at is None or begun_at < end):
            self.number = made.number[end - 1]
        if end == stop:
            return end
        made.code[end] = int(made.facts[end][c.CODE])
        self._of_scalar(made, end)
        return end + 1

    def _find_repeats(self, made: Batch, given: CoreInput, row: int, end: int) -> None:
        """Whether clean deals stand in the file before."""
        keys, ids = self.engine.keys(made.facts[row:end]), [0] * (end - row)
        for at in range(row, end) if given.ids else ():
            if at in given.ids:
                ids[at - row] = key_of_id(given.ids[at], made.heads[made.head[at]].players)
        if 0 in keys:  # no cards are known
            keys = [key or key_of_text(made.digest(at).hex()) for at, key in enumerate(keys, row)]
        rows = keys, ids, made.line[row:end], made.number[row:end]
        made.keys.extend(chain.from_iterable(zip(*rows, strict=True)))
        for at, line in enumerate(self.known.earlier_lines(*rows[:3]), row):
            if line:
                self._note_repeat(made, at, line)

    def _note_repeat(self, made: Batch, row: int, line: int) -> None:
        """A clean deal that stands in the file before."""
        found = made.judgement(row)
        again = finding("deal-repeated", found.recorded.source, line=line)
        made.code[row] = OTHER
        session = made.heads[made.head[row]].session
        made.told.setdefault(row, []).append((session, replace(found, findings=(again, *found.findings))))

    def _alone(self, made: Batch, given: CoreInput, items: Iterable[Session | Deal | Finding], row: int) -> None:
        """A row before which the core has stopped."""
        told = made.told.setdefault(row, [])
        for item in items:
            if isinstance(item, Finding):
                told.append(item)
            elif isinstance(item, Session):
                self._sits_down(ScalarSession(item, self.rules), told)
            else:
                self._scalar(made, row, item)
        if not given.covered[row]:
            return
        if made.begins[row]:
            head = made.heads[made.head[row]]
            self._sits_down(ScalarSession(head.session, self.rules, head), told)
        self._of_scalar(made, row)

    def _sits_down(self, sitting: ScalarSession, told: list[Any]) -> None:
        self.sitting, self.number, self.in_core = sitting, 0, False
        told += sitting.wrong

    def _of_scalar(self, made: Batch, row: int) -> None:
        """Judges a row that the core was given by the scalar path."""
        made.code[row] = made.code[row] or OTHER
        self._scalar(made, row, made.deal(row))

    def _scalar(self, made: Batch, row: int, deal: Deal) -> None:
        """Judges a deal by the scalar path; what it leaves on the table goes back into integers where it can."""
        sitting = self.sitting
        assert sitting
        seats = len(sitting.under.players)
        if self.in_core:
            sitting.lies = SessionState(
                ledger_state(self.state, seats, sitting.list_name), self.number, sitting.under.players
            )
        found, sitting.lies = judge_next(sitting.under, deal, sitting.lies)
        self.number = found.number
        findings = tuple(each for each in found.findings if each.message not in sitting.said)
        first, second = deal_keys(sitting.session, found.recorded, found.number, found.session.players)
        where = found.recorded.source
        own = where.line if where else found.number
        made.keys.extend((first, second, own, found.number))
        if line := self.known.earlier_lines([first], [second], [own])[0]:
            findings = (finding("deal-repeated", where, line=line), *findings)
        made.told.setdefault(row, []).append((sitting.session, replace(found, findings=findings)))
        same = sitting.lies.players == sitting.under.players and found.after.list_name == sitting.list_name
        lies = ledger_row(found.after, seats) if same and seats <= c.MOST_SEATS else None
        self.in_core = lies is not None
        for place, value in enumerate(lies or ()):
            self.state[place] = value


def judge_blocks(
    blocks: Iterable[bytes],
    source: Source,
    rules: str | None = None,
    fast: bool = True,
    start: tuple[int, int] = (0, 0),
    met: RepeatedDeals | None = None,
) -> Iterator[Batch]:
    """Judges JSON lines, given in parts that end at line ends, of which none tells its price step by step
    (`archive.judge.door`).

    What the batches tell is what `with_heads(read_lines(…))` yields, in the order of the lines. `start` are the lines
    and the bytes before the first block, where it is not the first of its file but begins a session; `met` are the
    deals that stand in the file before it.
    """
    bulk = BulkJudge(source, rules, choose_backend(fast), met)
    number, byte = start
    for block in blocks:
        if not block.endswith(b"\n"):
            bulk.unended = number + block.count(b"\n") + 1
        every = block.removesuffix(b"\n").split(b"\n")
        for at in range(0, len(every), ROWS):
            raw = every[at : at + ROWS]
            starts = list(accumulate(map(len, raw), lambda before, length: before + length + 1, initial=byte))
            lines = Lines(list(range(number + 1, number + len(raw) + 1)), starts, raw)
            number, byte = number + len(raw), starts[-1]
            lines = lines if all(raw) and not any(map(bytes.isspace, raw)) else without_blanks(lines)
            while lines.raw:
                batch = bulk.batch(lines)
                done = len(batch.raw)
                lines = Lines(lines.numbers[done:], lines.starts[done:], lines.raw[done:])
                yield batch
    if last := list(bulk.reader.end()):
        made = bulk.batch(Lines([], [], []))
        made.told[0] = list(last)
        yield made


def without_blanks(lines: Lines) -> Lines:
    kept = [each for each in zip(*lines, strict=False) if each[2] and not each[2].isspace()]
    return Lines([each[0] for each in kept], [each[1] for each in kept], [each[2] for each in kept])
