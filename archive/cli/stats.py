"""`schafkopf stats`: standard questions to an archive, answered in the terminal."""

from collections.abc import Callable, Mapping, Sequence
from textwrap import fill
from typing import Any

import click

from archive.cli.archive_file import DB, spoken_errors
from archive.cli.language import LANG


def standings(db: str, event: str | None) -> str:
    """Who stands where over all tables and lists of an event."""
    from itertools import groupby

    from tabulate import tabulate

    from archive.audit.standings import Row
    from archive.audit.standings import standings as rank
    from archive.store import event_deals, known_as, open_read

    def told(row: Row) -> tuple[Any, ...]:
        place = f"{row.rank}=" if row.shared else str(row.rank)
        return (place, row.player, row.total, row.deals, row.wins, row.solos, row.touts, row.best, row.undecided)

    conn = open_read(db)
    rows = rank(event_deals(conn, event), known_as(conn))
    if not rows:
        raise click.UsageError("no deals" if event is None else f"no deals of the event {event!r}")
    parts = []
    for unit, each in groupby(rows, lambda row: row.unit):
        head = (
            "rank",
            "player",
            f"total in {unit}" if unit else "total",
            "deals",
            "won",
            "alone",
            "touts",
            "best",
            "?",
        )
        parts.append(tabulate([told(row) for row in each], head, disable_numparse=[0, 1]))
    if any(row.undecided for row in rows):
        parts.append("? counts deals of which nobody knows what they paid; they are in no total.")
    return "\n\n".join(parts)


def sources(db: str, event: str | None) -> str:
    """Which files there are, with their deals, and under which terms they may be used."""
    from tabulate import tabulate

    from archive.store import open_read, source_rows

    head = ("source", "file", "deals", "licence", "origin", "time zone", "")
    rows = [(*row[:6], "taken back" if row[6] else "") for row in source_rows(open_read(db), event)]
    if not rows:
        raise click.UsageError("no files" if event is None else f"no files with deals of the event {event!r}")
    return tabulate(rows, head, disable_numparse=[1, 3, 4, 5], missingval="not said")


def fairness(db: str, event: str | None) -> str:
    """Whether the cards lie as chance deals them, by place, dealer and recorder."""
    from tabulate import tabulate

    from archive.audit.dealing import LEAST, tried
    from archive.store import open_read
    from archive.store.dealing import groups, names, sources
    from archive.text.fairness import CANNOT, PEOPLE, Names, fairness_page
    from archive.text.texts import EN

    if event is not None:
        raise click.UsageError("fairness is told of files and players, not of an event")
    conn = open_read(db)
    found = tried(groups(conn).tested)
    if not found.trials:
        return str(EN["fn_none"].format(least=LEAST))
    people = {each.group.key for each in found.trials if each.group.kind in PEOPLE}
    told = fairness_page(found, Names(sources(conn), names(conn, people)), EN)
    parts = ["\n".join((EN["fn_fair"] if told.fair else EN["fn_out"], *(f"* {each}" for each in told.said)))]
    if told.rest:
        parts.append(EN["fn_rest"].format(count=told.rest))
    if not told.fair:
        parts.append(EN["fn_first"])
    parts.append(told.summary)
    for table in told.tables:
        head = ("", EN["fn_hands"], *(cell.head for cell in table.rows[0].cells))
        rows = [
            (", ".join(filter(None, (row.label, row.place))), row.hands,
             *(f"{cell.observed} ({cell.score})" for cell in row.cells))
            for row in (*table.rows, *table.folded)
        ]  # fmt: skip
        parts.append(f"{table.title}\n{tabulate(rows, head, disable_numparse=[0, *range(2, len(head))])}")
    parts += [EN["fn_cannot"], *(f"* {EN[key]}" for key in CANNOT)]
    return "\n\n".join(fill(part, 100) if "\n" not in part else part for part in parts)


def asked(db: str, name: str, parameters: Mapping[str, str | int | None], form: str, language: str) -> str:
    """The answer of an archive to a standard question."""
    from archive.store import open_read
    from archive.store.asking import ask

    answer = ask(open_read(db), name, parameters)
    return told(name, answer.columns, answer.rows, form, language)


def told(name: str | None, columns: Sequence[str], rows: Sequence[Sequence[object]], form: str, language: str) -> str:
    """Rows as a table or as a file that other programs read; `name` is the standard question that they answer."""
    import csv
    import io

    import msgspec
    from tabulate import tabulate

    from archive.store.questions.said import words

    if form == "json":
        return msgspec.json.encode([dict(zip(columns, row, strict=True)) for row in rows]).decode()
    if form == "csv":
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([columns, *rows])
        return text.getvalue().rstrip("\n")
    table = tabulate(rows, columns, tablefmt="simple") if rows else NOTHING[language]
    if name is None:
        return table
    said = words().questions[name]
    return f"{said.title.of(language)}\n\n{table}\n\n{fill(said.read.of(language), 100)}"


def listed(language: str) -> str:
    """Every question by subject."""
    from archive.store.questions import QUESTIONS
    from archive.store.questions.said import words

    lines = [f"{name}: {each.__doc__}" for name, each in LISTS.items()]
    for subject, title in words().subjects.items():
        lines += ["", title.of(language)]
        lines += [
            f"  {name}: {words().questions[name].title.of(language)}"
            for name, question in QUESTIONS.items()
            if question.subject == subject
        ]
    return "\n".join(lines)


def player_number(db: str, name: str) -> int:
    """The number of the player of that name; raises UsageError where there is none."""
    from archive.store import open_read

    sql = "SELECT coalesce(alias_of, id) FROM players WHERE name = ?"
    found = open_read(db).execute(sql, (name,)).fetchone()
    if found is None:
        raise click.UsageError(f"no player {name!r} in {db}; `schafkopf players` lists them")
    return int(found[0])


def count_again(db: str) -> str:
    """Counts all facts anew."""
    from archive.store import open_archive
    from archive.store.bulk.loading import count_anew
    from archive.store.questions import FACTS

    count_anew(open_archive(db).conn)
    return f"{db}: {len(FACTS)} tables of facts counted anew, and the notes"


LISTS: dict[str, Callable[[str, str | None], str]] = {
    "standings": standings,
    "sources": sources,
    "fairness": fairness,
}
NOTHING = {"en": "No deal fits.", "de": "Kein Spiel passt dazu."}


@click.command()
@click.argument("name", required=False)
@click.option("--event", help="Only sessions of this event.")
@click.option("--player", help="Only deals of this player.")
@click.option("--session", type=int, help="Only deals of this session, by its number in the archive.")
@click.option("--rules", help="Only deals by this ruleset.")
@click.option("--contract", help="Only this contract, such as solo.")
@click.option("--form", type=click.Choice(("table", "json", "csv")), default="table", show_default=True)
@click.option("--rebuild", is_flag=True, help="Count the facts anew that the questions are answered from.")
@DB
@LANG
@spoken_errors
def stats(name: str | None, event: str | None, player: str | None, session: int | None, rules: str | None,
          contract: str | None, form: str, rebuild: bool, db: str, language: str) -> None:  # fmt: skip
    """Answer a standard question.

    Without NAME, list them.
    """
    if rebuild:
        click.echo(count_again(db))
    elif name is None:
        click.echo(listed(language))
    elif name in LISTS:
        click.echo(LISTS[name](db, event))
    else:
        number = None if player is None else player_number(db, player)
        parameters = {"event": event, "player": number, "session": session, "rules": rules, "contract": contract}
        click.echo(asked(db, name, parameters, form, language))
