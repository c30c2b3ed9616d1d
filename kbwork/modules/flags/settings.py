"""What the org decides about flags, and everything that is configured, as one document."""

from typing_extensions import TypedDict

from kbwork.base.model import Empty
from kbwork.core import visibility
from kbwork.core.operation import read, write
from kbwork.db.tx import Read, Row, Write
from kbwork.modules import org
from kbwork.modules.flags import access, approvals, segments, shapes, templates
from kbwork.modules.flags.access import Place
from kbwork.modules.flags.model import AgentWrites, FlagSettings, Json
from kbwork.modules.flags.trying import Tried, done


@read("flags.settings", scope="flags:read", example={})
def settings(tx: Read, args: Empty) -> FlagSettings:
    """Look at what the org decided: whether an agent's change to a critical environment waits for approval."""
    return _settings(tx)


class FlagsSettingsSet(Tried):
    agent_writes: AgentWrites
    """What becomes of a change to a critical environment by a key, a connected client or automation: `changeRequest`
    waits for a person's approval, `direct` is applied."""


@write(
    "flags.settings_set",
    scope="admin",
    undo="set the former value again",
    emits=[org.OrgUpdated],
    example={"agent_writes": "changeRequest"},
)
def settings_set(tx: Write, args: FlagsSettingsSet) -> FlagSettings:
    """Decide whether an agent's change to a critical environment waits for approval. For admins."""
    access.require_admin(tx)
    before = _settings(tx)["agent_writes"]
    if before != args.agent_writes:
        approvals.set_agent_writes(tx, args.agent_writes)
        changes = {"flags.agent_writes": (before, args.agent_writes)}
        tx.emit(org.OrgUpdated(subject="org:1", changes=changes))
    return done(args, _settings(tx))


class FlagsExported(TypedDict):
    data: Json


@write("flags.export", scope="admin", undo="a look changes nothing", example={})
def export(tx: Write, args: Tried) -> FlagsExported:
    """Everything that is configured, as one document: settings, own templates, and the flag projects that you see with
    environments, segments and flags, archived ones too. No SDK key is in it. For admins."""
    access.require_admin(tx)
    rows = tx.all(
        f"select fp.* from flag_project fp where {access.SEEN} order by fp.id", **visibility.binds(tx)
    )
    own = [template for template in templates.every(tx) if not template["built_in"]]
    data = {
        "format": 1,
        "settings": _settings(tx),
        "templates": own,
        "projects": [_project(tx, row) for row in rows],
    }
    return done(args, FlagsExported(data=data))


def _project(tx: Read, project: Row) -> Json:
    environments = tx.all("select * from flag_environment where project = :id order by id", id=project["id"])
    flags = tx.all("select * from flag where project = :id order by key", id=project["id"])
    return {
        "project": project["key"],
        "name": project["name"],
        "archived": project["archived_at"] is not None,
        "environments": [
            {**shapes.environment(project, row), "segments": segments.all_of(tx, Place(project, row))}
            for row in environments
        ],
        "flags": shapes.flags(tx, project, flags, whole=True),
    }


def _settings(tx: Read) -> FlagSettings:
    return FlagSettings(agent_writes="direct" if approvals.agent_writes(tx) == "direct" else "changeRequest")
