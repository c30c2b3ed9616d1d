"""What a call of the command line answered, shown to whoever asked."""

from __future__ import annotations

import shutil
import sys
from typing import Any

from kbwork.client.argv import CommandCall
from kbwork.client.client import ApiClient
from kbwork.client.output import coloured, remarks_of, show_answer, show_things
from kbwork.client.people import with_people_named
from kbwork.client.signin import tell
from kbwork.client.things import addresses_of, changed_things


def show(asked: CommandCall, client: ApiClient, answer: Any) -> None:
    """In the form that was asked for; else as a table on a terminal, and as JSON elsewhere."""
    style = asked.options.get("output") or ("table" if sys.stdout.isatty() else "json")
    out(_table_text(asked, client, answer) if style == "table" else show_answer(answer, style, None))
    for text in remarks_of(answer) if style != "json" else ():
        tell(text)


def out(text: str) -> None:
    """Results go to standard output."""
    sys.stdout.write(text)
    sys.stdout.flush()


def _table_text(asked: CommandCall, client: ApiClient, answer: Any) -> str:
    """For people: handles instead of ids, and of what was changed only what it is called and where it is."""
    tty = sys.stdout.isatty()
    if asked.verb["class"] != "read" and (written := _written(asked, client, answer)):
        return written
    width = shutil.get_terminal_size().columns if tty else None
    return show_answer(with_people_named(client, answer), "table", width, colours=coloured(tty))


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
