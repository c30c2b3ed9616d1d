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
    key: str
    name: str
    type: str
    owner: str | None
    status: Status
    values: dict[str, Any]
    issues: list[str]
    created_at: int
    updated_at: int
    created_by: str


class AssetField(TypedDict):
    """What a type asks of its assets. `target` is the key of the type that a reference leads to."""

    key: str
    name: str
    kind: FieldKind
    options: list[str]
    target: str | None
    required: bool
    unique: bool


class AssetType(TypedDict):
    """A sort of asset. `count` is how many there are."""

    id: int
    key: str
    name: str
    description: str
    icon: str
    position: float
    count: int
    fields: list[AssetField]


class FieldInput(Input):
    """A field of a type."""

    key: FieldKey
    name: Name
    kind: FieldKind
    options: Annotated[list[Name], Field(max_length=500)] | None = None
    """For `select`: what there is to choose from."""
    target: TypeKey | None = None
    """For `reference`: the type that it leads to, which may be this one."""
    required: bool | None = None
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
    inverse = "asset.linked"
    names: ClassVar[dict[str, str]] = {"issue": "issue", "asset": "asset"}

    @classmethod
    def turned(cls, payload: dict[str, Any], changes: dict[str, Any], ago_s: int) -> dict[str, Any]:
        return payload if changes else payload | {"on": not payload["on"]}


class AssetTypeSaved(DomainEvent):
    kind = "asset_type.saved"
    inverse = "asset_type.deleted"
    audience = "members"
    scope = "assets:read"


class AssetTypeDeleted(DomainEvent):
    kind = "asset_type.deleted"
    inverse = "asset_type.saved"
    audience = "members"
    scope = "assets:read"
