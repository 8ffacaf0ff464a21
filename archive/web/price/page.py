"""From a deal in words to what the page shows: its price in lines, or why there is none."""

from msgspec import Struct
from msgspec.structs import replace

from archive.judge import Judgement
from archive.judge.price import price_of, uncounted_facts
from archive.judge.price_range import price_range, say_price_range
from archive.judge.sentences import say_reason
from archive.record import Finding
from archive.say import say
from archive.text.wording import Texts, finding_words
from archive.web.deal.model import DealHeading, DealPosition, DealSettlement
from archive.web.deal.page import deal_heading, deal_settlement, deal_view

USUAL_RULES = "pub"
FIELDS = {"house.tariff": "pr_tariff", "deal": "pr_text"}  # of the form, by the keys that findings have
PLACE = DealPosition(id=0, session=0)


class PriceView(Struct, frozen=True):
    """The answer: the heading and the settlement of the priced deal, None if there is no price; findings against it, or
    on facts that are missing; and the facts that were assumed not to have happened."""

    heading: DealHeading | None = None
    settlement: DealSettlement | None = None
    problems: tuple[str, ...] = ()
    unwritten: tuple[str, ...] = ()


def problem_of(finding: Finding, t: Texts) -> str:
    """Return a finding that names the field of the form instead of the key of a record."""
    key = str(finding.facts.get("key", ""))
    named = replace(finding, facts=finding.facts | {"key": t[FIELDS[key]]}) if key in FIELDS else finding
    return finding_words(named, t["lang"])


def price_view(text: str, rules: str, tariff: str, t: Texts) -> PriceView:
    """Return the price of a deal in words, under a bundled ruleset and a tariff; an empty tariff is that of the
    ruleset."""
    language = t["lang"]
    priced = price_of(text, rules, {"tariff": tariff} if tariff else {}, language)
    if not isinstance(priced, Judgement):
        return PriceView(problems=tuple(problem_of(each, t) for each in priced))
    problems = tuple(finding_words(finding, language) for finding in priced.findings if finding.severity != "note")
    if priced.basis != "facts":
        known = price_range(priced)
        texts = say_price_range(priced, known, language) if known else ()
        silent = tuple(say(each, language) for each in known.unwritten) if known else ()
        return PriceView(problems=problems or (say_reason(priced, language), *texts), unwritten=silent)
    view, unwritten = deal_view(priced, t), tuple(say(each, language) for each in priced.unwritten)
    problems += tuple(say(each, language) for each in uncounted_facts(priced))
    return PriceView(deal_heading(view, PLACE), deal_settlement(view), problems, unwritten)
