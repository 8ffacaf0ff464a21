"""The built wheel works from an empty directory: rulesets, wordings, templates and static files are inside."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.paths import ROOT
from support.worked_examples import EXAMPLE_1

LOOK = """
import json, sys
from pathlib import Path
import archive
from archive.web.app import create_app
pages = create_app(Path("archive.db")).test_client()
assets = ["archive.css", "deal.js", "cards-german.svg", "cards-french.svg"]
print(json.dumps({
    "package": archive.__path__[0],
    "home": pages.get("/").status_code,
    "deal": "Settlement" in pages.get("/deals/1").text,
    "assets": [pages.get(f"/static/{name}").status_code for name in assets],
}))
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel unpacked as pip would, and an empty one beside it."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    target = ["--no-deps", "--quiet", "--target", str(folder / "site")]
    subprocess.run([sys.executable, "-m", "pip", "install", *target, str(wheel)], check=True, capture_output=True)
    (folder / "empty").mkdir()
    return folder


def run(installed: Path, *words: str) -> str:
    env = os.environ | {"PYTHONPATH": str(installed / "site")}
    done = subprocess.run(
        [sys.executable, "-P", *words], cwd=installed / "empty", env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_imports_and_shows_a_deal_from_an_empty_directory(installed: Path) -> None:
    command = "from archive.cli import main; main()"
    head = 'format = "schafkopf-record/1"\nplayers = ["Anna", "Ben", "Cem", "Dora"]\nrules = "pub"\n'
    (installed / "empty" / "evening.toml").write_text(head + EXAMPLE_1, "utf-8")
    assert "pub" in run(installed, "-c", command, "rules")
    run(installed, "-c", command, "import", "evening.toml")
    assert "agrees" in run(installed, "-c", command, "show", "1")
    seen = json.loads(run(installed, "-c", LOOK))
    assert Path(seen["package"]) == installed / "site" / "archive"
    assert (seen["home"], seen["deal"], seen["assets"]) == (200, True, [200] * 4)


def test_the_wheel_holds_the_licence_and_says_that_it_is_typed(installed: Path) -> None:
    (info,) = (installed / "site").glob("schafkopf_archive-*.dist-info")
    assert (info / "licenses" / "LICENSE").read_text("utf-8") == (ROOT / "LICENSE").read_text("utf-8")
    assert "License-Expression: MIT" in (info / "METADATA").read_text("utf-8")
    assert (installed / "site" / "archive" / "py.typed").is_file()


def test_an_installed_program_opens_the_page_of_a_finding(installed: Path) -> None:
    code = "from archive.web.manual import addresses; from archive.resources import site_dir as folder\n"
    code += "from starlette.staticfiles import StaticFiles; from starlette.testclient import TestClient\n"
    code += "site = TestClient(StaticFiles(directory=folder(), html=True))\n"
    code += "print('id=\"unknown-key\"' in site.get('/' + addresses(folder())['unknown-key']).text)"
    assert run(installed, "-c", code).strip() == "True"


def test_an_installed_library_reads_and_judges(installed: Path) -> None:
    code = "import archive; print(archive.price_deal('Sepp Wenz, won', tariff='10/20/50').settlement.price)"
    assert run(installed, "-c", code).strip() == "50"
