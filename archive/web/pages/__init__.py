"""The addresses of the viewer, a module for each page: it reads what is asked, has it looked up, and renders it."""

NUMBER = "<int(max=9223372036854775807):number>"  # of a row of the archive
