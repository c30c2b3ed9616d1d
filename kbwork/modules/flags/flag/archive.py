"""Flags that are archived."""

from kbwork.core.operations.declare import destructive
from kbwork.db.tx import Write
from kbwork.modules.flags import access, answers
from kbwork.modules.flags.change import submit
from kbwork.modules.flags.dry_run import Tried, done
from kbwork.modules.flags.model import UNDO, Flag, FlagArchived, FlagProjectRef, FlagRef


class FlagsArchive(Tried):
    project: FlagProjectRef
    key: FlagRef


@destructive(
    "flags.archive",
    scope="flags:write",
    words="retire a flag, delete a flag, remove a feature flag, get rid of a toggle, sunset",
    undo=UNDO,
    emits=[FlagArchived],
    example={"project": "web", "key": "banner"},
)
def archive(tx: Write, args: FlagsArchive) -> Flag:
    """Archive a flag: clients answer their own default for it from then on. flags.restore brings it back.

    While others wait for it (409 with `uses`) it stays, and agents leave one that is on in a critical environment to
    people (409 `approval-needed`). One that is archived already stays so.
    """
    project = access.editable_project(tx, args.project)
    flag = access.flag(tx, project, args.key)
    if not flag["archived"]:
        submit.change_flag(tx, project, flag, [{"kind": "archiveFlag"}])
    return done(args, answers.flag(tx, project, flag["key"]))
