"""Everything about flags that is configured, as one document."""

from typing_extensions import TypedDict

from kbwork.core.access import visibility
from kbwork.core.operations.declare import write
from kbwork.db.rows import FlagEnvironmentRow, FlagProjectRow, FlagRow
from kbwork.db.tx import Read, Write
from kbwork.modules.flags import access, answers, segments
from kbwork.modules.flags.access import ProjectEnvironment
from kbwork.modules.flags.dry_run import Tried, done
from kbwork.modules.flags.flag import templates
from kbwork.modules.flags.guard import answers as checks
from kbwork.modules.flags.guard.answers import FlagCheck
from kbwork.modules.flags.model import Json
from kbwork.modules.flags.settings import flag_settings


class FlagsExported(TypedDict):
    data: Json
    """The document; its `format` is the version of its form."""


@write(
    "flags.export",
    scope="admin",
    words="download all flags, flag configuration as a file, dump flags",
    undo="a look changes nothing",
    example={},
)
def export(tx: Write, args: Tried) -> FlagsExported:
    """Everything that is configured, as one document: settings, own templates, and the flag projects that you see with
    environments, segments, saved checks and flags, archived ones too. No SDK key is in it. For admins."""
    access.require_admin(tx)
    rows = tx.all(
        f"select fp.* from flag_project fp where {access.SEEN} order by fp.id",
        FlagProjectRow,
        **visibility.binds(tx),
    )
    own = [template for template in templates.every(tx) if not template["built_in"]]
    data = {
        "format": 1,
        "settings": flag_settings(tx),
        "templates": own,
        "projects": [_project(tx, row) for row in rows],
    }
    return done(args, FlagsExported(data=data))


def _check(check: FlagCheck) -> Json:
    """What was said of it, and not how it stands."""
    return {name: check[name] for name in ("name", "context", "expected", "enforce")}


def _project(tx: Read, project: FlagProjectRow) -> Json:
    environments = tx.all(
        "select * from flag_environment where project = :id order by id", FlagEnvironmentRow, id=project["id"]
    )
    flags = tx.all("select * from flag where project = :id order by key", FlagRow, id=project["id"])
    return {
        "project": project["key"],
        "name": project["name"],
        "archived": project["archived_at"] is not None,
        "environments": [
            {
                **answers.environment(project, row),
                "segments": segments.all_of(tx, ProjectEnvironment(project, row)),
                "checks": [_check(one) for one in checks.of_project(tx, project, row)],
            }
            for row in environments
        ],
        "flags": answers.flags(tx, project, flags, whole=True),
    }
