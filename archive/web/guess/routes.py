"""`/deals/<id>/guess`: the decisions of a seat, one after the other, with the hands of the others hidden; the address
holds the answers. `/puzzle/<day>`: a deal in which one card alone wins, with all hands open."""

from datetime import UTC, datetime
from functools import partial
from typing import Any

from flask import Flask, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from archive.analysis import Analysis, open_game
from archive.analysis.lines import line_of
from archive.judge import Judgement
from archive.judge.types import Case, case_of
from archive.record.days import parse_day
from archive.say import message, say
from archive.text.wording import Texts, card_name, game_title, texts_of
from archive.web.analysis.page import LaidCard, card_views, place_text, position_view
from archive.web.analysis.solvers import analysis_of, solvers
from archive.web.deal.page import with_isolated_names
from archive.web.deal.queries import deal_position
from archive.web.guess.page import MOST_OF_DAY, felt_of, in_hand, puzzle_shown, questions_of, score_from
from archive.web.request import NUMBER, connection, has_deals, request_texts, shown_judgement
from archive.web.sentences import to_sentence


def setup(app: Flask) -> None:
    @app.get(f"/deals/{NUMBER}/guess", endpoint="guess")
    def guess(number: int) -> str:
        judgement = with_isolated_names(shown_judgement(number))
        t, case = texts_of(judgement.ruleset, request_texts()), case_of(judgement)
        game = open_game(case) if case else "analysis.not-played"
        score = score_from(request.args.get("score", ""))  # the next deal takes over the score and the seat
        shown: dict[str, Any] = {"seat": request.args.get("seat", type=int), "score": score}
        if case is not None and not isinstance(game, str):
            shown |= guess_shown(number, judgement, case, analysis_of(case, *game), t)
        return render_template(
            "guess/guess.html",
            place=deal_position(connection(), number),
            title=t["gu_of"].format(number=judgement.number),
            game=game_title(judgement.deal.game, judgement.ruleset, t),
            missing=to_sentence(message(game), t, whole=True) if isinstance(game, str) else None,
            t=t,
            **shown,
        )

    @app.get("/puzzle", endpoint="puzzle_today")
    def puzzle_today() -> Response:
        return redirect(url_for("puzzle", day=datetime.now(UTC).date().isoformat(), n=request.args.get("n")))

    @app.get("/puzzle/<day>", endpoint="puzzle")
    def puzzle(day: str) -> str | Response:
        t, whole = request_texts(), parse_day(day) or ""
        if len(whole) < len("2026-11-14"):
            abort(404, say(message("refused.no-whole-day", text=day), t["lang"]))
        if whole != day:
            return redirect(url_for("puzzle", day=whole, n=request.args.get("n")))
        shown = puzzle_shown(day, min(max(1, request.args.get("n", 1, int)), MOST_OF_DAY), has_deals())
        nothing = {"day_of": day, "most": MOST_OF_DAY, "t": t, "felt": None, "of_samples": False}
        return render_template("guess/puzzle.html", **(nothing | shown))


def guess_shown(number: int, judgement: Judgement, case: Case, analysis: Analysis, t: Texts) -> dict[str, Any]:
    """Return everything that the template of a question shows. Raises BusyError."""
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
    to = {} if answered else {each.code: each.to for each in in_hand(position)}
    then = score.after(decision, card) if answered else score
    following = next((place_text(analysis.decisions[each]) for each in places if each > place), None)
    chosen = card_views(judgement, analysis, decision.seat, decision.values, decision.card, t, lambda _: "")
    return head | {
        "position": position,
        "felt": felt_of(judgement, line, decision.seat, t, to),
        "tricks": [
            tuple(
                LaidCard(step.card, card_name(step.card, t), names[step.seat])
                for step in case.replay.steps
                if step.trick == trick
            )
            for trick in range(1, decision.trick)
        ],
        "count": (places.index(place) + 1, len(places)),
        "answer": next((each for each in chosen if each.code == card), None) if answered else None,
        "played": next(each for each in chosen if each.was_played),
        "cards": chosen,
        "score": then,
        "next": address(at=following, score=then.address) if answered and following else None,
        "last": answered and not following,
        "analysis": url_for("analysis", number=number, at=at),
        "faces": t["faces"],
    }
