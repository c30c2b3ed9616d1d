"""Where files hang, and what the caller may do there."""

from dataclasses import dataclass

from kbwork.base.errors import Conflict, InvalidInput, NotAllowed, NotFound
from kbwork.base.text import whole_number
from kbwork.core.things.thing import ref_of
from kbwork.db.tx import Read, Row
from kbwork.modules import comments, issues
from kbwork.modules.projects import access as projects

KINDS = ("issue", "comment", "project", "org")


@dataclass(frozen=True, slots=True)
class AttachmentTarget:
    """A subject that the caller sees. `edits`: may change it, and so take away any file there."""

    subject: str
    adds: bool
    edits: bool
    issue: Row | None = None
    project: Row | None = None


def target(tx: Read, subject: str) -> AttachmentTarget:
    """Raises NotFound, also where it is not seen, InvalidInput for kinds that take no files."""
    kind, ref = ref_of(subject.strip())
    makers = {"": _issue, "issue": _issue, "comment": _comment, "project": _project, "org": _org}
    if kind not in makers:
        raise InvalidInput(
            f"{kind!r} takes no files.", field="subject", allowed=[f"{name}:<id>" for name in KINDS]
        )
    found = makers[kind](tx, ref)
    if found is None:
        raise NotFound(f"There is no {subject!r} that you can see.")
    return found


def require_add(tx: Read, on: AttachmentTarget) -> None:
    """Raises NotAllowed where the caller may not add files there, Conflict where nothing may be changed."""
    if not on.adds:
        raise NotAllowed(
            "You may see this and add no files: on an issue that needs the role member or reporter, on a comment its"
            " author, on a project the role member, on the org an admin."
        )
    require_awake(on)


def require_awake(on: AttachmentTarget) -> None:
    """Raises Conflict where the issue or the project is archived."""
    if on.issue is not None and on.issue["archived_at"] is not None:
        raise Conflict("The issue is archived: bring it back before changing its files.")
    if on.project is not None:
        projects.require_open(on.project)


def _issue(tx: Read, ref: str) -> AttachmentTarget | None:
    row = issues.find(tx, ref)
    if row is None:
        return None
    edits = issues.may_edit(tx, row)
    return AttachmentTarget(
        f"issue:{row['id']}",
        adds=edits or issues.may_comment(tx, row),
        edits=edits,
        issue=row,
        project=tx.stored("project", [row["project"]]),
    )


def _comment(tx: Read, ref: str) -> AttachmentTarget | None:
    number = whole_number(ref)
    found = comments.find(tx, number) if number is not None else None
    if found is None:
        return None
    row, on = found
    issue = issues.find(tx, row["subject"]) if on.subject.startswith("issue:") else None
    if issue is None:
        raise InvalidInput("Files hang on comments on issues, and on no others.", field="subject")
    return AttachmentTarget(
        f"comment:{row['id']}",
        adds=comments.may_edit(tx, row, on),
        edits=comments.may_delete(tx, row, on),
        issue=issue,
        project=tx.stored("project", [issue["project"]]),
    )


def _project(tx: Read, ref: str) -> AttachmentTarget | None:
    row = tx.one(
        "select p.* from project_key k join project p on p.id = k.project where k.key = :key and p.deleted_at is null",
        key=ref.upper(),
    )
    if row is None or projects.role_in(tx, row["id"]) is None:
        return None
    return AttachmentTarget(
        f"project:{row['key']}",
        adds=projects.at_least(tx, row["id"], "member"),
        edits=projects.at_least(tx, row["id"], "lead"),
        project=row,
    )


def _org(tx: Read, ref: str) -> AttachmentTarget | None:
    admin = tx.caller.admin and tx.caller.projects is None
    return (
        AttachmentTarget("org:1", adds=admin, edits=admin)
        if ref == "1" and tx.caller.member is not None
        else None
    )
