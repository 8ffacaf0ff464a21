"""How heavy are the pages of the viewer, compared with an earlier viewer? Measured in Chromium, served as `serve` does.

    python benchmarks/page_weights.py                     the recorded run, in benchmarks/results/page-weights.md
    python benchmarks/page_weights.py --out -

The archive is made of all sample games. Weight is what the browser receives on a first visit, headers and compression
included (Chromium's own count). `BEFORE` was counted in the same way on the same files with the viewer of 996e250,
whose pages had no previews, no sentences with cards, no story of an evening and no plots that answer. The exit status
is 1 if a page is more than a tenth heavier.
"""

import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from click.testing import CliRunner
from measured import arguments, kept, markdown
from playwright.sync_api import Browser, sync_playwright
from support import web_site
from support.paths import ROOT
from viewer import answers, receive, total

from archive.cli import main as schafkopf

MOST = 1.1  # times as heavy as before
BEFORE = {
    "/": 19_798, "/?player=1": 17_385, "/sessions": 11_833, "/sessions/{session}": 22_207, "/players": 11_578,
    "/players/1": 21_337, "/findings": 19_425, "/rulesets": 10_675, "/rulesets/pub": 17_881, "/stats": 17_268,
    "/stats/results_by_contract": 21_422, "/stats/pairs": 25_373, "/stats/sessions_overview": 27_739,
    "/stats/players_by_contract": 25_716, "/stats/fairness": 19_323, "/check": 10_705, "/deals/{deal}": 39_216,
    "/deals/{deal}/embed": 31_900, "/deals/{deal}/dossier": 6_470, "/data": 116_159, "/data/deals": 26_445,
}  # fmt: skip
SESSION = "SELECT id FROM sessions WHERE event = 'Schierlinger Runde'"
DISPUTE = """SELECT min(r.id) FROM records r JOIN sources o ON o.id = r.source_id WHERE o.path LIKE '%a9.toml'"""


def weights(browser: Browser, address: str, places: dict[str, int]) -> Iterator[tuple[str, int, int]]:
    """Yield each page with its requests and their bytes, on a first visit."""
    for page in BEFORE:
        context = web_site.context_of(browser, viewport=web_site.WIDE, locale="en")
        window = context.new_page()
        requests = receive(window)
        window.goto(address + page.format(**places), wait_until="networkidle")
        sent = answers(requests)
        yield page, len(sent), total(sent)
        context.close()


def main() -> int:
    given = arguments(__doc__, "page-weights").parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        path = Path(folder) / "archive.db"
        CliRunner().invoke(schafkopf, ["import", str(ROOT / "sample_games"), "--db", str(path)])
        with closing(sqlite3.connect(path)) as conn:
            places = {name: int(conn.execute(sql).fetchone()[0]) for name, sql in
                      (("session", SESSION), ("deal", DISPUTE))}  # fmt: skip
        browser = driver.chromium.launch(executable_path=web_site.CHROMIUM, args=web_site.ARGUMENTS)
        with web_site.served(path) as address:
            rows = list(weights(browser, address, places))
        browser.close()
    table = [
        (page, count, f"{size:,}", f"{BEFORE[page]:,}", f"{size / BEFORE[page]:.2f}") for page, count, size in rows
    ]
    lines = [
        f"Bytes of a first visit, at most {MOST} times as many as before.\n",
        markdown("page | requests | bytes | before | ratio", table),
    ]
    kept(given.out, "The viewer: the weight of its pages", __file__, ("flask", "brotli", "datasette"), lines)
    return int(any(size > MOST * BEFORE[page] for page, _, size in rows))


if __name__ == "__main__":
    sys.exit(main())
