"""What an event is. Modules declare their kinds as small classes in `model.py`."""

from typing import Any, ClassVar, Literal

from kbwork.base.dataclasses import dataclass, field

Audience = Literal["seen", "team", "members", "everyone", "admin", "starter", "audit"]
"""Who hears of it: `seen` all who see its subject, `team` of those no guest and no customer, `members` whoever is no
guest, `everyone` whoever is signed in, `admin` admins, `starter` admins and the actor, `audit` the audit log alone."""


@dataclass(frozen=True, kw_only=True)
class DomainEvent:
    """A thing that happened to `subject`.

    `changes` maps a field to its value before and after: undoing tells them with the sides turned round. An event
    without changes is taken back by one of the kind that `inverse` names.
    """

    kind: ClassVar[str]
    inverse: ClassVar[str | None] = None
    audience: ClassVar[Audience] = "seen"
    scope: ClassVar[str] = "members:read"
    """What a caller must hold to hear of it, where no subject's own scope says so (all audiences but `seen`)."""

    names: ClassVar[dict[str, str]] = {}
    """Members of the payload, and of its changes, that name another subject, and of which kind it is: whoever does not
    see that one reads null there."""

    counts: ClassVar[dict[str, str]] = {}
    """Members of the payload that are kept as the refs of other subjects, and of which kind those are: whoever reads
    the event reads how many of them they see."""

    about: ClassVar[dict[str, str]] = {}
    """Members of the payload that say what it is of beside its subject, and of which kind that is: purging such a thing
    finds by this the events that stand elsewhere."""

    part: ClassVar[str | None] = None
    """The member of the payload that says of which part of the subject `changes` are, such as an item of its checklist;
    None: they are its own."""

    stands: ClassVar[bool] = False
    """What it tells of stays as it is when the change that it came with is undone, and is not told once more."""

    subject: str
    changes: dict[str, Any] = field(default_factory=dict)
    """Field -> (before, after), or for a long text {`from_size`, `to_size`, `revision`}."""
    payload: dict[str, Any] = field(default_factory=dict)
    heard_by: Audience | None = None
    """Where this one event has another audience than its kind."""

    @classmethod
    def turned(cls, payload: dict[str, Any], changes: dict[str, Any], ago_s: int) -> dict[str, Any]:
        """The payload of the event that takes this one back, `ago_s` seconds later.

        `changes` have their sides turned round already. A kind whose payload itself has sides turns them here.
        """
        return payload

    @property
    def hearers(self) -> Audience:
        return self.heard_by or self.audience

    def body(self) -> dict[str, Any]:
        """The payload as stored: each changed field with `from` and `to`."""
        if not self.changes:
            return self.payload
        sides = {
            k: {"from": v[0], "to": v[1]} if isinstance(v, tuple) else v for k, v in self.changes.items()
        }
        return {**self.payload, "changes": sides}
