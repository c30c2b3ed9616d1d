"""Dry runs: every change of flags takes `dry_run`."""

from typing import TypeVar

from kbwork.base.model import Input
from kbwork.db.tx import DryRun

T = TypeVar("T")


class Tried(Input):
    """What every change takes."""

    dry_run: bool | None = None
    """Check everything, change nothing, and answer what would have happened."""


def done(args: Tried, answer: T) -> T:
    """The answer of a change that was made; of a dry run, whose effect is thrown away."""
    if args.dry_run:
        raise DryRun(answer)
    return answer
