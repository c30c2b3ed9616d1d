"""`kbwork find`: the operations that do what somebody wants to do."""

import click

from kbwork.cli.errors import CommandError


@click.command(help="Find operations by what you want to do, such as: kbwork find close an issue")
@click.argument("words", nargs=-1, required=True)
@click.option(
    "--limit", type=click.IntRange(1, 50), default=8, show_default=True, help="So many, the best first."
)
def find(words: tuple[str, ...], limit: int) -> None:
    """Asks no server: they are ranked as tools are for agents. Exit code 1 where none fits."""
    from kbwork.contract.catalogue import find as found_by

    found = found_by(" ".join(words), limit)
    if not found:
        raise CommandError("Nothing does that by these words: try others, or look at `kbwork --help`.")
    names = [text.id.replace(".", " ").replace("_", "-") for text in found]
    widest = max(map(len, names))
    for name, text in zip(names, found, strict=True):
        click.echo(f"kbwork {name:<{widest}}  {text.summary}")
