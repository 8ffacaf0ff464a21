"""The German of the client's chat: which lines are events of a game, and what they say. Everything else is chat."""

import re
from functools import lru_cache
from typing import NamedTuple

from archive.record import Game
from importers.sauspiel import site_words as site
from importers.sauspiel.site_words import Amount, read_amount, read_number

read_game = lru_cache(1024)(site.read_game)  # a log says the same few things in every game
read_call = lru_cache(1024)(site.read_call)

OWNER = "Du"  # the owner of the log; no line names him
EVERYONE = "Ihr"
OWN_CASES = ("du", "dir", "dich")  # the client writes them with capitals or without
SECOND_PERSON = ("hast", "sagst", "dadst", "dads", "hättest", "hättst", "spielst")
THIRD_PERSON = {"sag": "sagt", "dad": "dad", "hät": "hätt", "spi": "spielt", "läs": "lässt"}

BEGINS = "Spiel #"
START = re.compile(r"Spiel #(?P<number>[\d.]{1,20}) beginnt[.!]?")
SAYS = re.compile(
    r"(?P<name>[^:]{1,40}?) (?P<verb>hat|hast|habt|haben|sags?t|dads?t?|hätt(?:e?st)?|spiels?t|lässt) (?P<what>.+)"
)
KINDS = {"geklopft": "knock", "gestoßen": "kontra", "gestossen": "kontra"}
GAME = re.compile(r"(?:auf|an?|en|einen?|das|den|Eichel|Gras|Herz|Schellen?)\b")  # begins a game that is played
RESULT = re.compile(
    r"(?:mit (?P<mate>[^:]{1,40}?) )?(?:das|den|die|an?) (?P<game>\S{1,20}(?: \S{1,20}){0,3}?)"
    r" (?P<won>gewonnen|verloren)[.!](?P<rest>.*)"
)
COUNT = re.compile(
    r"(?: (?P<whose>[^:]{1,40}?) (?:hat|hast|habt|haben) (?P<points>\d{1,3}) Augen\.)?"
    r"(?: [Dd]u hast (?P<amount>[^:]{1,20}?) (?P<gained>gewonnen|verloren)\.)?"
)
SOLO = Game("solo")  # may be announced by its suit alone
# An umlaut of the client's own words in whatever another encoding made of it: `gestoÃŸen`, `gesto\\xe1en`, `gestossen`.
_DAMAGE = r"(?:[^\x00-\x7f]|\\x[0-9a-f]{2}|\?){1,3}"
UMLAUTS = (
    (re.compile(rf"(?<= hat gesto|hast gesto|habt gesto){_DAMAGE}(?=en[!.]*$)"), "ß"),
    (re.compile(rf"(?<= h)(?:{_DAMAGE}|ae)(?=tt(?:e?st)? )"), "ä"),
    (re.compile(rf"(?<= l)(?:{_DAMAGE}|ae)(?=sst .*Vortritt)"), "ä"),
)
OF_DEFENCE = "Die Gegner"
SIDES = ("sie", "er", "es", "ihr", "du", OF_DEFENCE.casefold())  # whose points they are, beside a player's name


class Result(NamedTuple):
    """The last line of a game. `game` has no declarer, and may lack its suit."""

    who: str
    mate: str | None
    game: Game
    won: bool
    points: int | None
    of_defence: bool  # whether the points are the defence's
    amount: Amount | None  # the owner's, negative if he pays
    text: str


class ChatEvent(NamedTuple):
    """An event: `start`, `knock`, `kontra`, `call`, `ramsch`, `result`; or `unread`, which begins like one."""

    kind: str
    who: str = ""
    text: str = ""  # the number of the game; a call in the third person
    result: Result | None = None


def read_event(text: str) -> ChatEvent | None:
    """Return the event of a line, or None for chat, pauses, players who come and go."""
    if text.startswith(BEGINS):
        match = START.fullmatch(text)
        number = read_number(match["number"].rstrip(".")) if match else None
        return ChatEvent("start", text=number) if number else ChatEvent("unread")
    for damaged, umlaut in UMLAUTS:
        text = damaged.sub(umlaut, text)
    match = SAYS.match(text)
    if not match:
        return None
    verb, what = match["verb"], match["what"]
    name, is_second = match["name"], verb in SECOND_PERSON  # in one spelling for the owner, and for everyone
    is_all = name.casefold() == EVERYONE.casefold() and verb in ("habt", "spielt")
    name = EVERYONE if is_all else OWNER if name.casefold() == "du" and is_second else name
    return _read_deed(name, what, text) if verb[:2] == "ha" else _read_call_line(name, THIRD_PERSON[verb[:3]], what)


def _read_deed(name: str, what: str, text: str) -> ChatEvent | None:
    """Read `X hat geklopft!`, `X hat mit Y das Sauspiel gewonnen. Sie haben 89 Augen. Du hast 100 P verloren.`"""
    word = what.rstrip("!. ")
    if word in KINDS:
        return ChatEvent(KINDS[word], name)
    if what.startswith(tuple(KINDS)) or (name == EVERYONE and RESULT.match(what)):
        return ChatEvent("unread", name)
    match = RESULT.fullmatch(what)
    if not match:
        return ChatEvent("unread", name) if " Augen" in what else None
    result = _result(name, match, text)
    if result is None:
        return ChatEvent("unread", name) if match["rest"] or read_game(match["game"]) else None
    return ChatEvent("result", name, result=result)


def _result(name: str, match: re.Match[str], text: str) -> Result | None:
    game, count = read_game(match["game"]), COUNT.fullmatch(match["rest"].rstrip())
    if game is None or count is None:
        return None
    amount = read_amount(count["amount"]) if count["amount"] else None
    whose = count["whose"] or name
    if (count["amount"] and amount is None) or (whose.casefold() not in SIDES and whose != name):
        return None
    if amount and count["gained"] == "verloren":
        amount = amount._replace(value=-amount.value)
    points = int(count["points"]) if count["points"] else None
    mate = OWNER if (match["mate"] or "").casefold() in OWN_CASES else match["mate"]
    of_defence = whose.casefold() == OF_DEFENCE.casefold()
    return Result(name, mate, game, match["won"] == "gewonnen", points, of_defence, amount, text)


def _read_call_line(name: str, verb: str, what: str) -> ChatEvent | None:
    """Return the event of `X sagt weiter.`, `X spielt auf die Alte.`, `Ihr spielt an Ramsch.`"""
    if (verb == "spielt" and not GAME.match(what)) or (verb == "lässt" and "Vortritt" not in what):
        return None
    if name == EVERYONE:
        return ChatEvent("ramsch" if what.rstrip(".! ") == "an Ramsch" else "unread")
    call = f"{verb} {what}"
    return ChatEvent("call" if read_call(call, None) or read_call(call, SOLO) else "unread", name, call)
