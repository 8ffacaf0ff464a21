"""`schafkopf check`: read, replay, settle and compare, without storing anything."""

from collections import Counter
from collections.abc import Iterable
from functools import partial
from itertools import islice
from textwrap import fill
from typing import Any

import click
import msgspec

from archive.cli.inputs import files_with_progress, is_alone, paths_and_format
from archive.cli.known_names import JUDGED_BY
from archive.cli.language import LANG, asked_for, cli_text, wrong_use
from archive.cli.terminal import width, with_pager
from archive.cli.verdicts import (
    basis_text,
    findings_of,
    print_findings,
    print_lacks,
    print_understood,
    summary,
)
from archive.judge import Judgement
from archive.judge.door import Checked, check_records, checked_of, join_parts, judge_records
from archive.judge.finding_groups import Lack
from archive.judge.judge_stream import with_neighbours
from archive.judge.price_range import price_range, say_price_range, with_known_lines
from archive.judge.report import lone_finding_report, report
from archive.judge.sentences import faces_of, say_reason
from archive.judge.set_right import say_set_right
from archive.record import Finding
from archive.say import say
from importers import record_lines


@click.command()
@paths_and_format
@click.option(
    "--rules",
    "rulesets",
    type=JUDGED_BY,
    multiple=True,
    help="Judge by this ruleset instead of the one that the record names; given again, by each of them side by side.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a deal, in order.")
@click.option(
    "--explain", "explained", is_flag=True, help="Show the settlement of every deal, not only of those that differ."
)
@click.option("--watch", "watched", is_flag=True, help="After each save show what is wrong or missing, until Ctrl-C.")
@LANG
@click.pass_context
def check(
    context: click.Context,
    given: tuple[str, ...],
    as_json: bool,
    explained: bool,
    watched: bool,
    language: str,
    rulesets: tuple[str, ...],
    format_name: str | None,
) -> None:
    """Check records: replay and settle every deal, and compare with what the record states.

    Prints each finding as FILE:LINE: RULE MESSAGE, and which deal of the file it is where there are several, what
    follows from a finding indented below it; then of each deal that differs the settlement line by line, and the
    likeliest explanation. Nothing is stored. Exit status: 0 all well, 1 findings.
    """
    if watched and as_json:
        raise wrong_use("watch-no-json")
    rules, *others = rulesets or (None,)
    if others and watched:
        raise wrong_use("watch-one-ruleset")
    if others:
        from archive.cli.what_if import check_by_each

        files, spoken = files_with_progress(given, format_name), asked_for(context) if as_json else language
        context.exit(1 if check_by_each(files, rulesets, as_json, explained, spoken) else 0)
    if watched:
        from archive.cli.watch import watch  # here, since a plain check needs nothing of the screen

        context.exit(watch(given, rules, format_name, language=language))
    judge_files = with_pager(check_files) if explained and not as_json else check_files
    judge_files(context, given, rules, as_json, explained, language, format_name)


def check_files(
    context: click.Context,
    given: tuple[str, ...],
    rules: str | None,
    as_json: bool,
    explained: bool,
    language: str,
    format_name: str | None,
) -> None:
    """Print what is wrong in files, and how deals are settled. Exit with 1 if anything is more than a note."""
    verdicts: Counter[str] = Counter()
    bases: Counter[str] = Counter()
    lacks: tuple[Lack, ...] = ()
    proved, bad, alone = 0, False, not as_json and is_alone(given)
    for file in files_with_progress(given, format_name):
        if as_json:
            spoken = asked_for(context)
            for text, is_bad in judge_records(file.records(), rules, partial(to_json, language=spoken), spoken):
                click.echo(text, nl=False)
                bad |= is_bad
            continue
        wanted = file.importer is not record_lines or file.size <= FEW_LINES  # a large file has no judgements
        if explained:
            explain = partial(explain_all, language=language, wants_judged=wanted)
            checked = join_parts(list(judge_records(file.records(), rules, explain)))
        else:
            texts_of = partial(workings, language=language)
            checked = check_records(file.records(), rules, findings_of, texts_of, wanted)
        print_understood(file, checked.judged, language, alone)
        if checked.findings:
            print_findings(checked.findings, checked.verdicts.total(), language)
        for part in checked.texts if explained else checked.texts[:MOST]:
            click.echo(f"\n{part}")
        if not explained and (more := checked.verdicts["differs"] - MOST) > 0:
            click.echo(f"\n{cli_text('more', language, n=more)}; --explain")
        bad |= any(finding.severity != "note" for finding in checked.findings)
        verdicts += checked.verdicts
        bases += checked.bases
        lacks += checked.lacks
        proved += checked.proved
    if not as_json:
        click.echo(summary(verdicts, language, proved, bases), err=True)
        if lacks:
            print_lacks(lacks, language)
    context.exit(1 if bad else 0)


TOGETHER = 100  # deals of which every step is done for all before the next step, which is quicker
MOST = 10  # deals of a file that are worked out without --explain
FEW_LINES = 1 << 16  # bytes of JSON lines whose understanding is printed, at most


def explain_all(judged: Iterable[Judgement | Finding], language: str, wants_judged: bool) -> Checked:
    """Return the verdicts and findings of some judgements, and the working of each deal."""
    every = list(judged)
    deals = [each for each in every if isinstance(each, Judgement)]
    texts = [working(each, beside, width(), language) for each, beside in with_neighbours(deals)]
    return checked_of(every, findings_of, texts, wants_judged)


def workings(judged: list[Judgement | Finding], language: str) -> list[str]:
    """Return the working of each deal that differs, of the first ones."""
    deals = [each for each in judged if isinstance(each, Judgement)]
    differ = (
        (each, beside) for each, beside in with_neighbours(deals) if each.verdict == "differs" or is_restated(each)
    )
    return [working(each, beside, width(), language) for each, beside in islice(differ, MOST)]


def working(judgement: Judgement, beside: list[Judgement], room: int, language: str) -> str:
    """Return how a deal is settled, line by line with citations, its basis, and if it differs the likeliest explanation
    of what is stated; `beside` are the deals of the lines above and below."""
    from archive.text import deal as deal_text  # here, since a check of deals that agree needs none of its tables

    verdict = f"{cli_text(judgement.verdict, language)}{basis_text(judgement.basis, language)}"
    parts = [f"{deal_text.deal_title(judgement, language)}: {verdict}"]
    known = price_range(judgement)
    judgement = with_known_lines(judgement, known) if known else judgement
    parts += [deal_text.settlement_table(judgement, room, language), deal_text.payment_lines(judgement, room, language)]
    if facts := known.unwritten if known else judgement.unwritten:
        unwritten = ", ".join(say(each, language, faces_of(judgement)) for each in facts)
        parts.append(fill(f"{cli_text('unwritten', language)}: {unwritten}", room, subsequent_indent="  "))
    if judgement.verdict == "undecidable":
        texts = (*(say_price_range(judgement, known, language) if known else ()), say_reason(judgement, language))
        parts += [fill(text, room, subsequent_indent="  ") for text in texts]
    if judgement.verdict == "differs" or is_restated(judgement):
        texts = (*say_set_right(judgement, language), likeliest(judgement, beside, language))
        parts += [fill(text, room, subsequent_indent="  ") for text in texts]
    return "\n".join(filter(None, parts))


def is_restated(judgement: Judgement) -> bool:
    """Return whether a deal begins with other totals than those that the deals before it leave."""
    restated = any(each.rule == "restated-otherwise" for each in judgement.findings)
    return restated and judgement.deal.carry is not None and judgement.deal.carry.totals is not None


def likeliest(judgement: Judgement, beside: list[Judgement], language: str) -> str:
    """Return the likeliest explanation of what a deal states, else that there is none."""
    from archive.explain import explain, offer_of  # here, since a check of deals that agree needs nothing of it

    explained = explain(judgement, beside)
    if not explained.explanations:
        return say(explained.message, language, explained.faces)
    return say(offer_of(explained.explanations[0].changes), language, explained.faces)


def to_json(judged: Iterable[Judgement | Finding | msgspec.Raw], language: str = "en") -> tuple[bytes, bool]:
    """Return one object for each deal, if it is not written already, and one for each finding outside of any deal, a
    line for each; and whether any finding is more than a note."""
    parts, bad, encoder, left = list[bytes](), False, msgspec.json.Encoder(), iter(judged)
    while some := list(islice(left, TOGETHER)):
        for each in some:
            findings = (each,) if isinstance(each, Finding) else each.findings if isinstance(each, Judgement) else ()
            bad |= any(one.severity != "note" for one in findings)
        parts.append(encoder.encode_lines([json_of(each, language) for each in some]))
    return b"".join(parts), bad


def json_of(each: Judgement | Finding | msgspec.Raw, language: str) -> Any:
    """Return a deal, or a finding outside of any deal, as public JSON."""
    if isinstance(each, msgspec.Raw):
        return each
    return lone_finding_report(each, language) if isinstance(each, Finding) else report(each, language)
