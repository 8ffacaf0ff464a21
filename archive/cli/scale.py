"""`schafkopf scale`: more deals than one machine or one file should hold. See docs/scale.md."""

import shutil
import sys
from collections import Counter
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

import click

from archive.cli.known_names import EVENT, PLAYER, QUESTION
from archive.cli.language import LANG, cli_text, reader_text, wrong_use
from archive.cli.options import JSON, print_object, print_rows, refuse_beside_json
from archive.cli.stats import format_rows, question_options
from archive.cli.verdicts import summary
from archive.say import Message, message, why_refused
from archive.scale import NEEDED, ScaleError, cluster
from archive.scale.check import Job, Manifest
from archive.scale.duckdb_views import (
    SESSION,
    answer,
    coverage_question,
    open_shards,
    query_names,
    question,
    session_sql,
)
from archive.scale.extract import NEEDED as OF_SLICES
from archive.scale.extract import import_part, parts_of
from archive.scale.parquet import number_of
from archive.scale.shards import ASIDE, book_of, number_shards, shards_in
from archive.stats import QUESTIONS
from archive.stats.coverage import coverage_notes, coverage_of
from archive.stats.query import with_days
from archive.store import open_archive, several_transactions

IN_DIR = click.Path(exists=True, file_okay=False, path_type=Path)
OUT_DIR = click.Path(file_okay=False, path_type=Path)
OF_JSON = ("shard", "name", "sha256", "deals", "verdicts", "findings", "lost", "known")  # of a checked shard


@click.group()
def scale() -> None:
    """Check shards of records on several cores or machines, ask all of them, cut slices for the viewer."""
    if any(find_spec(name) is None for name in NEEDED):
        raise wrong_use("no-scale")


# --- check ------------------------------------------------------------------------------------------------------------


@scale.command()
@click.argument("in_dir", type=IN_DIR)
@click.argument("out_dir", type=OUT_DIR)
@click.option("--scheduler", metavar="ADDRESS", help="A Dask scheduler, such as tcp://10.0.0.1:8786, whose workers "
              "see both folders; without it, processes on this machine.")  # fmt: skip
@click.option("--workers", type=click.IntRange(1), help="So many processes; without it, one for each core.")
@click.option("--again", is_flag=True, help="Do all shards again, also those that are there and unchanged.")
@click.option("--analyse", is_flag=True, help="Also analyse every deal with open cards, as `schafkopf analyse --all`.")
@JSON
@LANG
@click.pass_context
def check(context: click.Context, /, in_dir: Path, out_dir: Path, scheduler: str | None, workers: int | None,
          again: bool, analyse: bool, as_json: bool, language: str) -> None:  # fmt: skip
    """Check every shard in IN_DIR and write its tables as Parquet into OUT_DIR.

    Shards are JSON lines (.jsonl, .jsonl.gz) or Parquet with a column of record lines; each is checked by itself, as
    an import does it. A shard that is there, and whose bytes and engine are the same, is left alone; so an
    interrupted run is started again with the same words. Exit status: 0 all well, 1 findings.
    """
    if scheduler is not None and workers is not None:
        raise wrong_use("workers-here")
    manifests, given_up = check_shards(in_dir.resolve(), out_dir.resolve(), scheduler, workers, again, analyse)
    rules: Counter[tuple[str, str]] = Counter()
    first: dict[str, Path] = {}  # by the rule, the first shard with its finding
    verdicts: Counter[str] = Counter()
    for each in sorted(manifests, key=lambda each: each.name):
        if as_json:
            print_object({key: getattr(each, key) for key in OF_JSON})
        elif each.lost:
            click.echo(f"{in_dir / each.name}: {each.lost}")
        verdicts.update(each.verdicts)
        rules.update({(level, rule): count for level, of in each.findings.items() for rule, count in of.items()})
        first = {rule: in_dir / each.name for of in each.findings.values() for rule in of} | first
    for (level, rule), count in sorted(rules.items(), key=lambda item: (-item[1], item[0])):
        if level != "note":
            where = cli_text("shards-first", language, path=first[rule])
            click.echo(f"{click.style(rule, fg='red' if level == 'error' else 'yellow')}: {count:,}, {where}", err=True)
    known = sum(each.known for each in manifests)
    note = f", {cli_text('shards-known', language, n=known)}" if known else ""
    click.echo(f"{cli_text('shards', language, n=len(manifests))}{note}; {summary(verdicts, language)}", err=True)
    for name, why in sorted(given_up.items()):
        click.echo(cli_text("shard-given-up", language, path=in_dir / name, why=why), err=True)
    if given_up:
        raise wrong_use("shards-not-checked", n=len(given_up))
    context.exit(1 if any(each.is_bad for each in manifests) else 0)


def check_shards(
    in_dir: Path, out_dir: Path, scheduler: str | None, workers: int | None, again: bool, analyse: bool
) -> tuple[list[Manifest], dict[str, Message | str]]:
    """Return the manifests of the checked shards, and by name why others were given up."""
    if in_dir == out_dir or in_dir in out_dir.parents:
        raise ScaleError(message("refused.among-shards", folder=out_dir))
    shards, others = shards_in(in_dir)
    try:
        out_dir.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(out_dir / ASIDE, ignore_errors=True)  # of a run that was interrupted
        numbers = number_shards(out_dir, in_dir, list(shards)).numbers
        (out_dir / SESSION).write_text(session_sql(), "utf-8")
    except OSError as error:
        raise ScaleError(message("refused.not-written", path=out_dir, why=why_refused(error))) from None
    if others:
        click.echo(reader_text("shards-others", n=others, folder=in_dir), err=True)
    if gone := numbers.keys() - shards.keys():
        click.echo(reader_text("shards-gone", n=len(gone), folder=in_dir), err=True)
    jobs = [Job(name, str(path), numbers[name], str(out_dir), again, analyse) for name, path in shards.items()]
    manifests, given_up = list[Manifest](), dict[str, Message | str]()
    bar = click.progressbar(
        length=len(jobs), label=reader_text("checking"), file=sys.stderr, hidden=not sys.stderr.isatty(),
        item_show_func=lambda name: name and reader_text("deals", n=sum(each.deals for each in manifests)),
    )  # fmt: skip
    with cluster.cluster(scheduler, workers) as client, bar:
        for job, result in cluster.run(client, jobs):
            if isinstance(result, Manifest):
                manifests.append(result)
                bar.update(1, result.name)
            else:
                given_up[job.name] = result
    shutil.rmtree(out_dir / ASIDE, ignore_errors=True)
    return manifests, given_up


# --- query ------------------------------------------------------------------------------------------------------------


@scale.command()
@click.argument("name", required=False, type=QUESTION)
@click.argument("out_dir", type=OUT_DIR, required=False)
@question_options(session=click.INT)
@click.option("--limit", type=click.IntRange(1), help="Only so many rows.")
@LANG
def query(name: str | None, out_dir: Path | None, form: str, as_json: bool, limit: int | None, language: str,
          **given: str | int | None) -> None:  # fmt: skip
    """Answer a standard question over all shards in OUT_DIR.

    NAME is a question of `schafkopf stats`, a view of an archive such as outcomes, `shards` (what each came to) or
    `repeated` (deals that stand in several shards). Without NAME, list them.
    """
    refuse_beside_json(as_json, form != "table" and f"--to {form}")
    chosen = {key: value for key, value in given.items() if value is not None}
    if name is None:
        if chosen:
            raise wrong_use("goes-with-name", option=f"--{min(chosen)}")
        if as_json:
            print_rows(("question",), ((each,) for each in query_names()))
        else:
            click.echo("\n".join(query_names()))
        return
    if out_dir is None:
        raise wrong_use("which-shards")
    if "player" in chosen:
        chosen["player"] = number_of(str(chosen["player"]))
    chosen = with_days(chosen)
    asked = question(name, chosen, limit)
    covered = coverage_question(name, chosen) if name in QUESTIONS and form == "table" and not as_json else None
    conn = open_shards(out_dir, asked.sql, *((covered.sql,) if covered else ()))
    try:
        columns, rows = answer(conn, asked)
        notes = coverage_notes(coverage_of(name, answer(conn, covered)[1][0])) if covered else ()
    finally:
        conn.close()
    if as_json:
        print_rows(columns, rows)
        return
    click.echo(format_rows(name if name in QUESTIONS else None, columns, rows, form, language, notes))


# --- slice ------------------------------------------------------------------------------------------------------------


@scale.command("slice")
@click.argument("out_dir", type=OUT_DIR)
@click.argument("where", required=False)
@click.option("--event", type=EVENT, help="Sessions of this event.")
@click.option("--since", metavar="DAY", help="Sessions from this day, month or year on.")
@click.option("--until", metavar="DAY", help="Sessions up to this day, month or year.")
@click.option("--player", type=PLAYER, help="Sessions in which this player sat.")
@click.option("--source", metavar="SHARD", help="Sessions of this shard.")
@click.option("--verdict", type=click.Choice(("agrees", "differs", "undecidable", "unplayable")),
              help="Sessions with a deal of this verdict.")  # fmt: skip
@click.option("--db", required=True, type=click.Path(dir_okay=False), help="The archive; made where there is none.")
@LANG
def slice_(out_dir: Path, where: str | None, db: str, language: str, **given: str | None) -> None:
    """Make an archive of a part of the shards in OUT_DIR, for the viewer and Datasette.

    WHERE is a condition in SQL over deals d and sessions s, such as "d.contract = 'solo' AND s.place = 'Landau'". Of
    several conditions all have to fit one deal; its whole session is taken, and judged again.
    """
    chosen = {key: str(day) for key, day in with_days({k: v for k, v in given.items() if v is not None}).items()}
    if not chosen and not where:
        raise wrong_use("which-part")
    book = book_of(out_dir)
    conn, folder = open_shards(out_dir, *OF_SLICES, where or ""), (Path(book.input) if book else out_dir)
    verdicts: Counter[str] = Counter()
    sessions = added = 0
    try:
        every = parts_of(conn, out_dir, chosen, where)
        first = next(every)  # so that nothing is made if nothing fits
        archive = open_archive(db)
        with several_transactions(archive.conn):
            for part in chain((first,), every):
                saved, judged = import_part(archive, part, folder)
                verdicts.update(each.verdict for each in judged)
                sessions, added = sessions + part.sessions, added + saved.added
    finally:
        conn.close()
    click.echo(cli_text("slice-added", language, db=db, sessions=sessions, n=added), err=True)
    click.echo(summary(verdicts, language), err=True)
