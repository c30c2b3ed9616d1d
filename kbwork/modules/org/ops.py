"""Look at the org and change its settings."""

from typing import Annotated, Any, Literal

from pydantic import Field

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Empty, Id, Input, Int, Name, Text
from kbwork.base.text import did_you_mean
from kbwork.core import org_settings
from kbwork.core.operations.declare import read, write
from kbwork.db.tx import Read, Write
from kbwork.modules import members
from kbwork.modules.org import queries
from kbwork.modules.org.model import Org, OrgUpdated

Days = Annotated[Int, Field(ge=1, le=36_500)]


class RetentionInput(Input):
    audit_days: Days | None = None
    """Days that the audit log is kept; null: for ever."""
    trash_days: Days | None = None
    """Days that deleted things can be restored; null: for ever."""
    events_days: Days | None = None
    """Days that events are kept; null: for ever."""
    attachments_days: Days | None = None
    """Days that files are kept; null: for ever."""


class IssueDefaultsInput(Input):
    visibility: Literal["org", "members", "private"] | None = None
    """Who sees a new project."""
    workflow: Id | None = None
    """Id of the workflow of a new project."""
    types: Annotated[list[Text], Field(max_length=100)] | None = None
    """Keys of types."""


class OrgUpdate(Input):
    name: Name | None = None
    """Name of the org as people read it."""
    zone: members.Zone | None = None
    """Time zone by name, such as `Europe/Berlin`."""
    locale: Annotated[str, Field(pattern=r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$", max_length=35)] | None = None
    """A language tag, such as `en` or `de-CH`."""
    week_start: Annotated[Int, Field(ge=0, le=6)] | None = None
    """0 is Sunday, 1 Monday."""
    slug: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,38}$")] | None = None
    """Short name for addresses: small letters, digits and `-`."""
    default_role: Literal["member", "guest"] | None = None
    """The role of those who come in by themselves."""
    guests: bool | None = None
    """Members may invite guests into projects that they lead."""
    public_links: bool | None = None
    """Whether things may be shown to the public by link."""
    retention: RetentionInput | None = None
    """How many days things are kept; those that are not named stay, null keeps for ever."""
    issue_defaults: IssueDefaultsInput | None = None
    """For new projects; those that are not named stay, null: as the product has it."""
    allowed_files: (
        Annotated[list[Annotated[str, Field(min_length=1, max_length=100)]], Field(max_length=1000)] | None
    ) = None
    """Endings (`.pdf`) or media types (`image/*`) that may be attached; none: all."""
    legal: dict[str, Text] | None = None
    """Texts and addresses by name, such as `imprint` and `privacy`; the whole of it, at most 50."""


@read(
    "org.get",
    scope="members:read",
    words="organisation settings, company settings, which modules are on, workspace",
    example={},
)
def get(tx: Read, args: Empty) -> Org:
    """Look at the org: its settings and which modules are on. Guests find retention, legal and files empty."""
    return queries.shown(tx)


@write(
    "org.update",
    scope="admin",
    words=(
        "company name, time zone of the org, first day of the week, retention, "
        "organisation settings, default role, language of the org, rename the workspace, "
        "public links"
    ),
    emits=[OrgUpdated],
    example={"zone": "Europe/Berlin", "week_start": 1, "retention": {"trash_days": 60}},
)
def update(tx: Write, args: OrgUpdate) -> Org:
    """Change settings of the org: those that are not named stay. For admins.

    An unknown time zone, workflow or type is 422 naming the nearest. Shorter retention takes away what is older
    within minutes, for good.
    """
    changes: dict[str, Any] = {}
    for name, value in _values(tx, args).items():
        before = org_settings.get(tx, f"org.{name}")
        if before != value:
            org_settings.put(tx, f"org.{name}", value)
            changes[name] = (before, value)
    if changes:
        tx.emit(OrgUpdated(subject="org:1", changes=changes))
    return queries.shown(tx)


_PLAIN = ("name", "zone", "locale", "week_start", "slug", "default_role", "guests", "public_links")


def _values(tx: Read, args: OrgUpdate) -> dict[str, Any]:
    """The settings as they are to be, by name."""
    values = args.filled(*_PLAIN)
    if args.retention is not None:
        values["retention"] = org_settings.get(tx, "org.retention") | _given(args.retention)
    if args.issue_defaults is not None:
        _require_known(tx, args.issue_defaults)
        merged = org_settings.get(tx, "org.issue_defaults") | _given(args.issue_defaults)
        values["issue_defaults"] = {name: value for name, value in merged.items() if value is not None}
    if args.allowed_files is not None:
        values["allowed_files"] = list(dict.fromkeys(entry.strip().lower() for entry in args.allowed_files))
    if args.legal is not None:
        if len(args.legal) > 50 or any(not 0 < len(name) <= 100 for name in args.legal):
            raise InvalidInput(
                "`legal` holds at most 50 texts with names of 1 to 100 characters.", field="legal"
            )
        values["legal"] = args.legal
    return values


def _given(part: Input) -> dict[str, Any]:
    return {name: getattr(part, name) for name in part.model_fields_set}


def _require_known(tx: Read, defaults: IssueDefaultsInput) -> None:
    """Raises InvalidInput naming the nearest type."""
    if defaults.workflow is not None:
        known = tx.column("select id from workflow where draft = 0 order by id")
        if defaults.workflow not in known:
            text = f"There is no workflow {defaults.workflow} in force."
            raise InvalidInput(text, field="issue_defaults.workflow", allowed=known)
    keys = tx.column("select key from issue_type where heir is null order by key")
    for number, key in enumerate(defaults.types or []):
        if key not in keys:
            text = f"There is no type {key!r}.{did_you_mean(key, keys)}"
            raise InvalidInput(text, field=f"issue_defaults.types[{number}]", allowed=keys)
