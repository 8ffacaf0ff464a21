"""Where templates, static files and sample games lie (beside the package in a checkout, inside it in an installed
wheel), and where the documentation and one's own rulesets."""

from pathlib import Path

PACKAGE = Path(__file__).parent
LANGUAGES = tuple(
    sorted((path.parent.name for path in PACKAGE.glob("say/*/language.toml")), key=lambda name: name != "en")
)
FOLDERS = "SCHAFKOPF_RULESETS"  # in the environment: folders of rulesets, separated as PATH is


def resource_dir() -> Path:
    """The folder of templates and static files."""
    return project_folder("templates")


def samples_dir() -> Path:
    """The folder of the sample games."""
    return project_folder("sample_games")


def project_folder(name: str) -> Path:
    """A folder of the project that the wheel holds inside the package."""
    checkout = PACKAGE.parent / name
    return checkout if (PACKAGE.parent / "pyproject.toml").is_file() and checkout.is_dir() else PACKAGE / name


def documents_dir() -> Path:
    """The folder in which `docs/`, README.md and the measured results lie."""
    return project_folder("docs").parent
