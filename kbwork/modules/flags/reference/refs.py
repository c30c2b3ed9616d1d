"""The operations of code references: list, and push those of a branch."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, Int, Text
from kbwork.core.operations.declare import read, write
from kbwork.db.rows import FlagProjectRow
from kbwork.db.tx import Read, Write
from kbwork.modules.flags import access
from kbwork.modules.flags.definition import store
from kbwork.modules.flags.dry_run import Tried, done
from kbwork.modules.flags.model import FlagProjectRef, FlagRefsPushed, Ref

MOST_REFS = 20_000
MOST_TEXT = 200
_MOST_ANSWERED = 10_000
_MOST_BRANCHES = 200
_Name = Annotated[Text, Field(min_length=1, max_length=300)]
Where = tuple[int, str, str, int, str]
"""Flag, key as it is written, path, line, text."""


class FlagsRefs(Input):
    project: FlagProjectRef
    key: Ref | None = None
    """Of this flag alone."""


class FlagReference(TypedDict):
    key: str
    """Key as it is written there; of a flag that was renamed, perhaps one that it had before."""
    repository: str
    """What the repository is called."""
    branch: str
    """Which branch."""
    path: str
    """File, from the root of the work tree."""
    line: int
    """Line, counted from 1."""
    text: str
    """What stands there; empty: it was not sent."""
    seen_at: int
    """When the branch was pushed last, in Unix seconds."""


@read(
    "flags.refs",
    scope="flags:read",
    words="code references, where is the flag used in the code, which files use the flag, can I delete it from code",
    example={"project": "web", "key": "checkout"},
)
def refs(tx: Read, args: FlagsRefs) -> list[FlagReference]:
    """List where code names flags, by key, repository, branch, path and line: the first 10,000 places."""
    project = access.project(tx, args.project)
    flag = access.flag(tx, project, args.key)["id"] if args.key is not None else None
    rows = tx.all(
        "select r.* from flag f join flag_reference r on r.flag = f.id"
        " where f.project = :project and (:flag is null or f.id = :flag)"
        f" order by r.key, r.repository, r.branch, r.path, r.line, r.id limit {_MOST_ANSWERED}",
        project=project["id"],
        flag=flag,
    )
    return [
        FlagReference(
            key=row["key"],
            repository=row["repository"],
            branch=row["branch"],
            path=row["path"],
            line=row["line"],
            text=row["text"],
            seen_at=row["seen_at"],
        )
        for row in rows
    ]


class FoundRef(Input):
    key: Ref
    """Key as it is written."""
    path: Annotated[str, Field(min_length=1, max_length=1000)]
    """File, from the root of the work tree."""
    line: Annotated[Int, Field(ge=1)]
    """Line, counted from 1."""
    text: Annotated[str | None, Field(max_length=MOST_TEXT)] = None
    """What stands there."""


class FlagsRefsPush(Tried):
    project: FlagProjectRef
    repository: _Name
    """What the repository is called, such as `acme/shop`."""
    branch: _Name
    """Which branch this is of."""
    commit: Annotated[Text, Field(min_length=1, max_length=100)]
    """The commit that was looked through."""
    refs: Annotated[list[FoundRef], Field(max_length=MOST_REFS)]
    """All that names a flag there; none takes the branch away."""


class RefsPushed(TypedDict):
    refs: int
    """How many places were kept."""
    unknown: list[str]
    """Keys that no flag of the project has; they are not kept."""
    unused: list[str]
    """Keys of flags that are not archived, and that nothing there names."""


@write(
    "flags.refs_push",
    scope="flags:write",
    words="upload code references, scan the repository for flags in ci, send where flags are used",
    undo="push the branch again as it was",
    emits=[FlagRefsPushed],
    example={
        "project": "web",
        "repository": "acme/shop",
        "branch": "main",
        "commit": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
        "refs": [
            {"key": "checkout", "path": "src/cart.ts", "line": 12, "text": "if (flags.boolean('checkout'"}
        ],
    },
)
def refs_push(tx: Write, args: FlagsRefsPush) -> RefsPushed:
    """Say where the code of a branch names flags: this takes the place of what was said of that branch.

    Aliases count for their flag. `kbwork flags refs scan` finds them. A flag project has at most 200 branches (422).
    """
    project = access.editable_project(tx, args.project)
    ids = _ids(tx, project)
    found = {
        (ids[one.key], one.key, one.path, one.line, one.text or "") for one in args.refs if one.key in ids
    }
    _require_room(tx, project, args)
    if _replace(tx, project, args, found):
        payload = {"repository": args.repository, "branch": args.branch, "refs": len(found)}
        tx.emit(FlagRefsPushed(subject=store.project_name(project), payload=payload))
    used = {flag for flag, *_ in found}
    live = tx.all(
        "select id, key from flag where project = :id and not archived order by key", id=project["id"]
    )
    answer = RefsPushed(
        refs=len(found),
        unknown=sorted({one.key for one in args.refs} - ids.keys()),
        unused=[row["key"] for row in live if row["id"] not in used],
    )
    return done(args, answer)


def _ids(tx: Read, project: FlagProjectRow) -> dict[str, int]:
    """The flags of a project by each of their keys."""
    rows = tx.all(
        "select key, flag as id from flag_alias where project = :project and dropped_at is null"
        " union all select key, id from flag where project = :project",
        project=project["id"],
    )
    return {row["key"]: row["id"] for row in rows}


def _require_room(tx: Read, project: FlagProjectRow, args: FlagsRefsPush) -> None:
    """Raises InvalidInput."""
    known = tx.all(
        "select distinct r.repository, r.branch from flag f join flag_reference r on r.flag = f.id"
        " where f.project = :project",
        project=project["id"],
    )
    own = {"repository": args.repository, "branch": args.branch}
    if own not in known and len(known) >= _MOST_BRANCHES:
        raise InvalidInput(
            f"A flag project has references of at most {_MOST_BRANCHES} branches: push those that are gone without"
            " references.",
            field="branch",
        )


def _replace(tx: Write, project: FlagProjectRow, args: FlagsRefsPush, found: set[Where]) -> bool:
    """Whether that is anything new, but for the commit and the time."""
    branch = {"project": project["id"], "repository": args.repository, "branch": args.branch}
    of_branch = (
        "flag in (select id from flag where project = :project)"
        " and repository = :repository and branch = :branch"
    )
    before: set[Where] = {
        (row["flag"], row["key"], row["path"], row["line"], row["text"])
        for row in tx.all(
            f"select flag, key, path, line, text from flag_reference where {of_branch}", **branch
        )
    }
    if before == found:
        tx.execute(
            f"update flag_reference set revision = :revision, seen_at = :now where {of_branch}",
            revision=args.commit,
            now=tx.now,
            **branch,
        )
        return False
    tx.execute(f"delete from flag_reference where {of_branch}", **branch)
    for flag, key, path, line, text in sorted(found):
        tx.execute(
            "insert into flag_reference (flag, repository, branch, revision, key, path, line, text, seen_at)"
            " values (:flag, :repository, :branch, :revision, :key, :path, :line, :text, :now)",
            flag=flag,
            repository=args.repository,
            branch=args.branch,
            revision=args.commit,
            key=key,
            path=path,
            line=line,
            text=text,
            now=tx.now,
        )
    return True
