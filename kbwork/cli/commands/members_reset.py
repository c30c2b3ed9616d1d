"""`kbwork members reset`: a link by which somebody sets a new password, without mail."""

import os
import sys
from pathlib import Path

import click

from kbwork.cli.errors import CommandError


@click.command(
    help="Print a link by which somebody sets a new password; works on a folder that nobody serves."
)
@click.argument("email")
@click.option(
    "--data",
    "folder",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The data folder.",
)
@click.option(
    "--second-factor", is_flag=True, help="Take away their second factor and recovery codes as well."
)
@click.option(
    "--config",
    "config_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The settings; ./kbwork.toml where it is there.",
)
def reset(email: str, folder: Path, config_file: Path | None, *, second_factor: bool) -> None:
    """Whoever holds the folder holds the org, so nothing else is asked; the audit log tells of it."""
    from kbwork.app import open_data
    from kbwork.base.errors import Problem
    from kbwork.db.connection import Unusable
    from kbwork.modules.auth import link_by_command
    from kbwork.settings import SettingsError, load

    if not (folder / "kbwork.db").is_file():
        raise CommandError(
            f"{folder} holds no data file: name the folder that `kbwork serve` prints at its start.",
            exit_code=2,
        )
    try:
        base_url = load(config_file, os.environ).server.base_url.rstrip("/")
        database = open_data(folder)
    except SettingsError as error:
        raise CommandError(str(error), exit_code=2) from None
    except Unusable as error:
        raise CommandError(str(error), exit_code=error.exit_code) from None
    try:
        path = database.write_now(lambda tx: link_by_command(tx, email, second_factor=second_factor))
    except Problem as problem:
        raise CommandError(problem.detail) from None
    finally:
        database.close()
    print(base_url + path)
    where = "" if base_url else " It stands behind the address of the server, such as http://127.0.0.1:8080."
    print(
        f"Start the server, and hand this link to {email}: it works once, for 30 minutes.{where}",
        file=sys.stderr,
    )
