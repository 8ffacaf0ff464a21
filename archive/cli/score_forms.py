"""`schafkopf samples --sheet`: score sheets to fill in, for Excel and LibreOffice."""

from pathlib import Path

import click

from archive.cli.formats import replace_file
from archive.cli.language import cli_text, wrong_use
from archive.record.names import split_names
from archive.text.score_form import TARIFF, form_tariff, score_form, word
from archive.text.workbooks import KINDS, write_workbook

LEAST, MOST = 3, 7  # players of a sheet


def lay_forms(folder: Path, players: str | None, tariff: str | None, language: str) -> None:
    """Write the form into a folder as a file of each kind, without overwriting any."""
    names = split_names(players or "")
    if players is not None and not (LEAST <= len({*names}) == len(names) <= MOST):
        raise wrong_use("sheet-players", players=players)
    costs = form_tariff(tariff) if tariff else TARIFF
    if costs is None:
        raise wrong_use("sheet-tariff", tariff=tariff)
    files = [folder / f"{word('file', language)}.{kind}" for kind in KINDS]
    if there := next((file for file in files if file.exists()), None):
        raise wrong_use("sheet-there", path=there)
    folder.mkdir(parents=True, exist_ok=True)
    sheets = score_form(language, names, costs)
    for file, kind in zip(files, KINDS, strict=True):
        with replace_file(str(file), force=False) as out:
            out.write(write_workbook(kind, sheets))
    click.echo(cli_text("forms-laid", language, files=tuple(map(str, files))), err=True)
