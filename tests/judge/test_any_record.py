"""Whatever a record says, as long as it can be read: it is judged, stored, reported and shown, without an exception."""

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from support.empty_archives import empty_archives
from support.strategies import evenings
from support.tables import judge_one
from support.thorough import examples
from support.worked_examples import EXAMPLE_1

from archive.cli.show import deal_parts
from archive.judge.judge_stream import judge_with_heads
from archive.judge.report import KEYS, report
from archive.notation import read_toml, write_toml
from archive.record import Deal, Finding, Session, Source
from archive.say import say
from archive.store import FileMeta, save_file
from archive.text.protocol import WIDTH, protocol

PHASES = (Phase.explicit, Phase.reuse, Phase.generate)  # an evening is small; shrinking it takes minutes


@settings(max_examples=examples(10, 150), suppress_health_check=list(HealthCheck), phases=PHASES)
@given(evenings(), st.sampled_from([None, "bavarian", "pub"]))
def test_any_record_is_judged_stored_reported_and_shown(evening: tuple[Session, list[Deal]], rules: str | None) -> None:
    data = write_toml(*evening).encode()
    found = list(judge_with_heads(read_toml(data, Source("any.toml")), rules))
    pairs = [each for each in found if not isinstance(each, Finding)]
    with empty_archives() as (archive,):
        saved = save_file(archive, FileMeta("any.toml", "record-toml"), data, pairs)
    assert saved.added + saved.known == len(pairs) == len(evening[1])
    for _, judgement in pairs:
        assert list(report(judgement)) == KEYS
        assert judgement.reason
        assert "".join(deal_parts(judgement, None, "en"))
        printed = "".join(protocol([(judgement.session, judgement)]))
        assert max(map(len, printed.splitlines())) <= WIDTH
        payments = judgement.settlement.payments if judgement.settlement else None
        if payments and judgement.settlement and None not in payments:
            assert sum(payment or 0 for payment in payments) + judgement.settlement.pot == 0


@pytest.mark.parametrize(
    ("line", "missing"),
    [
        ("knocks = 9007199254740992", "a price: 9007199254740992 doublings cannot be true"),
        ("doubles = 40", "a price: it would be larger than can be true"),
    ],
)
def test_a_price_that_cannot_be_true_is_not_computed(line: str, missing: str) -> None:
    house = 'knock = "anyone"\nstoss = { limit = 0 }\nprice = { rufspiel = 1000000000 }'
    found = judge_one(EXAMPLE_1 + line + "\n", house=house)
    assert missing in map(say, found.missing)
    assert found.settlement.payments is None
