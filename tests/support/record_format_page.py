"""The examples on the page about the record format."""

import re

from support.paths import ROOT

PAGE = (ROOT / "docs" / "record-format.md").read_text("utf-8")

BLOCKS = re.findall(r"^```(toml|json)( wrong)?\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
