"""Whether events are where they are to go by the day, and each is taken by who follows them: for the doctor and the
metrics.
"""

from collections.abc import Iterator, Mapping

from kbwork.core import org_settings
from kbwork.core.data_check import DataCheck, Finding, shown
from kbwork.core.events import follower
from kbwork.core.figures import DataFigures
from kbwork.db.tx import Read, Row
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


def _followed(tx: Read) -> Iterator[Finding]:
    """What each that follows events left out, of several the last."""
    found: dict[str, list[Row]] = {}
    for row in follower.left_out(tx):
        found.setdefault(row["name"], []).append(row)
    for name, rows in sorted(found.items()):
        last, before = rows[-1], len(rows) - 1
        more = f" and {before} before it within seven days" if before else ""
        kind = last["kind"] or "gone since"
        said = f"{name} left out the event {last['seq']} ({kind}) at {shown(last['at'])}{more}"
        yield Finding("followers", False, f"{said}; the log has why")
    if not found:
        yield Finding("followers", True, "no event was left out within seven days")


def _figures(tx: Read) -> Mapping[str, float]:
    found = org_settings.get(tx, jobs.EXPORTED) or {"ok": True, "until": 0}
    return {"export_until_seconds": float(found["until"]), "export_failing": float(not found["ok"])}


HEALTH = DataCheck(home=__name__, look=_look)
FOLLOWED = DataCheck(home=__name__, look=_followed)
FIGURES = DataFigures(home=__name__, prefix="kbwork_events", about="Events as files", read=_figures)
