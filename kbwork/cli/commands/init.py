"""`kbwork init`: a data folder with its org and first owner, without a browser and without questions."""

import os
import shutil
import sys
from pathlib import Path

import click

from kbwork.cli.errors import CommandError


@click.command(help="Make a data folder with its org and its first owner.")
@click.option(
    "--data",
    "folder",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The data folder.",
)
@click.option("--org", required=True, help="Name of the org.")
@click.option("--email", required=True, help="The owner's e-mail address.")
@click.option("--name", required=True, help="The owner's name.")
@click.option(
    "--password-stdin", is_flag=True, required=True, help="Read the password, one line, from standard input."
)
@click.option(
    "--key-file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write a key with every scope there (0600).",
)
def init(folder: Path, org: str, email: str, name: str, password_stdin: bool, key_file: Path | None) -> None:  # noqa: PLR0913, PLR0917 - the options of the command, by name
    """Refuses a folder that has an org, or that a server holds. A folder that it made is gone where it refuses."""
    from kbwork.app import open_data
    from kbwork.base.errors import Problem
    from kbwork.core.operations.validate import validate
    from kbwork.db.connection import Unusable
    from kbwork.modules.org.setup import OrgSetup, create_org_by_command

    refused = ""
    password = sys.stdin.readline().rstrip("\r\n")
    if key_file is not None and key_file.exists():
        raise CommandError(f"{key_file} is there already: name a file that is not.")
    if key_file is not None and not (
        key_file.parent.is_dir() or key_file.parent.resolve() == folder.resolve()
    ):
        raise CommandError(f"{key_file} cannot be written: there is no folder {key_file.parent}.")
    try:
        args = validate(
            OrgSetup, {"token": "-", "org": org, "name": name, "email": email, "password": password}
        )
        new = not folder.exists()
        database = open_data(folder)
    except Problem as problem:
        raise CommandError(problem.detail, exit_code=2) from None
    except Unusable as error:
        raise CommandError(str(error), exit_code=error.exit_code) from None
    try:
        assert isinstance(args, OrgSetup)
        secret = create_org_by_command(database, args)
    except Problem as problem:
        refused = problem.detail
    finally:
        database.close()
    if refused:
        if new:
            shutil.rmtree(folder)
        raise CommandError(refused)
    if key_file is not None:
        _write_private(key_file, secret + "\n")
    print(f"{org} is ready in {folder}; start it with: kbwork serve --data {folder}", file=sys.stderr)


def _write_private(path: Path, text: str) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
