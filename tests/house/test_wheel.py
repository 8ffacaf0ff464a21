"""The built wheel works from an empty directory: rulesets, wordings, templates and static files are inside."""

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest
from support.paths import ROOT
from support.worked_examples import EXAMPLE_1

LOOK = """
import json, sys
from pathlib import Path
import archive
from archive.rules import bundled
from archive.web.app import create_app
from archive.web.manual.pages import place_of
pages = create_app(Path("archive.db")).test_client()
assets = ["archive.css", "deal.js", "cards-german.svg", "cards-french.svg"]
print(json.dumps({
    "package": archive.__path__[0],
    "home": pages.get("/").status_code,
    "deal": "Settlement" in pages.get("/deals/1").text,
    "finding": 'id="unknown-key"' in pages.get("/docs/" + place_of("unknown-key")).text,
    "rules": "pub" in bundled(),
    "price": archive.price_deal("Sepp Wenz, won", tariff="10/20/50").settlement.price,
    "assets": [pages.get(f"/static/{name}").status_code for name in assets],
}))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def install(folder: Path, *words: str) -> None:
    python = folder / "env" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "-q", *words], check=True, capture_output=True)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an environment that has the wheel, and what else is installed here; beside it an empty folder."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder / "env", symlinks=True)
    (site,) = folder.glob("env/lib/*/site-packages")
    (site / "others.pth").write_text("\n".join(path for path in sys.path if path.endswith("site-packages")), "utf-8")
    install(folder, "install", "--no-deps", "--no-compile", str(wheel))
    (folder / "empty").mkdir()
    return folder


def call(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A program of the environment, in the empty folder."""
    program, *rest = words
    env = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    command = [folder / "env" / "bin" / program, *rest]
    return subprocess.run(command, cwd=folder / "empty", env=env, capture_output=True, text=True, check=False)


def run(folder: Path, *words: str) -> str:
    done = call(folder, *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_imports_and_shows_a_deal_from_an_empty_directory(installed: Path) -> None:
    head = 'format = "schafkopf-record/1"\nplayers = ["Anna", "Ben", "Cem", "Dora"]\nrules = "pub"\n'
    (installed / "empty" / "evening.toml").write_text(head + EXAMPLE_1, "utf-8")
    run(installed, "schafkopf", "import", "evening.toml")
    assert "agrees" in run(installed, "schafkopf", "show", "1")
    seen = json.loads(run(installed, "python", "-c", LOOK))
    assert Path(seen["package"]).is_relative_to(installed / "env")
    assert (seen["home"], seen["deal"], seen["finding"], seen["rules"], seen["price"]) == (200, True, True, True, 50)
    assert seen["assets"] == [200] * 4


def test_the_wheel_holds_the_licence_and_says_that_it_is_typed(installed: Path) -> None:
    (info,) = installed.glob("env/lib/*/site-packages/schafkopf_archive-*.dist-info")
    assert (info / "licenses" / "LICENSE").read_text("utf-8") == (ROOT / "LICENSE").read_text("utf-8")
    assert "License-Expression: MIT" in (info / "METADATA").read_text("utf-8")
    assert (info.parent / "archive" / "py.typed").is_file()


def test_an_installed_program_has_the_sample_games(installed: Path) -> None:
    run(installed, "schafkopf", "samples")
    assert "4 agree" in call(installed, "schafkopf", "check", "sample_games/valid/knocks.toml").stderr
    assert "already exists" in call(installed, "schafkopf", "samples").stderr
    where = "from archive.resources import samples_dir; print(samples_dir())"
    assert Path(run(installed, "python", "-c", where).strip()).is_relative_to(installed / "env")


# --- other packages of the same names ---------------------------------------------------------------------------------


def foreign_wheel(folder: Path, package: str) -> Path:
    """A wheel of another distribution that has a package of this name."""
    info = f"{package}-0.3.dist-info"
    files = {
        f"{package}/__init__.py": "print 'of another time'\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {package}\nVersion: 0.3\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in (*files, f"{info}/RECORD"))
    with zipfile.ZipFile(folder / f"{package}-0.3-py3-none-any.whl", "w") as packed:
        for name, text in files.items():
            packed.writestr(name, text)
    return folder / f"{package}-0.3-py3-none-any.whl"


def test_doctor_names_files_of_the_program_that_are_changed(installed: Path, tmp_path: Path) -> None:
    (site,) = installed.glob("env/lib/*/site-packages")
    with zipfile.ZipFile(foreign_wheel(tmp_path, "importers")) as packed:  # ours was written over it
        packed.extractall(site, [name for name in packed.namelist() if "dist-info" in name])
    (site / "archive" / "cli" / "generate.py").unlink()
    changed = site / "importers" / "record_toml.py"
    changed.write_text("import nothing_of_ours\n", "utf-8")
    done = call(installed, "schafkopf", "check", str(ROOT / "sample_games" / "valid" / "knocks.toml"))
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    assert "2 are changed or missing: archive/cli/generate.py, importers/record_toml.py" in done.stderr
    changed.write_bytes((ROOT / "importers" / "record_toml.py").read_bytes())
    run(installed, "schafkopf", "import", str(ROOT / "sample_games" / "valid" / "knocks.toml"))
    done = call(installed, "schafkopf", "doctor", "--json")
    told = json.loads(done.stdout)
    assert (done.returncode, told["whole"]) == (1, True)
    assert (told["changed_files"], told["shared_with"]) == (["archive/cli/generate.py"], ["importers 0.3"])


def test_packages_of_the_same_names_are_named_and_their_harm_undone(
    installed: Path, wheel: Path, tmp_path: Path
) -> None:
    names = ["archive", "importers"]
    (site,) = installed.glob("env/lib/*/site-packages")
    for name in names:  # as pip writes them over ours
        with zipfile.ZipFile(foreign_wheel(tmp_path, name)) as packed:
            packed.extractall(site)
    for words in (["schafkopf", "check", "x.toml"], ["schafkopf", "--help"]):
        done = call(installed, *words)
        assert (done.returncode, done.stdout, "Traceback" in done.stderr) == (2, "", False)
        for name in names:
            assert f"The package {name} that Python finds is not that of schafkopf-archive: " in done.stderr
        assert "archive 0.3, importers 0.3 has packages of the same names" in done.stderr
        assert "uninstall archive importers\n  pip install --force-reinstall --no-deps schafkopf-archive" in done.stderr
    install(installed, "uninstall", "-y", *names)  # which takes ours away
    assert "The package importers of schafkopf-archive is not there." in call(installed, "schafkopf", "-V").stderr
    install(installed, "install", "--force-reinstall", "--no-deps", "--no-compile", str(wheel))
    assert run(installed, "schafkopf", "-V").startswith("schafkopf 1.")


def test_a_package_that_comes_first_on_the_path_is_named(installed: Path) -> None:
    (installed / "empty" / "importers").mkdir()
    (installed / "empty" / "importers" / "__init__.py").write_text("", "utf-8")
    for code in ("import schafkopf_archive; schafkopf_archive.main()", "import archive; archive.ask"):
        done = call(installed, "python", "-c", code)
        assert done.returncode
        assert "The package importers that Python finds is not that of schafkopf-archive: " in done.stderr
