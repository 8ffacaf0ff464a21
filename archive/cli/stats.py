"""`schafkopf stats`: standard questions to an archive, answered in the terminal."""

import csv
import io
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import groupby
from typing import Any, TypeVar, get_args

import click
import msgspec

from archive import store
from archive.cli.archive_file import DB, check_session, find_player
from archive.cli.known_names import CONTRACT, EVENT, PLAYER, QUESTION, RULESET, SESSION
from archive.cli.language import (
    LANG,
    asked_for,
    cli_text,
    heads,
    reader_language,
    reader_text,
    say_to_reader,
    wrong_use,
)
from archive.cli.options import JSON, in_utf8, old_name, print_object, print_rows, refuse_beside_json
from archive.cli.terminal import fill_prose, with_pager
from archive.judge.types import Basis
from archive.play.types import NOT_PLAYED
from archive.rules import installed_rulesets, vocabulary
from archive.say import Message, did_you_mean, message, say
from archive.stats import FACTS, QUESTIONS
from archive.stats.catalogue import refuse_uncounted
from archive.stats.coverage import ask_coverage, coverage_notes
from archive.stats.event_standings import Row, rank_rows
from archive.stats.fact_tables import DAYS
from archive.stats.fairness import LEAST, run_trials
from archive.stats.fairness_counts import files_with_hands as source_names
from archive.stats.fairness_counts import load_groups, player_names
from archive.stats.query import answer_question, unknown_question, with_days
from archive.stats.texts import all_texts
from archive.store import open_archive, open_read
from archive.store.connection import connect_read
from archive.store.left_out import unread_rows
from archive.text.fairness import CANNOT, PEOPLE, Names, fairness_page
from archive.text.left_out import rows_text
from archive.text.tables import tabulate
from archive.text.texts import TEXTS

C = TypeVar("C", bound=Callable[..., Any])
SOURCE_KEYS = ("source", "file", "deals", "licence", "origin", "time_zone", "withdrawn")
TRIAL_KEYS = ("of", "card", "observed", "expected", "score", "alone", "corrected")
FORM = click.Choice(("table", "json", "csv"))
OF_RULES = {"rules": "name FROM rulesets", "contract": "contract FROM contracts"}
EVENTS = "event FROM sessions WHERE event IS NOT NULL"
NAMED = (*OF_RULES, "player")  # what a question is narrowed to by a name
LISTS: dict[str, set[str]] = {  # answers that are no standard question, with their options
    "standings": {"event", "basis", "since", "until", "to"},
    "sources": {"event", "to"},
    "fairness": {"to"},
}
STANDINGS = ("rank", "player", "total", "deals", "won", "alone", "touts", "best", "unknown")  # columns


def ranked_rows(conn: sqlite3.Connection, event: str | None, basis: str | None, days: Mapping[str, str]) -> list[Row]:
    """Return the standings of an event, perhaps only of deals whose amounts rest on `basis`, or of some days. Raises
    UsageError if it has no deals, ArchiveError for a text that is no day."""
    spans = {key: str(value) for key, value in with_days(days).items()}
    rows = rank_rows(*store.event_standing_rows(conn, event, basis, spans))
    if not rows:
        raise no_results(conn, event, basis)
    return rows


def no_results(conn: sqlite3.Connection, event: str | None, basis: str | None = None) -> click.UsageError:
    """Return the error that no deal is of an event, or rests on `basis`, with the event that is probably meant."""
    events = [row[0] for row in conn.execute("SELECT DISTINCT event FROM sessions WHERE event IS NOT NULL")]
    return wrong_use(
        "no-results",
        event=message("use.of-event", event=event) if event else "",
        basis=message("use.of-basis", basis=basis) if basis else "",
        near="" if event is None or event in events else did_you_mean(event, events),
        unread=unread_text(conn, event),
    )


def check_event(conn: sqlite3.Connection, event: str | None) -> None:
    """Raise UsageError for an event that no session of an archive has; none, or an empty one, is any."""
    if event and not conn.execute("SELECT 1 FROM sessions WHERE event = ?", (event,)).fetchone():
        raise no_results(conn, event)


def unread_text(conn: sqlite3.Connection, event: str | None) -> str:
    """Return which rows of files are in no sum, and which command says why, in the reader's language; "" if none is."""
    language = reader_language()
    texts = [fill_prose(f"{each}.") for each in rows_text("unread", unread_rows(conn, event), language)]
    return "".join(f"\n{each}" for each in texts) + (f"\n{cli_text('unread-why', language)}" if texts else "")


def report_unread(db: str, event: str | None) -> None:
    """Say on standard error which rows are in no sum, beside standings that another program reads."""
    if text := unread_text(open_counted(db), event):
        click.echo(text.strip(), err=True)


def standings(db: str, event: str | None, basis: str | None, language: str, days: Mapping[str, str]) -> str:
    """Return who stands where over all tables and lists of an event."""
    conn = open_counted(db)
    rows = ranked_rows(conn, event, basis, days)
    has_lists = any(row.lists for row in rows)
    parts = []
    for unit, of_unit in groupby(rows, lambda row: row.unit):
        head = [*heads(*STANDINGS)]
        if unit:
            head[STANDINGS.index("total")] = cli_text("head-total-in", language, unit=unit)
        cells = [
            (f"{row.rank}=" if row.shared else str(row.rank), row.player, row.total, row.deals, row.wins, row.solos,
             row.touts, row.best, row.undecided, *([row.lists] if has_lists else ()))
            for row in of_unit
        ]  # fmt: skip
        parts.append(tabulate(cells, [*head, *(heads("lists") if has_lists else ())], disable_numparse=[0, 1]))
    if any(row.undecided for row in rows):
        parts.append(cli_text("standings-unknown", language))
    if any(row.shared for row in rows):
        parts.append(cli_text("standings-shared", language))
    substitutes = store.event_substitutes(conn, event)
    parts += (
        ["\n".join(TEXTS[language]["substitute_from"].format(**each) for each in substitutes)] if substitutes else []
    )
    names = {"cards": "on_cards", "facts": "on_facts", "amounts": "on_amounts"}
    counts = {name: sum(getattr(row, column) for row in rows) for name, column in names.items()}
    texts = [f"{cli_text(f'on-{name}', language)} {count}" for name, count in counts.items() if count]
    parts += [f"{each}." for each in rows_text("unread", unread_rows(conn, event), language)]
    parts += [cli_text("standings-rest", language, bases=", ".join(texts))] if texts else []
    return "\n\n".join(map(fill_prose, parts))


def sources(db: str, event: str | None) -> str:
    """Return which files there are, with their deals, and under which terms they may be used."""
    head = heads("source-number", "file", "deals", "licence", "origin", "time-zone", "")
    taken_back = reader_text("taken-back")
    rows = [(*row[:6], taken_back if row[6] else "") for row in rows_of_sources(db, event)]
    return tabulate(rows, head, disable_numparse=[1, 3, 4, 5], missingval=reader_text("not-said"))


def rows_of_sources(db: str, event: str | None) -> list[tuple[Any, ...]]:
    """Return the files of an archive, perhaps of one event. Raises UsageError if there are none."""
    rows = store.source_rows(open_read(db), event)
    if not rows:
        raise wrong_use("no-files") if event is None else wrong_use("no-files-of", event=event)
    return rows


def open_counted(path: str) -> sqlite3.Connection:
    """Return an archive whose facts are counted, for reading. Raises ArchiveError if they are not yet."""
    conn = open_read(path)
    refuse_uncounted(conn)
    return conn


def fairness(db: str, language: str) -> str:
    """Return whether the cards lie as chance deals them, by place, dealer and recorder."""
    conn, t = open_read(db), TEXTS[language]
    tests = run_trials(load_groups(conn).tested)
    if not tests.trials:
        return str(t["fn_none"].format(least=LEAST))
    people = {trial.group.key for trial in tests.trials if trial.group.kind in PEOPLE}
    texts = fairness_page(tests, Names(source_names(conn), player_names(conn, people)), t)
    parts = [
        "\n".join((t["fn_fair"] if texts.fair else t["fn_out"], *(f"* {sentence}" for sentence in texts.sentences)))
    ]
    parts += [t["fn_rest"].format(count=texts.rest)] if texts.rest else []
    parts += [] if texts.fair else [t["fn_first"]]
    parts.append(texts.summary)
    for table in texts.tables:
        head = ("", t["fn_hands"], *(cell.head for cell in table.rows[0].cells))
        rows = [
            (", ".join(filter(None, (row.label, row.place))), row.group.hands,
             *(f"{cell.observed} ({cell.score})" for cell in row.cells))
            for row in (*table.rows, *table.folded)
        ]  # fmt: skip
        parts.append(f"{table.title}\n{tabulate(rows, head, disable_numparse=[0, *range(2, len(head))])}")
    parts += [t["fn_cannot"], *(f"* {t[key]}" for key in CANNOT)]
    return "\n\n".join(map(fill_prose, parts))


def list_objects(
    name: str, db: str, event: str | None, basis: str | None, days: Mapping[str, str]
) -> Iterator[dict[str, object]]:
    """Yield the rows of one of LISTS as objects."""
    if name == standings.__name__:
        yield from map(msgspec.structs.asdict, ranked_rows(open_counted(db), event, basis, days))
    elif name == sources.__name__:
        for row in rows_of_sources(db, event):
            yield dict(zip(SOURCE_KEYS, (*row[:6], bool(row[6])), strict=True))
    else:
        for trial in run_trials(load_groups(open_read(db)).tested).trials:
            group = {key: getattr(trial.group, key) for key in ("kind", "key", "place", "hands")}
            yield group | {key: getattr(trial, key) for key in TRIAL_KEYS} | {"stands_out": trial.stands_out}


def question_objects(language: str) -> Iterator[dict[str, object]]:
    """Yield every question with its subject and title; those of LISTS have no subject."""
    for name in LISTS:
        yield {"question": name, "subject": None, "title": cli_text(f"list-{name}", language)}
    for name, question in QUESTIONS.items():
        yield {"question": name, "subject": question.subject, "title": all_texts().questions[name].title.of(language)}


def format_rows(
    name: str | None, columns: Sequence[str], rows: Sequence[Sequence[object]], form: str, language: str,
    notes: Sequence[Message] = ()
) -> str | bytes:  # fmt: skip
    """Return rows as a table or as a file that other programs read; `name` is the standard question that they answer,
    `notes` stand under the table."""
    if form == "json":
        return in_utf8(msgspec.json.encode([dict(zip(columns, row, strict=True)) for row in rows]))
    if form == "csv":
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([columns, *rows])
        return text.getvalue().rstrip("\n")
    table = tabulate(rows, columns, tablefmt="simple") if rows else cli_text("no-deal-fits", language)
    if name is None:
        return table
    texts = all_texts().questions[name]
    below = [fill_prose(text) for text in (texts.read.of(language), *(say(note, language) for note in notes))]
    return "\n\n".join((fill_prose(texts.title.of(language)), table, "\n".join(below)))


def question_list(language: str) -> str:
    """Return every question by subject."""
    lines = [f"{name}: {cli_text(f'list-{name}', language)}" for name in LISTS]
    for subject, title in all_texts().subjects.items():
        lines += ["", title.of(language)]
        lines += [
            f"  {name}: {all_texts().questions[name].title.of(language)}"
            for name, question in QUESTIONS.items()
            if question.subject == subject
        ]
    return "\n".join(lines)


def known_part(conn: sqlite3.Connection, db: str, key: str, word: str) -> str | int | Message:
    """Return a ruleset, an event, a basis, the id of a contract by any of its names, or the number of a player; or what
    to say of a word that neither the archive nor an installed ruleset has."""
    if key == "session":
        return message("use.no-session", session=word, path=db)
    if key == "basis":
        return word if word in get_args(Basis) else message("use.no-basis", word=word, names=get_args(Basis))
    if key == "player":
        name = find_player(conn, db, word)
        sql = "SELECT coalesce(alias_of, id) FROM players WHERE name = ?"
        return name if isinstance(name, Message) else int(conn.execute(sql, (name,)).fetchone()[0])
    there = {str(row[0]) for row in conn.execute(f"SELECT DISTINCT {OF_RULES.get(key, EVENTS)}")}
    if key == "event":
        names = {name: name for name in there}
    elif key == "rules":
        names = {name: name for name in (*installed_rulesets(), *there)}
    else:
        names = vocabulary().names | {name: name for name in (*vocabulary().takes, *NOT_PLAYED, *there)}
    known = names.get(word) or names.get(word.casefold())
    return known or message(f"use.unknown-{key}", word=word, near=did_you_mean(word, [*names]))


def count_again(db: str) -> str:
    """Count all facts anew."""
    connect_read(db).close()  # none is made; one of an older version is brought up to date
    store.recount_archive(open_archive(db).conn)
    return reader_text("facts-counted", db=db, n=len(FACTS))


def question_options(session: click.ParamType[Any]) -> Callable[[C], C]:
    """Return the options that narrow a standard question, and how it is answered; `session` is the type of a session's
    number."""
    options = (
        click.option("--event", type=EVENT, help="Only sessions of this event."),
        click.option("--player", type=PLAYER, help="Only deals with this player at the table, who may sit out."),
        click.option("--session", type=session, help="Only deals of this session, by its number in the archive."),
        click.option("--rules", type=RULESET, help="Only deals by this ruleset."),
        click.option("--contract", type=CONTRACT, help="Only this contract, such as solo."),
        click.option("--basis", type=click.Choice(get_args(Basis)), help="Only deals whose amounts rest on this."),
        click.option("--since", metavar="DAY", help="Only deals from this day, month or year on, such as 2026-03."),
        click.option("--until", metavar="DAY", help="Only deals up to this day, month or year."),
        click.option("--to", "form", type=FORM, default="table", show_default=True, help="As a table, JSON, or CSV."),
        old_name("--form", "form", type=FORM),
        JSON,
    )
    return lambda command: reduce(lambda made, option: option(made), reversed(options), command)


def check_options(name: str | None, given: set[str]) -> None:
    """Raise UsageError for an option that a list, or the list of questions, has not."""
    if name == fairness.__name__ and "event" in given:
        raise wrong_use("fairness-no-event")
    if name is None or name in LISTS:
        for option in sorted(given - (LISTS[name] if name else set())):
            raise wrong_use("no-such-part" if name else "goes-with-name", name=name or "", option=f"--{option}")


@click.command()
@click.argument("name", required=False, type=QUESTION)
@question_options(session=SESSION)
@click.option("--rebuild", is_flag=True, help="Count the facts anew that the questions are answered from.")
@DB
@LANG
@click.pass_context
@with_pager
def stats(context: click.Context, /, name: str | None, event: str | None, basis: str | None, form: str,
          as_json: bool, rebuild: bool, db: str, language: str, **narrowed: str | int | None) -> None:  # fmt: skip
    """Answer a standard question.

    Without NAME, list them.
    """
    refuse_beside_json(as_json, form != "table" and f"--to {form}")
    asked = {**narrowed, "event": event, "basis": basis, "to": None if form == "table" else form}
    check_options(name, {key for key, value in asked.items() if value is not None})
    days = {key: str(narrowed[key]) for key in DAYS if narrowed[key] is not None}
    if rebuild:
        click.echo(count_again(db), err=as_json or name is not None)
        if name is None:
            return
    if as_json and (name is None or name in LISTS):
        spoken = asked_for(context)
        for each in question_objects(spoken) if name is None else list_objects(name, db, event, basis, days):
            print_object(each)
        if name == standings.__name__:
            report_unread(db, event)
    elif name is None:
        click.echo(question_list(language))
    elif name in LISTS and form != "table":
        objects = list(list_objects(name, db, event, basis, days))
        of_none = Row.__struct_fields__ if name == standings.__name__ else ()
        columns = tuple(objects[0]) if objects else of_none
        click.echo(format_rows(None, columns, [(*row.values(),) for row in objects], form, language))
        if name == standings.__name__:
            report_unread(db, event)
    elif name == standings.__name__:
        click.echo(standings(db, event, basis, language, days))
    elif name in LISTS:
        click.echo(sources(db, event) if name == sources.__name__ else fairness(db, language))
    else:
        if name not in QUESTIONS:
            raise unknown_question(name, LISTS)
        conn = open_counted(db)
        check_session(conn, db, narrowed["session"])  # type: ignore[arg-type]
        check_event(conn, event)
        for key in NAMED:
            found = None if narrowed[key] is None else known_part(conn, db, key, str(narrowed[key]))
            if isinstance(found, Message):
                raise click.UsageError(say_to_reader(found))
            narrowed[key] = found
        answer = answer_question(conn, name, {"event": event, "basis": basis, **narrowed})
        if as_json:
            print_rows(answer.columns, answer.rows)
            return
        notes = coverage_notes(ask_coverage(conn, name, answer.parameters)) if form == "table" else ()
        click.echo(format_rows(name, answer.columns, answer.rows, form, language, notes))
