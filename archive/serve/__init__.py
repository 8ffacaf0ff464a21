"""Floor 8: hosting: who is answered when (`gate`), what runs in a process of its own, and the server.

docs/hosting.md describes which requests wait, and for what.
"""
