"""`/deals/<id>`: a deal to step through, its record, its protocol, another ruleset beside its own; its board alone, for
a frame of any page."""

from collections.abc import Sequence

import msgspec
from flask import Flask, Response, abort, render_template, request

from archive.explain import is_disputed
from archive.judge import Judgement
from archive.judge.judge_stream import is_alike, judge_by_other
from archive.judge.report import report
from archive.judge.types import unit_of_deal
from archive.notation import write_line, write_toml
from archive.rules import installed_rulesets, load
from archive.store import load_deal, load_with_judgement
from archive.text.file_names import without_folders
from archive.text.numbers import format_signed
from archive.text.protocol import protocol
from archive.text.what_if import what_if_amounts, what_if_lines
from archive.text.wording import Texts, texts_of, unit_of
from archive.web.deal.history import deal_history
from archive.web.deal.page import deal_board, deal_view, with_isolated_names
from archive.web.deal.permalink import pack_deal, share_addresses
from archive.web.deal.queries import deal_position, evening_of_session
from archive.web.deal.receipt import DealReceipt, deal_slip, has_cards, shown_deal
from archive.web.doors.guard import may
from archive.web.queries import Facts
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
from archive.web.sentences import to_sentence
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
    if as_of is None:
        head, stored = load_with_judgement(connection(), number) or abort_without_deal(number, as_of)
        judgement, decisive = with_stored_facts(connection(), number, stored)
        now = head, judgement.recorded
    else:
        head = (load_deal(connection(), number, as_of) or abort_without_deal(number, as_of))[0]
        judgement, decisive, now = deal_or_404(number, as_of), None, None
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


def rules_beside(judgement: Judgement) -> list[str]:
    """Return the other bundled rulesets that have the contract of a deal; if none has, those that play as its own."""
    houses = {name: ruleset.house for name in installed_rulesets() if (ruleset := load(name)[0])}
    own, game = houses.pop(judgement.session.rules, None), judgement.deal.game
    found = [name for name, house in houses.items() if game and game.contract in house.contracts]
    plays = own.play if own else "tricks"
    return found or [name for name, house in houses.items() if house.play == plays]


def what_if(recorded: Judgement, other: Judgement, t: Texts) -> Facts:
    """Return a deal by its own `rules` and by others: `lines` and `amounts` have a text and a value by each of them,
    amounts their difference too, empty if one of them gives none; `reason` is that of the verdict by the others."""
    both, words = (with_isolated_names(recorded), with_isolated_names(other)), texts_of(other.ruleset, t)
    rows = zip(what_if_amounts(both), _differences(both), strict=True)
    return {
        "rules": (recorded.session.rules, other.session.rules),
        "units": [unit_of(unit_of_deal(each) or "", t) for each in both],
        "verdicts": (recorded.verdict, other.verdict),
        "lines": [*what_if_lines(both, t["lang"])],
        "amounts": [(*row, difference) for row, difference in rows],
        "reason": to_sentence(other.reason, words, words["faces"], whole=True),
        "is_same": is_alike((recorded, other)),
    }


def _differences(both: Sequence[Judgement]) -> list[str]:
    """Return how much more each player gets by the second ruleset; marks and payments, or different units, are not
    compared."""
    of, by = ((each.settlement.payments, each.settlement.marks) if each.settlement else (None, None) for each in both)
    pairs = next(((old, new) for old, new in zip(of, by, strict=True) if old and new), None)
    if pairs is None or len({unit_of_deal(each) for each in both}) > 1:
        return [""] * len(both[0].session.players)
    return ["" if old is None or new is None else format_signed(new - old) for old, new in zip(*pairs, strict=True)]
