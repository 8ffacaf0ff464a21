"""`schafkopf add`: tonight's deals, a line of words each, appended to a session file."""

import hashlib
import sys
from collections.abc import Callable, Iterable
from datetime import date
from importlib import import_module
from pathlib import Path
from types import ModuleType

import click
from msgspec import Struct
from msgspec.structs import replace

from archive.cards import ALPHABETS
from archive.cli.configuration import usual_rules
from archive.cli.known_names import RULESET
from archive.cli.language import LANG, cli_text, wrong_use
from archive.cli.new import (
    CARDS,
    SessionStatus,
    check_head,
    first_evening,
    is_bare,
    ruleset_of,
    status_of_items,
    write_text,
)
from archive.cli.options import JSON, print_object
from archive.cli.price import print_findings, print_price
from archive.judge import Judgement
from archive.judge.judge_deal import judge
from archive.judge.next_deal import contradictions, with_sitters
from archive.judge.report import report
from archive.notation import read_toml, write_toml
from archive.notation.game_words import words_of_rules
from archive.notation.seated_deal import seated_deal
from archive.notation.spoken_deal import read_spoken_deal
from archive.notation.spoken_line import known_words
from archive.notation.tariff import usual_tariff
from archive.notation.toml_blocks import split_blocks
from archive.record import Deal, Finding, Session, Source
from archive.record.days import tonight
from archive.say import say
from archive.text.deal import amounts_text

ASKED: dict[str, Callable[[str, str], str]] = {  # facts that decide a price, and the line with the answer in it
    "missing.declarer": lambda text, answer: f"{answer} {text}",
    "missing.partner": lambda text, answer: f"{text}, mit {answer}",
    "missing.won": lambda text, answer: f"{text}, {answer}",
    "missing.trump-suit": lambda text, answer: f"{text}, {answer}",
}
UNDO = "undo"


class EveningFile(Struct, frozen=True):
    """A session file up to its last deal: its bytes without a deal that waits to be filled in, and that deal."""

    path: Path
    data: bytes
    status: SessionStatus
    waiting: Deal | None = None


class NotAppended(Exception):  # noqa: N818  # no error of the program: what was typed waits to be typed otherwise
    """Raised for a line that gives no deal to append, with its exit status; the reason has been printed already."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


@click.command()
@click.argument("words", nargs=-1)
@click.option(
    "--evening", "path", default="evening.toml", show_default=True, type=click.Path(dir_okay=False, path_type=Path),
    help="The session file that the deal goes into.",
)  # fmt: skip
@click.option("--players", help='Of a new evening, who plays, in the direction of play: "Anna, Ben, Cem, Dora".')
@click.option(
    "--rules", type=RULESET, help="Of a new evening, the ruleset, see `schafkopf rules`; pub, where nobody says."
)
@click.option("--tariff", help="Of a new evening, what games cost, as 10/20/50 or 10/50.")
@click.option("--db", type=click.Path(dir_okay=False), help="Import the evening into this archive, too.")
@click.option("--undo", is_flag=True, help="Take the last deal back.")
@click.option("--go-on", is_flag=True, help="Append to the evening of another day, instead of beginning tonight's.")
@click.option("--anyway", is_flag=True, help="Append it although something is missing, or contradicts it.")
@JSON
@LANG
@click.pass_context
def add(
    context: click.Context,
    words: tuple[str, ...],
    path: Path,
    players: str | None,
    rules: str | None,
    tariff: str | None,
    db: str | None,
    undo: bool,
    go_on: bool,
    anyway: bool,
    as_json: bool,
    language: str,
) -> None:
    """Append a deal told in WORDS to the evening, with its price and the totals.

    An evening of an earlier day is left as it is: a new one begins beside it, with its date in the name, and is said.
    Without WORDS each line that is typed is a deal, until an empty one; TAB completes names and words. What the price
    needs and nobody says is asked for, where there is a terminal. Exit status: 0 appended, 1 something contradicts the
    deal, 2 not understood, or too little told; then nothing is appended.
    """
    if undo:
        if words or players or rules or tariff:
            raise wrong_use("undo-alone")
        of_tonight = path_of_day(path, tonight())
        take_back(of_tonight if of_tonight.is_file() else path, db, as_json, language)
        return
    last, path = path, path if go_on else evening_of_tonight(path)
    if not path.exists() and path != last:
        before = evening_file(last, language).status.session
        of = rules or before.rules
        house = (before.house or {}) | ({"tariff": usual_tariff(tariff)} if tariff else {})
        names = first_evening(of, players, str(path)).session.players if players else before.players
        write_head(path, Session(players=names, rules=of, house=house or None, unit=before.unit, place=before.place))
        click.echo(cli_text("add-new-evening", language, last=str(last), file=str(path)), err=True)
    elif not path.exists():
        begin_evening(path, players or asked_players(path, language), rules or usual_rules() or "pub", tariff)
    elif players or rules or tariff:
        raise wrong_use("evening-there", path=path)
    try:
        if words:
            append(path, " ".join(words), db, anyway, as_json, language)
        else:
            read_lines(path, db, as_json, language)
    except NotAppended as stop:
        context.exit(stop.status)


def read_lines(path: Path, db: str | None, as_json: bool, language: str) -> None:
    """Append a deal from each line that is typed, until an empty one or the end of the input. Raises NotAppended at the
    end if a line of a pipe was not appended."""
    status = 0
    complete_words(evening_file(path, language))
    while line := prompt(">", " ") if is_terminal() else sys.stdin.readline().strip():
        try:
            if line.casefold() == UNDO:
                take_back(path, db, as_json, language)
            else:
                append(path, line, db, False, as_json, language)
        except NotAppended as stop:
            status = max(status, stop.status)
        except click.UsageError as error:
            click.echo(error.message, err=True)
            status = 2
    if status and not is_terminal():
        raise NotAppended(status)


def is_terminal() -> bool:
    """Return whether somebody is at the terminal who can be asked."""
    return sys.stdin.isatty()


def line_editor() -> ModuleType | None:
    """Return `readline`, with which typed lines are edited; None on Windows."""
    try:
        return import_module("readline")
    except ImportError:
        return None


def prompt(text: str, suffix: str = ": ") -> str:
    """Return the answer that is typed behind a text; empty at the end of the input."""
    line_editor()
    try:
        return str(click.prompt(text, default="", show_default=False, prompt_suffix=suffix)).strip()
    except click.Abort:
        click.echo()
        return ""


def complete_words(evening: EveningFile) -> None:
    """Make TAB complete names of players, games and the words of results, if the system has readline."""
    readline = line_editor()
    if readline is None:
        return
    of = words_of_rules(evening.status.session.rules, evening.path.parent)
    known = sorted({*evening.status.session.players, *known_words(of), UNDO})

    def nth_completion(begun: str, n: int) -> str | None:
        return next((word for at, word in enumerate(completions(begun, known)) if at == n), None)

    readline.set_completer(nth_completion)
    readline.set_completer_delims(" ,")
    readline.parse_and_bind("tab: complete")


def completions(begun: str, known: Iterable[str]) -> list[str]:
    """Return the known words that begin so, in upper or lower case."""
    return [word for word in known if word.casefold().startswith(begun.casefold())]


# --- the evening ------------------------------------------------------------------------------------------------------


def asked_players(path: Path, language: str) -> str:
    """Return the players of a new evening, from the terminal. Raises UsageError if there is none."""
    if names := is_terminal() and prompt(cli_text("add-players", language)):
        return names
    raise click.UsageError(cli_text("add-no-evening", language, file=str(path)))


def path_of_day(path: Path, day: date) -> Path:
    """Return the path of the evening of a day beside the first: `evening-2026-11-27.toml`."""
    return path.with_name(f"{path.stem}-{day.isoformat()}{path.suffix}")


def evening_of_tonight(path: Path) -> Path:
    """Return the file for tonight's deals: the one at the path or, if that is of an earlier day, one beside it with the
    date in its name, which may have to be begun."""
    if not path.is_file():
        return path
    heads = (item for item in read_toml(path.read_bytes(), Source(str(path))) if isinstance(item, Session))
    day = next((head.date for head in heads), None)
    return path if day is None or day >= tonight().isoformat() else path_of_day(path, tonight())


def begin_evening(path: Path, players: str, rules: str, tariff: str | None) -> None:
    """Write the head of a new evening. Raises UsageError if it cannot be one."""
    session = first_evening(rules, players, str(path)).session
    write_head(path, replace(session, house={"tariff": usual_tariff(tariff)} if tariff else None))


def write_head(path: Path, session: Session) -> None:
    """Write the head of tonight's evening. Raises UsageError if it cannot be one."""
    session = replace(session, date=tonight().isoformat())
    ruleset_of(session)
    check_head(session, str(path))
    write_text(path, "xb", write_toml(session, ()))


def evening_file(path: Path, language: str) -> EveningFile:
    """Return the session file at a path. Raises UsageError if it is none that can be continued."""
    if not path.is_file():
        raise wrong_use("no-file", path=path)
    data = path.read_bytes()
    items = list(read_toml(data, Source(str(path))))
    waiting = items[-1] if items and isinstance(items[-1], Deal) and is_bare(items[-1]) else None
    if waiting:
        *_, last = split_blocks(data)
        data, items = data[: last.byte], items[:-1]
    return EveningFile(path, data, status_of_items(str(path), items, True, language), waiting)


# --- a deal -----------------------------------------------------------------------------------------------------------


def append(path: Path, text: str, db: str | None, anyway: bool, as_json: bool, language: str) -> None:
    """Append the deal in a line, and print its price and the totals. Raises NotAppended."""
    evening = evening_file(path, language)
    judged, text = judge_line(evening, text, language)
    while (fact := next((each.id for each in judged.missing if each.id in ASKED), None)) and is_terminal():
        if not (answer := prompt(cli_text(f"add-{fact.partition('.')[2]}", language))):
            break
        judged, text = judge_line(evening, ASKED[fact](text, answer), language)
    if not as_json:
        print_price(judged, language)
    wrong = contradictions(judged)
    refused = (wrong or fact) and not (anyway or (is_terminal() and click.confirm(cli_text("add-anyway", language))))
    if as_json:
        print_object(report(judged) | {"evening": str(path), "appended": not refused})
    if refused:
        click.echo(cli_text("add-nothing", language), err=True)
        raise NotAppended(1 if wrong else 2)
    there = evening.data.decode("utf-8", "replace").rstrip("\n")
    block = deal_block(evening, judged.recorded, text)
    write_text(path, "wb", f"{there}\n{block.replace(chr(10), chr(13) + chr(10)) if chr(13) in there else block}")
    totals = judged.after.marks if judged.after.marks and any(judged.after.marks) else judged.after.totals
    if totals is not None and not as_json:
        print_totals(evening.status.deals + 1, judged.session.players, totals, language)
    if db:
        import_evening(path, db, language)


def judge_line(evening: EveningFile, text: str, language: str) -> tuple[Judgement, str]:
    """Return the deal of a line judged as the next of the evening, with the line. Raises NotAppended if it is not
    understood."""
    status = evening.status
    session, house = status.session, status.ruleset.house
    spoken = read_spoken_deal(text, words_of_rules(session.rules, evening.path.parent), session.players)
    if isinstance(spoken, Finding):
        print_findings((spoken,), language)
        raise NotAppended(2)
    deal = seated_deal(spoken, session.players, False, None)
    waiting = evening.waiting or Deal()
    deal = replace(
        deal,
        dealer=waiting.dealer if deal.dealer is None else deal.dealer,
        sits_out=waiting.sits_out if deal.sits_out is None else deal.sits_out,
    )
    deal = with_sitters(deal, len(session.players), house, status.table, status.deals)
    return judge(session, deal, status.deals + 1, status.table), text


def deal_block(evening: EveningFile, deal: Deal, text: str) -> str:
    """Return a deal as it stands in the file, in the letters of the file, below the words it was entered in."""
    head = CARDS.search(evening.data.decode("utf-8", "replace").partition("[[deal]]")[0])
    suits, ranks = ALPHABETS[head[1] if head else "german"][:2]
    letter = {code: sign for signs in (suits, ranks) for sign, code in signs.items() if sign.isalpha()}
    game = deal.game
    if game and game.suit and head:
        called = "".join(letter.get(sign, sign) for sign in game.called or "") or None
        game = replace(game, suit=letter.get(game.suit, game.suit), called=called)
    session = evening.status.session
    bare = Session(players=session.players, rules=session.rules)
    keys = write_toml(bare, [replace(deal, game=game)]).partition("[[deal]]\n")[2]
    return f"\n[[deal]]\n# {' '.join(text.split())}\n{keys}"


def print_totals(deals: int, players: tuple[str, ...], totals: tuple[int | None, ...], language: str) -> None:
    click.echo(f"{cli_text('add-totals', language, n=deals)}: {amounts_text(players, totals)}")


def import_evening(path: Path, db: str, language: str) -> None:
    """Import the evening as it is now into an archive."""
    from archive.cli.archive_file import archive_to_write  # here, as below, since most evenings are a file alone
    from archive.cli.import_each import import_each
    from archive.cli.inputs import files_with_progress

    with archive_to_write(db, False) as archive:
        for _, result in import_each(archive, files_with_progress((str(path),), None), None, {}, False):
            click.echo(f"{db}: {', '.join(say(part, language) for part in result.parts)}", err=True)


# --- taken back -------------------------------------------------------------------------------------------------------


def take_back(path: Path, db: str | None, as_json: bool, language: str) -> None:
    """Take the last deal out of the file, and print its words; in an archive the earlier state of the file is taken
    back. Raises UsageError if there is no deal."""
    evening = evening_file(path, language)
    *_, last = split_blocks(evening.data)
    if not evening.status.deals or not last.data.lstrip().startswith(b"[["):
        raise click.UsageError(cli_text("add-no-deal", language, file=str(path)))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    write_text(path, "wb", evening.data[: last.byte].decode("utf-8", "replace").rstrip() + "\n")
    lines = (line.strip(" #") for line in last.data.decode("utf-8", "replace").splitlines()[1:])
    words, after = next(filter(None, lines), ""), evening_file(path, language).status
    if as_json:
        print_object({"evening": str(path), "undone": words, "deals": after.deals})
    else:
        click.echo(cli_text("add-undone", language, words=words))
    if not as_json and after.deals and after.table.totals is not None:
        print_totals(after.deals, after.session.players, after.table.totals, language)
    if db:
        from archive.cli.archive_file import archive_to_write, the_one
        from archive.store import find_source, withdraw_source

        with archive_to_write(db, False) as archive:
            source = the_one(find_source(archive.conn, digest), cli_text("add-not-imported", language, db=db))
            withdraw_source(archive, source, "schafkopf add --undo", cli_text("add-taken-back", language))
