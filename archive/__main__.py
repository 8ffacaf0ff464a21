"""`python -m archive`: the command `schafkopf`."""

from archive.cli import main

main(prog_name="schafkopf")
