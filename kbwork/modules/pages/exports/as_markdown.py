"""A page as a Markdown file: what is known of it in a head that YAML readers understand, then its text as it is."""

import datetime
import json
import re

from kbwork.modules.pages.exports import names
from kbwork.modules.pages.exports.material import ExportedFile, ExportedPage, SaidOnPage
from kbwork.pagefiles import markdown

_LINKED = re.compile(r"(\]\(<?)/files/([A-Za-z0-9_]{1,64})(?:\?[^\s)>]{0,200})?(?=[\s)>])")


def written(page: ExportedPage, files: dict[str, ExportedFile]) -> str:
    """With links to the files that lie beside it."""
    head = {"title": page.title, **page.head}
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in head.items()]
    text = "\n".join(["---", *lines, "---", "", _with_files(page, files)])
    return text + ("\n\n---\n\n## Comments\n" + "".join(map(_said, page.said)) if page.said else "")


def _with_files(page: ExportedPage, files: dict[str, ExportedFile]) -> str:
    if not files or "/files/" not in page.body:
        return page.body

    def there(match: re.Match[str]) -> str:
        file = files.get(match[2])
        return match[1] + names.way(page, names.file_path(file)) if file is not None else match[0]

    lines = page.body.split("\n")
    for line, number in markdown.prose(page.body):
        if "/files/" in line:
            lines[number] = _LINKED.sub(there, line)
    return "\n".join(lines)


def _said(one: SaidOnPage) -> str:
    quoted = "\n".join(f"> {line}".rstrip() for line in one.body.split("\n"))
    answers = " answers" if one.reply else ""
    return f"\n**{one.author}**{answers}, {moment(one.at)}\n\n{quoted}\n"


def moment(at: int) -> str:
    """A time as people read it."""
    return datetime.datetime.fromtimestamp(at, datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")
