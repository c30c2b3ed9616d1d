"""What a program's type checker says of calls, held by the project's own gate."""

import inspect
import typing
from dataclasses import fields
from typing import assert_type

import pytest

from kbwork.flags import AskedFlag, AsyncClient, Client, ClientStatus, Detail, EvaluationHook, TestData
from kbwork.flags.options import ClientOptions, Options


class Typed(EvaluationHook):
    def before_evaluation(self, asked: AskedFlag) -> float:
        assert_type(asked.key, str)
        return 0.0


def test_arguments_and_answers_have_types() -> None:
    with Client(source=TestData({"on": True}), hooks=[Typed()]) as flags:
        assert_type(flags.boolean("on", False, {"key": "a"}), bool)
        assert_type(flags.string("on", "x", {"key": "a"}), str)
        assert_type(flags.number("on", 1, {"key": "a"}), float)
        assert_type(flags.boolean_detail("on", False, {"key": "a"}), Detail)
        assert_type(flags.status, ClientStatus)
        assert_type(flags.all_flags_state(), str | None)
        assert_type(flags.ready(), bool)


def test_what_a_type_checker_refuses_is_refused() -> None:
    # mypy --strict fails on each of these lines where the comment is not needed
    with pytest.raises(TypeError):
        Client(sdk_key="srv_a", polling=True)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Client("srv_a")  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Client(init_timeout_ms="5", offline=True)  # type: ignore[arg-type]


def test_the_options_are_said_once_for_checkers_and_once_for_programs() -> None:
    said = typing.get_type_hints(ClientOptions)
    held = typing.get_type_hints(Options)
    assert said == {field.name: held[field.name] for field in fields(Options)}
    for client in (Client, AsyncClient):
        assert list(inspect.signature(client).parameters) == ["options"]
