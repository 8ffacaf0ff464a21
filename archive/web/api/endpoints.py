"""Every address of the interface, declared once: routes and the OpenAPI document come from here."""

from typing import get_args

from archive.judge.types import Basis, Verdict
from archive.rules import installed_rulesets
from archive.stats.fact_tables import WHERE
from archive.store.gone_deals import Gone
from archive.web.api import answers, writing
from archive.web.api.types import CorrectionSent, Endpoint, Parameter, RulingSent
from archive.web.texts import LANGUAGES

LANG = Parameter("lang", "The language of sentences; English where it is left out.", choices=LANGUAGES)
AFTER = Parameter("after", "The number of the last row of the page before.", int)
LIMIT = Parameter("limit", f"Rows of a page, at most {answers.MOST}; {answers.USUAL} where it is left out.", int)
SINCE = Parameter("since", "The first day, month or year, as 2026-11-14.")
UNTIL = Parameter("until", "The last day, month or year.")
EVENT = Parameter("event", "The name of the event.")
SESSION = Parameter("session", "The number of the session.", int)
PLAYER = Parameter("player", "The number of the player.", int)
DEAL = Parameter("deal", "The number of the deal.", int)
RULES = Parameter("rules", "The ruleset.")
CONTRACT = Parameter("contract", "The id of the contract.")
BASIS = Parameter("basis", "On what the amounts rest.", choices=get_args(Basis))
ROUND = Parameter("round", "A special round in force: bock, kreuz and so on.")
MUSS = Parameter("muss", "1: the declarer had to play, since all had passed; 0: not so.", int)
BID = Parameter("bid", "The lowest number bid.", int)
HOCHZEIT = Parameter("hochzeit", "What became of a Hochzeit.", choices=("played", "offered"))
SCORE = Parameter("score", "In what the score is kept.", choices=("amounts", "marks", "tallies"))
VERDICT = Parameter("verdict", "The verdict.", choices=get_args(Verdict))
RULE = Parameter("rule", "The id of the finding.")
SEVERITY = Parameter("severity", "How severe it is.", choices=("error", "warning", "note"))
QUESTION = Parameter("question", "The name of the question.")
WORDS = Parameter("q", "The deal in words.")
INSTALLED = Parameter("rules", "The ruleset; pub where it is left out.", choices=installed_rulesets())
TARIFF = Parameter("tariff", "What games cost, as 10/20/50.")
NAME = Parameter("name", "The name of the file.")
TERMS = (
    Parameter("licence", "Under which terms the file may be used."),
    Parameter("origin", "Where the file comes from."),
    Parameter("time_zone", "The time zone of the times in it, as Europe/Berlin."),
)
GONE = Parameter("gone", "What becomes of deals that the file no longer tells.", choices=get_args(Gone))
NARROWED = (
    RULES,
    CONTRACT,
    Parameter("parties", "How the parties are formed."),
    Parameter("unit", "What amounts count."),
)
PLACES = {"player": PLAYER, "session": SESSION, "event": EVENT, "basis": BASIS, "since": SINCE, "until": UNTIL}
PART = tuple(PLACES[name] for name in WHERE)  # the parts of an archive that a question may be about

KINDS = (ROUND, MUSS, BID, HOCHZEIT, SCORE)
LIST = (EVENT, SINCE, UNTIL, AFTER, LIMIT)
ENDPOINTS = (
    Endpoint("/", answers.describe_service),
    Endpoint("/deals", answers.list_deals, (RULES, CONTRACT, VERDICT, BASIS, *KINDS, PLAYER, SESSION, *LIST)),
    Endpoint("/deals/{deal}", answers.show_deal, (DEAL, LANG)),
    Endpoint("/deals/{deal}/record", answers.show_record, (DEAL,)),
    Endpoint("/sessions", answers.list_sessions, LIST),
    Endpoint("/sessions/{session}", answers.show_session, (SESSION,)),
    Endpoint("/players", answers.list_players, (AFTER, LIMIT)),
    Endpoint("/players/{player}", answers.show_player, (PLAYER,)),
    Endpoint("/findings", answers.list_findings, (RULE, SEVERITY, DEAL, AFTER, LIMIT, LANG)),
    Endpoint("/questions", answers.list_questions, (LANG,)),
    Endpoint("/questions/{question}", answers.ask_question, (QUESTION, *NARROWED, *PART, LIMIT)),
    Endpoint("/price", answers.price_words, (WORDS, INSTALLED, TARIFF, LANG)),
    Endpoint("/check", answers.check_text, (NAME, LANG), "The text or the file itself.", "post"),
    Endpoint("/records", answers.stream_records, (SESSION,)),
    Endpoint("/records", writing.add_records, (NAME, *TERMS, GONE, LANG), "The file itself.", "post", "writer"),
    Endpoint(
        "/deals/{deal}/corrections",
        writing.add_correction,
        (DEAL, LANG),
        "What is set, and why.",
        "post",
        "writer",
        CorrectionSent,
    ),
    Endpoint(
        "/deals/{deal}/rulings",
        writing.add_ruling,
        (DEAL, LANG),
        "Who pays what, why, by which rule.",
        "post",
        "referee",
        RulingSent,
    ),
)
NEEDED = ("q",)  # parameters of a query that must be there, beside those of the path
