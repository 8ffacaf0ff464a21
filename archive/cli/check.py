"""`schafkopf check`: read, replay, settle and compare, without storing anything."""

from collections import Counter
from functools import partial

import click
import msgspec

from archive.audit import Judgement
from archive.audit.bulk.judging import STEPS
from archive.audit.bulk.parts import Checked, check_lines
from archive.audit.report import lone, report, with_german
from archive.audit.stream import judged
from archive.cli.files import File, opened, reading_options
from archive.cli.language import LANG, asked_for
from archive.cli.verdicts import findings_of, line_of, print_findings, summary
from archive.record import Finding
from importers import record_lines


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
            found = list(judged(file.items(), rules))
            told = Checked(verdicts_of(found), findings_of(found), ())
            print_json(found, asked_for(context))
        else:
            told = checked(file, rules, language)
            print_findings(told.findings, told.verdicts.total(), language)
        bad |= any(each.severity != "note" for each in told.findings)
        verdicts += told.verdicts
    if not as_json:
        click.echo(summary(verdicts, language), err=True)
    context.exit(1 if bad else 0)


def checked(file: File, rules: str | None, language: str) -> Checked:
    """The verdicts and findings of a file; of JSON lines that tell no price step by step, in bulk."""
    told = partial(findings_of, language=language)
    if file.importer is record_lines and not file.findings and STEPS not in file.data:
        found = check_lines(file.data, file.source, rules, told)
        if found.verdicts or found.findings:
            return found._replace(findings=sorted(found.findings, key=line_of))
    every = list(judged(file.items(), rules))
    return Checked(verdicts_of(every), told(every), ())


def verdicts_of(found: list[Judgement | Finding]) -> Counter[str]:
    return Counter(each.verdict for each in found if isinstance(each, Judgement))


def print_json(found: list[Judgement | Finding], language: str = "en") -> None:
    """One object a deal, and one for each finding outside of any deal, in the order of their lines."""
    for each in sorted(found, key=line_of):
        told = report(each) if isinstance(each, Judgement) else lone(each)
        click.echo(msgspec.json.encode(with_german(told, each) if language == "de" else told).decode())
