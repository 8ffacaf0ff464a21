"""A tariff as people write it: `10/20/50`, `10/20/50 ct`, `0,10/0,20/0,50 €`."""

import re

AMOUNT = r"\d{1,4}(?:[.,]\d\d?)?"
BETWEEN = r"(?:\s*[/;–-]\s*|,?\s+)"
PARTS = re.compile(rf"(?P<parts>{AMOUNT}(?:{BETWEEN}{AMOUNT}){{1,2}})\s*(?P<unit>€|eur|euro|ct\.?|cents?)?")
SPLIT = re.compile(BETWEEN)


def is_tariff(text: str) -> bool:
    """Return whether a text is a tariff as people write it, its amounts with any signs between them."""
    return PARTS.fullmatch(text.strip().casefold()) is not None


def usual_tariff(text: str) -> str:
    """Return a tariff in whole cents, if it has euros; any other text as it is."""
    match = PARTS.fullmatch(text.strip().casefold())
    if match is None:
        return text
    parts = [part.replace(",", ".").partition(".") for part in SPLIT.split(match["parts"])]
    if match["unit"] not in ("€", "eur", "euro") and not any(point for _, point, _ in parts):
        return "/".join(whole for whole, _, _ in parts)
    return "/".join(str(100 * int(whole) + int(part.ljust(2, "0"))) for whole, _, part in parts)
