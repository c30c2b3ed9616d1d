"""The compiled code and the walk through the rules answer the same, whatever flags and contexts look like."""

from collections import Counter

import pytest

from kbwork.flagengine import Context, Snapshot
from tests.flagengine.random_flags import FLAGS, Making

WORLDS = 4_000
CONTEXTS = 6


@pytest.mark.long
def test_the_code_and_the_walk_answer_the_same() -> None:
    met: Counter[tuple[str, str | None]] = Counter()
    for seed in range(WORLDS):
        making = Making(seed)
        snapshot = Snapshot.of(making.data())
        for raw in [making.context() for _ in range(CONTEXTS)]:
            context = Context(raw)
            for key in FLAGS:
                quick, slow = snapshot.evaluate(key, context), snapshot.explain(key, context).detail
                assert quick == slow, (seed, key, raw)
                assert type(quick.value) is type(slow.value), (seed, key, raw)
                met[quick.reason, quick.error_kind] += 1
    assert min(met.values()) > WORLDS / 20, met
    assert len(met) == 8, met


def test_the_order_in_which_flags_are_asked_does_not_matter() -> None:
    for seed in range(WORLDS, WORLDS + 500):
        making = Making(seed)
        data, raw = making.data(), making.context()
        forth, back = Snapshot.of(data), Snapshot.of(data)
        assert {key: forth.evaluate(key, raw) for key in FLAGS} == {
            key: back.evaluate(key, raw) for key in reversed(FLAGS)
        }, seed
