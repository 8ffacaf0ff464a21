"""Hook of hatchling: the wheel holds the documentation as a site, so that `schafkopf docs` needs no network."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

DAY = "1577836800"  # 2020-01-01: two builds of the same files are the same


class SiteHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds the site in strict mode for a wheel; not for a checkout that is installed to be edited."""

    folder: str | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        self.folder = tempfile.mkdtemp()
        words = ["build", "--quiet", "--strict", "--config-file", "docs/site/mkdocs.yml", "--site-dir", self.folder]
        environment = {"SOURCE_DATE_EPOCH": DAY} | os.environ | {"NO_MKDOCS_2_WARNING": "1"}
        subprocess.run([sys.executable, "-m", "mkdocs", *words], cwd=Path(self.root), env=environment, check=True)
        build_data["force_include"][self.folder] = "archive/site"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if self.folder:
            shutil.rmtree(self.folder)
