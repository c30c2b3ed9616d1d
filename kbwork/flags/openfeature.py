"""A provider for OpenFeature, whose SDK is brought by whoever uses it: `pip install openfeature-sdk`.

from openfeature import api
from kbwork.flags import Client
from kbwork.flags.openfeature import KbworkProvider

api.set_provider_and_wait(KbworkProvider(Client(sdk_key="srv_...", base_url="https://work.example")))
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from openfeature.evaluation_context import EvaluationContext
from openfeature.event import ProviderEventDetails
from openfeature.exception import ErrorCode, ProviderNotReadyError
from openfeature.flag_evaluation import FlagResolutionDetails
from openfeature.provider import AbstractProvider, Metadata
from openfeature.track import TrackingEventDetails

from kbwork.flagengine import Detail
from kbwork.flagengine.contexts import from_openfeature, lacks_key
from kbwork.flagengine.reasons import ErrorKind
from kbwork.flags.client import Client

_CODES: dict[ErrorKind, ErrorCode] = {
    "FLAG_NOT_FOUND": ErrorCode.FLAG_NOT_FOUND,
    "INVALID_CONTEXT": ErrorCode.INVALID_CONTEXT,
    "MALFORMED_FLAG": ErrorCode.PARSE_ERROR,
    "WRONG_TYPE": ErrorCode.TYPE_MISMATCH,
    "CLIENT_NOT_READY": ErrorCode.PROVIDER_NOT_READY,
    "EXCEPTION": ErrorCode.GENERAL,
}
_MESSAGES: dict[ErrorKind, str] = {
    "FLAG_NOT_FOUND": "there is no such flag",
    "INVALID_CONTEXT": "the context has no usable key or kind",
    "MALFORMED_FLAG": "the flag's configuration is broken",
    "WRONG_TYPE": "the flag's value is of another type",
    "CLIENT_NOT_READY": "there is no snapshot of the flags yet",
    "EXCEPTION": "the flag could not be evaluated; the log says why",
}


class KbworkProvider(AbstractProvider):
    """Resolves flags by a client, which it closes when it is shut down."""

    def __init__(self, client: Client) -> None:
        super().__init__()
        self._client = client
        self._late = False
        """The SDK was told that there are no flags yet."""
        self._end = client.subscribe(self._changed)

    def initialize(self, evaluation_context: EvaluationContext) -> None:
        """Wait for the first snapshot. Raises ProviderNotReadyError where none comes in time; it goes on trying."""
        if not self._client.ready():
            self._late = True
            raise ProviderNotReadyError("no snapshot of the flags came in time")

    def shutdown(self) -> None:
        """Send what was counted, and stop."""
        self._end()
        self._client.close()

    def get_metadata(self) -> Metadata:
        """The name of this provider."""
        return Metadata(name="kbwork")

    def resolve_boolean_details(
        self, flag_key: str, default_value: bool, evaluation_context: EvaluationContext | None = None
    ) -> FlagResolutionDetails[bool]:
        """A boolean flag."""
        context = _context(evaluation_context)
        return self._told(flag_key, self._client.boolean_detail(flag_key, default_value, context), context)

    def resolve_string_details(
        self, flag_key: str, default_value: str, evaluation_context: EvaluationContext | None = None
    ) -> FlagResolutionDetails[str]:
        """A text flag."""
        context = _context(evaluation_context)
        return self._told(flag_key, self._client.string_detail(flag_key, default_value, context), context)

    def resolve_float_details(
        self, flag_key: str, default_value: float, evaluation_context: EvaluationContext | None = None
    ) -> FlagResolutionDetails[float]:
        """A number flag."""
        context = _context(evaluation_context)
        return self._told(flag_key, self._client.number_detail(flag_key, default_value, context), context)

    def resolve_integer_details(
        self, flag_key: str, default_value: int, evaluation_context: EvaluationContext | None = None
    ) -> FlagResolutionDetails[int]:
        """A number flag whose value is whole."""
        found = self.resolve_float_details(flag_key, default_value, evaluation_context)
        if found.error_code is None and found.variant is not None:
            if not float(found.value).is_integer():
                return self._failed(flag_key, default_value, "WRONG_TYPE")
            found.value = int(found.value)
        whole: FlagResolutionDetails[Any] = found
        return whole

    def resolve_object_details(
        self,
        flag_key: str,
        default_value: Sequence[Any] | Mapping[str, Any],
        evaluation_context: EvaluationContext | None = None,
    ) -> FlagResolutionDetails[Any]:
        """A JSON flag whose value is an object or a list."""
        context = _context(evaluation_context)
        detail = self._client.json_detail(flag_key, default_value, context)
        if detail.variation is not None and not isinstance(detail.value, dict | list):
            return self._failed(flag_key, default_value, "WRONG_TYPE")
        return self._told(flag_key, detail, context)

    def track(
        self,
        tracking_event_name: str,
        evaluation_context: EvaluationContext | None = None,
        tracking_event_details: TrackingEventDetails | None = None,
    ) -> None:
        """Tell of something that happened."""
        details = tracking_event_details
        data = None if details is None else {**details.attributes, "value": details.value}
        self._client.track(tracking_event_name, _context(evaluation_context), data)

    def _changed(self) -> None:
        if self._late:
            self._late = False
            self.emit_provider_ready(ProviderEventDetails())
        self.emit_provider_configuration_changed(ProviderEventDetails())

    def _told(self, key: str, detail: Detail, context: dict[str, Any]) -> FlagResolutionDetails[Any]:
        kind = detail.error_kind
        if kind is not None:
            missing = kind == "INVALID_CONTEXT" and lacks_key(context)
            code = ErrorCode.TARGETING_KEY_MISSING if missing else _CODES[kind]
            return self._failed(key, detail.value, kind, code)
        return FlagResolutionDetails(
            value=detail.value,
            reason=detail.reason,
            variant=None if detail.variation is None else str(detail.variation),
            flag_metadata=self._metadata(key),
        )

    def _failed(
        self, key: str, default: Any, kind: ErrorKind, code: ErrorCode | None = None
    ) -> FlagResolutionDetails[Any]:
        return FlagResolutionDetails(
            value=default,
            reason="ERROR",
            error_code=code or _CODES[kind],
            error_message=_MESSAGES[kind],
            flag_metadata=self._metadata(key),
        )

    def _metadata(self, key: str) -> dict[str, bool | int | float | str]:
        version = self._client.flag_version(key)
        return {} if version is None else {"flagVersion": version}


def _context(given: EvaluationContext | None) -> dict[str, Any]:
    """A context of OpenFeature in the words of the engine."""
    if given is None:
        return {}
    raw = {name: _plain(value) for name, value in given.attributes.items()}
    if given.targeting_key is not None:
        raw["targetingKey"] = given.targeting_key
    return from_openfeature(raw)


def _plain(value: Any) -> Any:
    """Moments as text; a moment without a zone is taken as one of UTC."""
    if isinstance(value, datetime):
        moment = value if value.tzinfo is not None else value.replace(tzinfo=UTC)
        return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value
