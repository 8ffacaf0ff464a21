"""Storing a file of JSON lines in bulk: rows made of the judge's columns, in a process beside the writing one.

`build_rows` turns a batch into rows, `judge_process` is the process that does so, `write_rows` writes them and
everything else of the file, `import_file` takes a file from its bytes to the archive.
"""
