"""`schafkopf check --rules A --rules B`: the results of deals by several rulesets."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from archive.cli.inputs import File
from archive.cli.known_names import path_from
from archive.cli.language import cli_text
from archive.cli.options import print_object
from archive.cli.terminal import width
from archive.cli.verdicts import print_findings
from archive.judge import Judgement
from archive.judge.judge_stream import is_alike, judge_by_each
from archive.judge.report import lone_finding_report, report
from archive.record import Finding
from archive.text.deal import finding_text
from archive.text.what_if import what_if_table


def check_by_each(files: Iterable[File], rules: Sequence[str], as_json: bool, explained: bool, language: str) -> bool:
    """Print each deal whose result differs among `rules`, with `explained` every deal: the settlements line beside
    line. As JSON every deal: the object of `check --json` by the first ruleset, and under `by_rules` those by the
    others. Return whether anything is more than a note."""
    bad, deals, apart = False, 0, 0
    names = [path_from(Path.cwd(), each) for each in rules]  # as they were typed
    for file in files:
        for judged in judge_by_each(list(file.records().read()), rules):
            if isinstance(judged, Finding):
                bad |= judged.severity != "note"
                if as_json:
                    print_object(lone_finding_report(judged, language))
                else:
                    print_findings([judged], language=language)
                continue
            bad |= any(finding.severity != "note" for each in judged for finding in each.findings)
            differs = not is_alike(judged)
            deals, apart = deals + 1, apart + differs
            if as_json:
                others = {name: report(each, language) for name, each in zip(names, judged, strict=True)}
                print_object(others[names[0]] | {"by_rules": others})
            elif differs or explained:
                click.echo(f"{_place(judged[0])}{what_if_table(judged, names, width(), language)}")
                for name, each in zip(names, judged, strict=True):
                    errors = [finding for finding in each.findings if finding.severity == "error"]
                    if each.verdict == "unplayable" and errors:
                        more = f" (+{len(errors) - 1})" if len(errors) > 1 else ""
                        click.echo(f"{name}: {errors[0].rule} {finding_text(errors[0], language)}{more}")
                click.echo()
    if not as_json:
        click.echo(cli_text("what-if", language, n=deals, apart=apart, same=deals - apart), err=True)
    return bad


def _place(judgement: Judgement) -> str:
    source = judgement.deal.source
    return f"{source.path}:{source.line}: " if source else ""
