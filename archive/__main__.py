"""`python -m archive`: the command `schafkopf`."""

from archive.own_files import main

main()
