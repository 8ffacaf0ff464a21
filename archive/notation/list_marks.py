"""The mark of a list before a line that tells a deal: `- `, `3. `, `(3)`, `Spiel 3: `, `3. Spiel `, `#3`, a clock. And
pictures in a line: what some of them mean, and that the others mean nothing."""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from archive.notation.game_words import contract_words, usual_words

LETTER = r"(?=[^\W\d_]|[\U0001f300-\U0001faff])"  # or a picture
CLOCK = r"(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?"
DEAL = r"(?i:spiel|sp|runde|rd|partie|deal|game|nr|no)"
MARK = rf"""(?x)\s*(?:
        [-–—•*·▪●‣→»>|✓✔☑✅☐☒⬜➤►▶]\ufe0f?\s+ | [→»>|✓✔☑✅☐☒⬜➤►▶]\ufe0f? | \[[ xX]?\]\s* | [-–—]{LETTER}
      | (?:\d\ufe0f?\u20e3)+\s*                                                        # the picture of a key
      | \#\d{{1,4}}\s?[.:)–-]?\s+{LETTER} | [(\[]\d{{1,4}}[)\]]:?\s*{LETTER}
      | \d{{1,3}}\.?\s?{DEAL}\b\s?(?:[.:)–-]\s*|(?<=\s)){LETTER}
      | {DEAL}\.?\s?\d{{1,4}}(?:\s?[.:)–-]\s+|(?:\s?[.:)|–-])?\s+{LETTER}|\s+(?=[(\[]))
      | \d{{1,3}}(?:[.:)/|;=>°]|\.\)|\ [-–|=>:]|[-–,](?=\s))\s*{LETTER} | \d{{1,3}}[.)]\s+(?=\D)
      | [SRGsrg]\d{{1,3}}:\s+{LETTER} | [a-e]\)\s+(?=\w)
      | (?:[(\[]{CLOCK}(?:\ ?Uhr)?[)\]] | {CLOCK}(?:\ ?(?:Uhr|h)\b)? | \d{{1,2}}\.\d\d\ ?Uhr\b)\s?[-–:,]?\s+{LETTER}
    )"""  # compiled for lines of words alone
MOST = 3  # marks before a line: `- 3. `, `20:15 Spiel 3: `
NUMBER = rf"\s*[(\[#]?(?:{DEAL}\.?\s?)?(\d{{1,3}})(?=\D|$)"
BARE = rf"\s*\d{{1,3}}\s+{LETTER}"
WORD = re.compile(r"[^\W\d_]+")
FAR = 5  # from the number of a line to that of the next
FEW = 2  # lines with numbers, which must then follow one another
SUIT_OF_PICTURE = {"🌰": "♣", "🍀": "♠", "❤": "♥", "🔔": "♦"}
BESIDE_GAME = (  # where the picture of a suit is the suit and no mood
    r"([🌰🍀❤🔔])\ufe0f?[ -]{0,2}(?=(?i:solo)\b)|(?:(?<=\bauf )|(?<=\bauf die ))([🌰🍀❤🔔])\ufe0f?"
)
BEHIND_SOLO = r"(?<=\b(?i:solo) )([🌰🍀❤🔔])\ufe0f?"  # the same, if no suit is named
CROSSES = "❌✗✘✖❎"
CROSSED = "nein"  # stands for one before a line that does not say who won
RESULT = rf"[✅✔✓☑]\ufe0f?|[{CROSSES}]\ufe0f?|[(\[][+\-−–][)\]]|(?<=[ :])\+(?=\s*(?:,|$))"  # of a game
OF_DENIED = ("schneider", "schwarz", "runners", "knocks", "virgins")  # what a line may say there was none of
MARKED = ("schneider", "schwarz", "no-schneider", "runners", "knocks", "virgins")  # may have been so, or not
IS_WON = ("✅", "✔", "✓", "☑", "(+", "[+", "+")


def without_mark(text: str) -> str:
    """Return a line without the marks of a list before it."""
    for at in range(MOST):
        match = re.match(MARK, text)
        if match is None or not (mark := match[0].strip()) or (at and mark[0] in "SRGsrg" and match[0][1:2].isdigit()):
            break
        text = text[match.end() :].rstrip("| ") if "|" in match[0] else text[match.end() :]
    return text


def texts_of_numbered_list(texts: Sequence[str]) -> dict[int, str]:
    """Return the places of lines with a number before them, which follow one another, with what each says behind its
    number; also of a number that counts nothing but the lines: `3 Toni Wenz`, between `2 …` and `4 …`."""
    numbers = [(place, int(match[1])) for place, text in enumerate(texts) if (match := re.match(NUMBER, text))]
    behind = {place: text_behind(texts[place]) for place, _ in numbers}
    listed = [(place, number) for place, number in numbers if behind[place] != texts[place]]
    steps = [after - before for (_, before), (_, after) in pairwise(listed) if after != 1]
    most = FAR if len(listed) > FEW else 1
    in_order = len(listed) >= FEW and all(0 < step <= most for step in steps)
    return {place: behind[place] for place, _ in listed} if in_order else {}


def are_crosses_bullets(texts: Sequence[str]) -> bool:
    """Return whether the crosses before lines are marks of a list: each line that says who won has the same, some of
    them that they have and some that they have not."""
    ends = usual_words()["deal"]
    kinds = [(text[:1], {ends.get(word) for word in WORD.findall(text.casefold())}) for text in texts]
    told = [(sign, kind) for sign, each in kinds for kind in each & {"won", "lost"}]
    return len({*told}) == len({"won", "lost"}) and told[0][0] in CROSSES and len({sign for sign, _ in told}) == 1


def text_behind(text: str) -> str:
    """Return what stands behind the number of a line, the whole line if it has none."""
    if not re.match(BARE, text):
        return without_mark(text)
    words, word = usual_words(), (WORD.findall(text) or [""])[0].casefold()
    counts = word in words["deal"] or word in words["doubles"] or word in words["unclear"]  # `2 Laufende`, `1 Klopfer`
    return text if counts else text.lstrip().lstrip("0123456789").lstrip()


def with_pictures_in_words(text: str) -> str:
    """Return a line with the sign of a suit for its picture before or behind a Solo or behind `auf`."""
    text = re.sub(BESIDE_GAME, lambda match: f"{SUIT_OF_PICTURE[match[1] or match[2]]} ", text)
    words = WORD.findall(text.casefold())
    suits = contract_words().words.suits.keys()
    if not any(word in suits or (word != "solo" and word.endswith("solo")) for word in words):
        text = re.sub(BEHIND_SOLO, lambda match: f"{SUIT_OF_PICTURE[match[1]]} ", text)
    return text


def with_results_in_words(text: str) -> str:
    """Return a line with `gewonnen` and `verloren` for a tick, a cross, `(+)` or `(-)` behind its first word; not if a
    word says that, there are several, or it may belong to the word before it: `Schneider ❌`. A cross before the first
    word may say that it was lost, or is void: `nein` stands for it, which is asked about."""
    signs = [] if text.isascii() and not any(sign in text for sign in "([+") else [*re.finditer(RESULT, text)]
    ends = usual_words()["deal"]
    ended = {ends.get(word) for word in WORD.findall(text.casefold())} & {"won", "lost"}
    if len(signs) != 1 or "lost" in ended or (ended and signs[0][0][0] not in CROSSES):
        return text
    start, end = signs[0].span()
    before = WORD.findall(text[:start].casefold())
    if not before and signs[0][0][0] in CROSSES:
        return f"{text[end:]} {'verloren' if ended else CROSSED}"
    is_behind = bool(before) and ends.get(before[-1]) not in MARKED and before[-1] not in usual_words()["doubles"]
    result = "gewonnen" if signs[0][0].startswith(IS_WON) else "verloren"
    return f"{text[:start]} {result} {text[end:]}" if is_behind else text


def with_denials(text: str) -> str:
    """Return a line with `kein` before each fact that it denies; a cross behind a fact denies it only if a word says
    who won, else it may say that, and `nein` stands for it, which is asked about."""
    if {*":=", *CROSSES}.isdisjoint(text):
        return text
    kinds = usual_words()["deal"]
    ended = any(kinds.get(word) in ("won", "lost") for word in re.findall(r"[^\W\d_]+", text.casefold()))

    def in_words(said: re.Match[str]) -> str:
        if said["cross"] and not ended:
            return f"{said['fact']} {CROSSED}"
        return f"kein {said['fact']}" if said["no"] or said["cross"] else said["fact"]

    return denial().sub(in_words, text)


@cache
def denial() -> re.Pattern[str]:
    """Return the pattern of a fact with `nein` or the like behind it, or `ja`: `Schneider: nein`, `Kontra: -`,
    `Klopfer = 0`, `Schwarz ❌`; a stroke and a nought behind `gewonnen` say something else."""
    kinds = usual_words()["deal"].items()
    ends = "|".join(word for word, kind in kinds if kind in ("won", "lost") and word.isalpha())
    others = "|".join(denied_words())
    no = r"nein|no|kein(?:e[rns]?)?|none"
    return re.compile(
        rf"\b(?P<fact>(?:{ends})(?=\s*[:=]\s*(?:ja|yes|nein|no)\b)|{others})"
        rf"(?:\s*[:=]\s*(?:(?P<no>{no}|[-–—0])|ja|yes)(?=\s*(?:[,;.)\]/|]|$))|(?P<cross>\s*[:=]?\s*[{CROSSES}]))",
        re.IGNORECASE,
    )


@cache
def denied_words() -> tuple[str, ...]:
    """Return the words of what a deal may be said not to have: runners, Schneider, Kontra and the like."""
    kinds = usual_words()["deal"].items()
    facts = [word for word, kind in kinds if kind in OF_DENIED and len(word) > 1]
    return tuple(word for word in (*facts, *usual_words()["doubles"]) if word.isalpha())


def is_picture(token: str) -> bool:
    """Return whether a token is an emoji, or a part of one, and not the sign of a suit."""
    return (
        len(token) == 1
        and not token.isascii()
        and unicodedata.category(token) in ("So", "Sk", "Cf", "Mn", "Me")
        and token not in usual_words()["suit-signs"]
    )


def without_pictures(text: str) -> str:
    """Return a text without its pictures."""
    return text if text.isascii() else " ".join("".join(sign for sign in text if not is_picture(sign)).split())
