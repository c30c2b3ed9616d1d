"""The road of every change that somebody makes: it is tried, then applied, or asked for where that is needed."""

from typing import NamedTuple

from kbwork.db.tx import Row, Write
from kbwork.modules.flags import approvals, patching, requests, writing
from kbwork.modules.flags.access import Place
from kbwork.modules.flags.model import FlagBypassed, FlagChange, Json, Outcome
from kbwork.modules.flags.requests import Asked
from kbwork.modules.flags.writing import Diff, Why


class Became(NamedTuple):
    """What became of instructions: what differs then, and the request where there is one."""

    outcome: Outcome
    diff: Diff
    change: FlagChange | None = None


def there(tx: Write, place: Place, asked: Asked, *, bypass: bool = False) -> Became:
    """Change the targeting of a flag, or a segment, in an environment. Instructions that change nothing leave no trace.

    Raises what `requests.tried` raises.
    """
    found = requests.tried(tx, place, asked)
    diff = found.diff
    if not diff:
        return Became("unchanged", diff)
    waits = approvals.needed(tx, place.environment)
    if waits and not bypass:
        change = requests.request(tx, place, asked, as_agent=approvals.as_agent(tx))
        return Became("changeRequest", diff, requests.one(tx, place, change["id"]))
    requests.write(tx, place, asked, found, Why(asked.comment))
    if waits:
        payload = {"environment": place.environment["key"], "comment": asked.comment}
        tx.emit(FlagBypassed(subject=requests.named(place, asked.kind, asked.target), payload=payload))
    return Became("applied", diff)


def everywhere(tx: Write, project: Row, flag: Row, instructions: list[Json], comment: str = "") -> Diff:
    """Change what a flag is everywhere; answers what differs.

    Raises what `patching.meta` raises, and ApprovalNeeded where a person has to do it.
    """
    after = patching.meta(tx, project, flag, instructions)
    approvals.require_person_everywhere(tx, project, flag, after)
    return writing.put_meta(tx, project, flag, after, Why(comment))
