"""Comments restored from the archive of a project: what was told is put on one that was made with its text alone."""

from typing import Any

from kbwork.core.ports.archive import ArchiveHook, ArchiveReferences
from kbwork.modules import issues

_SAME = ("edited_at", "parent", "anchor", "resolved_at")


def _restore(refs: ArchiveReferences, comment: int, line: dict[str, Any]) -> None:
    stub = line["stub"]
    columns = {name: line[name] for name in _SAME} | {
        "author": "" if stub else refs.by(line["author"] or ""),
        "body": "" if stub else line["body"],
        "body_doc": None if stub else issues.restored_document(refs, line["body"], line["body_doc"]),
        "internal": int(line["internal"]),
        "resolved_by": refs.who(line["resolved_by"]),
        "stub": int(stub),
        "external": None if stub else _external(refs, comment, line["external"]),
    }
    put = ", ".join(f"{name} = :{name}" for name in columns)
    refs.tx.execute(f"update comment set {put} where id = :id", id=comment, **columns)
    if stub:
        at = line["deleted_at"] or refs.tx.now
        refs.tx.execute("update comment set deleted_at = :at where id = :id", at=at, id=comment)


def _external(refs: ArchiveReferences, comment: int, external: str | None) -> str:
    """What it is called elsewhere; its id at the source where it has no such name, or another comment has it."""
    taken = refs.tx.value(
        "select 1 from comment one join comment other on other.subject = one.subject and other.id <> one.id"
        " where one.id = :id and other.external = :external",
        id=comment,
        external=external,
    )
    return external if external and taken is None else refs.at


LINE = ArchiveHook(home=__name__, line="comments.jsonl", restored=_restore)
