"""What hangs on things of other kinds, and goes where they go."""

from collections.abc import Callable

from kbwork.base.dataclasses import dataclass
from kbwork.core.ports.extension import module_of
from kbwork.db.tx import Read, Write


@dataclass(frozen=True, kw_only=True)
class Cascade:
    """What hangs on subjects of other kinds, such as comments: it goes where they go."""

    name: str
    home: str
    purge: Callable[[Write, str], bool | None]
    """Removes for good what hangs on this subject; False while there is more, which it is asked for again."""
    move: "Callable[[Write, str, str, list[int] | None], None] | None" = None
    """Takes all that hangs on the first subject, or what has these ids, to the second. Raises InvalidInput for an id
    that hangs elsewhere."""
    copy: Callable[[Write, str, str], None] | None = None
    """Gives the second subject the like of all that hangs on the first and that the caller sees."""
    table: str | None = None
    """The table whose column `subject` says on what each of it hangs, where there is one."""
    text: Callable[[Read, str], list[str]] | None = None
    """What hangs on this subject and the caller sees, as Markdown, oldest first."""

    @property
    def module(self) -> str:
        """The module that what hangs is of."""
        return module_of(self.home)


def purge_parts(tx: Write, subject: str, *, but: Cascade | None = None) -> bool:
    """Remove for good what hangs on a subject that goes, `but` one sort; False while there is more."""
    return all(part.purge(tx, subject) is not False for part in tx.registry.cascades if part is not but)
