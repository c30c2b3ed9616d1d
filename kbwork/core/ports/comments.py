"""What takes comments: each kind of subject says who may say something on its things, and to whom it is told."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.db.tx import Read, Write


class CommentTarget(ABC):
    """A thing that takes comments, as its caller sees it."""

    takes_notes = False
    """Whether there are internal notes, which are for the team alone."""

    subject: str
    """`issue:12`: where its comments and their events stand."""
    project: int | None
    """The project of work that it belongs to."""
    who_may: str
    """Who may comment, for those who may not."""

    @property
    @abstractmethod
    def path(self) -> str:
        """Where the web app shows it."""

    @property
    @abstractmethod
    def told(self) -> dict[str, Any]:
        """What every event of a comment says of it."""

    @abstractmethod
    def may_comment(self) -> bool:
        """Whether the caller may say something there."""

    @abstractmethod
    def may_edit(self) -> bool:
        """Whether the caller may change the thing itself: they resolve its threads."""

    @abstractmethod
    def may_moderate(self) -> bool:
        """Whether the caller deletes what others said."""

    @abstractmethod
    def require_open(self) -> None:
        """Raises Conflict where nothing is changed any more, as in an archived project."""

    @abstractmethod
    def audience(self, whos: list[str], *, internal: bool) -> list[str]:
        """Those of these members, teams and agents of whom somebody active sees what is said there.

        One look for all of them: a team may have thousands.
        """

    @abstractmethod
    def touch(self, tx: Write) -> None:
        """Something was said: where its time follows its comments, it is now."""

    @abstractmethod
    def follow(self, tx: Write, who: str) -> None:
        """Somebody said something: where it is watched, they watch it from now on."""


@dataclass(frozen=True, kw_only=True)
class Commentable:
    """How the subjects of a kind take comments.

    The others are SQL conditions over `:ref`, the text behind the colon, with what `visibility.binds` binds.
    """

    target: Callable[[Read, str], CommentTarget | None]
    """The thing with this reference, where the caller sees it."""
    seen: str
    """The caller sees what is said on it."""
    known: str
    """The caller sees it, or may bring it back from the trash."""
    speaks: str
    """The caller may comment on what they know so."""
    moderates: str
    """The caller deletes what others said on what they know so."""
