"""`schafkopf import --preview`: what would be understood of score sheets, before anything is stored."""

from collections.abc import Iterable, Iterator
from itertools import zip_longest

import click

from archive.cli.inputs import File
from archive.cli.language import cli_text
from archive.cli.verdicts import print_findings
from archive.record import Deal, Finding, Session
from archive.text.deal import amounts_text
from archive.text.deal_row import title_of_contract_id
from importers import score_sheet
from importers.score_sheet.preview import path_of_new_mapping, views_of_sheets


def preview(files: Iterable[File], language: str) -> bool:
    """Prints the columns, rows and sums of each score sheet, writes its columns as a file beside it where it has none,
    and gives whether there are findings worth a look."""
    bad = False
    for file in files:
        items = list(file.items())
        findings = [item for item in items if isinstance(item, Finding)]
        bad |= any(each.severity != "note" for each in findings)
        click.echo(click.style(file.source.path, bold=True))
        if file.importer is score_sheet:
            _print_columns(file, language)
        for line in _rows(items, language):
            click.echo(line)
        print_findings(findings, 2, language)
    return bad


def _print_columns(file: File, language: str) -> None:
    views, text = views_of_sheets(score_sheet.sheets_of(file.data, file.source), file.source)
    for view in views:
        if view.title:
            click.echo(cli_text("preview-sheet", language, sheet=view.title))
        for column in view.columns:
            role = column.role or cli_text("preview-unknown", language)
            click.echo(f"  {column.letter:<2} {column.head or '-'} → {role}: {' | '.join(column.samples)}")
    path = path_of_new_mapping(file.source) if text else None
    if path and text:
        path.write_text(text, "utf-8")
        click.echo(cli_text("preview-written", language, file=str(path)))


def _rows(items: list[Session | Deal | Finding], language: str) -> Iterator[str]:
    """A line for each session, each deal as it was understood, the sums of the evening beside the sheet's own."""
    session: Session | None = None
    sums: list[int] = []
    for item in items:
        if isinstance(item, Session):
            yield from _sums(session, sums, language)
            session, sums = item, [0] * len(item.players)
            yield "  " + ", ".join(filter(None, (item.date, item.event, item.unit, ", ".join(item.players))))
            yield from (f"    {text}" for text in item.inferred or ())
        elif isinstance(item, Deal) and session:
            payments = (item.stated and item.stated.payments) or ()
            sums = [(total or 0) + (paid or 0) for total, paid in zip_longest(sums, payments)]
            yield _deal_line(item, session, language)
    yield from _sums(session, sums, language)


def _sums(session: Session | None, sums: list[int], language: str) -> Iterator[str]:
    if session:
        yield "  " + cli_text("preview-sums", language, sums=amounts_text(session.players, sums))
        for text in (session.x or {}).get("sums", ()):
            yield "  " + cli_text("preview-own-sums", language, sums=text)


def _deal_line(deal: Deal, session: Session, language: str) -> str:
    """A deal in a line: game, who plays with whom, what is stated of the result, payments."""
    players = deal.players or session.players
    game, stated = deal.game, deal.stated
    who = [players[seat] for seat in (game.declarer if game else None, deal.partner) if seat is not None]
    title = " ".join(filter(None, (title_of_contract_id(game.contract), game.suit))) if game else ""
    facts = {
        key: getattr(stated, key, None)
        for key in ("won", "points", "schneider", "schwarz", "runners", "runner_count", "loser")
    }
    facts["loser"] = None if facts["loser"] is None else players[facts["loser"]]
    texts = [f"{key} {value}" for key, value in facts.items() if value is not None]
    texts += [f"sits_out {', '.join(players[seat] for seat in deal.sits_out)}"] if deal.sits_out else []
    paid = amounts_text(players, stated.payments) if stated and stated.payments else ""
    line = deal.source.line if deal.source else 0
    return f"  {line:>4} " + "; ".join(filter(None, (title, " + ".join(who), *texts, paid, *(deal.inferred or ()))))
