"""`/deals/<id>/analysis`: a deal with open cards. `at` is a card of it, `play` are other cards from there on, `best`
plays the rest as well as can be, `known` asks what the player could know, `contracts` which games a hand had. The
address holds the whole state: each position has its own."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from flask import Flask, abort, render_template, request, url_for

from archive.analysis import Analysis, Decision, Expected, expected_values, open_game
from archive.analysis.contracts import Prospect, games_for, hand_of, prospects
from archive.analysis.levels import Levels
from archive.analysis.lines import Line, line_of
from archive.analysis.positions import OpenDeal
from archive.analysis.proofs import disputes
from archive.analysis.solver import Solver
from archive.judge import Judgement
from archive.judge.types import Case, case_of
from archive.say import message, say
from archive.store.analyses import declared_with
from archive.text.analysis import proof_messages, summary
from archive.text.contracts import COLUMNS, calibration_text, contracts_head, prospect_texts
from archive.text.wording import Texts, game_title, texts_of
from archive.web.analysis import page as views
from archive.web.analysis.solvers import BusyError, Solvers, analysis_of, busy_page, proofs_of, solvers
from archive.web.deal.page import with_isolated_names
from archive.web.deal.queries import deal_position
from archive.web.request import NUMBER, connection, request_texts, shown_judgement
from archive.web.sentences import Sentence, to_sentence

MOST_CARDS = 48  # of a line, in an address
MOST_GAMES = 12  # of a hand that are valued
FEW_WORLDS = 25  # for each of them
EARLY, LATER = 3, 4  # the first trick of which card points are counted too, by the compiled search and the plain one


def setup(app: Flask) -> None:
    app.config["SOLVERS"] = Solvers()
    app.register_error_handler(BusyError, busy_page)

    @app.get(f"/deals/{NUMBER}/analysis", endpoint="analysis")
    def deal_analysis(number: int) -> str:
        judgement = with_isolated_names(shown_judgement(number))
        t = texts_of(judgement.ruleset, request_texts())
        case = case_of(judgement)
        game = open_game(case) if case else "analysis.not-played"
        shown = {} if case is None or isinstance(game, str) else analysis_shown(number, judgement, case, *game, t)
        proved = proofs_shown(judgement, case, t) if case else []
        place = deal_position(connection(), number)
        missing = to_sentence(message(game), t, whole=True) if isinstance(game, str) else None
        title = t["an_of"].format(number=judgement.number, game=game_title(judgement.deal.game, judgement.ruleset, t))
        return render_template(
            "analysis/analysis.html", place=place, title=title, missing=missing, proved=proved, t=t, **shown
        )


def analysis_shown(
    number: int, judgement: Judgement, case: Case, deal: OpenDeal, levels: Levels, t: Texts
) -> dict[str, Any]:
    """Return everything that the template of an analysis shows. Raises BusyError."""
    analysis = analysis_of(case, deal, levels)
    address = partial(url_for, "analysis", number=number)
    branch, decision = place_asked(analysis, t)
    own = tuple(filter(None, request.args.get("play", "").upper().split(".")))[:MOST_CARDS]
    best = request.args.get("best", "0") not in ("", "0")
    line, points = line_asked(analysis, branch, own, best, decision)
    if line is None:
        abort(400, t["an_illegal"].format(cards=" ".join(own)))
    at = views.place_text(decision) if decision else views.END

    def to(cards: Sequence[str]) -> str:
        played = decision and len(cards) == 1 and cards[0] == decision.card
        return address(at=following(analysis, branch, 1) if played else at, play=None if played else ".".join(cards))

    own_line = bool(own or best)
    position = views.position_view(
        judgement, analysis, line, branch, None if own_line or decision is None else decision.card, t, to
    )
    asks = decision is not None and not own_line
    known = known_asked(case, analysis, decision) if asks and decision and request.args.get("known") else None
    mistakes = [place for place, each in enumerate(analysis.decisions) if each.loss]
    before = [place for place in mistakes if place < branch]
    after = [place for place in mistakes if place > branch]
    steps = {
        "before": address(at=following(analysis, branch, -1)) if branch else None,
        "next": address(at=following(analysis, branch, 1)) if branch < len(analysis.decisions) else None,
        "mistake_before": address(at=following(analysis, before[-1], 0)) if before else None,
        "mistake_next": address(at=following(analysis, after[0], 0)) if after else None,
        "rest": address(at=at, play=".".join(own) or None, best=1) if position["cards"] else None,
        "back": address(at=at) if own_line else None,
        "known": address(at=at, known=1) if asks and decision and len(decision.values) > 1 else None,
    }
    name = position["player"]
    return {
        "sentences": [
            views.unbroken(to_sentence(each, t, t["faces"], whole=True))
            for each in summary(judgement, analysis, t["lang"])
        ],
        "curve": views.curve_of(judgement, analysis, None if decision is None else branch, t, address),
        "position": position,
        "points": t["an_points"].format(best=points[0], played=points[1], apart=abs(points[0] - points[1]))
        if points
        else "",
        "own_line": own_line,
        "steps": steps,
        "known": views.known_view(judgement, decision, known, t) if decision and isinstance(known, Expected) else None,
        "known_missing": t[known].format(player=name) if isinstance(known, str) else "",
        "contracts": contracts_shown(judgement, case, deal, address, t),
        "rows": list(views.table_rows(judgement, analysis, t, address)),
        "faces": t["faces"],
        "turned": views.turned_text(judgement, analysis, t),
    }


def proofs_shown(judgement: Judgement, case: Case, t: Texts) -> list[Sentence]:
    """Return the proofs of what is disputed, in sentences. Raises BusyError."""
    found = proof_messages(judgement, proofs_of(case), t["lang"])
    if not found and next(disputes(case), None):
        found = (message("analysis.proof-none"),)
    return [views.unbroken(to_sentence(each, t, t["faces"], whole=True)) for each in found]


def following(analysis: Analysis, place: int, by: int) -> str:
    """Return the place, as an address has it, that lies so many cards after another."""
    to = place + by
    return views.END if to >= len(analysis.decisions) else views.place_text(analysis.decisions[to])


def place_asked(analysis: Analysis, t: Texts) -> tuple[int, Decision | None]:
    """Return how many cards were played before the one that the address names, and that card; None at the end. If the
    address names none, it is the decisive card, else the first."""
    asked = request.args.get("at") or views.place_text(analysis.decisive or analysis.decisions[0])
    if asked == views.END:
        return len(analysis.decisions), None
    found = next((pair for pair in enumerate(analysis.decisions) if views.place_text(pair[1]) == asked), None)
    return found or abort(404, t["an_no_place"].format(place=asked))


def line_asked(
    analysis: Analysis, branch: int, own: Sequence[str], best: bool, decision: Decision | None
) -> tuple[Line | None, tuple[int, int] | None]:
    """Return the line that the address names. If a card of the play cost something, the card points that could be
    forced before it and after it come with it. Raises BusyError."""
    deal, levels = analysis.deal, analysis.levels
    cards = [each.card for each in analysis.decisions[:branch]]

    def make(solver: Solver) -> tuple[Line | None, tuple[int, int] | None]:
        values = decision.values if decision and not own and not best else None
        line = line_of(deal, levels, [*cards, *own], solver, best, values)
        counts = decision is not None and decision.loss and levels.counts_points and not own and not best
        if decision is None or not counts or decision.trick < (EARLY if solver.fast else LATER):
            return line, None
        solver.take_up(deal, levels.more_tricks)
        solver.follow(deal.played[: branch + 1])
        return line, (solver.points_at(branch), solver.points_at(branch + 1))

    payments = tuple(level.payments for level in levels.levels)
    key = "line", deal, levels.cuts, payments, branch, tuple(own), best, solvers().is_fast
    found: tuple[Line | None, tuple[int, int] | None] = solvers().recall(key, make)
    return found


def known_asked(case: Case, analysis: Analysis, decision: Decision) -> Expected | str:
    """Return a decision as seen with what its player could know, else the key of a text that says why there is none.
    Raises BusyError."""
    if not solvers().is_fast and solvers().fast is None:
        return "an_known_later"
    with solvers().lend() as solver:
        return expected_values(case, analysis, decision, solver) or "an_known_none"


def contracts_shown(
    judgement: Judgement, case: Case, deal: OpenDeal, address: views.Address, t: Texts
) -> dict[str, Any]:
    """Return the games of the hand that the address names, else the hands that it may name. Raises BusyError."""
    names, seat = judgement.session.players, request.args.get("contracts", type=int)
    hands = [(names[each], address(contracts=each), each == seat) for each in case.replay.active]
    if seat not in case.replay.active or seat is None:
        return {"hands": hands, "rows": [], "text": ""}
    if solvers().fast is None:
        return {"hands": hands, "rows": [], "text": t["an_known_later"]}
    payments = case.settlement.payments

    def make(solver: Solver) -> tuple[Prospect, ...] | str:
        return prospects(case, seat, solver, FEW_WORLDS, MOST_GAMES)

    found = solvers().recall(("contracts", deal, case.ruleset.digest, payments, seat), make)
    if isinstance(found, str):
        return {"hands": hands, "rows": [], "text": say(message(found), t["lang"])}
    declared = declared_with(connection(), judgement, found)
    left = sum(1 for _ in games_for(case, seat, hand_of(case, seat) or ())) - len(found)
    return {
        "hands": hands,
        "rows": prospect_texts(judgement, found, t, declared),
        "text": say(contracts_head(judgement, seat, found), t["lang"]),
        "how": say(message("analysis.contracts-how"), t["lang"]),
        "calibrated": calibration_text(t["lang"]),
        "cut": t["an_contracts_cut"].format(n=left) if left else "",
        "columns": [say(message(f"analysis.column-{key}"), t["lang"]) for key in COLUMNS],
    }
