"""`schafkopf check`: read, replay, settle and compare, without storing anything."""

from collections import Counter
from collections.abc import Iterable
from functools import partial

import click
import msgspec

from archive.cli.inputs import opened, reading_options
from archive.cli.language import LANG, asked_for
from archive.cli.verdicts import findings_of, print_findings, summary
from archive.judge import Judgement
from archive.judge.door import check_records, judge_records
from archive.judge.report import lone_finding_report, report
from archive.record import Finding


@click.command()
@reading_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a deal, in order.")
@click.option("--watch", "watched", is_flag=True, help="After each save show what is wrong or missing, until Ctrl-C.")
@LANG
@click.pass_context
def check(
    context: click.Context,
    given: tuple[str, ...],
    as_json: bool,
    watched: bool,
    language: str,
    rules: str | None,
    format_name: str | None,
) -> None:
    """Check records: replay and settle every deal, and compare with what the record states.

    Prints each finding as FILE:LINE: RULE MESSAGE, and which deal of the file it is where there are several. Nothing
    is stored. Exit status: 0 all well, 1 findings.
    """
    if watched and as_json:
        raise click.UsageError("--watch shows a screen; --json is for programs")
    if watched:
        from archive.cli.watch import watch  # here, since a plain check needs nothing of the screen

        context.exit(watch(given, rules, format_name, language=language))
    verdicts: Counter[str] = Counter()
    bad = False
    for file in opened(given, format_name):
        if as_json:
            for text, is_bad in judge_records(file.records(), rules, partial(to_json, language=asked_for(context))):
                click.echo(text, nl=False)
                bad |= is_bad
            continue
        found = check_records(file.records(), rules, findings_of)
        print_findings(found.findings, found.verdicts.total(), language)
        bad |= any(each.severity != "note" for each in found.findings)
        verdicts += found.verdicts
    if not as_json:
        click.echo(summary(verdicts, language), err=True)
    context.exit(1 if bad else 0)


def to_json(judged: Iterable[Judgement | Finding], language: str = "en") -> tuple[bytes, bool]:
    """One object a deal and a line, and one for each finding outside of any deal; whether any finding is more than a
    note."""
    lines, bad = list[bytes](), False
    for each in judged:
        findings = (each,) if isinstance(each, Finding) else each.findings
        bad |= any(one.severity != "note" for one in findings)
        fields = lone_finding_report(each, language) if isinstance(each, Finding) else report(each, language)
        lines.append(msgspec.json.encode(fields) + b"\n")
    return b"".join(lines), bad
