"""Where the project lies, its samples and its documentation."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
