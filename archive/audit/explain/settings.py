"""Settings of a house and what they are set to, in words: what sentences about a reading are filled with."""

from collections.abc import Mapping
from typing import Any

Pair = tuple[str, str]  # in English, and in German

SETTINGS: dict[str, Pair] = {
    "price.schneider": ("Schneider", "Schneider"),
    "price.schwarz": ("Schwarz", "Schwarz"),
    "price.runner": ("A runner", "Ein Laufender"),
    "stock.amount": ("each pays", "jeder zahlt"),
    "stock.won_by": ("it is won by", "gewonnen wird er mit"),
    "stock.lost": ("who loses", "der Verlierer"),
    "schieber.thrown_in": ("A Schieber that nobody plays", "Ein Schieber, den keiner spielt,"),
    "marks.chalk": (
        "The number of card points that the side with the chalk needs",
        "Was die Partei mit der Kreide braucht,",
    ),
    "marks.first": ("What is needed in the first deal", "Was man im ersten Spiel braucht,"),
    "marks.schneider": ("The number of card points for Schneider", "Die Augenzahl für Schneider"),
    "marks.scores": ("Winning, Schneider, every trick", "Gewonnen, Schneider, alle Stiche"),
    "blind_runners": ("Runners", "Laufende"),
    "sitter_pays": ("Sitting out", "Aussetzen"),
    "consequences.exposed-dealing": ("A card exposed while dealing", "Beim Geben eine Karte aufgedeckt"),
    "consequences.miscount-dealt": ("A wrong number of cards, found before play", "Falsche Kartenzahl, vorher bemerkt"),
    "consequences.miscount": ("A wrong number of cards, found later", "Falsche Kartenzahl, später bemerkt"),
    "consequences.exposed": ("A card exposed", "Eine Karte gezeigt"),
    "consequences.out-of-turn": ("A card out of turn", "Außer der Reihe gespielt"),
    "consequences.revoke": ("A revoke", "Falsch zugegeben"),
    "consequences.revoke-later": ("A revoke, found later", "Falsch zugegeben, später bemerkt"),
    "consequences.shows-none": ("A hand given up", "Den Rest hergegeben"),
    "consequences.false-claim": ("A claim of the rest that does not hold", "Den Rest zu Unrecht verlangt"),
}

DOUBLED = {
    "no": ("nothing", "nichts"),
    "base": ("the game alone", "nur das Spiel"),
    "base+runners": ("game and runners", "Spiel und Laufende"),
    "all": ("everything", "alles"),
}
# By setting, or by the table of settings: what a value is in words. A value that is not here is its own word.
VALUES: dict[str, Mapping[Any, Pair]] = {
    "tout": DOUBLED,
    "hand": DOUBLED,
    "sie": DOUBLED | {"tout": ("a Tout", "wie ein Tout")},
    "levels.tie": {
        "lost": ("lost", "verloren"),
        "undecided": ("nobody's", "unentschieden"),
        "stake": ("carried over", "stehen gelassen"),
    },
    "ramsch.virgin": {
        "no": ("nothing", "nichts"),
        "double-all": ("double for all", "doppelt für alle"),
        "double-own": ("double for herself, once for each virgin", "für sich doppelt, je Jungfrau einmal"),
        "double-own-once": ("double for herself", "für sich doppelt"),
    },
    "ramsch.virgin_is": {
        "no-trick": ("with no trick", "ohne Stich"),
        "no-points": ("with no card points", "ohne Augen"),
    },
    "ramsch.march": {
        "no": ("nothing", "nichts"),
        "tricks": ("with every trick", "mit allen Stichen"),
        **{points: (f"from {points} card points on", f"ab {points} Augen") for points in range(1, 201)},
    },
    "ramsch.tie": {
        "tricks": ("the number of tricks", "die Zahl der Stiche"),
        "taken-trumps": ("the trumps in the tricks", "die Trümpfe in den Stichen"),
        "taken-trump": ("the highest trump in the tricks", "den höchsten Trumpf in den Stichen"),
        "own-trump": ("the highest trump of one's own", "den eigenen höchsten Trumpf"),
        "taken-ober": ("the highest Ober in the tricks", "den höchsten Ober in den Stichen"),
        "own-ober": ("the highest Ober of one's own", "den eigenen höchsten Ober"),
    },
    "stock.lost": {
        "doubled": ("doubles it", "verdoppelt ihn"),
        "to-winners": ("pays it to the winners", "zahlt ihn an die Gewinner"),
    },
    "runners_from": {
        0: ("no runners", "keine Laufenden"),
        **{least: (f"runners from {least} on", f"Laufende ab {least}") for least in range(1, 15)},
    },
    "cap": {None: ("any amount", "beliebig viel")},
    "blind_runners": {
        True: ("the blind counts to them", "zählt der Skat dazu"),
        False: ("the blind does not count to them", "zählt der Skat nicht dazu"),
    },
    "sitter_pays": {
        True: ("who sits out pays and is paid too", "rechnet mit ab, wer aussetzt"),
        False: ("who sits out does not pay and is not paid", "rechnet nicht mit ab, wer aussetzt"),
    },
    "consequences": {
        "table": ("the table decides", "entscheidet der Tisch"),
        "played-on": ("play goes on", "wird weitergespielt"),
        "dealt-again": ("the cards are dealt again", "wird neu gegeben"),
        "rest-to-others": ("the rest goes to the other side", "geht der Rest an die andere Partei"),
        "lost-schwarz": ("the game is lost Schwarz", "ist das Spiel schwarz verloren"),
    },
}
NOTHING = ("nothing", "nichts")  # of a list
BETWEEN = {"ramsch.tie": (", then ", ", dann ")}


def in_words(key: str, value: Any, was: Any, contract: str, titles: Mapping[str, str]) -> dict[str, Any]:
    """The facts of a reading: the setting `key`, its `value` and what it `was`. A setting that has no words is named by
    the title of the contract that is played."""
    own = titles.get(contract, key)
    pairs = {"what": SETTINGS.get(key, (own, own)), "value": said(key, value, titles), "was": said(key, was, titles)}
    return {name + tail: text for name, pair in pairs.items() for tail, text in zip(("", "_de"), pair, strict=True)}


def said(key: str, value: Any, titles: Mapping[str, str]) -> Pair:
    """What a setting is set to."""
    if isinstance(value, list | tuple):
        parts = [said(key, each, titles) for each in value] or [NOTHING]
        en, de = BETWEEN.get(key, (", ", ", "))
        return en.join(part[0] for part in parts), de.join(part[1] for part in parts)
    words = VALUES.get(key) or VALUES.get(key.partition(".")[0], {})
    own = titles.get(value, str(value))
    return words.get(value, (own, own))
