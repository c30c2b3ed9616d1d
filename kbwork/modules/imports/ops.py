"""Open an import, say what becomes of the source's words, look at imports, and stop one."""

import json
from typing import Annotated, Literal

from pydantic import Field

from kbwork.base.errors import Conflict, InvalidInput
from kbwork.base.model import Cursor, Empty, Id, Input, Limit, Name, Paged, Secret, Text
from kbwork.core.operations import nested, pagination
from kbwork.core.operations.declare import write
from kbwork.core.ports.uploads import new_id
from kbwork.db.rows import ImportLogRow
from kbwork.db.tx import Read, Write
from kbwork.modules import uploads
from kbwork.modules.imports import queries
from kbwork.modules.imports.fetch import job as fetch
from kbwork.modules.imports.mapping import proposal
from kbwork.modules.imports.model import BUILT, NOT_UNDONE, PLANNED, Import, LogLine, Mapping
from kbwork.modules.projects import ProjectKey

Words = Annotated[dict[str, str], Field(max_length=10_000)]


class ImportsOpen(Input):
    source: Text
    """`github` (its REST answers or the archive file, told apart by content), `gitlab` (its REST answers), `csv`,
    `trac`, `redmine` or `kbz`."""
    file: Text | None = None
    """`upload` of what `POST /files/upload` answered; not with `repository`."""
    repository: Text | None = None
    """`owner/name` of a repository at GitHub, or `group/subgroup/project` at GitLab, which a job fetches."""
    project: ProjectKey | None = None
    """Where all of it goes; made when it is missing."""
    base_url: Text | None = None
    """Where `repository` is fetched from: `https://api.github.com` or `https://gitlab.com` unless given; of a GitHub
    Enterprise Server `https://HOST/api/v3`, of a GitLab of your own `https://HOST`."""
    token: Secret | None = None
    """Secret for that server, kept sealed until all is fetched or the import ends."""
    user: Text | None = None
    """Account at that server, kept sealed until the import ends; GitHub and GitLab take a token alone."""


@write(
    "imports.open",
    scope="admin",
    words=(
        "import, migrate from github, move over from trac, redmine, upload a csv, "
        "bring tickets over, spreadsheet, load issues from a file, switch from another tracker, "
        "kbz, jira, excel, fetch a repository, migrate from gitlab"
    ),
    undo=NOT_UNDONE,
    example={"source": "github", "file": "u_2k3f9x7c1q8m5v4b6n0z1a", "project": "TLS"},
)
def open_(tx: Write, args: ImportsOpen) -> Import:
    """Begin an import from a file that you sent, or of a repository at GitHub or GitLab. imports.probe reads it.

    A kbz file holds projects of a kbwork, which come back as they were: without `project` under their own key, or
    that with a number behind it. Other sources than those named are not built (422).

    With `repository` a job (`job` of the answer) fetches issues, pull or merge requests, labels and comments, page by
    page. It goes on after a restart, and waits where the limit of calls is used up. When it is done, imports.probe
    reads what came. Why one failed stands in the job and in imports.log. One is fetched at a time (409). `token`, which
    a private repository needs, and GitLab for comments, is kept sealed, and deleted when all is fetched, when that
    fails or is cancelled.
    """
    if args.source not in BUILT:
        planned = args.source in PLANNED
        raise InvalidInput(
            f"Imports from {args.source[:50]} are not built{' yet' if planned else ''}; the source is one of:"
            f" {', '.join(BUILT)}.",
            field="source",
            allowed=list(BUILT),
        )
    if args.repository is not None:
        return queries.shown(queries.get(tx, _begin_fetch(tx, args)))
    if args.base_url or args.file is None:
        raise InvalidInput(
            "Send a file to POST /files/upload and name it in `file`; of github and gitlab, `repository` names one to"
            " fetch.",
            field="base_url" if args.base_url else "file",
        )
    upload = uploads.sent_whole(tx, args.file)
    secrets = {name: value for name in ("token", "user") if (value := getattr(args, name))}
    ident = queries.begin(tx, args.source, upload["id"], args.project)
    queries.put(tx, ident, secret=queries.sealed(tx, ident, secrets))
    return queries.shown(queries.get(tx, ident))


def _begin_fetch(tx: Write, args: ImportsOpen) -> int:
    assert args.repository is not None
    service = fetch.SERVICES.get(args.source)
    if service is None:
        known = " and ".join(fetch.SERVICES)
        raise InvalidInput(
            f"A repository is fetched from {known} alone; of {args.source} send a file.", field="repository"
        )
    if args.file is not None:
        raise InvalidInput("Name a `file` or a `repository`, not both.", field="file")
    if args.user is not None:
        raise InvalidInput(f"{service.name} takes a token without a user: leave `user` out.", field="user")
    place = service.place(args.repository, args.base_url, args.token)
    queries.require_alone(tx, 0, queries.FETCHING)
    ident = queries.begin(tx, args.source, new_id(), args.project)
    queries.put(tx, ident, secret=queries.sealed(tx, ident, place))
    fetch.begin(tx, ident)
    return ident


class ImportsOne(Input):
    id: Id
    """Id of the import."""


@write(
    "imports.get",
    scope="admin",
    words="how far is the import, progress of the migration, status of an import",
    undo=NOT_UNDONE,
    example={"id": 1},
)
def get(tx: Read, args: ImportsOne) -> Import:
    """Look at an import: what the source holds, what becomes of it, and how far it is."""
    return queries.shown(queries.get(tx, args.id))


@write(
    "imports.list",
    scope="admin",
    words="earlier imports, which imports ran, migrations",
    undo=NOT_UNDONE,
    example={},
)
def list_(tx: Read, args: Empty) -> list[Import]:
    """List the imports, the latest first, a hundred at most."""
    return [queries.shown(row) for row in queries.every(tx)]


class ImportsLog(Input):
    id: Id
    """Id of the import."""
    level: Literal["info", "warning", "error"] | None = None
    """Lines of this level alone."""
    cursor: Cursor | None = None
    limit: Limit | None = None


@write(
    "imports.log",
    scope="admin",
    words="what went wrong in the import, what was not imported, import errors, skipped rows",
    undo=NOT_UNDONE,
    example={"id": 1, "level": "error"},
)
def log(tx: Read, args: ImportsLog) -> Paged[LogLine]:
    """List what was left out or is not as it was at the source, in the order in which it was met.

    `source` is its id there. Of each import the first 10,000 lines are kept; `errors` of the import counts all.
    """
    queries.get(tx, args.id)
    after = pagination.place(tx, args)
    most = pagination.limit(args)
    rows = tx.all(
        "select * from import_log where import = :id and id > :after and (:level is null or level = :level)"
        " order by id limit :most",
        ImportLogRow,
        id=args.id,
        after=after[0] if after else 0,
        level=args.level,
        most=most + 1,
    )
    lines = [_line(row) for row in rows[:most]]
    return {
        "items": lines,
        "next": pagination.cursor(tx, args, [rows[most - 1]["id"]]) if len(rows) > most else None,
    }


def _line(row: ImportLogRow) -> LogLine:
    return LogLine(
        at=row["at"], level=row["level"], source=row["source"], message=row["message"], subject=row["subject"]
    )


class ImportsMapSet(Input):
    id: Id
    """Id of the import."""
    projects: Words | None = None
    """Project of the source -> key of the project where its issues go."""
    names: Annotated[dict[str, Name], Field(max_length=10_000)] | None = None
    """Project of the source -> name of the project that is made of it; one that is there keeps its own."""
    types: Annotated[dict[str, str | None], Field(max_length=10_000)] | None = None
    """Type of the source -> key of a type, made when it is missing; null: the project's default."""
    statuses: Words | None = None
    """Status of the source -> lane; `closed:cancelled` is for those that ended so."""
    fields: Words | None = None
    """Field of the source -> `field:<key>` of an own field; an empty text leaves it out. Of a table: column -> that, or
    what it holds, such as `title`; imports.probe reads the file anew then."""
    members: Words | None = None
    """Person of the source -> member, `invite`, or `name_only`."""
    skip: Annotated[list[Text], Field(max_length=1000)] | None = None
    """What stays out: `labels`, `components`, `comments`, `relations`, `attachments`, types and projects of the source.
    The whole list."""


@write(
    "imports.map_set",
    scope="admin",
    words="map users of the import, map columns, map statuses, which field goes where",
    undo=NOT_UNDONE,
    example={"id": 1, "statuses": {"closed": "done"}, "members": {"ekr": "name_only"}, "skip": ["comments"]},
)
def map_set(tx: Write, args: ImportsMapSet) -> Import:
    """Say what becomes of the source's words, beside what imports.probe proposed. What is not named stays as it is.

    What is no project key, type key, lane, own field or member is 422. `invite` invites the person by their address
    when the import runs; it needs one (422). For an import that was probed and is not at work (409); one whose file
    could not be read is opened anew.
    """
    row = queries.get(tx, args.id)
    queries.require(row, "probed", "mapped", "failed", "cancelled")
    queries.require_read(row)
    given = args.filled(*Mapping.__annotations__)
    wanted = proposal.merged(queries.mapping_of(row), given)
    if row["source"] == "csv":
        wanted["fields"] = proposal.released(wanted["fields"], given.get("fields", {}))
    proposal.require_fits(tx, row, wanted)
    found = json.loads(row["found"])
    found["guessed"] = [one for one in found.get("guessed", []) if one not in given.get("fields", {})]
    queries.put(tx, args.id, mapping=wanted, found=found, state="mapped")
    return queries.shown(queries.get(tx, args.id))


@write(
    "imports.cancel",
    scope="admin",
    words="stop the import, abort a migration",
    undo=NOT_UNDONE,
    example={"id": 1},
)
def cancel(tx: Write, args: ImportsOne) -> Import:
    """Stop an import: its job before its next step, and what came in so far stays until imports.undo takes it back. Of
    one that is being fetched nothing stays.

    One that ended is 409.
    """
    row = queries.get(tx, args.id)
    if queries.working(row):
        if queries.fetches(row):
            uploads.path(tx, row["upload"]).unlink(missing_ok=True)
        nested.run(tx, "jobs.cancel", {"id": row["job"]})
    elif row["state"] not in ("open", "probed", "mapped"):
        raise Conflict(f"Import {args.id} is {row['state']} already.")
    if row["state"] in ("open", "probed", "mapped", "running"):
        queries.put(tx, args.id, state="cancelled", ended_at=tx.now, secret=None)
    return queries.shown(queries.get(tx, args.id))
