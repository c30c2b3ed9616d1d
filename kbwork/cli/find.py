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
    from kbwork.contract import load
    from kbwork.contract.operation_search import OperationIndex, OperationText

    texts = {
        f"{module} {verb.replace('_', '-')}": OperationText(
            f"{module}.{verb}",
            told["summary"],
            told["doc"],
            " ".join(each["name"] for each in told["fields"]),
            told.get("words", ""),
            told["class"] == "read",
        )
        for module, one in load("cli.json")["modules"].items()
        for verb, told in one["verbs"].items()
    }
    found = OperationIndex(texts).find(" ".join(words), texts, limit)
    if not found:
        raise CommandError("Nothing does that by these words: try others, or look at `kbwork --help`.")
    widest = max(map(len, found))
    for name in found:
        click.echo(f"kbwork {name:<{widest}}  {texts[name].summary}")
