"""Hook of hatchling: the wheel holds the documentation and the sample games, for `schafkopf docs` and `samples`
without a network; a checkout that is installed to be edited has the module where the command begins."""

import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMMAND = "schafkopf_archive.py"  # where the command `schafkopf` begins
PACKED = ("README.md", "CHANGELOG.md", "docs/**/*", "benchmarks/results/**/*.md", "sample_games/**/*")


class FilesHook(BuildHookInterface):  # type: ignore[type-arg]
    """Puts files of the project below the package; not for a checkout that is installed to be edited."""

    folder: str

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root, self.folder = Path(self.root), tempfile.mkdtemp()
        command = shutil.copy(root / "archive" / "own_files.py", self.folder)  # a copy, since a file is included once
        build_data["force_include_editable" if version == "editable" else "force_include"][command] = COMMAND
        if version == "editable":
            return
        for pattern in PACKED:
            for path in filter(Path.is_file, sorted(root.glob(pattern))):  # not the link that leads nowhere
                if path.suffix not in (".py", ".pyc"):
                    build_data["force_include"][str(path)] = f"archive/{path.relative_to(root).as_posix()}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        shutil.rmtree(self.folder)
