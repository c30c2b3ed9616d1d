"""Cases asked of the flags of a server, instead of those that stand in a file."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from kbwork.cli.errors import CommandError

if TYPE_CHECKING:
    from kbwork.client.client import ApiClient
    from kbwork.flagengine import Detail, Explained
    from kbwork.flagengine.reasons import Wanted


@contextlib.contextmanager
def remote_evaluator(
    environment: str, project: str | None, *, server: str | None, key_file: str | None
) -> Iterator[Callable[[dict[str, Any], Wanted], tuple[Detail, Explained]]]:
    """What answers a case by this environment. Raises CommandError."""
    from kbwork.cli.runner import command_error
    from kbwork.client.client import ApiClient
    from kbwork.client.errors import KbworkError

    try:
        with ApiClient(server, key_file=key_file) as client:
            place = {"project": project or only_project(client, environment), "environment": environment}
            _require(client, place)
            yield lambda case, wanted: _answer(client, place, case, wanted)
    except KbworkError as error:
        raise command_error(error) from None


def only_project(client: ApiClient, environment: str) -> str:
    """The one flag project that has such an environment."""
    found = [one["project"] for one in client.call("flags.projects") if environment in one["environments"]]
    if len(found) != 1:
        several = (
            f"several flag projects have one: {', '.join(found)}" if found else "no flag project has one"
        )
        raise CommandError(
            f"--project says which environment {environment!r} is meant; {several}.", exit_code=2
        )
    return str(found[0])


def _require(client: ApiClient, place: dict[str, str]) -> None:
    known = [one["key"] for one in client.call("flags.environments", {"project": place["project"]})]
    if place["environment"] not in known:
        raise CommandError(
            f"{place['project']} has no environment {place['environment']!r}; it has {', '.join(known) or 'none'}.",
            exit_code=2,
        )


def _answer(
    client: ApiClient, place: dict[str, str], case: dict[str, Any], wanted: Wanted
) -> tuple[Detail, Explained]:
    """What the server's engine says, with the case's default and type put in as a client library does."""
    from kbwork.flagengine import Explained
    from kbwork.flagengine.contexts import prepare
    from kbwork.flagengine.reasons import BAD_CONTEXT, NOT_FOUND
    from kbwork.flagengine.snapshot import finished

    steps: list[dict[str, Any]] = []
    found = BAD_CONTEXT
    if prepare(case["context"]) is not None:
        one = _evaluated(client, place | {"context": case["context"], "key": case["flagKey"]})
        found = _detail(one) if one is not None else NOT_FOUND
        steps = one["steps"] if one is not None else []
    return finished(found, case.get("default"), wanted), Explained(found, steps)


def _evaluated(client: ApiClient, asked: dict[str, Any]) -> dict[str, Any] | None:
    """None where there is no such flag, or it is archived."""
    from kbwork.client.errors import KbworkProblem

    try:
        (one,) = client.call("flags.evaluate", asked)
    except KbworkProblem as problem:
        if problem.slug in ("not-found", "conflict"):
            return None
        raise
    found: dict[str, Any] = one
    return found


def _detail(one: dict[str, Any]) -> Detail:
    from kbwork.flagengine import Detail

    return Detail(
        one["value"],
        one["variation"],
        one["reason"],
        one.get("rule_index"),
        one.get("rule_id"),
        one.get("prerequisite_key"),
        one.get("error_kind"),
    )
