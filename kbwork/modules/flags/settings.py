"""What the org decides about flags."""

from kbwork.base.model import Empty
from kbwork.core.operations.declare import read, write
from kbwork.db.tx import Read, Write
from kbwork.modules import org
from kbwork.modules.flags import access
from kbwork.modules.flags.change import approvals
from kbwork.modules.flags.dry_run import Tried, done
from kbwork.modules.flags.model import AgentWrites, FlagSettings


@read("flags.settings", scope="flags:read", words="flag settings, may agents change flags", example={})
def settings(tx: Read, args: Empty) -> FlagSettings:
    """Look at what the org decided: whether an agent's change to a critical environment waits for approval."""
    return flag_settings(tx)


class FlagsSettingsSet(Tried):
    agent_writes: AgentWrites
    """What becomes of a change to a critical environment by a key, a connected client or automation: `changeRequest`
    waits for a person's approval, `direct` is applied."""


@write(
    "flags.settings_set",
    scope="admin",
    words="let agents change flags, agents need approval for production flags",
    undo="set the former value again",
    emits=[org.OrgUpdated],
    example={"agent_writes": "changeRequest"},
)
def settings_set(tx: Write, args: FlagsSettingsSet) -> FlagSettings:
    """Decide whether an agent's change to a critical environment waits for approval. For admins."""
    access.require_admin(tx)
    before = flag_settings(tx)["agent_writes"]
    if before != args.agent_writes:
        approvals.set_agent_writes(tx, args.agent_writes)
        changes = {"flags.agent_writes": (before, args.agent_writes)}
        tx.emit(org.OrgUpdated(subject="org:1", changes=changes))
    return done(args, flag_settings(tx))


def flag_settings(tx: Read) -> FlagSettings:
    return FlagSettings(agent_writes="direct" if approvals.agent_writes(tx) == "direct" else "changeRequest")
