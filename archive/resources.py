"""Where templates and static files lie (beside the package in a checkout, inside it in an installed wheel), and where
one's own rulesets."""

from pathlib import Path

PACKAGE = Path(__file__).parent
FOLDERS = "SCHAFKOPF_RULESETS"  # in the environment: folders of rulesets, separated as PATH is


def resource_dir() -> Path:
    """The folder of templates and static files."""
    checkout = PACKAGE.parent / "templates"
    return checkout if (PACKAGE.parent / "pyproject.toml").is_file() and checkout.is_dir() else PACKAGE / "templates"
