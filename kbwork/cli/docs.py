"""`kbwork docs <page>`: the manual of the running version."""

from pathlib import Path

import click

_PAGES = Path(__file__).parent.parent / "docs"


@click.command()
@click.argument("page", required=False)
def docs(page: str | None) -> None:
    """Print a page of the manual; without PAGE, the list of pages."""
    from kbwork.cli.build import nearest

    pages = {
        path.relative_to(_PAGES).with_suffix("").as_posix(): path for path in sorted(_PAGES.rglob("*.md"))
    }
    if page is None:
        click.echo("\n".join(pages))
        return
    found = pages.get(page.removesuffix(".md"))
    if found is None:
        raise click.UsageError(f"There is no page {page!r}.{nearest(page, pages)} `kbwork docs` lists them.")
    click.echo(found.read_text(encoding="utf-8"), nl=False)
