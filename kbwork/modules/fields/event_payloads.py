"""Who hears of a change of a field: the org of one for all projects, else those who see one of its projects."""

from collections.abc import Iterable
from typing import Any

from kbwork.base.events import DomainEvent
from kbwork.db.tx import Write
from kbwork.modules.fields.catalogue import OwnField
from kbwork.modules.projects import audience


def emit(tx: Write, event: type[DomainEvent], about: Iterable[OwnField], **told: Any) -> None:
    """An event for every place that one of these, a field before and after its change, is for.

    What it says names no project: it is the same for all who hear of it, and not all see the same ones.
    """
    fields = list(about)
    places = list(dict.fromkeys(place for field in fields for place in (field.projects or (None,))))
    last = fields[-1]
    told["payload"] = {"key": last.key, "name": last.name} | told.get("payload", {})
    for project in sorted(places, key=lambda place: (place is not None, place)):
        audience.tell(tx, event, project, **told)
