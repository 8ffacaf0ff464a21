"""Headers of every answer, of the viewer and of Datasette, and the methods that only read."""

METHODS = ("GET", "HEAD", "OPTIONS")
HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
