"""`/evenings/new`: who plays, and by which rules: those that a table has stored, or the answers to six questions."""

from collections.abc import Callable, Mapping
from typing import Any

from flask import Flask, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from archive.record import Session
from archive.record.days import parse_day, tonight
from archive.record.names import name_key
from archive.rules import Ruleset, installed_rulesets, load
from archive.rules.guide import guide, guided_rules
from archive.serve.proxy import METHODS
from archive.store.live_evenings import MOST_SITTERS, begin_evening, head_findings
from archive.store.table_rules import keep_table_rules, kept_table_rules
from archive.text.wording import Texts, finding_words, rules_title
from archive.web.doors.guard import demands, redirect_and_remember, redirect_of_same_form, writing_archive
from archive.web.evening.queries import player_names
from archive.web.request import connection, has_archive, request_texts

SEATS = 7
NAMES = 24  # names to choose from
LONGEST = 60  # characters of a name
KEPT, BUNDLED = "kept:", "rules:"  # how a choice of rules begins that is not an answer to questions


def setup(app: Flask, author: Callable[[], str]) -> None:
    @app.route("/evenings/new", methods=["GET", "POST"], endpoint="evening_new")
    @demands("writer")
    def new() -> str | AnyResponse | tuple[str, int]:
        if request.method in METHODS:
            return new_page(request.args, ())
        t, form = request_texts(), request.form
        name = form.get("keep", "").strip()[:LONGEST]
        with writing_archive() as db:
            if there := redirect_of_same_form():
                return redirect_and_remember(there)
            head = head_of(form, kept_table_rules(db.conn))
            if head is None:
                return new_page(form, (t["ev_no_rules"],)), 400
            if wrong := head_faults(head, t):
                return new_page(form, wrong), 400
            number = begin_evening(db, head, author())
            if name:
                keep_table_rules(db, name, head.rules, head.house or {}, author())
            return redirect_and_remember(url_for("evening_add", number=number))


def head_of(form: Mapping[str, str], kept: Mapping[str, tuple[str, dict[str, Any]]]) -> Session | None:
    """Return the head that a form describes; None if its rules are none."""
    named = (form.get(f"player{seat}", "").strip()[:LONGEST] for seat in range(SEATS))
    choice = form.get("rules", "")
    house: dict[str, Any]
    if choice.startswith(KEPT):
        if choice.removeprefix(KEPT) not in kept:
            return None
        rules, house = kept[choice.removeprefix(KEPT)]
    elif choice.startswith(BUNDLED):
        rules, house = choice.removeprefix(BUNDLED), {}
        if rules not in installed_rulesets():
            return None
    else:
        rules, house = guided_rules(form)
    day = form.get("date", "").strip() or tonight().isoformat()
    return Session(
        players=tuple(filter(None, named)),
        rules=rules,
        date=parse_day(day) or day,
        event=form.get("event", "").strip()[:LONGEST] or None,
        unit=form.get("unit") or None,
        house=house or None,
    )


def head_faults(head: Session, t: Texts) -> tuple[str, ...]:
    """Return why these players cannot sit at a table together, in sentences: too few, too many, two of one name; else
    what is wrong with the head."""
    keys = [name_key(name) for name in head.players]
    twice = dict.fromkeys(name for name, key in zip(head.players, keys, strict=True) if keys.count(key) > 1)
    same = tuple(t["ev_same_name"].format(name=name) for name in list(twice)[:1])
    ruleset = load(head.rules)[0] if head.rules in installed_rulesets() else None
    seats, there = ruleset.house.seats if ruleset else 0, len(head.players)
    if ruleset is None or seats <= there <= seats + MOST_SITTERS:
        return same or tuple(finding_words(each, t["lang"]) for each in head_findings(head))
    others = [rules_title(each, t) for _, each in rules_to_tap() if each.house.seats == there]
    fitting = [t["ev_fitting_rules"].format(rules=", ".join(others))] if others else []
    return (t["ev_so_many_players"].format(fewest=seats, most=seats + MOST_SITTERS, there=there), *fitting, *same)


def rules_to_tap() -> list[tuple[str, Ruleset]]:
    """Return the bundled rulesets, by name, whose deals can be tapped: of Schnauz and Patience there are no tricks."""
    known = ((name, load(name)[0]) for name in installed_rulesets())
    return [(name, ruleset) for name, ruleset in known if ruleset and ruleset.house.play == "tricks"]


def new_page(form: Mapping[str, str], wrong: tuple[str, ...]) -> str:
    """Return the page with its form, as it was filled in, and what is wrong with it."""
    t = request_texts()
    conn = connection() if has_archive() else None
    return render_template(
        "evening/new.html",
        form=form,
        seats=SEATS,
        names=player_names(conn, NAMES) if conn else [],
        kept=sorted(kept_table_rules(conn)) if conn else [],
        books=[(name, rules_title(ruleset, t)) for name, ruleset in rules_to_tap()],
        questions=[
            {
                "id": each.id,
                "text": t[f"ev_ask_{each.id}"],
                "answers": [(answer, t[f"ev_ask_{each.id}_{answer}"]) for answer in each.answers],
                "chosen": next(answer for answer in (form.get(each.id, ""), *each.answers) if answer in each.answers),
            }
            for each in guide()
        ],
        wrong=wrong,
    )
