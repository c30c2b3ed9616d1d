"""Relations restored from the archive of a project, and their kinds, made where they are missing."""

from typing import Any

from kbwork.core.operations import nested
from kbwork.core.ports.archive import ArchiveHook, ArchiveReferences, filled


def _restore_kinds(refs: ArchiveReferences, _project: int, kinds: list[dict[str, Any]]) -> None:
    for kind in kinds:
        known = refs.tx.value(
            "select 1 from relation_kind where key = :key or lower(:name) in (lower(name), lower(inverse))",
            key=kind["key"],
            name=kind["name"],
        )
        if known is None:
            nested.run(refs.tx, "issues.relation_kind_save", filled(kind))
            refs.made("relation_kinds", f"relation-kind/{kind['key']}", f"relation_kind:{kind['key']}")


KINDS = ArchiveHook(
    home=__name__, line="projects.jsonl", name="words.relation_kinds", restored=_restore_kinds
)
