"""Judging the lines of a file in bulk: what the core covers over integers, everything else by the scalar path.

A deal is *covered* if its line is canonical, the core knows its rules, its game and its calls, and the core finds it
clean and as stated. Every other deal is judged as usual, by `judge_next`, between the runs of covered deals; the table
it leaves goes back into integers if it fits.
"""

from array import array
from collections.abc import Iterable, Iterator
from itertools import accumulate, chain, pairwise
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from archive.bulk.backend import PythonBackend, choose_backend
from archive.bulk.batch import OTHER, Batch
from archive.bulk.cross_check import ONE_OF, CrossCheck, accused_wrongly
from archive.bulk.ledger_row import ledger_row, ledger_state
from archive.bulk.repeated_deals import RepeatedDeals, deal_keys, key_of_id, key_of_text, repeated_deals
from archive.bulk.session_heads import SessionHead, current_plans, read_head
from archive.bulk.struct_reader import CoreInput, read_rows
from archive.engine import columns as c
from archive.judge.compare_answers import accuse_program
from archive.judge.judge_deal import HOUSE_NOTE, SessionState, initial_state, judge_next, rules_of, under_rules
from archive.judge.judge_stream import gc_paused
from archive.notation.jsonl import LineReader
from archive.record import Deal, Finding, Session, Source, finding

ROWS = 4096  # lines that are judged together
Items = dict[int, list[Session | Deal | Finding]]


class Lines(NamedTuple):
    """Lines that are not blank: their numbers, their first bytes in the file, and the lines themselves without their
    ends."""

    numbers: list[int]
    starts: list[int]
    raw: list[bytes]


class ScalarSession(Struct):
    """The session under way, as the scalar path has it."""

    session: Session
    judged_as: Session
    lies: SessionState
    said: set[str] = set()  # what is wrong with its rules


class BulkJudge:
    """A file under way."""

    def __init__(
        self, source: Source, rules: str | None, using: PythonBackend, met: RepeatedDeals | None = None,
        by_words: bool = False,
    ) -> None:  # fmt: skip
        self.source, self.rules, self.engine = source, rules, using
        self.by_words = by_words
        self.cross_check = CrossCheck(ONE_OF[using.fast])
        self.reader = LineReader(source)
        self.known = met or repeated_deals(using.fast)
        self.head: SessionHead | None = None  # of the last line that the core has seen
        self.sitting: ScalarSession | None = None
        self.opened: Session | None = None  # as it was yielded
        self.state = using.array((0,) * c.STATE_WIDTH)
        self.left = using.array((0,) * c.MOST_SEATS)
        self.in_core = False  # whether `state` rather than `sitting.lies` has what lies on the table
        self.number = 0  # of the last deal
        self.unended = 0  # the last line of the file, if nothing ends it

    def batch(self, lines: Lines) -> Batch:
        """Judge some lines that are not blank, up to a line at which too many rulesets are in use."""
        with gc_paused():
            judged = self._with_heads(lines)
            given = read_rows(judged.raw, judged.heads, judged.head, self.engine)
            given = given._replace(covered=[False] * len(given.covered)) if self.by_words else given
            judged.quick = given.deals
            judged.head = [head if covered else OTHER for head, covered in zip(judged.head, given.covered, strict=True)]
            self._judge(judged, self._place_others(judged, lines, given), given)
            self.cross_check.prove(judged)
        return judged

    # --- reading ------------------------------------------------------------------------------------------------------

    def _with_heads(self, lines: Lines) -> Batch:
        """Return the lines with their heads."""
        plans = current_plans()
        if self.head and self.head.plans is not plans:
            self.head = None
        heads: list[SessionHead] = [self.head] if self.head else []
        rows, now = len(lines.raw), self.head
        head, last = [OTHER] * rows, len(heads) - 1
        prefix = now.prefix + b"," if now else b"\0"
        for row, raw in enumerate(lines.raw):
            if not raw.startswith(prefix):
                if row and current_plans() is not plans:
                    rows = row
                    break
                place = replace(self.source, line=lines.numbers[row], end_line=lines.numbers[row])
                now = read_head(raw, place, self.rules, plans, now)
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
            code=[OTHER] * rows, answers={}, facts=self.engine.facts(rows), keys=array("q"), begins=[False] * rows,
        )  # fmt: skip

    def _place_others(self, batch: Batch, lines: Lines, given: CoreInput) -> Items:
        """Return the items of the reader for the rows that the core does not get; set positions, numbers and
        beginnings."""
        items: Items = {}
        reader, rows, row = self.reader, len(batch.raw), 0
        while row < rows:
            reader.byte = lines.starts[row]
            if not given.covered[row]:
                end_of_line = b"" if batch.line[row] == self.unended else b"\n"
                items[row] = list(reader.read(batch.line[row], batch.raw[row] + end_of_line))
                self.opened = next((each for each in items[row] if isinstance(each, Session)), self.opened)
                row += 1
                continue
            end, head = row + 1, batch.head[row]
            while end < rows and batch.head[end] == head:
                end += 1
            own, place = batch.heads[head], replace(self.source, line=batch.line[row], end_line=batch.line[row])
            batch.begins[row] = own.bare != reader.last
            if batch.begins[row] and own.session.source != place:  # no deal stands before it under the same head
                session, judged_as = (replace(each, source=place) for each in (own.session, own.judged_as))
                findings = tuple(replace(each, source=place) for each in own.findings)
                batch.heads[head] = replace(own, session=session, judged_as=judged_as, findings=findings)
            elif not batch.begins[row] and self.opened is not None and own.session is not self.opened:
                judged_as = replace(own.judged_as, source=self.opened.source)  # it goes on, as the same object
                batch.heads[head] = replace(own, session=self.opened, judged_as=judged_as)
            self.head = batch.heads[head] if self.head is own else self.head
            self.opened = batch.heads[head].session
            if before := list(reader.skip(end - row, batch.heads[head].bare)):
                items[row] = list(before)
            batch.position[row:end] = range(reader.position - (end - row) + 1, reader.position + 1)
            row = end
        each = zip(given.numbers, batch.position, strict=True)
        batch.number = [position if number == c.NONE else number for number, position in each]
        return items

    # --- judging ------------------------------------------------------------------------------------------------------

    def _judge(self, batch: Batch, items: Items, given: CoreInput) -> None:
        """Judge rows by the core, which stops before some: rows that it does not get, findings before a deal, a session
        that it cannot begin, missing deals. Whether it can go on after a deal that it has not seen is decided there."""
        fresh = [ledger_row(head.begun.table, len(head.players)) for head in batch.heads]
        nothing = (0,) * c.STATE_WIDTH
        begins = [head if begins else -1 for head, begins in zip(batch.head, batch.begins, strict=True)]
        run = (
            self.engine.plans(batch.plans), given.asked, *given.cards[:4],
            self.engine.array(begins), self.engine.array([each or nothing for each in fresh] or [nothing]), batch.facts,
            self.state, self.left,
        )  # fmt: skip
        stops = {row for row, covered in enumerate(given.covered) if not covered}.union(items, (len(batch.raw),))
        for row, (before, number) in enumerate(pairwise(batch.number), 1):
            if number > before + 1 and given.covered[row - 1]:
                stops.add(row)
        for row, opens in enumerate(batch.begins):
            if opens and (batch.number[row] > 1 or batch.heads[head := batch.head[row]].findings or not fresh[head]):
                stops.add(row)
        row = 0
        for stop in sorted(stops):
            while row < stop:
                row = self._run(batch, given, run, row, stop)
            if stop < len(batch.raw):
                self._alone(batch, given, items.get(stop, ()), stop)
                row = stop + 1

    def _run(self, batch: Batch, given: CoreInput, run: tuple[Any, ...], row: int, stop: int) -> int:
        """Judge rows up to the first that is not clean, and that one by the scalar path, and note which deals occurred
        earlier in the file; return where to go on."""
        if not batch.begins[row] and (not self.in_core or batch.number[row] > self.number + 1):
            self._of_scalar(batch, row)
            return row + 1
        end = self.engine.run(*run, row, stop)
        batch.code[row:end] = [0] * (end - row)
        self.in_core = True
        keys, ids = self.engine.keys(batch.facts[row:end]), [0] * (end - row)
        for at in range(row, end) if given.ids else ():
            if at in given.ids:
                ids[at - row] = key_of_id(given.ids[at], batch.heads[batch.head[at]].players)
        if 0 in keys:  # no cards are known
            keys = [key or key_of_text(batch.digest(at).hex()) for at, key in enumerate(keys, row)]
        rows = keys, ids, batch.line[row:end], batch.number[row:end]
        batch.keys.extend(chain.from_iterable(zip(*rows, strict=True)))
        for at, line in enumerate(self.known.earlier_lines(*rows[:3]), row):
            if line:
                self._note_repeat(batch, at, line)
        last = end if end < stop else end - 1
        begun_at = next((at for at in range(last, row - 1, -1) if batch.begins[at]), None)
        if begun_at is not None:
            head = batch.heads[batch.head[begun_at]]
            self.sitting, self.number = ScalarSession(head.session, head.judged_as, head.begun), 0
        if end > row and (begun_at is None or begun_at < end):
            self.number = batch.number[end - 1]
        if end == stop:
            return end
        batch.code[end] = int(batch.facts[end][c.CODE])
        self._of_scalar(batch, end)
        return end + 1

    def _note_repeat(self, batch: Batch, row: int, line: int) -> None:
        """Note that a clean deal occurred earlier in the file."""
        judgement = batch.judgement(row)
        again = finding("deal-repeated", judgement.recorded.source, line=line)
        batch.code[row] = OTHER
        session = batch.heads[batch.head[row]].session
        batch.answers.setdefault(row, []).append((session, replace(judgement, findings=(again, *judgement.findings))))

    def _alone(self, batch: Batch, given: CoreInput, items: Iterable[Session | Deal | Finding], row: int) -> None:
        """Handle a row before which the core has stopped."""
        answers = batch.answers.setdefault(row, [])
        for item in items:
            if isinstance(item, Finding):
                answers.append(item)
            elif isinstance(item, Session):
                judged_as = under_rules(item, self.rules)
                sitting = ScalarSession(item, judged_as, initial_state(judged_as))
                self._sits_down(sitting, rules_of(judged_as)[1], answers)
            else:
                self._scalar(batch, row, item)
        if not given.covered[row]:
            return
        if batch.begins[row]:
            head = batch.heads[batch.head[row]]
            self._sits_down(ScalarSession(head.session, head.judged_as, head.begun), head.findings, answers)
        self._of_scalar(batch, row)

    def _sits_down(self, sitting: ScalarSession, wrong: tuple[Finding, ...], answers: list[Any]) -> None:
        self.sitting, self.number, self.in_core = sitting, 0, False
        sitting.said |= {each.message for each in wrong}
        answers += wrong

    def _of_scalar(self, batch: Batch, row: int) -> None:
        """Judge a row that the core got by the scalar path."""
        batch.code[row] = batch.code[row] or OTHER
        self._scalar(batch, row, batch.deal(row))

    def _scalar(self, batch: Batch, row: int, deal: Deal) -> None:
        """Judge a deal by the scalar path; what it leaves on the table goes back into integers if it fits."""
        sitting = self.sitting
        assert sitting
        seats = len(sitting.judged_as.players)
        if self.in_core:
            lay = ledger_state(list(map(int, self.state)), seats, sitting.session.list)
            sitting.lies = SessionState(lay, self.number, sitting.judged_as.players)
        judgement, sitting.lies = judge_next(sitting.judged_as, deal, sitting.lies)
        self.number = judgement.number
        if accused_wrongly(batch.code[row], judgement):
            judgement = accuse_program(judgement, ("verdict", "differs", judgement.verdict))
        findings = tuple(each for each in judgement.findings if each.message not in sitting.said)
        sitting.said |= {each.message for each in findings if each.rule == HOUSE_NOTE}
        first, second = deal_keys(sitting.session, judgement.recorded, judgement.number, judgement.session.players)
        where = judgement.recorded.source
        own = where.line if where else judgement.number
        batch.keys.extend((first, second, own, judgement.number))
        if line := self.known.earlier_lines([first], [second], [own])[0]:
            findings = (finding("deal-repeated", where, line=line), *findings)
        batch.answers.setdefault(row, []).append((sitting.session, replace(judgement, findings=findings)))
        same = sitting.lies.players == sitting.judged_as.players and judgement.after.list_name == sitting.session.list
        lies = ledger_row(judgement.after, seats) if same and seats <= c.MOST_SEATS else None
        self.in_core = lies is not None
        for place, value in enumerate(lies or ()):
            self.state[place] = value


def judge_blocks(
    blocks: Iterable[bytes],
    source: Source,
    rules: str | None,
    fast: bool,
    start: tuple[int, int] = (0, 0),
    met: RepeatedDeals | None = None,
    by_words: bool = False,
) -> Iterator[Batch]:
    """Judge JSON lines, given in parts that end at line ends, if no session changes its prices step by step
    (`archive.judge.door`).

    The batches hold what `with_heads(read_lines(…))` yields, in the order of the lines. `start` are the lines and the
    bytes before the first block, if it is not the first of its file but begins a session; `met` are the deals before it
    in the file. `by_words`: the core, found at fault, gets nothing.
    """
    bulk = BulkJudge(source, rules, choose_backend(fast), met, by_words)
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
    if bulk.reader.problems:
        last_batch = bulk.batch(Lines([], [], []))
        last_batch.answers[0] = list(bulk.reader.end())
        yield last_batch


def without_blanks(lines: Lines) -> Lines:
    kept = [each for each in zip(*lines, strict=False) if each[2] and not each[2].isspace()]
    return Lines([each[0] for each in kept], [each[1] for each in kept], [each[2] for each in kept])
