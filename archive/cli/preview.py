"""`schafkopf import --preview`: what would be understood of score sheets, before anything is stored."""

from collections.abc import Iterable, Iterator
from itertools import zip_longest

import click

from archive.cli.inputs import File
from archive.cli.language import cli_text
from archive.cli.verdicts import print_findings
from archive.notation.game_words import NO_GAME
from archive.record import Deal, Finding, Session, Stated, evidence_text
from archive.text.deal import amounts_text
from archive.text.deal_row import title_of_contract_id
from importers import score_sheet
from importers.score_sheet.preview import path_of_new_mapping, views_of_sheets


def preview(files: Iterable[File], language: str) -> bool:
    """Prints the columns, rows and sums of each score sheet, writes its columns as a file beside it where it has none,
    and gives whether there are findings worth a look."""
    bad = False
    for file in files:
        opened = score_sheet.open_sheets(file.data, file.source) if file.importer is score_sheet else None
        items = list(file.items(language, opened))
        findings = [item for item in items if isinstance(item, Finding)]
        bad |= any(finding.severity != "note" for finding in findings)
        click.echo(click.style(file.source.path, bold=True))
        if opened:
            _print_columns(opened, language)
        for line in _rows(items, language):
            click.echo(line)
        print_findings(findings, 2, language)
    return bad


def _print_columns(opened: score_sheet.OpenSheets, language: str) -> None:
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


def role_text(role: str, language: str) -> str:
    """The role of a column in words, with the key that it has in a `columns.toml`: `Mitspieler (partner)`."""
    kind, _, rest = role.partition(" ")
    words = cli_text(f"preview-role-{kind.replace('_', '-')}" if kind else "preview-unknown", language)
    shown = f"{words} {rest}".strip()
    return shown if not kind or kind in ("payments", "totals", "skip") or words == kind else f"{shown} ({kind})"


def _rows(items: list[Session | Deal | Finding], language: str) -> Iterator[str]:
    """A line for each session, each deal as it was understood, the sums of the evening beside the sheet's own."""
    session: Session | None = None
    sums: list[int] = []
    for item in items:
        if isinstance(item, Session):
            yield from _sums(session, sums, language)
            session, sums = item, [0] * len(item.players)
            yield "  " + ", ".join(filter(None, (item.date, item.event, item.unit, ", ".join(item.players))))
            yield from (f"    {evidence_text(entry, language)}" for entry in item.inferred or ())
        elif isinstance(item, Deal) and session:
            stated = item.stated or Stated()
            if stated.payments is None and stated.totals is not None:
                sums = [total or 0 for total in stated.totals]
            sums = [(total or 0) + (paid or 0) for total, paid in zip_longest(sums, stated.payments or ())]
            yield deal_line(item, session, language)
    yield from _sums(session, sums, language)


def _sums(session: Session | None, sums: list[int], language: str) -> Iterator[str]:
    if session:
        yield "  " + cli_text("preview-sums", language, sums=amounts_text(session.players, sums))
        for text in (session.x or {}).get("sums", ()):
            yield "  " + cli_text("preview-own-sums", language, sums=text)


def deal_line(deal: Deal, session: Session, language: str) -> str:
    """A deal in a line: game, who plays with whom, what is stated of it, payments, what was worked out."""
    players = deal.players or session.players
    game, stated = deal.game, deal.stated
    who = [players[seat] for seat in (game.declarer if game else None, deal.partner) if seat is not None]
    title = ""
    if game and game.contract in NO_GAME:
        title = cli_text(f"preview-{game.contract}", language)
    elif game:
        title = " ".join(filter(None, (title_of_contract_id(game.contract, language=language), game.suit, *game.words)))
    paid = amounts_text(players, stated.payments) if stated and stated.payments else ""
    if stated and stated.totals and not stated.payments:
        paid = cli_text("preview-totals", language, totals=amounts_text(players, stated.totals))
    line = deal.source.line if deal.source else 0
    worked_out = (evidence_text(entry, language) for entry in deal.inferred or ())
    texts = (title, " + ".join(who), *_facts(deal, players, language), paid, *worked_out)
    return f"  {line:>4} " + "; ".join(filter(None, texts))


def _facts(deal: Deal, players: tuple[str, ...], language: str) -> Iterator[str]:
    """The facts of a deal beside its game, its people and what was paid, in words."""
    stated = deal.stated or Stated()
    for key, yes, no in (("won", "won", "lost"), *((key, key, f"no-{key}") for key in ("schneider", "schwarz"))):
        if (value := getattr(stated, key)) is not None:
            yield cli_text(f"preview-{yes if value else no}", language)
    if stated.runners:
        yield cli_text("preview-with" if stated.runners > 0 else "preview-without", language, n=abs(stated.runners))
    for key in ("points", "points_against", "runner_count", "price"):
        if (value := getattr(stated, key)) is not None:
            yield cli_text(f"preview-{key.replace('_', '-')}", language, n=value)
    for key, value in (("knocks", deal.knocks), ("doubles", deal.doubles)):
        if value:
            yield cli_text(f"preview-{key}", language, n=len(value) if isinstance(value, tuple) else value)
    if deal.round:
        yield cli_text("preview-round", language, rounds=", ".join(map(str.capitalize, deal.round)))
    if stated.loser is not None:
        yield cli_text("preview-loser", language, player=players[stated.loser])
    if deal.sits_out:
        yield cli_text("preview-sits-out", language, players=", ".join(players[seat] for seat in deal.sits_out))
