"""The one door to judging. Callers say what they need to know about some records; whether these are judged as integers,
compiled or plain, or one by one by the replay that explains, is decided here and nowhere else.

`check_records` counts verdicts and collects findings, `judge_records` yields every judgement in the order of the lines,
`judge_batches` yields columns for callers that write rows. `archive.judge.judge_stream` yields judgements with every
step of the play, which pages and explanations need.
"""

import gc
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from heapq import merge
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from msgspec import Struct

from archive.judge.compare_answers import PROGRAM_FAULT, blame_program
from archive.judge.finding_groups import Lack, add_up, lacks_of
from archive.judge.judge_stream import gc_paused, judge_stream
from archive.judge.types import Judgement
from archive.record import Deal, Finding, Session, Source

if TYPE_CHECKING:
    from archive.bulk.batch import Batch

STEPS = b'"steps":'  # prices stated step by step, from which a session's house settings are inferred
PART, STREAMED = 24_000_000, 2_000_000  # bytes of a part that is only counted; of one whose judgements are wanted
BETWEEN = 500  # judgements between two collections of garbage
T = TypeVar("T")
Judged = Judgement | Finding
FindingsOf = Callable[[list[Judged]], list[Finding]]
TextsOf = Callable[[list[Judged]], list[str]]


class Checked(NamedTuple):
    """The counted verdicts of some deals, their findings and any texts asked for besides, how many deals rest on each
    basis, what the incomplete ones lack, and how many clean ones were also judged by the replay that explains
    (`proved`). `faults` are the deals, by line, on which the core and the replay disagree; `judged` holds every
    judgement if the caller asked for them."""

    verdicts: Counter[str]
    findings: list[Finding]
    texts: list[str]
    bases: Counter[str]
    lacks: tuple[Lack, ...] = ()
    proved: int = 0
    faults: dict[int, Finding] = {}  # noqa: RUF012
    judged: Sequence[Judged] = ()


class Records(Struct, frozen=True):
    """A file to be judged: its source, the reading of it by its importer, and its text if that is JSON lines, else
    None."""

    source: Source
    read: Callable[[], Iterable[Session | Deal | Finding]]
    lines: bytes | None = None


def can_judge_lines(text: bytes) -> bool:
    """Return whether JSON lines can be judged one deal at a time: no deal states its price step by step."""
    return STEPS not in text


def check_records(
    records: Records,
    rules: str | None,
    findings_of: FindingsOf,
    texts_of: TextsOf = lambda judged: [],
    wants_judged: bool = False,
) -> Checked:
    """Return the counted verdicts of a file and its findings in the order of their lines. `rules` replaces what the
    records name; `findings_of` gives the findings of some judgements as a reader sees them, `texts_of` further texts on
    deals that do not simply agree. If the core is found at fault, every deal is judged by the replay that explains.
    With `wants_judged`, for small files, all judgements are returned; those of deals that agree lack the lines of their
    settlements."""

    def count_batches(faults: dict[int, Finding], batches: "Iterator[Batch]") -> Checked:
        from archive.bulk.clean_deals import basis_of_clean

        checked, lacks, proved = Checked(Counter(), [], [], Counter(), (), 0, {}), list[Lack](), 0
        every: list[Judged] = []
        for batch in batches:  # the judgements of each batch are released, with the rules they hold
            proved += batch.proved
            if clean := batch.code.count(0):
                checked.verdicts["agrees"] += clean
                each_of = zip(batch.quick, batch.code, strict=True)
                checked.bases.update(basis_of_clean(quick) for quick, code in each_of if quick and not code)
            if batch.answers and (others := handed_over(batch)):
                others = [with_fault(each, faults) for each in others] if faults else others
                checked.verdicts.update(each.verdict for each in others if isinstance(each, Judgement))
                checked.bases.update(bases_of(others))
                checked.findings.extend(findings_of(others))
                checked.texts.extend(texts_of(others))
                lacks.extend(lacks_of(others))
                checked.faults.update((line_of(each), each) for each in faults_of(others))
            every.extend(judgements(batch, lines=False) if wants_judged else ())
        return checked._replace(lacks=add_up(lacks) if lacks else (), proved=proved, judged=every)

    if records.lines is not None and can_judge_lines(records.lines):
        from archive.bulk.split_file import judge_parts  # here and below, since other formats need no integers

        parts = list(judge_parts(records.lines, records.source, rules, partial(count_batches, {}), PART))
        faults = {line: fault for part in parts for line, fault in part.faults.items()}
        if faults:
            parts = list(judge_parts(records.lines, records.source, rules, partial(count_batches, faults), PART, True))
        checked = parts[0] if len(parts) == 1 else join_parts(parts)
        if checked.verdicts or checked.findings:
            return checked._replace(findings=sorted(checked.findings, key=line_of))
    judged = judge_one_by_one(records, rules)
    return checked_of(judged, findings_of, texts_of(judged), wants_judged)


def checked_of(judged: list[Judged], findings_of: FindingsOf, texts: list[str], wants_judged: bool) -> Checked:
    """Return the counts of some judgements, with their findings and the given texts."""
    verdicts: Counter[str] = Counter(each.verdict for each in judged if isinstance(each, Judgement))
    every = judged if wants_judged else ()
    return Checked(verdicts, findings_of(judged), texts, bases_of(judged), lacks_of(judged), judged=every)


def join_parts(parts: Sequence[Checked]) -> Checked:
    verdicts, bases = (sum(every, Counter[str]()) for every in ([p.verdicts for p in parts], [p.bases for p in parts]))
    findings, texts = [one for part in parts for one in part.findings], [one for part in parts for one in part.texts]
    lacks = add_up(one for part in parts for one in part.lacks)
    judged = [one for part in parts for one in part.judged]
    return Checked(verdicts, findings, texts, bases, lacks, sum(part.proved for part in parts), judged=judged)


def faults_of(judged: Iterable[Judged]) -> Iterator[Finding]:
    """Yield the findings of some deals which say that the program is at fault."""
    for each in judged:
        if isinstance(each, Judgement):
            yield from (one for one in each.findings if one.rule == PROGRAM_FAULT)


def with_fault(judged: Judged, faults: dict[int, Finding]) -> Judged:
    """Return the deal, now judged by the replay that explains, with the fault that was found at its line, if any."""
    fault = faults.get(line_of(judged)) if isinstance(judged, Judgement) else None
    return blame_program(judged, fault) if fault and isinstance(judged, Judgement) else judged


def bases_of(judged: Iterable[Judged]) -> Counter[str]:
    return Counter(each.basis for each in judged if isinstance(each, Judgement) and each.basis)


def judge_records(
    records: Records, rules: str | None, summary: Callable[[Iterable[Any]], T], written_in: str | None = None
) -> Iterator[T]:
    """Yield the `summary` of the judgements of a file and of the findings that belong to no deal, in the order of their
    lines, part by part as soon as a part is judged. The replay of a deal that agrees lacks its steps; where a language
    is given, such deals may come as the JSON of their reports, written in it."""

    def of_batches(batches: "Iterator[Batch]") -> T | None:
        every = chain.from_iterable(judgements(batch, written_in=written_in) for batch in batches)
        first = next(every, None)
        return None if first is None else summary(chain((first,), every))

    any_read = False
    if records.lines is not None and can_judge_lines(records.lines):
        from archive.bulk.split_file import judge_parts

        for part in judge_parts(records.lines, records.source, rules, of_batches, STREAMED):
            if part is not None:
                any_read = True
                yield part
    if not any_read:
        yield summary(sorted(judge_one_by_one(records, rules), key=line_of))


def judge_one_by_one(records: Records, rules: str | None) -> list[Judged]:
    """Return the judgements and findings of a file, collecting young garbage every few deals."""
    every: list[Judged] = []
    with gc_paused():
        for each in judge_stream(records.read(), rules):
            every.append(each)
            if len(every) % BETWEEN == 0:
                gc.collect(0)
    return every


def judge_batches(text: Iterable[bytes], source: Source, rules: str | None, size: int) -> "Iterator[Batch]":
    """Judge JSON lines of about `size` bytes, given in parts that end at line ends; see `can_judge_lines`."""
    from archive.bulk.judge import judge_blocks
    from archive.bulk.split_file import worth_compiling

    return judge_blocks(text, source, rules, worth_compiling(size))


def judgements(batch: "Batch", lines: bool = True, written_in: str | None = None) -> Iterator[Any]:
    """Yield the judgements of a batch, and the findings that belong to no deal, in the order of their lines. `lines`
    includes those of the settlements, which take the longest; `written_in` as in `judge_records`."""
    others = sorted(handed_over(batch), key=line_of) if batch.answers else []
    if written_in:
        from archive.bulk.clean_reports import clean_reports

        numbered = ((line_of(each), each) for each in others)
        return (each for _, each in merge(numbered, clean_reports(batch, written_in), key=itemgetter(0)))
    from archive.bulk.clean_deals import clean_judgements

    clean = clean_judgements(batch, lines)
    return merge(others, clean, key=line_of) if others else clean


def handed_over(batch: "Batch") -> list[Judged]:
    """Return the judgements that came from the replay that explains, and the findings that belong to no deal."""
    return [each if isinstance(each, Finding) else each[1] for judged in batch.answers.values() for each in judged]


def line_of(each: Judged) -> int:
    """Return the line where a deal begins or a finding stands; 0 if it does not come from a file."""
    source = each.deal.source if isinstance(each, Judgement) else each.source
    return source.line if source else 0
