"""What a program does around evaluations."""

from typing import Any

import pytest

from kbwork.flags import AskedFlag, Detail, EvaluationHook
from tests.flags.service import MIRA, made, served


class Noted(EvaluationHook):
    """Keeps what it is called with."""

    def __init__(self, name: str, said: list[Any]) -> None:
        self._name = name
        self._said = said

    def before_evaluation(self, asked: AskedFlag) -> str:
        self._said.append((self._name, asked.key, asked.default, asked.context, asked.wanted))
        return f"{self._name} began"

    def after_evaluation(self, asked: AskedFlag, detail: Detail, begun: Any) -> None:
        self._said.append((self._name, asked.key, detail.value, detail.reason, begun))


class Failing(EvaluationHook):
    """Fails both times."""

    def before_evaluation(self, asked: AskedFlag) -> None:
        raise RuntimeError(f"before {asked.key}")

    def after_evaluation(self, asked: AskedFlag, detail: Detail, begun: Any) -> None:
        raise RuntimeError(f"after {asked.key}, {begun}")


def test_hooks_stand_around_an_evaluation_the_first_outermost() -> None:
    said: list[Any] = []
    with served() as service, made(service, hooks=[Noted("a", said), Noted("b", said)]) as client:
        assert client.ready()
        assert client.boolean("on", False, MIRA) is True
        assert said == [
            ("a", "on", False, MIRA, "boolean"),
            ("b", "on", False, MIRA, "boolean"),
            ("b", "on", True, "DEFAULT", "b began"),
            ("a", "on", True, "DEFAULT", "a began"),
        ]
        client.close()
        [batch] = service.batches
        assert [(one["flag"], one["count"]) for one in batch["events"]] == [("on", 1)]


def test_a_hook_that_fails_breaks_neither_the_evaluation_nor_its_neighbours(
    caplog: pytest.LogCaptureFixture,
) -> None:
    said: list[Any] = []
    with served() as service, made(service, hooks=[Failing(), Noted("a", said)]) as client:
        assert client.ready()
        assert client.boolean("on", False, MIRA) is True
        assert client.string_detail("on", "x", {"key": object()}).error_kind is not None
    assert len(said) == 4
    assert caplog.text.count("before on") == caplog.text.count("after on, None") == 2


def test_hooks_hear_of_answers_before_the_first_snapshot() -> None:
    said: list[Any] = []
    with served() as service:
        service.status["snapshot"] = 503
        with made(service, hooks=[Noted("a", said)]) as client:
            assert client.boolean("on", True, MIRA) is True
    assert said[1] == ("a", "on", True, "ERROR", "a began")
