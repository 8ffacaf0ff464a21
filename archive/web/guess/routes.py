"""`/deals/<id>/guess`: the decisions of a seat, one after the other, with the hands of the others hidden; the answers
stand in the address. `/puzzle/<day>`: a deal in which one card alone wins, with all hands open."""

from datetime import UTC, date, datetime
from functools import partial
from typing import Any

from flask import Flask, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from archive.analysis import Analysis, open_game
from archive.analysis.lines import line_of
from archive.judge import Judgement
from archive.judge.types import Case, case_of
from archive.say import message
from archive.store import load_judgement
from archive.text.wording import Texts, game_title, texts_of
from archive.web.analysis.page import card_views, place_text, position_view
from archive.web.analysis.solvers import BusyError, analysis_of, busy_page, solvers
from archive.web.deal.page import with_isolated_names
from archive.web.deal.queries import deal_position
from archive.web.guess.page import in_hand, is_puzzle, questions_of, score_from, shares_of_day, tricks_before
from archive.web.guess.queries import deal_from
from archive.web.request import NUMBER, connection, has_deals, request_texts, shown_judgement
from archive.web.sentences import to_sentence

MOST_TRIES = 40  # deals in which a puzzle is looked for
MOST_PLAIN = 2  # of them while the search is not compiled


def setup(app: Flask) -> None:
    @app.get(f"/deals/{NUMBER}/guess", endpoint="guess")
    def guess(number: int) -> Any:
        judgement = with_isolated_names(shown_judgement(number))
        t, case = texts_of(judgement.ruleset, request_texts()), case_of(judgement)
        game = open_game(case) if case else "analysis.not-played"
        try:
            shown = (
                {}
                if case is None or isinstance(game, str)
                else guess_shown(number, judgement, case, analysis_of(case, *game), t)
            )
        except BusyError as busy:
            return busy_page(busy)
        return render_template(
            "guess/guess.html",
            place=deal_position(connection(), number),
            title=t["gu_of"].format(number=judgement.number),
            game=game_title(judgement.deal.game, judgement.ruleset, t),
            missing=to_sentence(message(game), t, whole=True) if isinstance(game, str) else None,
            t=t,
            **(address_state() | shown),
        )

    @app.get("/puzzle", endpoint="puzzle_today")
    def puzzle_today() -> Response:
        return redirect(url_for("puzzle", day=datetime.now(UTC).date().isoformat()))

    @app.get("/puzzle/<day>", endpoint="puzzle")
    def puzzle(day: str) -> Any:
        t = request_texts()
        if not is_day(day):
            abort(404, t["no_day"].format(text=day))
        try:
            shown = puzzle_shown(day) if has_deals() else {"needs_cards": True}
        except BusyError as busy:
            return busy_page(busy)
        return render_template(
            "guess/puzzle.html", day_of=day, **({"t": t, "position": None, "needs_cards": False} | shown)
        )


def is_day(text: str) -> bool:
    """Whether a text is a day as `2026-10-31`."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def address_state() -> dict[str, Any]:
    """The seat and the score that an address has, which the next deal takes on."""
    return {"seat": request.args.get("seat", type=int), "score": score_from(request.args.get("score", ""))}


def guess_shown(number: int, judgement: Judgement, case: Case, analysis: Analysis, t: Texts) -> dict[str, Any]:
    """All that the template shows of a question. Raises BusyError."""
    names, playing = judgement.session.players, analysis.deal.seats
    asked_seat = request.args.get("seat", type=int)
    first = case.replay.declarer if case.replay.declarer in playing else playing[0]
    seat = asked_seat if asked_seat in playing else first
    address = partial(url_for, "guess", number=number, seat=seat)
    score, places = score_from(request.args.get("score", "")), questions_of(analysis, seat or 0)
    seats = [(names[each], url_for("guess", number=number, seat=each), each == seat) for each in playing]
    asked = request.args.get("at") or None
    place = next((each for each in places if asked in (None, place_text(analysis.decisions[each]))), None)
    head = {"seats": seats, "player": names[seat or 0], "declarer": names[case.replay.declarer or 0], "seat": seat}
    if place is None:
        return head | {"position": None}
    decision = analysis.decisions[place]
    card = request.args.get("card", "").upper()
    answered, at = card in decision.values, place_text(decision)
    with solvers().lend() as solver:
        cards = [each.card for each in analysis.decisions[:place]]
        line = line_of(analysis.deal, analysis.levels, cards, solver, known=decision.values)
    assert line
    position = position_view(judgement, analysis, line, place, None, t,
                             lambda cards: address(at=at, card=cards[-1], score=score.address))  # fmt: skip
    then = score.after(decision, card) if answered else score
    following = next((place_text(analysis.decisions[each]) for each in places if each > place), None)
    chosen = card_views(judgement, analysis, decision.seat, decision.values, decision.card, t, lambda _: "")
    return head | {
        "position": position,
        "hand": next(hand for hand in position.hands if hand.is_next),
        "tricks": tricks_before(judgement, decision, t),
        "count": (places.index(place) + 1, len(places)),
        "answer": next((each for each in chosen if each.code == card), None) if answered else None,
        "played": next(each for each in chosen if each.was_played),
        "cards": chosen,
        "playable": in_hand(position),
        "score": then,
        "next": address(at=following, score=then.address) if answered and following else None,
        "last": answered and not following,
        "analysis": url_for("analysis", number=number, at=at),
        "faces": t["faces"],
    }


def puzzle_shown(day: str) -> dict[str, Any]:
    """All that the template shows of the puzzle of a day; nothing where none of the deals looked at has one. Raises
    BusyError."""
    conn = connection()
    if deal_from(conn, 0) is None:
        return {"needs_cards": True}
    for tried, share in enumerate(shares_of_day(day, MOST_TRIES)):
        number = deal_from(conn, share)
        if number is not None and tried >= MOST_PLAIN and solvers().fast is None:
            solvers().prepare()
            raise BusyError(later=True)
        judgement = load_judgement(conn, number) if number is not None else None
        case = case_of(judgement) if judgement else None
        game = open_game(case) if case else ""
        if number is None or judgement is None or case is None or isinstance(game, str):
            continue
        analysis = analysis_of(case, *game)
        found = [place for place, each in enumerate(analysis.decisions) if is_puzzle(analysis, each, case.replay.sides)]
        if found:
            return question_shown(day, number, with_isolated_names(judgement), analysis, found[0])
    return {}


def question_shown(day: str, number: int, judgement: Judgement, analysis: Analysis, place: int) -> dict[str, Any]:
    """All that the template shows of a puzzle. Raises BusyError."""
    t, decision = texts_of(judgement.ruleset, request_texts()), analysis.decisions[place]
    with solvers().lend() as solver:
        cards = [each.card for each in analysis.decisions[:place]]
        line = line_of(analysis.deal, analysis.levels, cards, solver, known=decision.values)
    assert line
    position = position_view(judgement, analysis, line, place, None, t,
                             lambda cards: url_for("puzzle", day=day, card=cards[-1]))  # fmt: skip
    card, names = request.args.get("card", "").upper(), judgement.session.players
    sides = judgement.replay.sides if judgement.replay else ()
    ours = [name for name, side in zip(names, sides, strict=False) if side == "declarer"]
    wins = sides[decision.seat] == "declarer"
    chosen = card_views(judgement, analysis, decision.seat, decision.values, decision.card, t, lambda _: "")
    return {
        "position": position,
        "game": game_title(judgement.deal.game, judgement.ruleset, t),
        "declarers": ours,
        "wins": wins,
        "answer": next((each for each in chosen if each.code == card), None),
        "cards": chosen,
        "playable": in_hand(position),
        "analysis": url_for("analysis", number=number, at=place_text(decision)),
        "faces": t["faces"],
        "t": t,
    }
