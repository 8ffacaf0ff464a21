"""`/import`: the file goes from page to page with its form, and nothing is stored before somebody says so; then the
functions of `import` store it, and it can be taken back."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NoBase64

from flask import Flask, abort, redirect, render_template, request, url_for
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.wrappers import Response as AnyResponse

from archive.rules import installed_rulesets
from archive.say import say
from archive.serve.proxy import METHODS
from archive.stats.database import ArchiveError
from archive.store import FileMeta, restore_source, save_file, withdraw_source
from archive.store.gone_deals import Gone
from archive.store.near_names import near_names, players_of_source
from archive.store.privacy import is_file_hidden
from archive.store.records import DROPPED_AS
from archive.text.deal_preview import preview_text
from archive.text.file_names import file_name
from archive.text.score_form import score_form, word
from archive.text.workbooks import KINDS, write_workbook
from archive.web.doors.guard import demands, doors, hidden_from_visitor, visitor, writing_archive
from archive.web.doors.keys import Doors
from archive.web.request import NUMBER, connection, download, error_text, has_archive, raise_fault, request_texts
from archive.web.upload import page as views
from archive.web.upload.queries import last_sources, sessions_of_source, source_row

MOST = 700 * 2**10  # bytes of a file: it goes in a form, by a third longer, and a request has at most 1 MB
LONGEST_MAPPING = 2**15  # characters
LISTED = 10  # files that came last
KEEP: dict[str, Gone | None] = {"keep": None, "keep keep": "keep", "keep withdraw": "withdraw"}  # acts of the form
Page = str | AnyResponse | tuple[str, int]


def setup(app: Flask) -> None:
    @app.route("/import", methods=["GET", "POST"], endpoint="import_file")
    @demands("writer")
    def import_file() -> Page:
        if request.method in METHODS:
            return form_page()
        try:
            upload = sent_upload()
        except RequestEntityTooLarge:
            upload = None
        t = request_texts()
        if upload is None or len(upload.data) > MOST:
            return form_page(t["up_large"].format(most=MOST // 2**10)), 413
        if not upload.data.strip():
            return form_page(t["up_empty"]), 422
        here = doors()
        assert here is not None
        if here.receive is None:
            abort(404)
        if request.form.get("do") in KEEP:
            return keep(upload, here)
        return preview_page(upload, here)

    @app.get(f"/import/sheet.<any({','.join(KINDS)}):kind>", endpoint="score_form")
    @demands("writer")
    def form(kind: str) -> AnyResponse:
        language = request_texts()["lang"]
        return download(write_workbook(kind, score_form(language)), f"{word('file', language)}.{kind}", KINDS[kind])

    @app.route(f"/import/{NUMBER}", methods=["GET", "POST"], endpoint="import_source")
    @demands("writer")
    def source(number: int) -> Page:
        t, who = request_texts(), visitor()
        row = source_row(connection(), number) if has_archive() else None
        if row is None or who is None:
            abort(404, t["up_none"].format(number=number))
        if request.method == "POST":
            act = withdraw_source if request.form.get("do") == "undo" else restore_source
            with writing_archive() as db:
                if is_file_hidden(db.conn, number, hidden_from_visitor(db.conn)):
                    abort(403, t["up_partly"])
                try:
                    act(db, number, who.name, t["up_why"])
                except ArchiveError as error:
                    raise_fault(error)
                    abort(409, error_text(error))
            return redirect(url_for("import_source", number=number), 303)
        sessions = sessions_of_source(connection(), number)
        players = () if row["withdrawn"] else players_of_source(connection(), number)
        near = [say(each.question(), t["lang"]) for each in near_names(connection(), players)]
        name = file_name(row["path"])
        return render_template("upload/source.html", source=row, name=name, sessions=sessions, near=near)


def sent_upload() -> views.Upload:
    """Return the file of a request, or the one that a form brings along."""
    sent = request.files.get("file")
    if sent is not None and sent.filename:
        return views.Upload(file_name(sent.filename)[-80:] or DROPPED_AS, sent.read())
    text = request.form.get("data", "")
    try:
        data = urlsafe_b64decode(text.encode("ascii", "replace"))
    except (NoBase64, ValueError):
        abort(400)
    name = file_name(request.form.get("name", ""))[-80:] or DROPPED_AS
    return views.Upload(name, data, request.form.get("mapping", "").replace("\r\n", "\n")[:LONGEST_MAPPING])


def with_choices(upload: views.Upload, here: Doors) -> views.Upload:
    """Return the file with the columns that the form names now."""
    do, _, rest = request.form.get("do", "").partition(" ")
    if do == "text":
        text = request.form.get("text", "").replace("\r\n", "\n")[:LONGEST_MAPPING]
        return views.Upload(upload.name, upload.data, text if text.strip() else "")
    sheets, mapping = here.columns(upload.name, upload.data, upload.mapping) if here.columns else ((), "")
    before = views.table_of(mapping)
    if before is None:
        return upload
    key, _, line = rest.partition(" ")
    if do == "row" and key in views.ANSWERS and line.isascii() and line.isdecimal() and len(line) < 7:
        return views.Upload(upload.name, upload.data, views.with_answer(before, key, int(line)))
    if do == "columns" and sheets:
        return views.Upload(upload.name, upload.data, views.mapping_of_choices(sheets[0].columns, request.form, before))
    return upload


def keep(upload: views.Upload, here: Doors) -> Page:
    """Store the file, as an import of it would."""
    who = visitor()
    assert who is not None
    read = views.read_upload(upload, here, connection())
    if read.format is None or not read.pairs:
        return preview_page(upload, here)
    with writing_archive() as db:
        meta = FileMeta(upload.name, read.format, author=who.name)
        hidden, gone = hidden_from_visitor(db.conn), KEEP[request.form["do"]]
        saved = save_file(db, meta, upload.data, read.pairs, read.lone, gone, hidden)
    if not saved.stored:
        return preview_page(upload, here, 409)
    return redirect(url_for("import_source", number=saved.source), 303)


def preview_page(sent: views.Upload, here: Doors, status: int = 200) -> Page:
    """Return the page of a file as it was understood, with the outcome for it and for the archive."""
    t, upload = request_texts(), with_choices(sent, here)
    read = views.read_upload(upload, here, connection(), t["lang"])
    outcome = views.NOTHING
    if read.pairs and read.format:
        with writing_archive() as db:
            outcome = views.rehearse(db, upload, read, t, hidden_from_visitor(db.conn))
    page = render_template(
        "upload/preview.html",
        view=views.upload_view(upload, read, here, outcome, t),
        upload=upload,
        data=urlsafe_b64encode(upload.data).decode("ascii"),
        outcome=outcome,
        roles=[
            (role, preview_text(f"role-{role.replace('_', '-')}", t["lang"]))
            for role in (*views.OF_PLAYERS, *views.ROLES, views.SKIP)
        ],
        of_players=views.OF_PLAYERS,
        rules=installed_rulesets(),
    )
    return page, status if read.pairs else 422


def form_page(refused: str = "") -> str:
    """Return the page to choose a file on."""
    rows = last_sources(connection(), LISTED) if has_archive() else []
    files = [(row, file_name(row["path"])) for row in rows]
    return render_template("upload/upload.html", refused=refused, files=files, most=MOST // 2**10)
