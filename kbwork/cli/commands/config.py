"""`kbwork config show`: the settings in force."""

import os
from pathlib import Path

import click

from kbwork.cli.errors import CommandError


@click.group(help="Look at the settings.")
def config() -> None:
    """Holds `show`."""


@config.command(help="Print the settings in force and where each comes from, as a kbwork.toml.")
@click.option(
    "--config",
    "config_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The settings; ./kbwork.toml where it is there.",
)
def show(config_file: Path | None) -> None:
    """From the file and the environment, with every key and where it comes from."""
    from kbwork.settings import SettingsError, load, origins

    try:
        settings = load(config_file, os.environ)
        print(settings.as_toml(origins(config_file, os.environ)), end="")
    except SettingsError as error:
        raise CommandError(str(error), exit_code=2) from None
