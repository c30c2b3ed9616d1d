"""What a program adds to each evaluation: spans, logs, checks of its own."""

from typing import Any, NamedTuple

from kbwork.flagengine import Detail
from kbwork.flagengine.reasons import Wanted


class AskedFlag(NamedTuple):
    """One call of a client."""

    key: str
    default: Any
    context: object
    """As the call was given it."""
    wanted: Wanted
    """The type that it asks for."""


class EvaluationHook:
    """Called around each evaluation, on its thread, the ones named first outermost. What raises is logged and passed
    over: the evaluation goes on, and so do the other hooks."""

    def before_evaluation(self, asked: AskedFlag) -> Any:
        """What it answers is given to `after_evaluation` of this very evaluation."""

    def after_evaluation(self, asked: AskedFlag, detail: Detail, begun: Any) -> None:
        """The answer, which stays as it is; `begun` is None where `before_evaluation` failed."""
