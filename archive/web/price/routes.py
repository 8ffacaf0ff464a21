"""`/price`: a deal in words, priced by a ruleset and a tariff. The address holds the question, so that its link is the
answer; nothing is kept, and no archive is needed."""

from flask import Flask, render_template, request

from archive.notation.spoken_line import LONGEST
from archive.rules import installed_rulesets
from archive.web.price.page import USUAL_RULES, PriceView, price_view
from archive.web.request import request_texts

LONGEST_TARIFF = 40  # characters


def setup(app: Flask) -> None:
    @app.get("/price")
    def price() -> str:
        text = " ".join(request.args.get("q", "")[: LONGEST + 1].split())
        t, asked = request_texts(), request.args.get("rules", USUAL_RULES)
        rules = asked if asked in installed_rulesets() else USUAL_RULES
        tariff = request.args.get("tariff", "")[:LONGEST_TARIFF].strip()
        unknown = PriceView(problems=(t["pr_no_rules"].format(name=asked),)) if rules != asked else None
        view = (unknown or price_view(text, rules, tariff, t)) if text else None
        return render_template(
            "price/price.html",
            question={"q": text, "rules": rules, "tariff": tariff},
            view=view,
            books=installed_rulesets(),
            longest=LONGEST,
        )
