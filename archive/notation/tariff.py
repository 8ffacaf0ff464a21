"""A tariff as people write it: `10/20/50`, `10/20/50 ct`, `0,10/0,20/0,50 €`."""

import re

PARTS = re.compile(r"(?P<parts>\d+(?:[.,]\d\d?)?(?:\s*/\s*\d+(?:[.,]\d\d?)?){1,2})\s*(?P<unit>€|euro|ct\.?|cents?)?")


def usual_tariff(text: str) -> str:
    """Return a tariff in whole cents, if it has euros; any other text as it is."""
    match = PARTS.fullmatch(text.strip().casefold())
    if match is None:
        return text
    parts = [part.strip().replace(",", ".").partition(".") for part in match["parts"].split("/")]
    if match["unit"] not in ("€", "euro") and not any(point for _, point, _ in parts):
        return "/".join(whole for whole, _, _ in parts)
    return "/".join(str(100 * int(whole) + int(part.ljust(2, "0"))) for whole, _, part in parts)
