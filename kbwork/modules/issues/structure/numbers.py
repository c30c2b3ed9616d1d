"""The numbers in the keys of issues: each is given out once in its project.

The highest that is there says which comes next. `project.numbers` holds those that went: triggers raise it where an
issue leaves.
"""

from kbwork.base.errors import Conflict
from kbwork.db.tx import Read, Write
from kbwork.modules.projects import LAST_NUMBER

_NEXT = f"select {LAST_NUMBER} + 1 from project p where p.id = :project"
_END: int = 36**8


def following(tx: Read, project: int) -> int:
    """The number that the next new issue of a project gets. Raises Conflict where there is none left."""
    last = tx.held("issue", ("last number", project)) if isinstance(tx, Write) else None
    return given(last + 1 if last is not None else tx.value(_NEXT, project=project))


def gave(tx: Write, project: int, number: int) -> None:
    """The issue that was just written has it: the next one of its group need not look."""
    tx.hold("issue", ("last number", project), number)


def given(number: int) -> int:
    """A number that an issue may have. Raises Conflict where it is too high for a place in the order."""
    if number >= _END:
        raise Conflict("This project has no numbers left.")
    return number


def reserve(tx: Write, project: int, number: int) -> None:
    """Let numbers that are given out begin above this one."""
    tx.execute("update project set numbers = max(numbers, :number) where id = :id", number=number, id=project)
    tx.hold("issue", ("last number", project), None)
