"""`kbwork contract`: write the contract and the clients anew, or say what is out of date."""

import sys

import click


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 when a file is out of date.")
def contract(*, check: bool) -> None:
    """Write the contract and the clients anew from the declared operations."""
    from kbwork.app import registry
    from kbwork.contract import FOLDER
    from kbwork.contract.render.files import render, stale, write
    from kbwork.db.migrate import SCHEMA_FOLDER, schema
    from kbwork.db.row_classes import rows

    files = render(registry())
    tables = {"schema.sql": schema(), "rows.py": rows()}
    if not check:
        for name in (*write(FOLDER, files), *write(SCHEMA_FOLDER, tables)):
            click.echo(f"wrote {name}")
        return
    if old := stale(FOLDER, files) + stale(SCHEMA_FOLDER, tables):
        click.echo(f"Out of date: {', '.join(old)}. Run: kbwork contract", err=True)
        sys.exit(1)
