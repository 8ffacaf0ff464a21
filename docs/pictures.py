"""The pictures of the documentation, drawn anew in headless Chromium: `python docs/pictures.py`.

They show an archive with the samples of a dispute; each is a PNG of 64 colours in docs/pictures."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parents[1]
PICTURES = {  # for each the address, the language, the width and height of the window
    "deal": ("/deals/1#t3.3", "en", 1240, 860),
    "deal.de": ("/deals/1#t3.3", "de", 1240, 860),
}
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def draw(browser: Browser, address: str, name: str) -> None:
    path, language, width, height = PICTURES[name]
    page = browser.new_page(viewport={"width": width, "height": height}, locale=language, color_scheme="light")
    page.goto(address + path)
    file = ROOT / "docs" / "pictures" / f"{name}.png"
    file.parent.mkdir(exist_ok=True)
    page.screenshot(path=file)
    page.close()
    Image.open(file).convert("RGB").quantize(64).save(file, optimize=True)
    print(f"{file.relative_to(ROOT)}: {file.stat().st_size // 1024} KiB")


def main() -> None:
    program = [sys.executable, "-m", "archive"]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        db = f"{folder}/samples.db"
        subprocess.run(
            [*program, "import", "sample_games/case", "--db", db], cwd=ROOT, capture_output=True, check=False
        )
        serve = [*program, "serve", "--db", db, "--port", "0"]
        with subprocess.Popen(serve, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout
            address = server.stdout.readline().partition(" at ")[2].partition("/,")[0]
            browser = playwright.chromium.launch(executable_path=next(filter(None, map(shutil.which, BROWSERS)), None))
            for name in PICTURES:
                draw(browser, address, name)
            server.terminate()


if __name__ == "__main__":
    main()
