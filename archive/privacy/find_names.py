"""Names in any text: however they are spelled in it, and their replacements.

A name is found in upper and lower case, with the s of a genitive, with its accents composed or apart, and as JSON,
TOML, HTML and web addresses escape it; and only as a whole word, not as a part of a longer one. If one known name is
part of another, the longer one is read.
"""

import html
import re
import unicodedata
import urllib.parse
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import lru_cache
from html.entities import codepoint2name
from itertools import chain, count

from msgspec import Struct

from archive.record.names import one_form

WORD = re.compile(r"[^\W_]+")
ESCAPED = re.compile(r"[\\&%]")
BACKSLASHED = re.compile(r"\\(?:u([0-9a-f]{4})|U([0-9a-f]{8})|x([0-9a-f]{2})|[nrtbf])", re.IGNORECASE)
SUFFIX = r"((?:['’]?s)?)"
# What may stand before a name that begins with a letter: no letter or digit, except as part of an escape.
BEFORE = r"(?:(?<![^\W_])|(?<=\\[nrtbf])|(?<=\\x[0-9a-f]{2})|(?<=\\u[0-9a-f]{4})|(?<=\\U[0-9a-f]{8})|(?<=%[0-9a-f]{2}))"
AFTER = r"(?![^\W_]|[\u0300-\u036f])"
BLANK = r"(?:[\s_+\-]|%20|&nbsp;|&#160;|&#32;|&#x20;|&#xa0;|\\u0020|\\u00a0)+"


class Renaming(Struct, frozen=True):
    """The replacement for each known name; a name that is kept becomes itself. `own` are those of the session at hand
    and come first. `starts` are all of them by their first word."""

    names: Mapping[str, str]
    starts: Mapping[str, tuple[str, ...]]
    own: Mapping[str, str] = {}


def make_renaming(names: Mapping[str, str]) -> Renaming:
    """Return a renaming by known names. A person is renamed in every form of the name, also one that an older archive
    has."""
    renamed = {one_form(name): new for name, new in names.items() if new != name}
    names = renamed | {name: renamed.get(one_form(name), new) if new == name else new for name, new in names.items()}
    starts: dict[str, list[str]] = {}
    for name in names:
        starts.setdefault(next(folded_words(name), ""), []).append(name)
    return Renaming(names, {word: tuple(group) for word, group in starts.items()})


def name_for(by: Renaming, name: str) -> str:
    """Return the replacement of a whole name; an unknown name stays."""
    return by.own.get(name) or by.names.get(name, name)


def new_name(name: str, others: Container[str]) -> str:
    """Return a name, with a number if it is one of the others."""
    numbered = (f"{name} ({n})" for n in count(2))
    return next(each for each in chain((name,), numbered) if each not in others)


def replace_names(by: Renaming, text: str) -> str:
    """Return a text with the names in it replaced."""
    names = names_near(by, text)
    return replace_known_names(by, names, text) if names else text


def replace_known_names(by: Renaming, names: Sequence[str], text: str) -> str:
    """Return a text with some of the known names replaced, without checking which of them can occur."""
    # the longest first; of two that differ only in case, one that is kept does not take the other's place
    order = tuple(sorted(names, key=lambda name: (-len(name), name_for(by, name) == name, name)))

    def instead(match: re.Match[str]) -> str:
        place = next(n for n in range(len(order)) if match[2 * n + 1] is not None)
        written, suffix = match[2 * place + 1], match[2 * place + 2]
        exact = written if written in by.names or written in by.own else order[place]
        if (new := name_for(by, exact)) == exact:
            return written + suffix
        return new + "".join(re.findall(r"[\r\n]", written)) + suffix  # every line of the text keeps its number

    return _pattern(order).sub(instead, text)


def names_near(by: Renaming, text: str) -> list[str]:
    """Return the known names whose first word stands in a text."""
    names = list(by.starts.get("", ()))
    for word in {*folded_words(text), *(folded_words(unescape(text)) if ESCAPED.search(text) else ())}:
        names += by.starts.get(word, ())
        names += by.starts.get(word[:-1], ()) if word.endswith("s") else ()
    return names


def folded_words(text: str) -> Iterator[str]:
    composed = text if text.isascii() else unicodedata.normalize("NFC", text)
    return (match[0].casefold() for match in WORD.finditer(composed))


def unescape(text: str) -> str:
    """Return a text with its escapes resolved, both before and after the other, so that no word is missed."""

    def character(match: re.Match[str]) -> str:
        number = int(match[1] or match[2] or match[3] or "20", 16)
        return chr(number) if number < 0x110000 else " "

    plain = BACKSLASHED.sub(character, text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    url, latin = (urllib.parse.unquote(plain, encoding, "replace") for encoding in ("utf-8", "latin-1"))
    return f"{text} {html.unescape(plain)} {url} {latin}"


# --- spellings ------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern with two groups for each name: the name as written, and the genitive after it."""
    return re.compile("|".join(_spellings(name) for name in names), re.IGNORECASE)


def _spellings(name: str) -> str:
    name = unicodedata.normalize("NFC", name)
    parts = (BLANK if part.isspace() else _character(part) for part in re.findall(r"\s+|\S", name))
    before = BEFORE if WORD.match(name[0]) else ""
    after = AFTER if WORD.match(name[-1]) else ""
    return f"{before}({''.join(parts)}){SUFFIX if after else '()'}{after}"


def _character(char: str) -> str:
    """Return a character in any spelling, lower and upper case."""
    cases = dict.fromkeys(letter for letter in (char, char.lower(), char.upper()) if len(letter) == 1)
    forms = [re.escape(form) for letter in cases for form in (letter, unicodedata.normalize("NFD", letter))]
    for letter in cases:
        number, units = ord(letter), letter.encode("utf-16-be", "surrogatepass")
        pairs = (units[n : n + 2].hex() for n in range(0, len(units), 2))
        forms += ["".join(rf"\\u{pair}" for pair in pairs), rf"\\U{number:08x}", f"&#0*{number};", f"&#x0*{number:x};"]
        forms += [rf"\\x{number:02x}", f"%{number:02x}"] if number < 256 else []
        forms += [rf"\\{re.escape(letter)}"] if letter in "\"\\/'" else []  # escaped in a quoted string
        forms += ["".join(f"%{byte:02x}" for byte in letter.encode("utf-8", "surrogatepass"))]
        forms += [f"&{codepoint2name[number]};"] if number in codepoint2name else []
    return f"(?:{'|'.join(dict.fromkeys(forms))})"
