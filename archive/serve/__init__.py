"""Floor 8: hosting: who is answered when (`gate`), what runs in a process of its own, and the server.

Which requests wait, and for what, is described in docs/hosting.md.
"""
