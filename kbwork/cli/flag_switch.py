"""`kbwork flags on`, `off` and `rollout`: short forms of the instructions that are given most."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from kbwork.cli.errors import CommandError

_WHOLE = 100_000
"""The weights of a rollout add up to this."""
C = TypeVar("C", bound=Callable[..., None])


def _of_a_server(command: C) -> C:
    """The options that the three have."""
    for option in (
        click.option("--key-file", help="File that holds the key; else KBWORK_KEY, else the profile."),
        click.option("--server", "--url", help="Address of the server; else KBWORK_URL, else the profile."),
        click.option("--dry-run", is_flag=True, help="Say what would change, and change nothing."),
        click.option(
            "--comment", help="Stands in the history, and in the change request where there is one."
        ),
        click.option(
            "--project", help="Key of its flag project; needed where several have that environment."
        ),
        click.option("--env", "environment", required=True, help="Key of the environment."),
        click.argument("key"),
    ):
        command = option(command)
    return command


@click.command(help="Switch the flag KEY on in an environment.")
@_of_a_server
def on(key: str, **place: Any) -> None:
    """Its targeting decides who gets what."""
    _change(key, lambda _: [{"kind": "turnFlagOn"}], **place)


@click.command(help="Switch the flag KEY off in an environment.")
@_of_a_server
def off(key: str, **place: Any) -> None:
    """Everybody gets its off variation."""
    _change(key, lambda _: [{"kind": "turnFlagOff"}], **place)


@click.command(
    help="Serve the flag KEY to PERCENT of those whom no target or rule decides: they get the variation that it has"
    " when on, the others that when off. It is not switched on by this."
)
@_of_a_server
@click.argument("percent", type=click.FloatRange(0, 100))
def rollout(key: str, percent: float, **place: Any) -> None:
    """Up to three decimals of a percent."""
    weight = round(percent * _WHOLE / 100)

    def instructions(flag: dict[str, Any]) -> list[dict[str, Any]]:
        named = [(flag["defaults"]["on"], weight), (flag["defaults"]["off"], _WHOLE - weight)]
        parts = [{"variation": at, "weight": part} for at, part in named if part]
        served = (
            {"rollout": {"variations": parts}} if len(parts) > 1 else {"variation": parts[0]["variation"]}
        )
        return [{"kind": "updateFallthroughVariationOrRollout", **served}]

    _change(key, instructions, **place)


def _change(  # noqa: PLR0913 - the options of the commands, by name
    key: str,
    instructions: Callable[[dict[str, Any]], list[dict[str, Any]]],
    *,
    environment: str,
    project: str | None,
    comment: str | None,
    dry_run: bool,
    server: str | None,
    key_file: str | None,
) -> None:
    """Say in one line what came of it. Raises CommandError."""
    from kbwork.cli.remote_flags import only_project
    from kbwork.cli.runner import command_error
    from kbwork.client.client import ApiClient
    from kbwork.client.errors import KbworkError

    try:
        with ApiClient(server, key_file=key_file) as client:
            flag = client.call(
                "flags.get", {"project": project or only_project(client, environment), "key": key}
            )
            if environment not in flag["environments"]:
                known = ", ".join(flag["environments"])
                raise CommandError(f"{key} has no environment {environment!r}; it has {known}.", exit_code=2)
            asked = {
                "project": flag["project"],
                "key": flag["key"],
                "environment": environment,
                "instructions": instructions(flag),
                "dry_run": dry_run,
            }
            done = client.call("flags.update", asked | ({"comment": comment} if comment else {}))
    except KbworkError as error:
        raise command_error(error) from None
    state = done["flag"]["environments"][environment]
    request = f", change request {done['change']['id']}" if done["change"] else ""
    told = "would change" if dry_run and done["diff"] else done["outcome"]
    click.echo(f"{flag['project']}/{flag['key']} in {environment}: {told}{request}; it is {_word(state)}")


def _word(state: dict[str, Any]) -> str:
    return "on" if state["on"] else "off"
