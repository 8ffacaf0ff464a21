"""`/price`: a deal in words, priced by a ruleset and a tariff. The address holds the question, so that its link is the
answer; nothing is kept, and no archive is needed."""

from flask import Flask, render_template, request
from msgspec.structs import replace

from archive.judge import Judgement
from archive.judge.price import price_of, uncounted_facts
from archive.judge.price_range import price_range, say_price_range
from archive.judge.sentences import say_reason
from archive.notation.spoken_line import LONGEST
from archive.record import Finding
from archive.rules import installed_rulesets
from archive.say import say
from archive.text.wording import Texts, finding_words
from archive.web.deal.model import DealPosition
from archive.web.deal.page import deal_heading, deal_settlement, deal_view
from archive.web.queries import Facts
from archive.web.request import request_texts

LONGEST_TARIFF = 40  # characters
USUAL_RULES = "pub"
FIELDS = {"house.tariff": "pr_tariff", "deal": "pr_text"}  # of the form, by the keys that findings have
PLACE = DealPosition(id=0, session=0)
NO_PRICE: Facts = {"heading": None, "settlement": None, "unwritten": ()}


def setup(app: Flask) -> None:
    @app.get("/price")
    def price() -> str:
        text = " ".join(request.args.get("q", "")[: LONGEST + 1].split())
        t, asked = request_texts(), request.args.get("rules", USUAL_RULES)
        rules = asked if asked in installed_rulesets() else USUAL_RULES
        tariff = request.args.get("tariff", "")[:LONGEST_TARIFF].strip()
        unknown = NO_PRICE | {"problems": [t["pr_no_rules"].format(name=asked)]} if rules != asked else None
        view = (unknown or price_facts(text, rules, tariff, t)) if text else None
        question, books = {"q": text, "rules": rules, "tariff": tariff}, installed_rulesets()
        return render_template("price/price.html", question=question, view=view, books=books, longest=LONGEST)


def price_facts(text: str, rules: str, tariff: str, t: Texts) -> Facts:
    """Return the price of a deal in words, under a bundled ruleset and a tariff (empty: that of the ruleset): its
    heading and settlement, None if there is no price; `problems`: findings against it, or on facts that are missing;
    and the facts that were assumed not to have happened (`unwritten`)."""
    language = t["lang"]
    priced = price_of(text, rules, {"tariff": tariff} if tariff else {}, language)
    if not isinstance(priced, Judgement):
        return NO_PRICE | {"problems": [problem_of(each, t) for each in priced]}
    problems = [finding_words(finding, language) for finding in priced.findings if finding.severity != "note"]
    if priced.basis != "facts":
        known = price_range(priced)
        texts = say_price_range(priced, known, language) if known else ()
        silent = [say(each, language) for each in known.unwritten] if known else ()
        return NO_PRICE | {"problems": problems or [say_reason(priced, language), *texts], "unwritten": silent}
    view = deal_view(priced, t)
    return {
        "heading": deal_heading(view, PLACE),
        "settlement": deal_settlement(view),
        "problems": [*problems, *(say(each, language) for each in uncounted_facts(priced))],
        "unwritten": [say(each, language) for each in priced.unwritten],
    }


def problem_of(finding: Finding, t: Texts) -> str:
    """Return a finding that names the field of the form instead of the key of a record."""
    key = str(finding.facts.get("key", ""))
    named = replace(finding, facts=finding.facts | {"key": t[FIELDS[key]]}) if key in FIELDS else finding
    return finding_words(named, t["lang"])
