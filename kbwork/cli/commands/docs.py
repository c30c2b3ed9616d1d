"""`kbwork docs <page>`: the manual of the running version."""

import textwrap
from pathlib import Path

import click

_PAGES = Path(__file__).parents[2] / "docs"


@click.command()
@click.argument("page", required=False)
@click.argument("words", nargs=-1)
def docs(page: str | None, words: tuple[str, ...]) -> None:
    """Print a page of the manual; without PAGE, the list of pages, which are those at /docs.

    `kbwork docs search WORDS` looks for words in all pages, the best place first.
    """
    from kbwork.api.pages.docs.manual import contents
    from kbwork.client.suggest import nearest

    pages = {name: title for group in contents() for name, title in group["pages"]}
    if page is None:
        widest = max(map(len, pages))
        for name, title in pages.items():
            click.echo(f"{name:<{widest}}  {title}")
        return
    if words:
        if page != "search":
            raise click.UsageError(f"One page at a time: kbwork docs search {page} {' '.join(words)}")
        _search(" ".join(words))
        return
    name = page.removesuffix(".md")
    beside = {path.relative_to(_PAGES).with_suffix("").as_posix() for path in _PAGES.glob("*/*.md")}
    if name not in {*pages, *beside}:
        raise click.UsageError(f"There is no page {page!r}.{nearest(page, pages)} `kbwork docs` lists them.")
    click.echo(_text(name), nl=False)


def _search(words: str) -> None:
    from kbwork.api.pages.docs.docs_search import find

    found = find(words)
    if not found:
        raise click.ClickException(f"The manual has nothing about {words!r}; `kbwork docs` lists its pages.")
    for passage in found:
        click.echo(f"{passage.page}: {passage.heading or passage.title}")
        click.echo(f"    {textwrap.shorten(passage.text, 110, placeholder=' ...')}")


def _text(name: str) -> str:
    """A page as Markdown: as it was written, or read off the contract."""
    from kbwork.api.pages.docs.manual import made

    makers = {"api": _operations, "events": _events, **made()}
    return makers[name]() if name in makers else (_PAGES / f"{name}.md").read_text(encoding="utf-8")


def _operations() -> str:
    from kbwork.contract import load

    lines = ["# API reference", "", "Fields and examples of each: kbwork MODULE VERB --help"]
    for name, module in load("cli.json")["modules"].items():
        verbs = [f"- `{name}.{verb}`: {entry['summary']}" for verb, entry in module["verbs"].items()]
        lines += ["", f"## {name}", "", *verbs]
    return "\n".join(lines) + "\n"


def _events() -> str:
    from kbwork.api.pages.docs.manual import events

    lines = ["# Events"]
    for module, rows in events().items():
        lines += ["", f"## {module}", ""]
        for row in rows:
            by = ", ".join(row["operations"]) or "the server itself"
            lines.append(f"- `{row['kind']}`, heard by {row['audience']}; emitted by {by}")
    return "\n".join(lines) + "\n"
