"""The page for who types at the table: its example is complete, its lines are five, its commands run."""

import re
from pathlib import Path

import pytest
from support import running
from support.paths import ROOT

PAGES = {name: (ROOT / "docs" / f"{name}.md").read_text("utf-8") for name in ("typing", "typing.de")}


def run(*words: str) -> str:
    result = running.run(*words)
    assert result.exit_code == 0, result.output
    return result.stdout + result.stderr


@pytest.mark.parametrize("name", PAGES)
def test_the_example_is_checked_as_the_page_says(name: str, tmp_path: Path) -> None:
    page, language = PAGES[name], "de" if name.endswith(".de") else "en"
    path = tmp_path / "evening.toml"
    path.write_text((re.search(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL) or [""])[1], "utf-8")
    answer = re.search(r"`schafkopf check evening.toml` \w+ `(.*?)`", page)
    assert answer[1] in run("check", "--lang", language, str(path)).splitlines()


@pytest.mark.parametrize("name", PAGES)
def test_the_five_lines_are_five_and_their_commands_run(name: str, tmp_path: Path) -> None:
    steps = re.findall(r"^\d\. .*$", PAGES[name], re.MULTILINE)
    assert len(steps) == 5
    commands = [call for call in re.findall(r"`schafkopf ([^`]*)`", "\n".join(steps)) if "--watch" not in call]
    assert len(commands) == 3
    evening = tmp_path / "evening.toml"
    for call in commands:
        words = [word.strip('"') for word in re.findall(r'"[^"]*"|\S+', call)]
        run(*[str(tmp_path / word) if word.endswith(".toml") else word for word in words])
        text = evening.read_text("utf-8")
        evening.write_text(text.replace('# game = "', 'game = "none"  # '), "utf-8")
    assert evening.read_text("utf-8").count("[[deal]]") == 2
    assert 'dealer = "Ben"' in (tmp_path / "next.toml").read_text("utf-8")
