"""Things that follow from an object are remembered, whoever asks for them."""

import sys
from concurrent.futures import ThreadPoolExecutor

from archive.rules.tables import OBJECTS, per_object


def test_things_that_are_remembered_are_asked_for_by_several_threads() -> None:
    recall = per_object(lambda owner: owner[0])
    owners = [(n,) for n in range(4 * OBJECTS)]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            every = pool.map(lambda _: [recall(owner) for owner in owners * 200], range(4))
        assert all(answers == list(range(4 * OBJECTS)) * 200 for answers in every)
    finally:
        sys.setswitchinterval(before)
