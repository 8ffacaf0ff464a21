"""`/check` and `/view`: a text is checked, and a record that an address holds is replayed."""

import threading
from collections import Counter
from collections.abc import Callable
from io import BytesIO
from pathlib import PurePath
from typing import IO, Any

from flask import Flask, Request, Response, make_response, render_template, request
from werkzeug.exceptions import RequestEntityTooLarge

from archive.record import NOWHERE
from archive.say import say
from archive.text.file_names import file_name
from archive.text.understood import lines_of
from archive.text.wording import Texts
from archive.web.check import page
from archive.web.deal.permalink import LONGEST_RECORD, VIEW

AT_ONCE = 2  # as many are judged at the same time; the other workers stay for readers
CHECK_ENDPOINT = "check_text"  # the only one that anything is sent to
# What the page shows before anything was pasted.
BLANK: dict[str, Any] = {
    **dict.fromkeys(("text", "name", "refused"), ""),
    **dict.fromkeys(("checked", "findings", "understood", "formats", "examples"), ()),
    **dict.fromkeys(("chosen", "page", "share")),
    **dict.fromkeys(("late", "done"), False),
    "verdicts": {},
    "more": 0,
}
EXAMPLES = {"lines": "lines.{lang}.txt", "cards": "cards.toml"}  # to try the page with; the templates beside it


def _form_page(t: Texts, text: str = "", refused: str = "") -> str:
    """Return the page with nothing checked yet: the form, examples to try and the formats that are read."""
    return render_template(
        "check/check.html",
        **BLANK | {"text": text, "refused": refused, "formats": page.format_names(t), "examples": EXAMPLES},
    )


class InMemoryRequest(Request):
    """A request whose files are never written to disk; they are no longer than MOST_BYTES."""

    def _get_file_stream(self, *_args: Any, **_kwargs: Any) -> IO[bytes]:
        return BytesIO()


def setup(app: Flask, read: page.Reader, texts: Callable[[], Texts]) -> None:
    """Add the page, if the application has a reader of formats."""
    free = threading.BoundedSemaphore(AT_ONCE)
    app.request_class = InMemoryRequest
    app.config.update(READ=read, JUDGING=free)
    app.config.update(MAX_CONTENT_LENGTH=page.MOST_BYTES, MAX_FORM_MEMORY_SIZE=page.MOST_BYTES, MAX_FORM_PARTS=8)

    @app.get("/check")
    def check() -> str:
        t, file = texts(), EXAMPLES.get(request.args.get("example", ""), "")
        return _form_page(t, render_template(f"check/examples/{file.format(lang=t['lang'])}") if file else "")

    @app.get("/view", endpoint=VIEW)
    def view_address() -> str:
        return render_template("check/view.html", longest=LONGEST_RECORD)

    @app.post("/check", endpoint=CHECK_ENDPOINT)
    def check_text() -> Response:
        t = texts()
        if not free.acquire(blocking=False):
            return _refusal_page(503, t["p_busy"], t, {"Retry-After": "5"})
        try:
            return _answer(read, t)
        except RequestEntityTooLarge:
            return _refusal_page(413, t["p_large"].format(most=page.MOST_BYTES // 2**20), t)
        finally:
            free.release()


def _answer(read: page.Reader, t: Texts) -> Response:
    # a path to show and the bytes: of the file if one was chosen, else of the text
    file = request.files.get("file")
    if file is not None and (data := file.read()):
        name = "".join(sign for sign in PurePath((file.filename or "").replace("\\", "/")).name if sign.isprintable())
        path = str(NOWHERE / (name[-page.LONGEST_NAME :] if name.strip(". ") else "file"))
    else:
        path, data = str(NOWHERE / "text"), request.form.get("record", "").encode("utf-8", "replace")
    if not data.strip():
        return _refusal_page(422, t["p_empty"], t)
    end = page.deadline()
    items, beside = read(path, data), request.form.get("table")
    result = page.judge_single(items, beside, end) if beside else page.judge_items(items, end)
    deals = page.checked_deals(result, t, end)
    late = len(result.deals) - len(deals)
    what = lines_of(page.understood_of(result)) if deals and not beside else ()  # in three lines
    chosen = min(max(request.form.get("deal", 1, int), 1), len(deals)) - 1 if deals else None
    facts = BLANK | {
        "text": page.form_text(data),
        "name": file_name(path),
        "checked": deals,
        "verdicts": Counter(deal.page.heading.verdict for deal in deals),
        "understood": [say(each, t["lang"]) for each in what],
        "findings": tuple(
            page.unread_finding(each, t, t["p_unknown_do"]) for each in result.findings[: page.MOST_FINDINGS]
        ),
        "more": result.more + late,
        "late": result.late or late > 0,
        "chosen": chosen,
        "page": None if chosen is None else deals[chosen].page,
        "share": None if chosen is None else deals[chosen].share,
        "done": True,
        "formats": () if deals else page.format_names(t),
    }
    return make_response(render_template("check/check.html", **facts), 200 if deals else 422)


def _refusal_page(code: int, why: str, t: Texts, headers: dict[str, str] | None = None) -> Response:
    return make_response(_form_page(t, refused=why), code, headers or {})
