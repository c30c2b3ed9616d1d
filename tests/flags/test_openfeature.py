"""The provider for OpenFeature, used by its published SDK."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from openfeature import api
from openfeature.client import OpenFeatureClient
from openfeature.evaluation_context import EvaluationContext
from openfeature.event import EventDetails, ProviderEvent
from openfeature.exception import ErrorCode, ProviderNotReadyError
from openfeature.provider import ProviderStatus

from kbwork.flags import Client
from kbwork.flags.openfeature import KbworkProvider
from tests.flags.service import SDK_KEY, Service, flag, served

MIRA = EvaluationContext("mira", {"plan": "gold"})


@pytest.fixture
def service() -> Iterator[Service]:
    with served() as found:
        found.flags = {
            "on": flag(),
            "text": flag("blue"),
            "whole": flag(5.0),
            "half": flag(2.5),
            "tree": flag({"a": [1]}),
            "off": flag(on=False, offVariation=None),
            "broken": flag(fallthrough={"variation": 9}),
            "gold": flag(
                rules=[{"clauses": [{"op": "in", "attribute": "plan", "values": ["gold"]}], "variation": 1}]
            ),
            "late": flag(
                rules=[
                    {
                        "clauses": [{"op": "after", "attribute": "at", "values": ["2026-01-01T00:00:00Z"]}],
                        "variation": 1,
                    }
                ]
            ),
            "both": flag(
                rules=[
                    {
                        "clauses": [
                            {"op": "in", "contextKind": "org", "attribute": "key", "values": ["acme"]}
                        ],
                        "variation": 1,
                    }
                ]
            ),
        }
        yield found


@pytest.fixture
def client(service: Service) -> Iterator[OpenFeatureClient]:
    api.set_provider_and_wait(KbworkProvider(Client(sdk_key=SDK_KEY, base_url=service.url)))
    yield api.get_client()
    api.clear_providers()


def test_flags_are_resolved_with_their_reasons(client: OpenFeatureClient) -> None:
    assert client.get_boolean_value("on", False, MIRA) is True
    assert client.get_string_value("text", "red", MIRA) == "blue"
    assert client.get_integer_value("whole", 1, MIRA) == 5
    assert client.get_float_value("half", 1.0, MIRA) == 2.5
    assert client.get_object_value("tree", {}, MIRA) == {"a": [1]}
    detail = client.get_boolean_details("gold", True, MIRA)
    assert (detail.value, detail.variant, detail.reason) == (False, "1", "TARGETING_MATCH")
    assert detail.flag_metadata == {"flagVersion": 4}
    off = client.get_boolean_details("off", True, MIRA)
    assert (off.value, off.variant, off.reason, off.error_code) == (True, None, "DISABLED", None)


def test_contexts_are_told_in_our_words(client: OpenFeatureClient) -> None:
    moment = datetime(2026, 3, 1, 12, tzinfo=UTC)
    assert client.get_boolean_value("late", True, EvaluationContext("mira", {"at": moment})) is False
    assert (
        client.get_boolean_value(
            "late", False, EvaluationContext("mira", {"at": moment.replace(year=2025, tzinfo=None)})
        )
        is True
    )
    both: Any = {"kind": "multi", "user": {"targetingKey": "mira"}, "org": {"key": "acme"}}
    assert client.get_boolean_value("both", True, EvaluationContext("ignored", both)) is False


@pytest.mark.parametrize(
    ("ask", "key", "default", "context", "code"),
    [
        ("boolean", "none", True, MIRA, ErrorCode.FLAG_NOT_FOUND),
        ("boolean", "text", True, MIRA, ErrorCode.TYPE_MISMATCH),
        ("integer", "half", 3, MIRA, ErrorCode.TYPE_MISMATCH),
        ("object", "on", {"mine": 1}, MIRA, ErrorCode.TYPE_MISMATCH),
        ("boolean", "broken", True, MIRA, ErrorCode.PARSE_ERROR),
        ("boolean", "on", True, EvaluationContext(), ErrorCode.TARGETING_KEY_MISSING),
        ("boolean", "on", True, EvaluationContext(attributes={"key": ""}), ErrorCode.INVALID_CONTEXT),
        ("boolean", "on", True, EvaluationContext("a", {"kind": "a b"}), ErrorCode.INVALID_CONTEXT),
    ],
)
def test_what_cannot_be_resolved_answers_the_default_with_its_code(  # noqa: PLR0917  # the words of each case
    client: OpenFeatureClient, ask: str, key: str, default: Any, context: EvaluationContext, code: ErrorCode
) -> None:
    detail = getattr(client, f"get_{ask}_details")(key, default, context)
    assert (detail.value, detail.error_code, detail.reason) == (default, code, "ERROR")
    assert detail.error_message


def test_changes_are_told_and_the_end_sends_what_was_counted(
    service: Service, client: OpenFeatureClient
) -> None:
    heard = threading.Event()

    def changed(_: EventDetails) -> None:
        heard.set()

    client.add_handler(ProviderEvent.PROVIDER_CONFIGURATION_CHANGED, changed)
    service.change(on=flag(on=False))
    while not service.streams:
        threading.Event().wait(0.01)
    assert heard.wait(5)
    assert client.get_boolean_value("on", True, MIRA) is False
    client.track("bought", MIRA)
    api.shutdown()
    kinds = [event["kind"] for batch in service.batches for event in batch["events"]]
    assert sorted(set(kinds)) == ["summary", "track"]


def test_a_service_that_is_away_is_an_error_and_not_a_fault(service: Service) -> None:
    service.status["snapshot"] = 503
    with pytest.raises(ProviderNotReadyError):
        api.set_provider_and_wait(
            KbworkProvider(Client(sdk_key=SDK_KEY, base_url=service.url, init_timeout_ms=100))
        )
    try:
        client = api.get_client()
        assert client.get_provider_status() == ProviderStatus.ERROR
        assert client.get_boolean_value("on", False, MIRA) is False
        service.status["snapshot"] = 200
        for _ in range(500):
            if client.get_provider_status() == ProviderStatus.READY:
                break
            threading.Event().wait(0.02)
        assert client.get_boolean_value("on", False, MIRA) is True
    finally:
        api.clear_providers()
