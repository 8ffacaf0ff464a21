"""A tariff as people write it: `10/20/50`, `10/20/50 ct`, `0,10/0,20/0,50 €`, `-.10/-.20/-.50 Fr.`, `Ruf 20, Solo 50,
Laufende 10`."""

import re
from collections.abc import Collection

AMOUNT = r"\d{1,4}(?:[.,]\d\d?)?"
BETWEEN = r"(?:\s*[/;–-]\s*|,?\s+)"
UNIT = r"(?P<unit>€|eur|euro|fr\.?|chf|ct\.?|cents?|punkte|points)?"
PARTS = rf"(?P<parts>{AMOUNT}(?:{BETWEEN}{AMOUNT}){{1,2}})\s*{UNIT}"
AND = r"\s?[/,+&]\s?|\s(?:und|and)\s"
NAMED = rf"(?P<names>[^\W\d_]+(?:(?:{AND})[^\W\d_]+)*)\s*[:=]?\s*(?P<price>{AMOUNT})\s*{UNIT}[\s,;]*"
PLACES = {  # of the price of what is named
    **dict.fromkeys(("laufende", "laufender", "läufer", "schneider", "runner", "runners"), 0),
    **dict.fromkeys(("sauspiel", "rufspiel", "ruf", "rufer", "call"), 1),
    **dict.fromkeys(("solo", "soli", "solos", "wenz", "geier"), 2),
}
NO_WHOLE = re.compile(r"(?<![\d.,])-?[.,](?=\d\d)")  # `-.10`, `,10`
LONGEST = 200  # signs of a tariff
IN_HUNDREDTHS = ("€", "eur", "euro", "fr", "fr.", "chf")


def is_tariff(text: str) -> bool:
    """Return whether a text is a tariff as people write it, its amounts with any signs between them."""
    return _parts_of(text) is not None


def usual_tariff(text: str) -> str:
    """Return a tariff in whole cents, if it has euros; any other text as it is."""
    match = _parts_of(text)
    if match is None:
        return text
    parts = [part.replace(",", ".").partition(".") for part in re.split(BETWEEN, match["parts"])]
    if match["unit"] not in IN_HUNDREDTHS and not any(point for _, point, _ in parts):
        return "/".join(whole for whole, _, _ in parts)
    return "/".join(str(100 * int(whole) + int(part.ljust(2, "0"))) for whole, _, part in parts)


def _parts_of(text: str) -> re.Match[str] | None:
    return re.fullmatch(PARTS, _in_order(NO_WHOLE.sub("0.", text.strip().casefold())))


def _in_order(text: str) -> str:
    """Return prices that stand behind names, one each for runners, called games and the others, in their order; any
    other text as it is."""
    named = [*re.finditer(NAMED, text)] if len(text) <= LONGEST else []
    prices = {(PLACES.get(name), each["price"]) for each in named for name in re.split(AND, each["names"])}
    units = {each["unit"] or "" for each in named}
    is_whole = len(prices) == 3 and {place for place, _ in prices} == {0, 1, 2}
    if not is_whole or len(units) > 1 or re.sub(NAMED, "", text):
        return text
    return f"{'/'.join(price for _, price in sorted(prices))} {units.pop()}"


def is_paid(amounts: Collection[int]) -> bool:
    """Return whether amounts are those of one deal: one price between all who pay, or one against the others."""
    sizes = sorted(abs(amount) for amount in amounts if amount)
    alike = len(set(sizes)) == 1 or (len(set(sizes[:-1])) == 1 and sizes[-1] == sum(sizes[:-1]))
    return sum(amounts) == 0 and bool(sizes) and alike
