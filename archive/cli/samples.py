"""`schafkopf samples`: the sample games, which are part of the program, as files; the evenings of a sample club."""

import shutil
import tomllib
from collections import Counter
from contextlib import chdir
from pathlib import Path

import click

from archive.cli.archive_file import archive_to_write
from archive.cli.formats import replace_file
from archive.cli.import_each import import_each
from archive.cli.inputs import files_with_progress
from archive.cli.language import LANG, cli_text, wrong_use
from archive.cli.verdicts import summary
from archive.notation import read_toml
from archive.record import Session, Source
from archive.record.names import split_names
from archive.resources import samples_dir
from archive.store import several_transactions
from archive.store._sqlite_utils import Database
from archive.store.live_evenings import add_deal, begin_evening
from archive.text.score_form import TARIFF, form_tariff, score_form, word
from archive.text.workbooks import KINDS, write_workbook


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), required=False)
@click.option("--sheet", is_flag=True, help="Lay a score sheet to fill in into FOLDER, or here: XLSX and ODS.")
@click.option("--players", help='With --sheet: who plays, in the direction of play: "Anna, Ben, Cem, Dora".')
@click.option("--tariff", help="With --sheet: what games cost, as 10/20/50.")
@LANG
def samples(folder: Path | None, sheet: bool, players: str | None, tariff: str | None, language: str) -> None:
    """Lay the sample games, which are part of the program, into a new FOLDER; sample_games where it is left out.

    `schafkopf serve --samples` shows those of its club without that.
    """
    if not sheet and (players or tariff):
        raise wrong_use("of-sheet")
    if sheet:
        lay_forms(folder or Path(), players, tariff, language)
        return
    folder = folder or Path("sample_games")
    if folder.exists():
        raise wrong_use("folder-there", folder=folder)
    try:
        shutil.copytree(samples_dir(), folder, symlinks=True)
    except shutil.Error as error:  # of all files, each with its reason
        shutil.rmtree(folder, ignore_errors=True)
        raise wrong_use("not-written", path=folder, why=error.args[0][0][2]) from None
    count = sum(path.is_file() for path in folder.rglob("*"))
    click.echo(cli_text("samples-laid", language, folder=str(folder), n=count), err=True)


def import_club(db: str, language: str) -> None:
    """Import the evenings of a sample club into an archive, which is made if there is none: those of the files, and one
    that is under way. The path of each file is that in the project."""
    folder, verdicts = samples_dir(), Counter[str]()
    with archive_to_write(db, dry_run=False) as archive, chdir(folder.parent):
        with several_transactions(archive.conn):
            for path in sorted(Path(folder.name, "club").glob("2*.toml")):
                for _, result in import_each(archive, files_with_progress((str(path),), None), None, {}, dry_run=False):
                    verdicts.update(result.verdicts)
        verdicts["agrees"] += play_evening(archive, Path(folder.name, "club", "under-way.toml"))
    click.echo(f"{db}: {summary(verdicts, language)}", err=True)


def play_evening(db: Database, path: Path) -> int:
    """Begin the evening of a file and add its deals one by one, as at the table; return how many there are."""
    text = path.read_bytes()
    head = next(item for item in read_toml(text, Source(str(path))) if isinstance(item, Session))
    number = begin_evening(db, head, head.recorder or "")
    deals = tomllib.loads(text.decode())["deal"]
    for place, entries in enumerate(deals, 1):
        add_deal(db, number, {"id": f"sample-{place}", **entries}, head.recorder or "")
    return len(deals)


# --- score sheets to fill in ----------------------------------------------------------------------------------------


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
