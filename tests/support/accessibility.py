"""The faults of a page that axe-core finds."""

import re
from zlib import crc32

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from support.thorough import THOROUGH
from support.web_site import PHONE, WIDE

AXE, THERE = Axe(), Axe("0")  # the second runs the axe that is in the page already
LOOKS = ((WIDE, "light"), (PHONE, "dark"))  # colours do not depend on the width, nor places on the light
RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
    "preload": False,  # of style sheets, which none of these rules reads
}


def faults(page: Page) -> list[str]:
    """Return each fault that axe finds: its rule, its place, and what is wrong; light on a wide screen and dark on a
    phone, since colours do not depend on the width, nor places on the light. An ordinary run looks at one of the two,
    which a page's address decides."""
    found, axe = [], AXE
    first = crc32(re.sub(r"^\w+://[^/]*|\d", "", page.url).encode()) % 2
    for size, scheme in LOOKS if THOROUGH else LOOKS[first : first + 1]:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        for fault in axe.run(page, options=RULES).response["violations"]:
            where = "; ".join(str(node["target"]) + " " + node["failureSummary"] for node in fault["nodes"][:4])
            found.append(f"{size['width']} {scheme}: {fault['id']} ({fault['help']}): {where}")
        axe = THERE
    return found
