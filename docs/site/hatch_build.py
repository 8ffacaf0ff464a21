"""Hook of hatchling: the wheel holds the documentation as a site, so that `schafkopf docs` needs no network, and the
sample games; a checkout that is installed to be edited has the module where the command begins."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMMAND = "schafkopf_archive.py"  # where the command `schafkopf` begins
DAY = "1577836800"  # 2020-01-01: two builds of the same files are the same


class SiteHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds the site in strict mode for a wheel; not for a checkout that is installed to be edited."""

    folder: str

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root, self.folder = Path(self.root), tempfile.mkdtemp()
        command = shutil.copy(root / "archive" / "own_files.py", self.folder)  # a copy, since a file is included once
        build_data["force_include_editable" if version == "editable" else "force_include"][command] = COMMAND
        if version == "editable":
            return
        site = str(Path(self.folder, "site"))
        words = ["build", "--quiet", "--strict", "--config-file", "docs/site/mkdocs.yml", "--site-dir", site]
        environment = {"SOURCE_DATE_EPOCH": DAY} | os.environ | {"NO_MKDOCS_2_WARNING": "1"}
        subprocess.run([sys.executable, "-m", "mkdocs", *words], cwd=root, env=environment, check=True)
        build_data["force_include"][site] = "archive/site"
        for path in filter(Path.is_file, sorted(root.glob("sample_games/**/*"))):  # not the link that leads nowhere
            build_data["force_include"][str(path)] = f"archive/{path.relative_to(root).as_posix()}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        shutil.rmtree(self.folder)
