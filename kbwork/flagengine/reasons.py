"""What an evaluation answers: the value, the variation it came from, and why."""

from dataclasses import dataclass
from typing import Any, Final, Literal

Reason = Literal["DISABLED", "TARGETING_MATCH", "SPLIT", "DEFAULT", "PREREQUISITE_FAILED", "ERROR"]
ErrorKind = Literal[
    "FLAG_NOT_FOUND", "INVALID_CONTEXT", "MALFORMED_FLAG", "WRONG_TYPE", "CLIENT_NOT_READY", "EXCEPTION"
]
Wanted = Literal["boolean", "string", "number", "any"]
"""The type that a call asks for; `any` takes every JSON type."""

TYPES: Final[dict[str, tuple[type, ...]]] = {
    "boolean": (bool,),
    "string": (str,),
    "number": (int, float),
}
"""What a value may be for each type that is asked for; `bool` is its own type here, never a number."""


@dataclass(frozen=True, slots=True)
class Detail:
    """One answer. `variation` is None where the caller's default is served; then `value` is that default.

    `rule_index` and `rule_id` name the rule that decided, `prerequisite_key` the prerequisite that failed,
    `error_kind` what went wrong where `reason` is `ERROR`.
    """

    value: Any
    variation: int | None
    reason: Reason
    rule_index: int | None = None
    rule_id: str | None = None
    prerequisite_key: str | None = None
    error_kind: ErrorKind | None = None

    def with_default(self, default: Any) -> "Detail":
        """The same answer where it serves the caller's default."""
        return Detail(
            default,
            None,
            self.reason,
            self.rule_index,
            self.rule_id,
            self.prerequisite_key,
            self.error_kind,
        )

    def as_json(self) -> dict[str, Any]:
        """With the names of the wire; what does not apply is left out."""
        found: dict[str, Any] = {"value": self.value, "variation": self.variation, "reason": self.reason}
        extra = {
            "ruleIndex": self.rule_index,
            "ruleId": self.rule_id,
            "prerequisiteKey": self.prerequisite_key,
            "errorKind": self.error_kind,
        }
        return found | {name: value for name, value in extra.items() if value is not None}


def failed(kind: ErrorKind) -> Detail:
    """An error, with the caller's default to be put in."""
    return Detail(None, None, "ERROR", error_kind=kind)


NOT_FOUND: Final = failed("FLAG_NOT_FOUND")
BAD_CONTEXT: Final = failed("INVALID_CONTEXT")
MALFORMED: Final = failed("MALFORMED_FLAG")
WRONG_TYPE: Final = failed("WRONG_TYPE")
EXCEPTION: Final = failed("EXCEPTION")
