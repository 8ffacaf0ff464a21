"""Facts that a kept score sheet lacks, its rules, tariff and unit, said on the page of the session. The sheet is read
once more by them, as an import with another `columns.toml` would read it; what was read before is kept."""

import sqlite3

from flask import Flask, abort, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from archive.record import say_finding
from archive.rules import UNKNOWN, installed_rulesets
from archive.store.readings import SHEET, Table, sheet_of_session
from archive.store.resettle import judge_session_again
from archive.store.save import save_file
from archive.store.saved_files import SaidOfFile
from archive.text.file_names import file_name
from archive.text.understood import understand
from archive.text.wording import Texts
from archive.web.doors.guard import author, demands, doors, hidden_from_visitor, may, writing_archive
from archive.web.queries import Facts
from archive.web.request import NUMBER, connection, request_texts
from archive.web.session.queries import tariffs_of_session
from archive.web.upload.mapping import HEAD, mapping_text
from archive.web.upload.outcome import ReadUpload, Upload
from archive.web.upload.page import SECONDS, head_question, read_upload

LONGEST = 60  # characters of an answer


def sheet_question(conn: sqlite3.Connection, session: int, t: Texts) -> Facts | None:
    """Return the question about the sheet of a session, with its name and how many sessions it tells, if the visitor
    may answer it; None otherwise."""
    here = doors()
    if here is None or here.receive is None or here.writer is None or not may("writer"):
        return None
    sheet = sheet_of_session(conn, session)
    if sheet is None:
        return None
    judged = () if names_tariff(conn, session, sheet.columns) else judge_session_again(conn, session)
    what = understand([each for _, each in judged], (), (), SECONDS)
    rules = next((each.session.rules for _, each in judged), "")
    head = head_question(sheet.columns, rules, what, t)
    return {"head": head, "name": file_name(sheet.path), "sessions": sheet.sessions}


def names_tariff(conn: sqlite3.Connection, session: int, columns: Table) -> bool:
    """Return whether a tariff is named for a session, so that none has to be looked for: by the columns of its sheet,
    or the same one by the rules of all its deals."""
    tariffs = tariffs_of_session(conn, session)
    return "tariff" in columns or (len(tariffs) == 1 and tariffs[0] not in (None, UNKNOWN))


def setup(app: Flask) -> None:
    """The answer."""

    @app.post(f"/sessions/{NUMBER}/rules", endpoint="say_rules")
    @demands("writer")
    def say_rules(number: int) -> AnyResponse:
        t, here = request_texts(), doors()
        sheet = sheet_of_session(connection(), number)
        if sheet is None or here is None or here.receive is None:
            abort(404, t["no_session"].format(number=number))
        said = {key: text for key in HEAD if (text := request.form.get(key, "").strip()[:LONGEST])}
        if said.get("rules", "pub") not in installed_rulesets():
            abort(422, t["se_no_rules"].format(rules=said["rules"]))
        upload = Upload(sheet.path, sheet.raw, mapping_text(sheet.columns | said))
        read = read_upload(upload, here, connection())
        if refused := refused_by(read, t):
            abort(422, refused)
        with writing_archive() as db:
            meta, hidden = SaidOfFile(sheet.path, SHEET, author=author()), hidden_from_visitor(db.conn)
            save_file(db, meta, sheet.raw, read.pairs, read.lone, "keep", hidden)
        return redirect(url_for("session", number=number), 303)


def refused_by(read: ReadUpload, t: Texts) -> str:
    """Return why a sheet cannot be read by what was said, in sentences; empty if it can."""
    judged = [judgement for _, judgement in read.pairs]
    settings = (each for judgement in judged for each in judgement.findings if each.rule == "bad-setting")
    errors = [each for each in read.lone if each.severity == "error" and (not judged or each.rule == "bad-setting")]
    said = dict.fromkeys(say_finding(each, t["lang"]) for each in (*errors, *settings))
    return " ".join(said) or ("" if judged else t["up_no_deals"])
