"""`schafkopf check --watch`: after each save one screen with what is wrong or missing, and how the table stands."""

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap

import click
from msgspec import Struct

from archive.cli.inputs import files_with_progress, paths
from archive.cli.language import cli_text, wrong_use
from archive.cli.new import is_bare
from archive.cli.verdicts import VERDICTS, findings_of, summary
from archive.judge import Judgement, LedgerState
from archive.judge.door import line_of
from archive.judge.judge_stream import judge_stream
from archive.judge.sentences import say_missing
from archive.record import Finding, remedy
from archive.rules.tables import score_of
from archive.settle.rulings import totals_with_rulings
from archive.text import deal as deal_text
from archive.text.ledger_state import marks_score, table_contents
from archive.text.texts import TEXTS
from archive.text.wording import clip, sentence

PAUSE = 0.3  # seconds between two looks
LOUDEST = {"error": "red", "warning": "yellow", "note": "cyan"}
MOST = 12  # numbers that are listed one by one
Stamps = tuple[object, ...]


class WatchedFile(Struct, frozen=True):
    """A file as it was last read: its path, when it was saved (seconds since 1970), what is in it, in `language`."""

    path: str
    saved: float
    judged: tuple[Judgement | Finding, ...]
    language: str = "en"


class Problem(Struct, frozen=True):
    """A deal, or a place outside of any, with something wrong or missing: a heading and the texts below it."""

    name: str
    what: str
    line: int
    colour: str
    texts: tuple[str, ...]


def watch(
    given: tuple[str, ...],
    rules: str | None,
    format_name: str | None,
    sleep: Callable[[float], None] = time.sleep,
    looks: int | None = None,
    *,
    language: str = "en",
) -> int:
    """Read files again and again (`looks` times; None: until Ctrl-C) and show a screen whenever they have changed and
    then stayed the same between two looks, so that half a save is never shown. Return the exit status of `check`."""
    if "-" in given:
        raise wrong_use("no-watch")
    status, shown, before = 0, None, stamps(given)
    try:
        for _ in count() if looks is None else range(looks):
            now = stamps(given)
            if now == before != shown:
                files = read_files(given, rules, format_name, language)
                if files or shown is None:
                    status = status_of(files)
                click.clear()
                click.echo("\n".join(screen_lines(files, given, *get_terminal_size(), language)))
                shown = now
            before = now
            sleep(PAUSE)
    except KeyboardInterrupt:
        click.echo()
    return status


def stamps(given: tuple[str, ...]) -> Stamps:
    """Return values that change when a file is saved, or the terminal resized."""
    return (*get_terminal_size(), *map(_stamp, _existing_paths(given)))


def _stamp(path: Path) -> tuple[str, int, int, int]:
    """Return the path of a file, when it was saved (nanoseconds since 1970), its size and its number; zeros if it is
    just being replaced."""
    try:
        status = path.stat()
    except OSError:
        return str(path), 0, 0, 0
    return str(path), status.st_mtime_ns, status.st_size, status.st_ino


def _existing_paths(given: tuple[str, ...]) -> Iterator[Path]:
    """Yield the files that exist; a named file may be gone while it is saved."""
    for name in given:
        with suppress(click.UsageError):  # nothing has this name, or fits the pattern, just now
            yield from (path for path in paths((name,)) if os.path.lexists(path))


def read_files(given: tuple[str, ...], rules: str | None, format_name: str | None, language: str) -> list[WatchedFile]:
    """Return the files, the one saved last first."""
    files = []
    for path in _existing_paths(given):
        saved = _stamp(path)[1] / 1e9
        for file in files_with_progress((str(path),), format_name):
            items = tuple(judge_stream(file.items(), rules))
            files.append(WatchedFile(file.source.path, saved, items, language))
    return sorted(files, key=lambda file: -file.saved)


def status_of(files: Sequence[WatchedFile]) -> int:
    """Return the exit status that `check` would have."""
    return int(any(each.severity != "note" for file in files for each in findings_of(file.judged)))


# --- the screen -----------------------------------------------------------------------------------------------------


def screen_lines(
    files: Sequence[WatchedFile], given: tuple[str, ...], width: int, height: int, language: str
) -> list[str]:
    """Return the lines to show, no more than fit: the file saved last, the others in one line each."""
    if not files:
        return wrap(cli_text("watch-waiting", language, files=", ".join(given)), width)
    others = [clip(f"{each.path}  {_summary(each)}", width) for each in files[1:]][: max(0, height // 4)]
    file, room = files[0], max(6, height - len(others) - 1)  # the line of the cursor
    when = time.strftime("%H:%M:%S", time.localtime(file.saved))
    note = f", {cli_text('watch-saved', language, time=when)}  {_summary(file)}"
    name = file.path if len(file.path) + len(note) <= width else f"…{file.path[len(note) + 1 - width :]}"
    head = click.style(clip(f"{name}{note}", width), bold=True)
    foot = table_lines(file, width)[: room - 3]
    return [head, *problem_lines(file, width, room - 1 - len(foot)), *foot, *others]


def _summary(file: WatchedFile) -> str:
    """Return how many deals, and of each verdict."""
    verdicts: Counter[str] = Counter(each.verdict for each in file.judged if isinstance(each, Judgement))
    return click.unstyle(summary(verdicts, file.language))


def problem_lines(file: WatchedFile, width: int, room: int) -> list[str]:
    """Return the deals with something wrong or missing, newest first, as far as there is room; and which are well."""
    every = sorted(problems_of(file.judged, file.language), key=lambda problem: problem.line, reverse=True)
    well = [each.number for each in file.judged if isinstance(each, Judgement) and _is_well(each)]
    fine = cli_text("watch-well", file.language, n=len(well), deals=format_ranges(well, file.language))
    last = clip(fine, width) if well else ""
    lines: list[str] = []
    left = room - bool(last)
    for at, problem in enumerate(every):
        text = f"{sentence(problem.name)}{problem.what} ({cli_text('watch-line', file.language, n=problem.line)})"
        head = click.style(clip(text, width), problem.colour)
        below = (wrap(text, width, initial_indent="  ", subsequent_indent="    ") for text in problem.texts)
        block, more = [head, *(line for lines in below for line in lines)], at + 1 < len(every)
        if len(lines) + len(block) > left - more:
            part = block[: left - 1] if not lines else []
            names = ", ".join(other.name for other in every[at + (1 if part and more else 0) :])
            lines += [*part, clip(cli_text("watch-more", file.language, names=names), width)]
            break
        lines += block
    return [*lines, *([click.style(last, fg="green")] if last else [])]


def problems_of(items: Sequence[Judgement | Finding], language: str) -> Iterator[Problem]:
    """Yield each deal that is not well, and each place outside of the deals that could be read."""
    lone: dict[tuple[int | None, int], list[Finding]] = {}
    text_of = partial(finding_text, language=language)
    for item in items:
        if isinstance(item, Finding):
            at = item.source.deal if item.source else None
            lone.setdefault((at, 0 if at else line_of(item)), []).append(item)
        elif not _is_well(item):
            colour = VERDICTS[item.verdict] if item.verdict != "agrees" else "yellow"
            if is_bare(item.deal):
                texts = [cli_text("watch-empty", language)]
            else:
                texts = [cli_text("watch-missing", language, facts=say_missing(item, language))] if item.missing else []
            game = "" if item.deal.game is None else f", {deal_text.deal_title(item, language).partition(': ')[2]}"
            yield Problem(
                cli_text("deal", language, n=item.number),
                game,
                line_of(item),
                colour,
                (*map(text_of, item.findings), *texts),
            )
    for (at, _), findings in lone.items():
        line = min(map(line_of, findings))
        unread = cli_text(f"watch-unread-{'deal' if at else 'line'}", language, n=at or line_of(findings[0]))
        name, comma, what = unread.partition(",")
        yield Problem(name, comma + what, line, LOUDEST[findings[0].severity], tuple(map(text_of, findings)))


def _is_well(judgement: Judgement) -> bool:
    return judgement.verdict == "agrees" and not judgement.findings


def finding_text(finding: Finding, language: str) -> str:
    """Return a finding in a line, and what to do about it."""
    source = finding.source
    line = f"{cli_text('watch-line', language, n=source.line)}: " if source and source.end_line is None else ""
    return f"{line}{deal_text.finding_text(finding, language)} ({finding.rule}). {remedy(finding.rule, language)}"


def format_ranges(numbers: Sequence[int], language: str) -> str:
    """Return numbers in words: `1 to 4, 6, 8 and 9`."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    several = {run[0]: cli_text("watch-to", language, first=run[0], last=run[-1]) for run in runs if len(run) > 1}
    texts = [several.get(run[0], str(run[0])) for run in runs]
    return ", ".join(texts[:MOST]) + ("" if len(texts) <= MOST else ", …")


def table_lines(file: WatchedFile, width: int) -> list[str]:
    """Return the table after the last deal: who deals, what lies there, the running totals."""
    deals = [each for each in file.judged if isinstance(each, Judgement)]
    if not deals:
        return []
    last, language = deals[-1], file.language
    names, now = last.session.players, is_bare(last.deal)
    stand = last.before if now else last.after
    recorded = last.deal.dealer
    dealer = last.after.dealer if not now else stand.dealer if recorded is None else recorded
    deals_next = "watch-dealer-unknown" if dealer is None else "watch-deals"
    who = cli_text(deals_next, language, **({} if dealer is None else {"name": names[dealer]}))
    text, words = cli_text("watch-now" if now else "watch-next", language, who=who), TEXTS[language]
    there = (*table_contents(stand, last.ruleset, words), *marks_score(stand, names, last.ruleset, words))
    text += f". {cli_text('watch-table', language, what=', '.join(there))}" if there else ""
    lines = [*wrap(text, width, subsequent_indent="  ")]
    if not (last.ruleset and score_of(last.ruleset.house)):
        lines += totals_lines(deals, stand, width, language)
    return [click.style(line, bold=True) for line in lines]


def totals_lines(deals: Sequence[Judgement], stand: LedgerState, width: int, language: str) -> list[str]:
    """Return the running totals, and from which deal on they rest on an open one, or are not known."""
    totals = stand.totals or totals_with_rulings(stand)
    lines = [] if totals is None else deal_text.amount_line(deals[-1], "totals", totals, width, language).splitlines()
    if stand.totals is not None and None not in stand.totals:
        return lines
    hides = (deal.number for deal in deals if deal.after.totals is None or None in deal.after.totals)
    since = next(hides, deals[-1].number)
    return [*lines, cli_text(f"watch-totals-{'open' if lines else 'unknown'}", language, n=since)]
