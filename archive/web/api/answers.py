"""The answers of the interface, each a struct of `types`; records, corrections and rulings from programs are stored by
the same functions as `import`, `correct` and `rule`. A docstring is the summary of its address in the OpenAPI
document."""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any
from urllib.parse import urlencode

from flask import current_app, request
from msgspec import convert
from msgspec.structs import replace

from archive.judge import Judgement
from archive.judge.price import price_of
from archive.judge.report import report
from archive.judge.sentences import say_missing
from archive.notation import write_line
from archive.record import NOWHERE, Correction, Finding, Ruling, remedy, say_finding
from archive.stats import QUESTIONS
from archive.stats.database import ArchiveError
from archive.stats.query import answer_question, with_days
from archive.stats.texts import all_texts
from archive.store import FileMeta, correct, export_lines, load_judgement, save_file
from archive.store.correcting import CorrectionError
from archive.store.near_names import near_names, players_of_source
from archive.store.records import SENT_AS
from archive.store.ruling import rule_on_deal
from archive.store.stored_messages import finding_from_row
from archive.store.transaction import rehearsal_if, utc_now
from archive.text.dates import is_zone
from archive.text.file_names import file_name, finding_without_folders, without_folders
from archive.text.understood import as_json
from archive.web.api import queries, types
from archive.web.api.problem import refuse
from archive.web.check.page import Reader, deadline, judge_items, understood_of
from archive.web.deal.queries import session_of_deal
from archive.web.doors.guard import author, doors, hidden_from_visitor, writing_archive
from archive.web.queries import unknown_name
from archive.web.request import connection, deal_or_404, own_connection, shown_judgement
from archive.web.upload.page import Upload, read_upload

ROOT = "/api/v1"
USUAL, MOST = 100, 1_000  # rows of a page
MOST_DEALS = 2_000  # of a session


def describe_service(_asked: types.Asked) -> types.Service:
    """Return the version of the program, the number of deals, and where to go on."""
    names = ("deals", "sessions", "players", "findings", "questions", "price", "check", "openapi.json")
    links = {name.partition(".")[0]: f"{request.script_root}{ROOT}/{name}" for name in names}
    return types.Service(version("schafkopf-archive"), queries.count_deals(connection()), links)


# --- lists ----------------------------------------------------------------------------------------------------------


def page_of(asked: types.Asked, query: queries.ListQuery) -> types.RowsAnswer:
    """Return a page of a list with the address of the next one."""
    limit = limit_of(asked)
    refuse_unknown(asked)
    try:
        asked = with_days(asked)
    except ArchiveError as error:
        refuse(400, str(error))
    rows = queries.rows_after(connection(), query, asked, limit)
    if len(rows) <= limit:
        return types.RowsAnswer(tuple(rows), None)
    last = rows[limit - 1][query.key.rpartition(".")[2]]
    here = {name: value for name, value in asked.items() if name != "lang"} | {"after": last}
    return types.RowsAnswer(tuple(rows[:limit]), f"{request.script_root}{request.path}?{urlencode(here)}")


def refuse_unknown(asked: types.Asked) -> None:
    """Refuse a name that there is not, and what the archive does not have, of which no row could ever be."""
    if found := unknown_name(connection(), asked):
        key, known = found
        what = "ruleset" if key == "rules" else key
        refuse(400, f"there is no {what} {asked[key]} here; it is one of {known}")
    for kind in asked.keys() & queries.PARTS:
        part_asked_for(kind, asked[kind])


def limit_of(asked: types.Asked) -> int:
    """Return how many rows a page has. Refuses anything that is no such number."""
    limit = int(asked.get("limit", USUAL))
    return limit if 0 < limit <= MOST else refuse(400, f"limit is a number from 1 to {MOST}")


def list_deals(asked: types.Asked) -> types.RowsAnswer:
    """List deals in the order of their numbers, as rows of the view `outcomes`."""
    return page_of(asked, queries.DEALS)


def list_sessions(asked: types.Asked) -> types.RowsAnswer:
    """List sessions in the order of their numbers."""
    return page_of(asked, queries.SESSIONS)


def list_players(asked: types.Asked) -> types.RowsAnswer:
    """List players in the order of their numbers."""
    return page_of(asked, queries.PLAYERS)


def list_findings(asked: types.Asked) -> types.RowsAnswer:
    """List findings in the order of their numbers, each as a sentence with its remedy."""
    page, language = page_of(asked, queries.FINDINGS), asked.get("lang", "en")
    return replace(page, rows=tuple(finding_row(row, language) for row in page.rows))


def finding_row(row: types.Row, language: str) -> types.Row:
    """Return a row of the findings with its sentence and its remedy."""
    answer = finding_answer(finding_from_row(row), language)
    return {"id": row["id"], "deal": row["deal_id"], "rule": answer.rule, "severity": answer.severity,
        "message": answer.message, "remedy": answer.remedy, "line": row["line"], "moment": row["moment"]}  # fmt: skip


# --- one thing ------------------------------------------------------------------------------------------------------


def show_deal(asked: types.Asked) -> types.DealAnswer:
    """Return a deal, judged."""
    number = asked["deal"]
    judgement = shown_judgement(number)
    session = session_of_deal(connection(), number)
    return types.DealAnswer(number, session, public_report(judgement, asked.get("lang", "en")))


def show_record(asked: types.Asked) -> bytes:
    """Return the record of a deal as a line of the record format, as it was recorded."""
    judgement = shown_judgement(asked["deal"])
    return write_line(judgement.session, judgement.recorded)


def stream_records(asked: types.Asked) -> Iterator[bytes]:
    """Return the records of all deals, or of a session, a line each as `export` writes them, sent while they are
    read."""
    refuse_unknown(asked)
    return own_connection(lambda conn: export_lines(conn, asked.get("session")))


def show_session(asked: types.Asked) -> types.SessionAnswer:
    """Return a session with its deals, at most 2,000, and its ledger."""
    number = asked["session"]
    head = part_asked_for("session", number)
    deals, ledger = queries.session_deals(connection(), number, MOST_DEALS)
    return types.SessionAnswer(head, tuple(deals), tuple(ledger))


def show_player(asked: types.Asked) -> types.PlayerAnswer:
    """Return a player's names and results."""
    number = asked["player"]
    names = part_asked_for("player", number)
    answer = answer_question(connection(), "balances", {"player": number})
    rows = map(answer.facts, answer.rows)  # of all who sat at the table
    return types.PlayerAnswer(number, names[0], names, tuple(row for row in rows if row["player"] == number))


def part_asked_for(kind: str, value: Any) -> Any:
    """Return what is known of a session, a player or an event. Refuses one that the archive does not have."""
    find: Any = queries.PARTS[kind]
    return find(connection(), value) or refuse(404, f"there is no {kind} {value}")


def public_report(judgement: Judgement, language: str) -> types.Row:
    """Return the object of `check --json`, with the names of files but not their folders."""
    return report(without_folders(judgement), language)


# --- questions ------------------------------------------------------------------------------------------------------


def list_questions(asked: types.Asked) -> types.QuestionsAnswer:
    """List the standard questions."""
    language, texts = asked.get("lang", "en"), all_texts().questions
    return types.QuestionsAnswer(
        tuple(
            types.QuestionAnswer(
                name,
                each.subject,
                texts[name].title.of(language),
                texts[name].read.of(language),
                each.narrow,
                f"{ROOT}/questions/{name}",
            )
            for name, each in QUESTIONS.items()
        )
    )


def ask_question(asked: types.Asked) -> types.AnswerToQuestion:
    """Return the answer to a standard question, about all deals or a part of them."""
    narrowed = {key: value for key, value in asked.items() if key not in ("question", "limit", "lang")}
    if asked["question"] not in QUESTIONS:
        refuse(404, f"there is no question {asked['question']}; {ROOT}/questions lists them")
    refuse_unknown(asked)
    try:
        answer = answer_question(connection(), asked["question"], narrowed, limit_of(asked))
    except ArchiveError as error:
        refuse(400, str(error))
    return types.AnswerToQuestion(answer.question.name, answer.columns, tuple(answer.rows), answer.sql)


# --- without the archive --------------------------------------------------------------------------------------------


def finding_answer(finding: Finding, language: str) -> types.FindingAnswer:
    each = finding_without_folders(finding)
    source = each.source
    return types.FindingAnswer(
        each.rule, each.severity, say_finding(replace(each, source=None), language), remedy(each.rule, language),
        source.line if source else None, source.deal if source else None,
    )  # fmt: skip


def price_words(asked: types.Asked) -> types.PriceAnswer:
    """Return the price of a deal that is described in words; the archive is not asked."""
    rules, language = asked.get("rules", "pub"), asked.get("lang", "en")
    priced = price_of(asked["q"], rules, {"tariff": asked["tariff"]} if "tariff" in asked else {}, language)
    if not isinstance(priced, Judgement):
        return types.PriceAnswer(None, answers_of(priced, language), ())
    missing = () if priced.basis == "facts" else say_missing(priced, language)
    return types.PriceAnswer(public_report(priced, language), answers_of(priced.findings, language), missing)


def answers_of(findings: Sequence[Finding], language: str) -> tuple[types.FindingAnswer, ...]:
    return tuple(finding_answer(each, language) for each in findings)


def check_text(asked: types.Asked) -> types.CheckAnswer:
    """Return a record, a score sheet or a log of any format, judged; nothing of it is kept."""
    read: Reader | None = current_app.config.get("READ")
    judging = current_app.config.get("JUDGING")
    data = request.get_data()
    if read is None or judging is None:
        refuse(404, "this server checks nothing")
    if not data.strip():
        refuse(400, "nothing was sent; the body is the text or the file to be checked")
    if not judging.acquire(blocking=False):
        refuse(503, "others are being answered; try again in a moment")
    try:
        end, language = deadline(), asked.get("lang", "en")
        name = file_name(asked.get("name", "text")) or "text"
        result = judge_items(read(str(NOWHERE / name), data), end)
        deals = tuple(public_report(each, language) for each in result.deals)
        what = convert(as_json(understood_of(result), language), types.UnderstoodAnswer)
    finally:
        judging.release()
    verdicts = dict(Counter[str](each.verdict for each in result.deals))
    return types.CheckAnswer(verdicts, deals, answers_of(result.findings, language), result.more, what)


MOST_FINDINGS = 1_000  # of an answer
HELD = """nothing is stored, since something hangs on deals that the file no longer tells; \
send it again with gone=keep or gone=withdraw"""


def add_records(asked: types.Asked) -> types.RecordsAnswer:
    """Store a file of any format, as `import` does: whatever can be read is stored, findings say what cannot."""
    here, data = doors(), request.get_data()
    if here is None or here.receive is None:
        refuse(404, "this server takes no files")
    if not data.strip():
        refuse(400, "nothing was sent; the body is the file")
    name, language = file_name(asked.get("name", "")) or SENT_AS, asked.get("lang", "en")
    read = read_upload(Upload(name, data), here, connection())
    form, pairs, lone = read.format, read.pairs, read.lone
    if form is None or not pairs:
        refuse(422, "no deal could be read, and nothing is stored; the findings say why", answers_of(lone, language))
    terms = {key: asked.get(key) for key in ("licence", "origin", "time_zone")}
    if terms["time_zone"] is not None and not is_zone(terms["time_zone"]):
        refuse(400, f"time_zone: '{terms['time_zone'][:60]}' is no time zone; expected a name such as Europe/Berlin")
    with writing_archive() as db, problems():
        hidden = hidden_from_visitor(db.conn)
        meta = FileMeta(name, form, author=author(), **terms)
        saved = save_file(db, meta, data, pairs, lone, asked.get("gone"), hidden)
        sessions = tuple(
            each for each in queries.sessions_of_source(db.conn, saved.source) if each not in hidden.sessions
        )
        players = players_of_source(db.conn, saved.source) if saved.stored else []
        near = near_names(db.conn, players, hidden.sessions) if sessions else []
    if not saved.stored:
        refuse(409, HELD, answers_of(saved.findings[-MOST_FINDINGS:], language))
    found = [*lone, *saved.findings, *(one for _, judgement in pairs for one in judgement.findings)]
    return types.RecordsAnswer(
        source=saved.source, format=form, added=saved.added, known=saved.known, changed=saved.changed,
        gone=saved.gone_deals, retained=saved.retained,
        sessions=sessions, verdicts=dict(Counter[str](each.verdict for _, each in pairs)),
        findings=answers_of(found[:MOST_FINDINGS], language), more=max(len(found) - MOST_FINDINGS, 0),
        near_names=tuple(types.NearNamesAnswer(**each.as_json()) for each in near),
    )  # fmt: skip


def add_correction(asked: types.Asked) -> types.CorrectionAnswer:
    """Correct a record, as `correct` does: a row beside the record, and the session is settled again."""
    deal, sent, language = asked["deal"], asked["sent"], asked.get("lang", "en")
    assert isinstance(sent, types.CorrectionSent)
    deal_or_404(deal)
    with writing_archive() as db, problems(), rehearsal_if(db.conn, sent.dry_run):
        done = correct(db, deal, Correction(author(), utc_now(), sent.why, dict(sent.set)))
    changes = tuple(types.ChangeAnswer(each.key, each.before, each.after) for each in done.changes)
    later = tuple(
        types.LaterDeal(key, done.before[key].verdict, each.verdict)
        for key, each in done.after.items()
        if key > deal and key in done.before and each.verdict != done.before[key].verdict
    )
    after = public_report(done.after[deal], language)
    return types.CorrectionAnswer(deal, not sent.dry_run, changes, done.before[deal].verdict, after, later)


def add_ruling(asked: types.Asked) -> types.RulingAnswer:
    """Rule on a deal, as `rule` does: what its players pay in the end."""
    deal, sent, language = asked["deal"], asked["sent"], asked.get("lang", "en")
    assert isinstance(sent, types.RulingSent)
    found = deal_or_404(deal)
    players = found.session.players
    if set(sent.payments) != set(players):
        refuse(422, f"payments are of each player by name: {', '.join(players)}")
    payments = tuple(sent.payments[name] for name in players)
    row = Ruling(author(), utc_now(), sent.why, payments, sent.cite)
    with writing_archive() as db, problems(), rehearsal_if(db.conn, sent.dry_run):
        now = load_judgement(db.conn, deal)  # the same request may have come at the same time
        if now and any(replace(each, when=row.when) == row for each in (now.deal.ruling or ())[-1:]):
            refuse(409, f"deal {deal} is ruled so already")
        done = rule_on_deal(db, deal, row)
    return types.RulingAnswer(deal, not sent.dry_run, done.rest, public_report(done.after, language))


@contextmanager
def problems() -> Iterator[None]:
    """Answer a refused act with a problem; a full disk stays an error of the server."""
    try:
        yield
    except CorrectionError as error:
        refuse(422, str(error), (finding_answer(error.finding, request.args.get("lang", "en")),))
    except ArchiveError as error:
        if isinstance(error.__cause__, sqlite3.Error):
            raise error
        refuse(409, str(error))
