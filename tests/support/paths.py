"""The folder of the project, of its samples and of its documentation."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
