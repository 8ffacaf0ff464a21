"""The mark of a list before a line that tells a deal: `- `, `3. `, `(3)`, `Spiel 3: `, `3. Spiel `, `#3`, a clock."""

import re
from collections.abc import Sequence
from itertools import pairwise

from archive.notation.game_words import usual_words

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
    words, behind = usual_words(), dict[int, str]()
    for place, text in ((place, texts[place]) for place, _ in numbers):
        if re.match(BARE, text):  # not if the word behind it is counted: `2 Laufende`, `1 Klopfer`
            word = (WORD.findall(text) or [""])[0].casefold()
            counts = word in words["deal"] or word in words["doubles"] or word in words["unclear"]
            behind[place] = text if counts else text.lstrip().lstrip("0123456789").lstrip()
        else:
            behind[place] = without_mark(text)
    listed = [(place, number) for place, number in numbers if behind[place] != texts[place]]
    steps = [after - before for (_, before), (_, after) in pairwise(listed) if after != 1]
    most = FAR if len(listed) > FEW else 1
    in_order = len(listed) >= FEW and all(0 < step <= most for step in steps)
    return {place: behind[place] for place, _ in listed} if in_order else {}
