"""`kbwork contract`: write the contract and the clients anew, or say what is out of date."""

import sys

import click


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 when a file is out of date.")
@click.option(
    "--release", metavar="VERSION", help="Keep the contract as released, such as 0.2: it is not broken then."
)
def contract(*, check: bool, release: str | None) -> None:
    """Write the contract and the clients anew from the declared operations."""
    from kbwork.contract import FOLDER, TYPESCRIPT
    from kbwork.contract.render.folder import stale, write
    from kbwork.db.migrate import SCHEMA_FOLDER, digests, schema
    from kbwork.db.row_classes import rows

    tables = {"schema.sql": schema(), "rows.py": rows(), "schemas/digests.txt": digests()}
    wrote = [] if check else write(SCHEMA_FOLDER, tables)

    from kbwork.app import registry  # the modules name classes of rows that were not there before
    from kbwork.contract.render.files import render
    from kbwork.contract.render.typescript import typescript

    files = render(registry())
    shipped = typescript(registry()) if TYPESCRIPT.is_dir() else {}
    if not check:
        for name in (*wrote, *write(FOLDER, files), *write(TYPESCRIPT, shipped)):
            click.echo(f"wrote {name}")
        if release is not None:
            _release(release)
        return
    if old := stale(FOLDER, files) + stale(TYPESCRIPT, shipped) + stale(SCHEMA_FOLDER, tables):
        click.echo(f"Out of date: {', '.join(old)}. Run: kbwork contract", err=True)
        sys.exit(1)


def _release(version: str) -> None:
    from kbwork.contract import RELEASED, load
    from kbwork.contract.render.released import released, text

    path = RELEASED / f"{version}.json"
    if path.exists():
        raise click.ClickException(f"{version} is released: what it says stays as it is.")
    path.write_text(text(released(load("openapi.json"), load("events.json"))), encoding="utf-8", newline="\n")
    click.echo(f"wrote released/{path.name}")
