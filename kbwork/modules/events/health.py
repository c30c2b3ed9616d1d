"""Whether events are where they are to go by the day: for the doctor and the metrics."""

from collections.abc import Iterator, Mapping

from kbwork.core import org_settings
from kbwork.core.data_check import DataCheck, Finding
from kbwork.core.figures import DataFigures
from kbwork.db.tx import Read
from kbwork.modules.events import days, jobs


def _look(tx: Read) -> Iterator[Finding]:
    found = org_settings.get(tx, jobs.EXPORTED)
    if not found:
        return
    there = (
        f"events lie as files until {days.name(found['until'] - 1)}"
        if found["until"]
        else "no events lie as files yet"
    )
    if not found["ok"]:
        yield Finding("events-export", False, f"{there}; the last try failed: {found['detail']}")
    else:
        yield Finding("events-export", True, there)


def _figures(tx: Read) -> Mapping[str, float]:
    found = org_settings.get(tx, jobs.EXPORTED) or {"ok": True, "until": 0}
    return {"export_until_seconds": float(found["until"]), "export_failing": float(not found["ok"])}


HEALTH = DataCheck(home=__name__, look=_look)
FIGURES = DataFigures(home=__name__, prefix="kbwork_events", about="Events as files", read=_figures)
