"""What a page gets of a template: its text and properties, with the placeholders filled in."""

import json
import re
from typing import Any

from kbwork.base.errors import InvalidInput
from kbwork.base.text import did_you_mean
from kbwork.core import zones
from kbwork.db.rows import SpaceRow
from kbwork.db.tx import Read
from kbwork.modules.pages.templates.built_in import BUILT_IN

NAMES = ("date", "author", "title", "space")
_PLACE = re.compile(r"\{\{[ \t]{0,20}([A-Za-z_]{1,40})[ \t]{0,20}\}\}")
"""What has other signs in it, such as `{{ .Values.name }}`, is text of somebody's."""


def filled(tx: Read, template: int, space: SpaceRow, title: str) -> tuple[str, dict[str, Any], str | None]:
    """(body, properties, icon) for a page with this title. Raises InvalidInput for a template that is none of this
    space's, nor for all."""
    known = {
        "date": zones.today(tx).isoformat(),
        "author": tx.value("select name from member where id = :id", id=tx.caller.me()),
        "title": title,
        "space": space["name"],
    }
    for one in BUILT_IN:
        if one.id == template:
            return rendered(one.body, known), {}, one.icon
    row = tx.stored("page_template", [template])
    if row is None or row["space"] not in (None, space["id"]) or (row["space"] is None and tx.caller.guest):
        raise InvalidInput(
            f"There is no template {template} for {space['key']}; pages.templates shows them.",
            field="template",
        )
    return rendered(row["body"], known), rendered(json.loads(row["properties"]), known), row["icon"]


def rendered(value: Any, known: dict[str, str]) -> Any:
    """The same value with its placeholders filled in, in texts however deep."""
    if isinstance(value, str):
        return _PLACE.sub(lambda place: known.get(place[1], place[0]), value)
    if isinstance(value, list):
        return [rendered(item, known) for item in value]
    if isinstance(value, dict):
        return {name: rendered(item, known) for name, item in value.items()}
    return value


def require_known(value: Any, field: str) -> None:
    """Raises InvalidInput for a placeholder that there is not."""
    if isinstance(value, str):
        for place in _PLACE.finditer(value):
            if place[1] not in NAMES:
                raise InvalidInput(
                    f"There is no placeholder {{{{{place[1]}}}}}.{did_you_mean(place[1], NAMES, '{{{{{}}}}}'.format)}",
                    field=field,
                    allowed=[f"{{{{{name}}}}}" for name in NAMES],
                )
    elif isinstance(value, list | dict):
        for item in value if isinstance(value, list) else value.values():
            require_known(item, field)
