"""Another key for a flag, with the one it had as its alias."""

import json

from kbwork.base.errors import InvalidInput
from kbwork.core.operations.declare import write
from kbwork.db.rows import FlagCheckRow, FlagProjectRow, FlagRow
from kbwork.db.tx import Write
from kbwork.modules.flags import access, answers
from kbwork.modules.flags.access import ProjectEnvironment
from kbwork.modules.flags.definition import patch, store
from kbwork.modules.flags.definition.content import config_of, meta_of, packed
from kbwork.modules.flags.definition.store import ChangeReason
from kbwork.modules.flags.dry_run import Tried, done
from kbwork.modules.flags.flag.create import require_free
from kbwork.modules.flags.model import KEY, Flag, FlagProjectRef, FlagRef, FlagRenamed, FlagUpdated, Ref

_MOST = 20


class FlagsRename(Tried):
    project: FlagProjectRef
    key: FlagRef
    new_key: Ref
    """1 to 128 letters, digits, dots, dashes and underscores, that no flag of the project has or had; an alias of this
    flag gives it that key again."""


@write(
    "flags.rename",
    scope="flags:write",
    words="change the key of a flag, rename a feature flag, fix a typo in a flag key, alias of a flag",
    undo="flags.rename back to the key that it had",
    emits=[FlagRenamed, FlagUpdated],
    example={"project": "web", "key": "banner", "new_key": "top-banner"},
)
def rename(tx: Write, args: FlagsRename) -> Flag:
    """Give a flag another key. The one it had is an alias: programs that ask by it get the same answers, which
    `flags.insights` counts apart too, until the instruction `removeAlias` of `flags.update` drops it.

    Nobody gets another variation by this: contexts are hashed by the first key for good. Flags that wait for this one,
    changes that wait, and saved checks go along. A key that a flag of the project has, or had, is 409, and so is an
    archived flag. A flag has at most 20 aliases (422).
    """
    project = access.editable_project(tx, args.project)
    flag = access.flag(tx, project, args.key)
    patch.require_live(flag)
    if args.new_key != flag["key"]:
        _rename(tx, project, flag, args.new_key)
    return done(args, answers.flag(tx, project, args.new_key))


def _rename(tx: Write, project: FlagProjectRow, flag: FlagRow, key: str) -> None:
    """Raises InvalidInput or Conflict."""
    before, meta = flag["key"], meta_of(flag)
    aliases = [one for one in meta["aliases"] if one != key]
    if not KEY.fullmatch(key):
        raise InvalidInput(
            "A flag's key is 1 to 128 letters, digits, dots, dashes and underscores.", field="new_key"
        )
    own = tx.stored("flag_alias", [project["id"], key])
    if own is not None and own["flag"] == flag["id"]:
        tx.delete("flag_alias", (project["id"], key))
    else:
        require_free(tx, project, key)
    if len(aliases) >= _MOST:
        raise InvalidInput(f"A flag has at most {_MOST} aliases: drop one by removeAlias.", field="new_key")
    tx.update("flag", flag["id"], key=key)
    tx.insert("flag_alias", project=project["id"], key=before, flag=flag["id"])
    _rename_beside(tx, project, before, key)
    row = tx.stored("flag", [flag["id"]])
    assert row is not None
    why = ChangeReason(f"{before} is called {key} now")
    store.put_meta(tx, project, row, meta | {"aliases": [*aliases, before]}, why)
    _rename_prerequisites(tx, project, before, key, why)
    tx.emit(FlagRenamed(subject=store.name_of(project, row), payload={"from": before, "to": key}))


def _rename_beside(tx: Write, project: FlagProjectRow, before: str, key: str) -> None:
    """What names the flag by its key: changes, uses, and saved checks."""
    names = {"before": before, "key": key, "project": project["id"]}
    tx.execute(
        "update flag_change set target = :key where project = :project and kind = 'flag' and target = :before",
        **names,
    )
    tx.execute(
        "update flag_use set user = :key where user_kind = 'flag' and user = :before"
        " and environment in (select id from flag_environment where project = :project)",
        **names,
    )
    for check in tx.all(
        "select c.* from flag_environment e join flag_check c on c.environment = e.id where e.project = :project",
        FlagCheckRow,
        project=project["id"],
    ):
        expected = json.loads(check["expected"])
        if before in expected:
            found = {key if one == before else one: wanted for one, wanted in expected.items()}
            tx.update("flag_check", check["id"], expected=packed(found))


def _rename_prerequisites(
    tx: Write, project: FlagProjectRow, before: str, key: str, why: ChangeReason
) -> None:
    """The flags that wait for it wait for it still, archived ones too."""
    for environment in store.environments_of(tx, project):
        for flag in tx.all(
            "select f.* from flag_use u join flag f on f.project = :project and f.key = u.user"
            " where u.environment = :environment and u.uses_kind = 'flag' and u.uses = :before and u.user_kind = 'flag'"
            " order by f.id",
            FlagRow,
            project=project["id"],
            environment=environment["id"],
            before=before,
        ):
            config = config_of(tx, flag, environment)
            wanted = [one | {"key": key} if one["key"] == before else one for one in config["prerequisites"]]
            place = ProjectEnvironment(project, environment)
            store.put_config(tx, place, flag, config | {"prerequisites": wanted}, why)
