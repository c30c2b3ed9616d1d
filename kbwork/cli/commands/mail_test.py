"""`kbwork mail test`: one letter by the mail server of the settings, at once."""

import os
from pathlib import Path

import click

from kbwork.cli.errors import CommandError


@click.command(help="Send one test letter by the mail server of the settings, and say what it answered.")
@click.argument("to")
@click.option(
    "--config",
    "config_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The settings; ./kbwork.toml where it is there.",
)
def test(to: str, config_file: Path | None) -> None:
    """Asks neither a server nor a data folder, and queues nothing. Exit code 1 where the letter was not taken."""
    from kbwork.app import send_now
    from kbwork.base.errors import Problem
    from kbwork.core.ports.mail import Letter, reaches
    from kbwork.settings import SettingsError, load

    if not reaches(to):
        raise CommandError(
            f"{to} is no address that mail can go to: write it as name@example.com.", exit_code=2
        )
    try:
        mail = load(config_file, os.environ).mail
    except SettingsError as error:
        raise CommandError(str(error), exit_code=2) from None
    place = mail.folder or f"{mail.host}:{mail.port}"
    letter = Letter(
        subject="A test letter of kbwork",
        text=f"This letter was sent with `kbwork mail test`, by {place}.\nMail works.\n",
    )
    try:
        said = send_now(mail, to, letter)
    except Problem as problem:
        raise CommandError(problem.detail) from None
    print(f"{place} took the letter from {mail.sender} to {to} and said: {said}")
