"""Make a flag."""

from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import Conflict, InvalidInput
from kbwork.base.model import Name
from kbwork.core.operations.declare import write
from kbwork.db.rows import FlagProjectRow
from kbwork.db.tx import Read, Write
from kbwork.flagengine.patch import checks, flag_instructions
from kbwork.modules import members
from kbwork.modules.flags import access, answers
from kbwork.modules.flags.definition import content, patch, store
from kbwork.modules.flags.dry_run import Tried, done
from kbwork.modules.flags.flag import templates
from kbwork.modules.flags.model import KEY, UNDO, Flag, FlagCreated, FlagKind, FlagProjectRef, Json, Ref

_MOST = 10_000
_ON_OFF = [{"value": True}, {"value": False}]


class FlagsCreate(Tried):
    project: FlagProjectRef
    key: Annotated[str, Field(max_length=1000)]
    """1 to 128 letters, digits, dots, dashes and underscores; unique in the project, for good."""
    name: Annotated[Name | None, Field(max_length=flag_instructions.LONGEST_NAME)] = None
    """Left out: the key."""
    kind: FlagKind | None = None
    """Left out: that of the template, else of the variations' values; without any `bool`."""
    template: Ref | None = None
    """Key of a template: what is not named here is taken from it."""
    variations: Annotated[list[Json] | None, Field(max_length=flag_instructions.MOST_VARIATIONS)] = None
    """{`value`, `name`, `description`}; left out for `bool`: true and false."""
    tags: Annotated[list[str] | None, Field(max_length=flag_instructions.MOST_TAGS)] = None
    """Words to find it by; `kill-switch` puts it on that list."""
    client_side: bool | None = None
    """Whether client-side IDs see it; left out: no."""
    temporary: bool | None = None
    """Whether it is to be removed some day; left out: yes."""
    maintainers: Annotated[list[Ref] | None, Field(max_length=flag_instructions.MOST_TAGS)] = None
    """Members, by id, `me`, `@handle` or e-mail; left out: you."""
    description: Annotated[str | None, Field(max_length=checks.LONGEST_TEXT)] = None
    """What it is for."""
    schema_: Annotated[Json | None, Field(alias="schema")] = None
    """For JSON flags: a JSON schema that every variation fits."""
    defaults: Json | None = None
    """What a new environment serves, as indexes of variations: {`on`, `off`}; left out: the first, and the last."""


@write(
    "flags.create",
    scope="flags:write",
    words=("new feature flag, add a toggle, hide code behind a flag, new switch, experiment, a/b test"),
    undo=UNDO,
    emits=[FlagCreated],
    example={"project": "web", "key": "new-checkout", "name": "New checkout", "template": "release"},
)
def create(tx: Write, args: FlagsCreate) -> Flag:
    """Make a flag, which is off in every environment. Without kind and variations it is true or false.

    A key that was given out, be it to a flag that is archived now, is 409. A flag project has at most 10,000 (422).
    """
    project = access.editable_project(tx, args.project)
    if not KEY.fullmatch(args.key):
        raise InvalidInput(
            "A flag's key is 1 to 128 letters, digits, dots, dashes and underscores, not `.` or `..`.",
            field="key",
        )
    require_free(tx, project, args.key)
    if tx.value("select count(*) from flag where project = :id", id=project["id"]) >= _MOST:
        raise InvalidInput(f"A flag project has at most {_MOST:,} flags.", field="key")
    store.add_flag(tx, project, args.key, _meta(tx, args))
    return done(args, answers.flag(tx, project, args.key))


def require_free(tx: Read, project: FlagProjectRow, key: str) -> None:
    """Raises Conflict where a flag has the key, or had it."""
    taken = tx.one(
        "select archived from flag where project = :project and key = :key",
        project=project["id"],
        key=key,
    )
    if taken is not None:
        raise Conflict(
            f"The flag project {project['key']} has a flag {key!r} already"
            + (
                ", which is archived; flags.restore brings it back."
                if taken["archived"]
                else "; choose another key."
            )
        )
    had = tx.value(
        "select f.key from flag_alias a join flag f on f.id = a.flag where a.project = :project and a.key = :key",
        project=project["id"],
        key=key,
    )
    if had is not None:
        raise Conflict(f"{key!r} was the key of the flag {had}; choose another key.")


def _meta(tx: Read, args: FlagsCreate) -> Json:
    """What the flag is everywhere: what was said, else what the template says, else the defaults."""
    template: Any = templates.one(tx, args.template) if args.template is not None else None
    from_template = template["settings"] if template is not None else {}
    listed = args.variations if args.variations is not None else template["variations"] if template else None
    kind = args.kind or (template["kind"] if template else _kind(listed))
    if listed is None and kind == "bool":
        listed = _ON_OFF
    if listed is None:
        raise InvalidInput(f"A flag of the kind {kind} needs `variations`.", field="variations")
    world = content.world_of_meta(tx, None)
    given = {
        "description": args.description,
        "tags": args.tags,
        "temporary": args.temporary,
        "clientSide": args.client_side,
        "schema": args.schema_,
        "defaults": args.defaults,
    }
    wanted = from_template | {name: value for name, value in given.items() if value is not None}
    keepers = [tx.caller.member] if tx.caller.member else []
    if args.maintainers is not None:
        keepers = [members.by_ref(tx, ref, field="maintainers")["id"] for ref in args.maintainers]
    with patch.refusals():
        schema = flag_instructions.schema(wanted.get("schema"), "schema", kind, world)
        variations = flag_instructions.variations(listed, "variations", kind, schema, world)
        last = len(variations) - 1
        defaults = wanted.get("defaults") or {"on": 0, "off": last}
        return {
            "name": flag_instructions.name(args.name or args.key, "name"),
            "description": checks.text(wanted.get("description", ""), "description"),
            "kind": kind,
            "variations": variations,
            "tags": flag_instructions.tags(wanted.get("tags", []), "tags"),
            "maintainers": flag_instructions.maintainers(keepers, "maintainers", world),
            "temporary": wanted.get("temporary", True),
            "clientSide": wanted.get("clientSide", False),
            "defaults": flag_instructions.defaults(defaults, "defaults", len(variations)),
            "schema": schema,
        }


def _kind(variations: list[Json] | None) -> FlagKind:
    """What the first value is of; without any a flag is true or false."""
    if not variations:
        return "bool"
    value = variations[0].get("value")
    kinds: dict[type, FlagKind] = {bool: "bool", str: "string", int: "number", float: "number"}
    return kinds.get(type(value), "json")
