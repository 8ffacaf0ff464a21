"""The pages "Which rules do you play?" lead to every ruleset, and each setting that can be copied from them is one."""

import re
import tomllib

import pytest
from support.paths import ROOT

from archive.library import load_ruleset
from archive.rules import bundled
from archive.say.catalogue import rows

PAGES = {name: (ROOT / "docs" / name).read_text("utf-8") for name in ("which-rules.md", "which-rules.de.md")}
SETTING = re.compile(r"\| `([^`]+)` \|$", re.MULTILINE)


@pytest.mark.parametrize("name", PAGES)
def test_every_ruleset_is_reached_by_the_questions_with_its_title(name: str) -> None:
    questions = PAGES[name].partition("\n## 4")[0]
    language = "de" if name.endswith(".de.md") else "en"
    titles = {(rows(language)[f"titles.rules-{each}"], each, each) for each in bundled()}
    assert set(re.findall(r"\[([^]]*)\]\(rules/([\w-]+)\.md\), `([\w-]+)`", questions)) == titles


@pytest.mark.parametrize("name", PAGES)
def test_every_setting_can_be_copied_and_is_what_the_table_then_plays_by(name: str) -> None:
    settings = SETTING.findall(PAGES[name])
    assert len(settings) > 15
    for setting in settings:
        assert load_ruleset("pub", tomllib.loads(setting)), setting
    assert settings == SETTING.findall(PAGES["which-rules.md"])


def test_answers_to_one_question_are_different_houses() -> None:
    answers: list[list[str]] = []
    for question, setting in re.findall(r"^\| (.*?)\| .* \| `([^`]+)` \|$", PAGES["which-rules.md"], re.MULTILINE):
        if question.strip():
            answers.append([])
        answers[-1].append(setting)
    for group in answers:
        houses = {str(load_ruleset("pub", tomllib.loads(setting)).house) for setting in group}
        assert len(houses) == len(group), group
