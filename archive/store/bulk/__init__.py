"""Storing a file of JSON lines in bulk: rows made of the columns of the judge, in a process beside the writing one.

`making` turns a batch into rows, `working` is the process that does so, `taking` writes them and everything else of the
file, `filing` is a file from its bytes to the archive.
"""
