"""`schafkopf import --preview`: what would be understood of score sheets, before anything is stored."""

from collections.abc import Callable, Iterable, Iterator

import click

from archive.cli.inputs import File
from archive.cli.language import cli_text
from archive.cli.verdicts import print_findings, print_understood
from archive.judge.judge_stream import judge_stream
from archive.record import Deal, Finding, Session, evidence_text
from archive.say import Message, say
from archive.text.deal import amounts_text
from archive.text.deal_preview import deal_line, read_sums, role_text
from importers import score_sheet
from importers.score_sheet.preview import path_of_new_mapping, views_of_sheets

ChangesAhead = Callable[[File], tuple[tuple[Finding, ...], list[Message]]]


def preview(files: Iterable[File], alone: bool, language: str, changes_ahead: ChangesAhead) -> bool:
    """Print the columns, rows and sums of each score sheet, and what importing it would change in the archive; write
    its columns as a file beside it if it has none. Return whether there are findings worth a look."""
    bad = False
    for file in files:
        opened = (
            score_sheet.open_sheets(file.data, file.source)
            if file.importer and file.importer.NAME == score_sheet.NAME
            else None
        )
        items = list(file.items(language, opened))
        differing, parts = changes_ahead(file)
        judged = list(judge_stream(items))
        findings = [*(item for item in items if isinstance(item, Finding)), *differing]
        bad |= any(finding.severity != "note" for finding in findings)
        click.echo(click.style(file.source.path, bold=True))
        print_understood(file, judged, language, alone)
        if opened:
            views, text = views_of_sheets(opened.sheets, opened.mapping_file.mapping)
            for view in views:
                if view.title:
                    click.echo(cli_text("preview-sheet", language, sheet=view.title))
                for column in view.columns:
                    role = role_text(column.role, language)
                    click.echo(f"  {column.letter:<2} {column.head or '-'} → {role}: {' | '.join(column.samples)}")
            path = path_of_new_mapping(opened.source) if text else None
            if path and text:
                path.write_text(text, "utf-8")
                click.echo(cli_text("preview-written", language, file=str(path)))
        for line in _rows(items, language):
            click.echo(line)
        if parts:
            click.echo("  " + ", ".join(say(part, language) for part in parts))
        print_findings(findings, 2, language)
    return bad


def _rows(items: list[Session | Deal | Finding], language: str) -> Iterator[str]:
    """Yield a line for each session and each deal as it was understood, and the sums of the evening beside the sheet's
    own."""
    session: Session | None = None
    deals: list[Deal] = []
    for item in items:
        if isinstance(item, Session):
            yield from _sums(session, deals, language)
            session, deals = item, []
            yield "  " + ", ".join(filter(None, (item.date, item.event, item.unit, ", ".join(item.players))))
            yield from (f"    {evidence_text(entry, language)}" for entry in item.inferred or ())
        elif isinstance(item, Deal) and session:
            deals.append(item)
            yield deal_line(item, session, language)
    yield from _sums(session, deals, language)


def _sums(session: Session | None, deals: list[Deal], language: str) -> Iterator[str]:
    if session:
        sums = read_sums(session, deals)
        yield "  " + cli_text("preview-sums", language, sums=amounts_text(sums, sums.values()))
        for text in (session.x or {}).get("sums", ()):
            yield "  " + cli_text("preview-own-sums", language, sums=text)
