"""`kbwork docs <page>`: the manual of the running version."""

import json
from pathlib import Path

import click

_PAGES = Path(__file__).parent.parent / "docs"


@click.command()
@click.argument("page", required=False)
def docs(page: str | None) -> None:
    """Print a page of the manual; without PAGE, the list of pages."""
    from kbwork.contract.client.words import nearest

    pages = _ordered()
    if page is None:
        widest = max(map(len, pages))
        for name, path in pages.items():
            click.echo(f"{name:<{widest}}  {_title(path)}")
        return
    found = pages.get(page.removesuffix(".md"))
    if found is None:
        raise click.UsageError(f"There is no page {page!r}.{nearest(page, pages)} `kbwork docs` lists them.")
    click.echo(found.read_text(encoding="utf-8"), nl=False)


def _ordered() -> dict[str, Path]:
    """Name -> file: the pages in the order of the contents, then decisions and changes."""
    found = {path.relative_to(_PAGES).with_suffix("").as_posix(): path for path in _PAGES.rglob("*.md")}
    groups = json.loads((_PAGES / "contents.json").read_bytes())
    order = [name for group in groups for name in group["pages"] if name in found]
    return {name: found[name] for name in [*order, *sorted(set(found) - set(order))]}


def _title(path: Path) -> str:
    with path.open(encoding="utf-8") as file:
        return file.readline().lstrip("#").strip()
