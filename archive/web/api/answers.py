"""The answers of the interface, each a struct of `types`. A docstring is the summary of its address in the OpenAPI
document."""

from collections import Counter
from collections.abc import Iterator, Sequence
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
from archive.record import NOWHERE, Finding, remedy, say_finding
from archive.stats import QUESTIONS
from archive.stats.database import ArchiveError
from archive.stats.query import answer_question, with_days
from archive.stats.texts import all_texts
from archive.store import export_lines
from archive.store.stored_messages import finding_from_row
from archive.text.file_names import file_name, finding_without_folders, without_folders
from archive.text.understood import as_json
from archive.web.api import queries, types
from archive.web.api.problem import refuse
from archive.web.check.page import Reader, deadline, judge_items, understood_of
from archive.web.deal.queries import session_of_deal
from archive.web.queries import unknown_name
from archive.web.request import connection, own_connection, shown_judgement

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
