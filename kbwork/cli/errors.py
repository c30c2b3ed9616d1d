"""How a command that needs no server says no."""

import click


class CommandError(click.ClickException):
    """One line on standard error; exit code 1, or 2 where the command line or the folder is at fault."""

    def __init__(self, text: str, *, exit_code: int = 1) -> None:
        super().__init__(text)
        self._code = exit_code

    @property
    def exit_code(self) -> int:  # type: ignore[override]  # click reads it from the exception
        return self._code

    def show(self, file: object = None) -> None:
        click.echo(f"kbwork: {self.message}", err=True)
