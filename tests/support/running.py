"""A command of the program, run in this process."""

from pathlib import Path

from click.testing import CliRunner, Result

from archive.cli import main


def run(*words: str | Path, given: str | bytes | None = None, columns: int = 80, **environment: str) -> Result:
    """Run a command in a window of so many columns, with what it is given on its standard input; an error of the
    program itself fails the test."""
    result = CliRunner().invoke(main, [*map(str, words)], input=given, env={"COLUMNS": str(columns), **environment})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def import_into(path: Path, *files: Path) -> Path:
    """Import files into an archive, whatever their verdicts; return its path."""
    result = run("import", *files, "--db", path)
    assert result.exit_code in (0, 1), result.output
    return path
