"""`kbwork flags import`: flags from LaunchDarkly, held against its own rules before and after."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from kbwork.client.client import ApiClient
    from kbwork.launchdarkly.compare import Difference, Expected
    from kbwork.launchdarkly.export import LaunchDarklyExport
    from kbwork.launchdarkly.plan import ImportPlan
    from kbwork.launchdarkly.write import TargetProject, WriteCounts

Json = dict[str, Any]


@click.command(
    name="import",
    help="Bring flags in from FILE: the flag data that LaunchDarkly's SDKs read of one environment, or what its REST"
    " API lists with summary=0. Names what cannot be brought in, and holds every flag against LaunchDarkly's rules"
    " before and after. A second run changes what is not the same.",
)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--project", required=True, help="Key of the flag project; made when it is not there.")
@click.option(
    "--env", "environment", help="Key of the environment; of a REST file, the only one to bring in."
)
@click.option("--dry-run", is_flag=True, help="Say what would be done, and write nothing.")
@click.option(
    "--check",
    "contexts",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A JSON list of contexts to hold flags against; else a few hundred are made up from the file.",
)
@click.option("--server", "--url", help="Address of the server; else KBWORK_URL, else the profile.")
@click.option(
    "--key-file",
    help="File that holds a key with the scopes of flags, and admin where the project or an environment is missing;"
    " else KBWORK_KEY, else the profile.",
)
@click.pass_context
def import_(  # noqa: PLR0913 - the options of the command, by name
    context: click.Context,
    file: Path,
    *,
    project: str,
    environment: str | None,
    dry_run: bool,
    contexts: Path | None,
    server: str | None,
    key_file: str | None,
) -> None:
    """Exit code 1 where something was left out, refused, waits, or differs; 2 where a file cannot be read."""
    from kbwork.cli.errors import CommandError
    from kbwork.cli.runner import command_error
    from kbwork.client.client import ApiClient
    from kbwork.client.errors import KbworkError
    from kbwork.launchdarkly import sample_contexts
    from kbwork.launchdarkly.export import InvalidExport, export

    try:
        found = export(file, environment)
        asked = (
            sample_contexts.from_file(contexts) if contexts else sample_contexts.sample(found.places.values())
        )
    except InvalidExport as error:
        raise CommandError(str(error), exit_code=2) from None
    try:
        with ApiClient(server, key_file=key_file, timeout_s=600) as client:
            held = _bring(client, project, found, asked, dry_run=dry_run)
    except KbworkError as error:
        raise command_error(error) from None
    context.exit(0 if held else 1)


def _bring(
    client: ApiClient, project: str, export: LaunchDarklyExport, contexts: list[Json], *, dry_run: bool
) -> bool:
    """Answers whether all of it is in, and the same."""
    from kbwork.base.text import printable
    from kbwork.launchdarkly.compare import Expected, by_engine
    from kbwork.launchdarkly.plan import plan_import
    from kbwork.launchdarkly.write import FlagWriter, TargetProject

    made = plan_import(export)
    expected = Expected(export, made, contexts)
    target = TargetProject(client, project)
    made.leave_out(target.other_kinds(made))
    before = _printed(by_engine(expected, made))
    made.leave_out(
        {key: f"it would give {count} other answer{'s' * (count != 1)}" for key, count in before.items()}
    )
    for line in made.left_out:
        print(printable(f"Left out: {line}"), file=sys.stderr)
    writer = FlagWriter(client, target, made, dry_run=dry_run)
    writer.write(print)
    after = 0 if dry_run else _checked(target, expected, made, writer.done)
    _report(project, made, writer.done, dry_run=dry_run)
    if not dry_run and made.configs.keys() - writer.done.waiting.keys():
        print(f"{len(contexts)} contexts, {after} answers differ")
    return not (made.left_out or after or writer.done.refused or writer.done.waiting)


def _checked(target: TargetProject, expected: Expected, made: ImportPlan, done: WriteCounts) -> int:
    """How many answers differ on the server; where changes wait for approval nothing can be said yet."""
    from kbwork.launchdarkly.compare import by_server

    differ = 0
    for environment in made.configs:
        if environment not in done.waiting and expected.flags(environment):
            found = _printed(by_server(expected, environment, target.evaluated(environment)))
            differ += sum(found.values())
    return differ


def _printed(differences: Iterable[Difference]) -> dict[str, int]:
    """Say each; answers how many there are of each flag."""
    from kbwork.base.text import printable

    found: dict[str, int] = {}
    for one in differences:
        print(printable(f"Differs: {one}"))
        found[one.flag] = found.get(one.flag, 0) + 1
    return found


def _report(project: str, made: ImportPlan, done: WriteCounts, *, dry_run: bool) -> None:
    would = "would be " if dry_run else ""
    segments = sum(map(len, made.segments.values()))
    print(
        f"{project}: {len(made.flags)} flags and {segments} segments: {done.made} {would}made,"
        f" {done.changed} {would}changed, {done.same} the same, {done.asked} waiting,"
        f" {done.refused} refused,"
        f" {len(made.left_out)} left out"
    )
    for environment, count in sorted(done.waiting.items()):
        print(
            f"{environment}: {count} changes {'would wait' if dry_run else 'wait'} for approval; it is not checked yet"
        )
