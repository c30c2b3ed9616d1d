"""The words of assets."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, StringConstraints
from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent
from kbwork.base.model import Input, Name

Status = Literal["active", "maintenance", "retired"]
FieldKind = Literal["text", "number", "date", "bool", "select", "member", "reference", "url"]
TypeKey = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9]{1,9}$")]
"""Letters and digits, 2 to 10 of them, a letter first; kept in capitals. Keys of assets start with it."""
FieldKey = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,39}$")]


class Asset(TypedDict):
    """One record. `issues` are the keys of the linked issues that the caller sees."""

    id: int
    """Id of the asset."""
    key: str
    """Key, such as `LAP-14`: that of its type and a number."""
    name: str
    """What it is called."""
    type: str
    """Key of its type."""
    owner: str | None
    """Id of the member who has it; null: nobody."""
    status: Status
    """`active`, in `maintenance`, or `retired`: kept as a record alone."""
    values: dict[str, Any]
    """Values by the key of the type's field."""
    issues: list[str]
    """Keys of the linked issues that the caller sees."""
    created_at: int
    """When it was made, in Unix seconds."""
    updated_at: int
    """When it last changed, in Unix seconds."""
    created_by: str
    """Who made it: a member's id or `agent:<name>`."""


class AssetField(TypedDict):
    """What a type asks of its assets. `target` is the key of the type that a reference leads to."""

    key: str
    """Key of the field, by which values name it."""
    name: str
    """What people read."""
    kind: FieldKind
    """What its values are."""
    options: list[str]
    """For `select`: what there is to choose from."""
    target: str | None
    """For `reference`: key of the type it leads to; null: another kind."""
    required: bool
    """Whether every new asset must have a value."""
    unique: bool
    """Whether no two assets of the type have the same value."""


class AssetType(TypedDict):
    """A sort of asset. `count` is how many there are."""

    id: int
    """Id of the type."""
    key: str
    """Key that those of its assets begin with, such as `LAP`."""
    name: str
    """What it is called."""
    description: str
    """What it is for; empty: nothing said."""
    icon: str
    """Name of its icon; empty: none."""
    position: float
    """Types are listed by it, the smallest first."""
    count: int
    """How many assets of it there are."""
    fields: list[AssetField]
    """What its assets hold, in order."""


class FieldInput(Input):
    """A field of a type."""

    key: FieldKey
    """Small letters, digits and `_`, 40 at most; values name the field by it."""
    name: Name
    """What people read."""
    kind: FieldKind
    """What its values are."""
    options: Annotated[list[Name], Field(max_length=500)] | None = None
    """For `select`: what there is to choose from."""
    target: TypeKey | None = None
    """For `reference`: the type that it leads to, which may be this one."""
    required: bool | None = None
    """Every new asset must have a value; false unless given."""
    unique: bool | None = None
    """No two assets of the type have the same value."""


class AssetCreated(DomainEvent):
    kind = "asset.created"
    inverse = "asset.deleted"


class AssetUpdated(DomainEvent):
    kind = "asset.updated"


class AssetDeleted(DomainEvent):
    kind = "asset.deleted"
    inverse = "asset.created"


class AssetLinked(DomainEvent):
    """`on` says whether it was linked to the issue or taken off it."""

    kind = "asset.linked"
    part = "asset"
    inverse = "asset.linked"
    names: ClassVar[dict[str, str]] = {"issue": "issue", "asset": "asset"}

    @classmethod
    def turned(cls, payload: dict[str, Any], changes: dict[str, Any], ago_s: int) -> dict[str, Any]:
        return payload if changes else payload | {"on": not payload["on"]}


class AssetTypeSaved(DomainEvent):
    kind = "asset_type.saved"
    part = "type"
    inverse = "asset_type.deleted"
    audience = "members"
    scope = "assets:read"


class AssetTypeDeleted(DomainEvent):
    kind = "asset_type.deleted"
    inverse = "asset_type.saved"
    audience = "members"
    scope = "assets:read"
