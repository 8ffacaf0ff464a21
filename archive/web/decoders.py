"""Decoders of records, built before there are threads.

msgspec learns the fields of a class when something is first decoded into it, and a thread that decodes into the same
class meanwhile ends the process with a segmentation fault: seen of a server that many readers met as it began.
"""

from contextlib import suppress

import msgspec


def build_decoders() -> None:
    """Lets msgspec learn the fields of every class there is."""
    waiting = [msgspec.Struct]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        with suppress(TypeError, NameError):  # of a class into which nothing can be decoded
            msgspec.json.Decoder(kind)
