"""Names of players as people write them: the one form in which they are kept, what can be a name, which two are the
same, and which are so near that the user is asked."""

import re
import unicodedata
from functools import lru_cache
from typing import Literal

FORM: Literal["NFC", "NFD"] = "NFC"
JOINERS = "\u200c\u200d"  # zero-width non-joiner and joiner
BLANKS = r"[ \t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+"
SIGNS = re.compile(r"[\s_.:/()\-]+")
SEPARATORS = r"[,;]|\s(?:und|and|&)\s"
UNUSABLE = frozenset('[]{}<>:|"')  # signs of files, which no name in a line has
WORD = r"[^\W\d_][\w.'’*-]{0,20}"
PART = rf"(?:{WORD}|\([\w.]{{1,12}}\)|[1-9](?![\w.,]))"  # `M.`, `Huber`, `(2)`, `2`
NAME = rf"{WORD}(?: {PART}){{0,4}}?"
MOST_PARTS = 5
SMALL = frozenset(  # words of a name that begin small
    "jun jun. sen sen. jr jr. sr sr. v. von van vom zu zum zur de d. d.ä. d.j. ä. j. da der dem den".split()
)
FIRST = r"[^\W\d_][\w'’]+(?:-[^\W\d_][\w'’]*)*"
TITLED = (  # compiled by who looks for one
    rf"(?:(?:Dr|Prof|Ing|St)\. ?)+{FIRST}"
    rf"|{FIRST}(?: d\. ?[ÄJ]\.| [^\W\d_]\.| \((?:\d|[^\W\d_])\.?\)| (?i:jun|sen|jr|sr)\b\.?)"
    r"|[^\W\d_][\w'’]+(?:-[^\W\d_][\w'’]*)+\.?"
)  # names of several tokens that cannot be two names
UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "oe", "œ": "oe"})
DOUBLED = re.compile(r"([^\W\d_])\1+")
MIXED = re.compile(r"[^\W\d_]{5,}")  # words in which two letters may have changed places


def one_form(name: str) -> str:
    """Return a name as it is kept: Unicode composed, any run of blanks as one space, none at its ends."""
    if name.isascii() and "  " not in name and "\t" not in name and name == name.strip(" "):
        return name
    return re.sub(BLANKS, " ", unicodedata.normalize(FORM, name)).strip(" ")


@lru_cache(maxsize=4096)
def name_key(text: str) -> str:
    """Return a name as two are compared: in lower case, without the signs between words and after them."""
    plain = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    return " ".join(SIGNS.sub(" ", plain).split())


def seat_named(name: str, players: tuple[str, ...]) -> int | None:
    """Return the seat of a player, however the name is written, if only one has it."""
    same = [seat for seat, each in enumerate(players) if name_key(each) == name_key(name)]
    return players.index(name) if name in players else same[0] if len(same) == 1 else None


def is_whole_name(text: str, name: str) -> bool:
    """Return whether a text gives somebody's whole name, whatever signs are left out."""
    plain, whole = ("".join(filter(str.isalnum, name_key(each))) for each in (text, name))
    return plain == whole


def forms_of_before(name: str) -> tuple[str, ...]:
    """Return a name as it is written, its one form, and those in which an older archive may hold it."""
    form = one_form(name)
    return tuple(dict.fromkeys((name, form, unicodedata.normalize("NFD", form), form.replace(" ", "  "))))


def is_printed(name: str) -> bool:
    """Return whether every character of a name is seen, or joins the two beside it: those of a family in one picture,
    the letters of Persian or Hindi. Between letters that have capitals a joiner would tell two names apart that look
    the same."""
    plain = list(name)
    for at in range(1, len(name) - 1):
        if name[at] in JOINERS and all(_takes_joiner(each) for each in (name[at - 1], name[at + 1])):
            plain[at] = ""
    return "".join(plain).isprintable()


def _takes_joiner(sign: str) -> bool:
    return not sign.isascii() and sign not in JOINERS and sign.lower() == sign.upper()


def is_name_of_line(text: str) -> bool:
    """Return whether a text can be a name in a line of words: it is printed, and has no sign of a file."""
    return bool(text) and is_printed(text) and UNUSABLE.isdisjoint(text)


def split_names(text: str) -> tuple[str, ...]:
    """Return the names of a list that somebody wrote: `Hans M., Resi H. und Sepp (2)`."""
    return tuple(filter(None, map(one_form, re.split(SEPARATORS, text))))


def without_end(text: str) -> str:
    """Return a list of names without the signs around it; the dot of `Hans M.` and `Toni jun.` is part of a name."""
    bare = text.strip(" .,;")
    last = bare.rpartition(" ")[2]
    is_short = last != bare and ((len(last) == 1 and last.isalpha()) or f"{last.casefold()}." in SMALL)
    return f"{bare}." if is_short and text.lstrip(" .,;")[len(bare) :].startswith(".") else bare


def is_like_name(text: str) -> bool:
    """Return whether a text has the shape of a name alone: words in capitals or without case, `jun.`, `(2)`."""
    words = text.split(" ")
    is_name = len(words) <= MOST_PARTS and re.fullmatch(NAME, text) is not None
    return is_name and all(not word[0].islower() or word.casefold() in SMALL for word in words)


# --- near-equal names -------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 17)
def near_keys(name: str) -> frozenset[str]:
    """Return the keys of a name; near-equal names share one: without capitals, signs and doubled letters, an umlaut as
    two letters or without its dots, the letters inside a longer word in any order, the words in any order or as one.
    Initials and numbers stay."""
    plain = name_key(name)
    forms = {plain.translate(UMLAUTS)}
    if not plain.isascii():
        forms.add("".join(sign for sign in unicodedata.normalize("NFD", plain) if not unicodedata.combining(sign)))
    single = [[DOUBLED.sub(r"\1", word) for word in form.split()] for form in forms]
    keys = (key for words in single for key in ("".join(words), " ".join(sorted(words))))
    return frozenset(MIXED.sub(_in_any_order, key) for key in keys)


def _in_any_order(word: re.Match[str]) -> str:
    letters = word[0]
    return f"{letters[0]}{''.join(sorted(letters[1:-1]))}{letters[-1]}"
