"""`/deals/<id>`: a deal to step through, its record, its protocol; its board alone, for a frame of any page."""

import msgspec
from flask import Flask, Response, abort, render_template, request

from archive.explain import is_disputed
from archive.judge import Judgement
from archive.judge.report import report
from archive.judge.what_if import judge_by_other
from archive.notation import write_line, write_toml
from archive.record import Session
from archive.rules import installed_rulesets
from archive.say import Message
from archive.store import load_deal, load_with_judgement
from archive.text.file_names import without_folders
from archive.text.protocol import protocol
from archive.text.wording import texts_of
from archive.web.deal.history import deal_history
from archive.web.deal.page import deal_board, deal_view
from archive.web.deal.permalink import pack_deal, share_addresses
from archive.web.deal.queries import deal_position, evening_of_session
from archive.web.deal.receipt import DealReceipt, deal_slip, has_cards, shown_deal
from archive.web.deal.what_if import rules_beside, what_if
from archive.web.doors.guard import may
from archive.web.request import (
    NUMBER,
    abort_without_deal,
    as_of_day,
    connection,
    deal_or_404,
    request_texts,
    shown_judgement,
)
from archive.web.search.routes import search_of_list
from archive.web.stored import explain_stored, with_stored_facts

FRAMED = "embed"  # the only page that another may frame
LONGEST = 60  # letters of an unknown ruleset that a refusal repeats


def setup(app: Flask) -> None:
    @app.get(f"/deals/{NUMBER}")
    def deal(number: int) -> str:
        return deal_page(number)

    @app.get(f"/deals/{NUMBER}.<any(json, toml, txt):kind>")
    def record(number: int, kind: str) -> Response:
        as_of = as_of_day()
        if kind == "json" and request.args.get("computed", "0") not in ("0", ""):
            return Response(
                msgspec.json.encode(report(without_folders(deal_or_404(number, as_of)))),
                content_type="application/json",
            )
        head, judgement, _ = load_deal(connection(), number, as_of) or abort_without_deal(number, as_of)
        if kind == "txt":
            text = "".join(protocol([(head, without_folders(deal_or_404(number, as_of)))], request_texts()["lang"]))
            return Response(text, content_type="text/plain; charset=utf-8")
        if kind == "toml":
            return Response(write_toml(head, [judgement]), content_type="application/toml; charset=utf-8")
        return Response(write_line(head, judgement), content_type="application/json")

    @app.get(f"/deals/{NUMBER}/embed", endpoint=FRAMED)
    def embed(number: int) -> str:
        as_of, t = as_of_day(), request_texts()
        judgement, place = shown_judgement(number, as_of), deal_position(connection(), number)
        build = deal_board if has_cards(judgement.deal) else deal_slip
        return render_template("deal/embed.html", page=build(deal_view(judgement, t, place.people), place, as_of))


def deal_page(number: int) -> str:
    """Return the page of a deal, with what the address asks for."""
    as_of, t = as_of_day(), request_texts()
    head, judgement, decisive = _shown_record(number, as_of)
    now = (head, judgement.recorded) if as_of is None else None
    history = deal_history(connection(), number, texts_of(judgement.ruleset, t), as_of, now)
    of_list = request.args.get("list")
    place = deal_position(connection(), number, search_of_list(of_list) if of_list else None)
    explained = explain_stored(connection(), number, judgement) if is_disputed(judgement) else None
    page = shown_deal(judgement, place, t, history, as_of, decisive, explained)
    rules = request.args.get("rules", "")
    if rules and rules not in installed_rulesets():
        abort(404, t["no_rules"].format(name=rules[:LONGEST]))
    other = what_if(judgement, judge_by_other(judgement, rules), t) if rules else None
    share = share_addresses(page, pack_deal(judgement, head))
    evening = evening_of_session(connection(), place.session) if may("writer") and not as_of else None
    facts = {"page": page, "share": share, "other": other, "books": rules_beside(judgement), "evening": evening}
    return render_template(f"deal/{'receipt' if isinstance(page, DealReceipt) else 'deal'}.html", **facts)


def _shown_record(number: int, as_of: str | None) -> tuple[Session, Judgement, tuple[Message, ...] | None]:
    """Return the session of a deal as it was recorded, the judgement that is shown of the deal, and the stored facts
    that would each decide it."""
    if as_of is not None:
        loaded = load_deal(connection(), number, as_of) or abort_without_deal(number, as_of)
        return loaded[0], deal_or_404(number, as_of), None
    head, judgement = load_with_judgement(connection(), number) or abort_without_deal(number, as_of)
    return head, *with_stored_facts(connection(), number, judgement)
