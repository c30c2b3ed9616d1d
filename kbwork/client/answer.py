"""What a call of the command line answered, shown to whoever asked."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from typing import Any

from kbwork.client.argv import CommandCall
from kbwork.client.client import ApiClient
from kbwork.client.errors import KbworkError
from kbwork.client.output import (
    coloured,
    joined,
    narrowed,
    remarks_of,
    rows_of,
    show_answer,
    show_things,
)
from kbwork.client.people import with_people_named
from kbwork.client.signin import tell
from kbwork.client.things import addresses_of, changed_things

BESIDE = frozenset({"subjects.resolve", "undo.list"})
"""The reads that are asked beside the call itself."""
_MOST_ROWS = 10_000
_PAGER = "less"


def answer(asked: CommandCall, client: ApiClient) -> None:
    """Ask, and show what comes; on a terminal, with how a change is taken back."""
    if asked.verb["class"] == "read" or not (sys.stdout.isatty() and sys.stderr.isatty()):
        show(asked, client, _pages(asked, client))
        return
    before = _newest_change(client)
    show(asked, client, client.call(asked.op, asked.fields))
    made = _newest_change(client)
    if made.get("can") and made["op"] == asked.op and made["token"] != before.get("token"):
        tell(f"Undo: kbwork undo apply --token {made['token']}")


def show(asked: CommandCall, client: ApiClient, answer: Any) -> None:
    """In the form that was asked for; else as a table on a terminal, and as JSON elsewhere."""
    style = asked.options.get("output") or ("table" if sys.stdout.isatty() else "json")
    chosen = [name.strip() for name in asked.options.get("columns", "").split(",") if name.strip()]
    shown = narrowed(answer, chosen) if chosen else answer
    text = _table_text(asked, client, shown, chosen) if style == "table" else show_answer(shown, style, None)
    if "no_pager" in asked.options or not sys.stdout.isatty() or not _paged(text):
        out(text)
    for remark in remarks_of(answer) if style != "json" or "all" in asked.options else ():
        tell(remark)


def out(text: str) -> None:
    """Results go to standard output."""
    sys.stdout.write(text)
    sys.stdout.flush()


def _pages(asked: CommandCall, client: ApiClient) -> Any:
    """What is answered; with --all, all pages as one, as far as 10,000 rows go."""
    pages = [client.call(asked.op, asked.fields)]
    rows = len(rows_of(pages[0]))
    while "all" in asked.options and pages[-1].get("next") is not None and rows < _MOST_ROWS:
        pages.append(client.call(asked.op, {**asked.fields, "cursor": pages[-1]["next"]}))
        rows += len(pages[-1].get("items", pages[-1].get("rows", ())))
    return joined(pages)


def _newest_change(client: ApiClient) -> dict[str, Any]:
    """The latest that can be taken back; empty where there is none, or one may not look."""
    try:
        found = client.call("undo.list", {"limit": 1})
    except KbworkError:
        return {}
    return dict(found[0]) if found else {}


def _paged(text: str) -> bool:
    """Show what is longer than the terminal in the pager; whether there was one."""
    pager = shlex.split(os.environ.get("PAGER", _PAGER))
    if text.count("\n") < shutil.get_terminal_size().lines or not pager:
        return False
    try:
        subprocess.run(  # noqa: S603 - whoever types the command chooses the pager
            pager, input=text.encode(), check=False, env={"LESS": "FRX", **os.environ}
        )
    except OSError:
        return False
    return True


def _table_text(asked: CommandCall, client: ApiClient, answer: Any, columns: list[str]) -> str:
    """For people: handles instead of ids, and of what was changed only what it is called and where it is."""
    tty = sys.stdout.isatty()
    if asked.verb["class"] != "read" and (written := _written(asked, client, answer)):
        return written
    width = shutil.get_terminal_size().columns if tty and not columns else None
    named = with_people_named(client, answer)
    return show_answer(named, "table", width, colours=coloured(tty), columns=columns)


def _written(asked: CommandCall, client: ApiClient, answer: Any) -> str:
    """Empty where the answer holds more than can be looked at again, such as a secret."""
    if answer == {"ok": True}:
        return "Done.\n"
    things = changed_things(answer) if "answers" in asked.verb and not asked.fields.get("dry_run") else []
    if not things:
        return ""
    named = with_people_named(client, things)
    outcome = str(answer.get("outcome", "")) if isinstance(answer, dict) and things[0] is not answer else ""
    return show_things(named, addresses_of(client, asked.verb["answers"], things), outcome)
