"""What new flags may begin as: the templates that come with kbwork, and the org's own."""

import json
from typing import Annotated, Any, Final

from pydantic import Field

from kbwork.base.errors import Conflict, InvalidInput, NotFound
from kbwork.base.model import Empty, Name
from kbwork.base.text import did_you_mean
from kbwork.core.operations.declare import destructive, read, write
from kbwork.db.rows import FlagTemplateRow
from kbwork.db.tx import Read, Write
from kbwork.flagengine.patch import checks, flag_instructions
from kbwork.flagengine.patch.checks import PatchContext
from kbwork.modules import org
from kbwork.modules.flags import access
from kbwork.modules.flags.definition import json_schemas, patch
from kbwork.modules.flags.definition.content import packed
from kbwork.modules.flags.dry_run import Tried, done
from kbwork.modules.flags.model import PROJECT_KEY, FlagKind, FlagTemplate, Json, Ref

_ON_OFF: Final = [
    {"value": True, "name": "On", "description": ""},
    {"value": False, "name": "Off", "description": ""},
]
BUILT_IN: Final[tuple[FlagTemplate, ...]] = (
    FlagTemplate(
        key="release",
        name="Release: rolled out, then removed",
        kind="bool",
        variations=_ON_OFF,
        settings={"temporary": True, "tags": ["release"], "defaults": {"on": 0, "off": 1}},
        built_in=True,
    ),
    FlagTemplate(
        key="kill-switch",
        name="Kill switch: on until something must stop",
        kind="bool",
        variations=_ON_OFF,
        settings={"temporary": False, "tags": ["kill-switch"], "defaults": {"on": 0, "off": 1}},
        built_in=True,
    ),
    FlagTemplate(
        key="experiment",
        name="Experiment: two variations side by side",
        kind="string",
        variations=[
            {"value": "control", "name": "Control", "description": ""},
            {"value": "treatment", "name": "Treatment", "description": ""},
        ],
        settings={"temporary": True, "tags": ["experiment"], "defaults": {"on": 1, "off": 0}},
        built_in=True,
    ),
    FlagTemplate(
        key="entitlement",
        name="Entitlement: stays, and is given to some",
        kind="bool",
        variations=_ON_OFF,
        settings={"temporary": False, "tags": ["entitlement"], "defaults": {"on": 0, "off": 1}},
        built_in=True,
    ),
)
_SETTINGS = ("description", "tags", "temporary", "clientSide", "defaults", "schema")
_MOST = 200


@read("flags.templates", scope="flags:read", words="flag presets, which flag templates exist", example={})
def templates(tx: Read, args: Empty) -> list[FlagTemplate]:
    """List what new flags may begin as: the templates that come with kbwork, then the org's own by key."""
    return every(tx)


class FlagsTemplateSave(Tried):
    key: Ref
    """1 to 64 letters, digits, dots, dashes and underscores."""
    name: Name
    """What people choose it by."""
    kind: FlagKind
    """What the flag's variations are."""
    variations: Annotated[list[Json], Field(min_length=1, max_length=flag_instructions.MOST_VARIATIONS)]
    """What the flag may serve: {`value`, `name`, `description`}."""
    settings: Json | None = None
    """Fields of a new flag: `description`, `tags`, `temporary`, `clientSide`, `defaults`, `schema`."""


@write(
    "flags.template_save",
    scope="admin",
    words="new flag template, own flag preset",
    undo="templates are kept by hand: save the former one again",
    emits=[org.OrgUpdated],
    example={
        "key": "beta",
        "name": "Beta",
        "kind": "bool",
        "variations": [{"value": True}, {"value": False}],
    },
)
def template_save(tx: Write, args: FlagsTemplateSave) -> list[FlagTemplate]:
    """Make a template of your own, or replace one. Those that come with kbwork stay as they are (409).

    Flags that were made from one do not change with it. Answers all templates.
    """
    access.require_admin(tx)
    _require_own(args.key)
    if not PROJECT_KEY.fullmatch(args.key):
        raise InvalidInput(
            "A template's key is 1 to 64 letters, digits, dots, dashes and underscores, not `.` or `..`.",
            field="key",
        )
    kept, variations = _checked(args)
    columns = {
        "name": args.name,
        "kind": args.kind,
        "variations": packed(variations),
        "settings": packed(kept),
    }
    if tx.stored("flag_template", [args.key]) is not None:
        tx.update("flag_template", args.key, **columns)
    elif tx.value("select count(*) from flag_template") >= _MOST:
        raise InvalidInput(f"An org has at most {_MOST} templates of its own.", field="key")
    else:
        tx.insert("flag_template", key=args.key, created_at=tx.now, **columns)
    tx.emit(org.OrgUpdated(subject="org:1", payload={"flag_template": args.key}))
    return done(args, every(tx))


class FlagsTemplateDelete(Tried):
    key: Ref
    """Key of the template."""


@destructive(
    "flags.template_delete",
    scope="admin",
    words="remove a flag template",
    undo="templates are kept by hand: save the former one again",
    emits=[org.OrgUpdated],
    example={"key": "ring"},
)
def template_delete(tx: Write, args: FlagsTemplateDelete) -> list[FlagTemplate]:
    """Delete a template of your own; flags that were made from it stay. Answers the templates that are left."""
    access.require_admin(tx)
    _require_own(args.key)
    one(tx, args.key)
    tx.delete("flag_template", args.key)
    tx.emit(org.OrgUpdated(subject="org:1", payload={"flag_template": args.key, "deleted": True}))
    return done(args, every(tx))


def one(tx: Read, key: str) -> FlagTemplate:
    """The template with this key. Raises NotFound."""
    known = {template["key"]: template for template in every(tx)}
    if key not in known:
        raise NotFound(f"There is no template {key!r}.{did_you_mean(key, known)}")
    return known[key]


def _checked(args: FlagsTemplateSave) -> tuple[Json, list[Json]]:
    """Settings and variations as they are kept. Raises InvalidInput with the place of what does not fit."""
    world = PatchContext(fits=json_schemas.SchemaChecker().fits)
    given: dict[str, Any] = args.settings or {}
    with patch.refusals():
        checks.members(given, "settings", (), _SETTINGS)
        schema = flag_instructions.schema(given.get("schema"), "settings.schema", args.kind, world)
        variations = flag_instructions.variations(args.variations, "variations", args.kind, schema, world)
        kept: Json = {}
        if "description" in given:
            kept["description"] = checks.text(given["description"], "settings.description")
        if "tags" in given:
            kept["tags"] = flag_instructions.tags(given["tags"], "settings.tags")
        for name in ("temporary", "clientSide"):
            if name in given:
                kept[name] = checks.truth(given[name], f"settings.{name}")
        if "defaults" in given:
            kept["defaults"] = flag_instructions.defaults(
                given["defaults"], "settings.defaults", len(variations)
            )
        if schema is not None:
            kept["schema"] = schema
    return kept, variations


def _require_own(key: str) -> None:
    if any(template["key"] == key for template in BUILT_IN):
        raise Conflict(f"The template {key} comes with kbwork and stays as it is; choose another key.")


def every(tx: Read) -> list[FlagTemplate]:
    """Those that come with kbwork, then the org's own by key."""
    own = [_own(row) for row in tx.all("select * from flag_template order by key", FlagTemplateRow)]
    return [*BUILT_IN, *own]


def _own(row: FlagTemplateRow) -> FlagTemplate:
    return FlagTemplate(
        key=row["key"],
        name=row["name"],
        kind=row["kind"],
        variations=json.loads(row["variations"]),
        settings=json.loads(row["settings"]),
        built_in=False,
    )
