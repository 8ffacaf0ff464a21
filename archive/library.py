"""The Python interface: everything that `import archive` offers.

Records are read into heads of sessions, deals and findings; a deal is judged into a `Judgement`, with replay and
settlement; an archive is opened and queried. Values are immutable structs; a problem in a record is a `Finding` among
them, not an exception. Names that are not in `__all__` are private and may change.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from os import fspath
from pathlib import Path
from typing import Any, NamedTuple

import click

from archive.cli.import_ import archive_for
from archive.cli.import_each import import_each
from archive.cli.inputs import File, open_files, paths
from archive.cli.received import evenings_in
from archive.cli.stats import NAMED, known_part
from archive.cli.verdicts import findings_of
from archive.explain import Explained, explain, offer_of
from archive.explain.report import explained_report
from archive.judge import Judgement
from archive.judge.judge_stream import judge_stream
from archive.judge.price import price_of
from archive.judge.report import finding_report, report
from archive.notation import write_toml
from archive.notation.game_words import read_game as read_game_words
from archive.notation.game_words import words_of_rules
from archive.notation.plain_tables import read_deal_keys, read_session_keys
from archive.notation.problem import Problem
from archive.play.types import Step
from archive.record import Deal, Finding, Game, Session, Source, Stated, Trick, finding, say_finding
from archive.rules import Ruleset, installed_rulesets, load
from archive.say import Message, say
from archive.stats import QUESTIONS
from archive.stats.catalogue import refuse_uncounted
from archive.stats.database import file_of
from archive.stats.query import Answer, answer_question
from archive.store import ArchiveError, open_read, several_transactions
from archive.store.export import session_lines
from archive.store.row_values import row_number
from archive.text.deal import settlement_rows
from importers.score_sheet.repeated import KnownEvenings, Stored

__all__ = [
    "Answer", "ArchiveError", "Deal", "Explained", "Finding", "Game", "Imported", "Judgement", "Line", "Ruleset",
    "Session", "Source", "Stated", "Step", "Trick", "as_json", "ask", "explain_difference", "frame", "import_files",
    "judge_records", "load_ruleset", "new_finding", "open_archive", "price_deal", "questions", "read_deal", "read_game",
    "read_records", "read_session", "replay_steps", "rulesets", "say_explanations", "settlement_lines", "write_records",
]  # fmt: skip

Record = Session | Deal | Finding
FRAMES = ("pandas", "polars")
MOST_SEATS = 9  # at a table, with those who sit out


class Line(NamedTuple):
    """A line of a price: its words, its amount as written (`+10`, `×2`), the running sum in the unit of the record
    (None if there is none), and the source of the rule."""

    text: str
    amount: str
    running: int | None
    source: str


class Imported(NamedTuple):
    """The result of an import: its deals by verdict, and the findings of all files in order."""

    verdicts: Counter[str]
    findings: list[Finding]


# --- records ----------------------------------------------------------------------------------------------------------


def read_records(*given: str | Path) -> Iterator[Record]:
    """Read files, folders and archives (.zip, .gz) of any format that `schafkopf import` reads.

    Yield the head of each session, then its deals in order, with findings between them: on what cannot be read, on what
    was left out, and notes. Raise FileNotFoundError if a path does not exist; no content of a file raises.

    >>> records = list(read_records("sample_games/valid/knocks.toml"))
    >>> records[0].players
    ('Anni', 'Beppo', 'Centa', 'Dammerl')
    """
    for file in files_of(given):
        yield from file.items()


def files_of(given: tuple[str | Path, ...], stored: Stored | None = None) -> Iterator[File]:
    """Yield the given files, and those in given folders and archives. A score sheet does not yield evenings again that
    an archive, `stored`, has already. Raise FileNotFoundError."""
    evenings = KnownEvenings(stored)
    for path in check_paths(given):
        yield from open_files(path, None, in_parts=stored is not None, evenings=evenings)


def check_paths(given: tuple[str | Path, ...]) -> list[Path]:
    """Return the given files, and those in given folders. Raise FileNotFoundError."""
    try:
        return list(paths(tuple([fspath(each) for each in given])))
    except click.UsageError as error:
        raise FileNotFoundError(error.message) from None


def judge_records(records: Iterable[Record], rules: str | None = None) -> Iterator[Judgement | Finding]:
    """Judge deals, each after the earlier deals of its session, since pots, rounds and totals carry over.

    `rules` (the name or path of a ruleset) replaces what the records name. A judgement has `verdict` (agrees, differs,
    undecidable, unplayable), `findings`, `replay` and `settlement`; findings of reading come through in place. Raise
    ValueError for a deal before the head of its session, TypeError for anything that is no record.

    >>> judged = judge_records(read_records("sample_games/valid/knocks.toml"))
    >>> {each.verdict for each in judged if isinstance(each, Judgement)}
    {'agrees'}
    """
    return judge_stream(check_records(records), rules)


def check_records(records: Iterable[Record]) -> Iterator[Record]:
    """Yield records. Raise ValueError for a deal before the head of its session, TypeError for any other value."""
    has_head = False
    for record in records:
        if not isinstance(record, Session | Deal | Finding):
            raise TypeError(f"a {type(record).__name__} is no record: a Session, its Deals and Findings are")
        has_head |= isinstance(record, Session)
        if isinstance(record, Deal) and not has_head:
            raise ValueError("a deal stands before the head of its session")
        yield record


def read_session(keys: Mapping[str, Any], source: Source) -> Session | tuple[Finding, ...]:
    """Return the head of an evening from a table with the keys of docs/record-format.md, in which `format` is optional.
    `source` is its place in the file. Return the findings if a key cannot be read.

    >>> head = read_session({"rules": "pub", "players": ["Anna", "Ben", "Cem", "Dora"]}, Source("evening.txt", 1))
    >>> head.players
    ('Anna', 'Ben', 'Cem', 'Dora')
    """
    return read_session_keys(keys, source)


def read_deal(
    keys: Mapping[str, Any], session: Session, source: Source, cards: str = "german"
) -> Deal | tuple[Finding, ...]:
    """Return a deal of a session from a table with the keys and words of docs/record-format.md: names of players, cards
    as text in the letters `cards` (`german`, `french`, `english`). `source` is its place in the file. Return a finding
    for each key that cannot be read.

    >>> head = read_session({"rules": "pub", "players": ["Anna", "Ben", "Cem", "Dora"]}, Source("evening.txt", 1))
    >>> deal = read_deal({"game": "Ben Rufspiel Gras", "doubles": ["Anna kontra"]}, head, Source("evening.txt", 2))
    >>> deal.game.declarer, deal.game.called
    (1, 'GA')
    >>> [each.message for each in read_deal({"knocks": ["Emil"]}, head, Source("evening.txt", 3))]
    ["knocks: 'Emil' does not begin with the name of a player (Anna, Ben, Cem, Dora)"]
    """
    return read_deal_keys(keys, session, source, cards)


def read_game(words: str, declarer: int | None = None, rules: str = "pub") -> Game | None:
    """Return the game that words name, in English, in German, or as in a record. The words of all installed rulesets
    are known, and those of `rules` if it is a path. `declarer` is a seat from 0, None if nobody declares the game.
    Return None if the words name no game; raise TypeError for a declarer who is no seat.

    >>> read_game("Sauspiel auf die Alte", 2)
    Game(contract='rufspiel', declarer=2, suit='E', called='EA', words=(), bid=None)
    """
    if declarer is not None and declarer not in range(MOST_SEATS):
        raise TypeError(f"declarer: expected a seat from 0 to {MOST_SEATS - 1} or None, got {declarer!r}")
    try:
        return read_game_words("game", words, declarer, "german", words_of_rules(rules, None))
    except Problem:
        return None


def new_finding(rule: str, source: Source | None = None, **facts: Any) -> Finding:
    """Return a finding by its id (docs/findings.md lists them all) with the facts that its text needs: an importer
    gives one for a part of a file that it cannot read. Raise KeyError if there is no such id.

    >>> new_finding("line-not-read", text="Anna, 3").message
    'this line is not understood: Anna, 3'
    """
    return finding(rule, source, **facts)


def write_records(records: Iterable[Record], path: str | Path) -> None:
    """Write heads and deals without loss: as TOML, one session in a file, if the path ends in `.toml`, else as JSON
    lines. Findings are left out. An existing file is overwritten. Raise ValueError if there are several sessions for
    one TOML file, or a deal without a head before it, TypeError for a judgement and anything else that is no record.

    >>> write_records(read_records("sample_games/valid/knocks.toml"), "evening.jsonl")
    """
    sessions: list[tuple[Session, list[Deal]]] = []
    for record in check_records(records):
        if isinstance(record, Session):
            sessions.append((record, []))
        elif isinstance(record, Deal):
            sessions[-1][1].append(record)
    if Path(path).suffix == ".toml":
        if len(sessions) != 1:
            raise ValueError(f"a TOML file holds one session, and there are {len(sessions)}")
        Path(path).write_text(write_toml(*sessions[0]), "utf-8")
        return
    numbered = ((session, (deal.no or n, deal)) for session, own in sessions for n, deal in enumerate(own, 1))
    with Path(path).open("wb") as out:
        out.writelines(session_lines(numbered))


# --- one deal ---------------------------------------------------------------------------------------------------------


def replay_steps(judgement: Judgement) -> tuple[Step, ...]:
    """Return the cards of a deal in the order played. Each step has `trick`, `place`, `seat` (from 0, as in
    `judgement.session.players`), `card`, `allowed_cards` (None if the hand is unknown), `broken` (the id of the duty
    that the card breaks, or None), `winner` (the seat that has the trick so far) and `points` (card points in the trick
    so far). Empty if nothing was recorded, or if the house rules cannot be read.

    >>> first = next(judge_records(read_records("sample_games/valid/knocks.toml")))
    >>> [step.card for step in replay_steps(first)][:4]
    ['GA', 'GK', 'G8', 'G9']
    """
    return judgement.replay.steps if judgement.replay else ()


def settlement_lines(judgement: Judgement, language: str = "en") -> list[Line]:
    """Return the lines of a deal's price in `language` (`en`, `de`), in the order in which they add up, in the unit of
    the record. Empty if nothing can be computed. `judgement.settlement.payments` has what each player pays.

    >>> first = next(judge_records(read_records("sample_games/valid/knocks.toml")))
    >>> [line.amount for line in settlement_lines(first)]
    ['+10', '+10', '×2', '×2', '×2']
    """
    return [
        Line(text, amount, running if isinstance(running, int) else None, source)
        for text, amount, running, source in settlement_rows(judgement, language)
    ]


def price_deal(
    words: str, rules: str = "pub", tariff: str | None = None, language: str = "en"
) -> Judgement | tuple[Finding, ...]:
    """Price a deal described in words, English or German, at a table with these rules; `tariff` is the price of games
    there, such as `10/20/50`. Return the findings if the words are not understood. `language` is used for players whom
    the words do not name.

    >>> priced = price_deal("Sepp Sauspiel auf die Alte, lost, 3 runners", tariff="10/20/50")
    >>> priced.settlement.price
    50
    """
    if not isinstance(tariff, str | None):
        raise TypeError(f"tariff: expected text such as '10/20/50' or None, got {tariff!r}")
    return price_of(words, rules, {"tariff": tariff} if tariff else {}, language)


def explain_difference(judgement: Judgement, neighbours: Sequence[Judgement] = ()) -> Explained:
    """Find what would give the amounts that a deal states: other readings of the house rules or slips of the recorder,
    the likeliest first in `explanations`. `neighbours` are the deals before and after it, whose rows the recorder may
    have taken for its own. `state` says why there are none: `agrees`, `undecidable`, `unplayable`.

    >>> every = judge_records(read_records("sample_games/broken/stated-points.toml"))
    >>> explained = explain_difference(next(each for each in every if isinstance(each, Judgement)))
    >>> say_explanations(explained)[1]
    'It would fit if the card points were added up wrongly: 77 in place of 78.'
    """
    return explain(judgement, neighbours)


def say_explanations(explained: Explained, language: str = "en") -> list[str]:
    """Return the sentence on an explained deal, then one for each explanation, the likeliest first.

    >>> every = judge_records(read_records("sample_games/valid/knocks.toml"))
    >>> say_explanations(explain_difference(next(each for each in every if isinstance(each, Judgement))))
    ['Nothing has to be explained: what the record states is what the rules give.']
    """
    offers = [say(offer_of(each.changes), language, explained.faces) for each in explained.explanations]
    return [say(explained.message, language, explained.faces), *offers]


def as_json(value: Judgement | Explained | Finding, language: str = "en") -> dict[str, Any]:
    """Return a value as a JSON object: a judgement as `check --json` prints it, an explained deal as `audit explain
    --json`, a finding as either does. Card points and amounts are integers, amounts in the unit of the record.

    >>> first = next(judge_records(read_records("sample_games/valid/knocks.toml")))
    >>> as_json(first)["verdict"]
    'agrees'
    """
    if isinstance(value, Judgement):
        return report(value, language)
    return explained_report(value) if isinstance(value, Explained) else finding_report(value, language)


# --- rules ------------------------------------------------------------------------------------------------------------


def rulesets() -> tuple[str, ...]:
    """Return the names of the rulesets of this program, of other packages, and in the folder named by
    SCHAFKOPF_RULESETS.

    >>> "pub" in rulesets()
    True
    """
    return installed_rulesets()


def load_ruleset(name: str, house: dict[str, Any] | None = None) -> Ruleset:
    """Return a ruleset, by its name or the path of its file, with house settings as in the record format under `house`.
    Raise ValueError with a sentence for each setting that cannot be read.

    >>> load_ruleset("pub", {"knock": "forehand"}).house.knock
    'forehand'
    """
    ruleset, findings = load(name, house)
    if ruleset is None:
        raise ValueError(" ".join(say_finding(each) for each in findings))
    return ruleset


# --- an archive -------------------------------------------------------------------------------------------------------


def import_files(archive: str | Path, *given: str | Path) -> Imported:
    """Import files, folders and archives of files (see `read_records`) into an archive, which is created if missing:
    every deal is judged and kept once, with all its sources. Raise ArchiveError if the archive cannot be written,
    FileNotFoundError if a path does not exist, TypeError for a list of paths.

    >>> import_files("archive.db", "sample_games/valid/knocks.toml").verdicts["agrees"]
    4
    """
    verdicts, findings = Counter[str](), list[Finding]()
    check_paths(given)
    with archive_for(fspath(archive), (), False) as database, several_transactions(database.conn):
        for _, result in import_each(database, files_of(given, evenings_in(database.conn)), None, {}, dry_run=False):
            verdicts += result.verdicts
            findings += findings_of([*result.lone, *result.judged, *result.differing])
    return Imported(verdicts, findings)


def open_archive(path: str | Path) -> sqlite3.Connection:
    """Return a read-only connection to an archive; its rows are sqlite3.Row, its tables and views those of
    docs/schema.md. Raise ArchiveError if there is no archive, or one of another version.

    >>> conn = open_archive("archive.db")
    >>> conn.execute("SELECT count(*) FROM outcomes WHERE contract = 'wenz' AND won").fetchone()[0] > 0
    True
    """
    return open_read(path)


def questions() -> tuple[str, ...]:
    """Return the names of the standard questions, as `schafkopf stats` lists them.

    >>> "runners_and_winning" in questions()
    True
    """
    return tuple(QUESTIONS)


def ask(connection: sqlite3.Connection, question: str, **narrowed: str | int) -> Answer:
    """Ask an archive a standard question, optionally only for some `rules` or `contract`, one `player` (the name or the
    number), `session`, `event` or `basis`, from `since` `until` a day or year. The answer has `columns`, `rows` and
    their `sql`. Raise ArchiveError for an unknown question, narrowing or value of one, or if the facts have not been
    counted.

    >>> ask(open_archive("archive.db"), "runners_and_winning", rules="pub").columns[:3]
    ('rules', 'contract', 'runners')
    """
    refuse_uncounted(connection)
    named: dict[str, str | int] = {}
    for key, value in narrowed.items():
        text = "" if value is None else str(value)
        number = row_number(text) if key in ("player", "session") else None
        if number is not None and connection.execute(f"SELECT 1 FROM {key}s WHERE id = ?", (number,)).fetchone():
            named[key] = number  # one of numpy is none to SQLite
        elif key in (*NAMED, "event", "session", "basis") and text:
            found = known_part(connection, file_of(connection), key, text)
            if isinstance(found, Message):
                raise ArchiveError(found)
            named[key] = found
    return answer_question(connection, question, narrowed | named)


def frame(answer: Answer, library: str | None = None) -> Any:
    """Return an answer as a data frame of `pandas` or `polars`, as named, else as installed. Raise ImportError if
    missing.

    >>> list(frame(ask(open_archive("archive.db"), "runners_and_winning")).columns)[:3]
    ['rules', 'contract', 'runners']
    """
    name = library or next((each for each in FRAMES if find_spec(each)), None)
    columns = {column: [row[place] for row in answer.rows] for place, column in enumerate(answer.columns)}
    if name not in FRAMES:
        raise ImportError("a frame needs pandas or polars: pip install pandas")
    settings = {"strict": False} if name == "polars" else {}  # a column may begin with whole numbers and have others
    return import_module(name).DataFrame(columns, **settings)
