"""Labels as rows: which the caller sees, and how often each is used."""

from kbwork.base.text import folded
from kbwork.core.access import visibility
from kbwork.db.rows import IssueLabelRow, LabelRow
from kbwork.db.tx import Read, Row, json_array
from kbwork.modules.labels import ports
from kbwork.modules.labels.model import Label
from kbwork.modules.projects import access, issue_access

LABEL_SEEN = (
    "(l.project in (select value from json_each(:kb_projects)) or l.project is null and (not :kb_guest or exists"
    " (select 1 from label_count c where c.label = l.id and c.issues > 0"
    " and c.project in (select value from json_each(:kb_projects)))))"
)
"""The condition on `label l`: guests see the org's labels that their projects use."""

_CARRIED = "issue i join issue_label u on u.issue = i.id"
_USES = issue_access.counted("u.label", "label_count", source=_CARRIED)
_USES_OF_ONE = issue_access.counted("u.label", "label_count", source=_CARRIED, one=True)
_SHOWN = (
    "select l.id, l.name, l.name_key, l.color, p.key as project, l.family, l.description"
    f" from label l left join project p on p.id = l.project where {LABEL_SEEN}"
)


def shown(tx: Read, *, project: int | None = None, words: str = "") -> list[Label]:
    """The labels that the caller sees, the org's first, by name.

    `project` narrows them to those that an issue of it may carry; each of `words` stands in the name or description.
    """
    sight = visibility.binds(tx)
    uses = {row["what"]: row["issues"] for row in tx.all(_USES, **sight)}
    rows = tx.all(
        f"{_SHOWN} and (:project is null or l.project is null or l.project = :project)"
        " order by l.project is not null, p.key, l.name_key, l.id",
        project=project,
        **sight,
    )
    wanted, pages = folded(words).split(), ports.pages(tx)
    return [
        _label(row, uses.get(row["id"], 0), pages.get(row["id"], 0)) for row in rows if _holds(row, wanted)
    ]


def listed(tx: Read) -> list[Row]:
    """The labels that the caller sees, without how often each is used."""
    rows = tx.all(f"{_SHOWN} order by l.id", **visibility.binds(tx))
    return [{**row, "group": row["family"]} for row in rows]


def one(tx: Read, label: int) -> Label:
    """One of them, which the caller sees; the others are not read."""
    sight = visibility.binds(tx)
    found = tx.one(f"{_SHOWN} and l.id = :label", label=label, **sight)
    assert found is not None, f"label {label} is not seen"
    uses = tx.one(_USES_OF_ONE, counted=label, **sight)
    pages = ports.pages(tx, label).get(label, 0)
    return _label(found, uses["issues"] if uses is not None else 0, pages)


def row(tx: Read, label: int) -> LabelRow | None:
    """The stored label, if the caller sees it."""
    return tx.one(
        f"select l.* from label l where l.id = :label and {LABEL_SEEN}",
        LabelRow,
        label=label,
        **visibility.binds(tx),
    )


def usable(tx: Read, project: int) -> list[LabelRow]:
    """The labels that the caller may put on an issue of this project: the org's and its own."""
    if not tx.caller.guest and project in access.roles(tx):
        found: list[LabelRow] = tx.cached(
            ("labels of", project),
            lambda: tx.all(
                "select * from label where project is null or project = :project order by id",
                LabelRow,
                project=project,
            ),
            of=("label",),
        )
        return found
    return tx.all(
        f"select l.* from label l where (l.project is null or l.project = :project) and {LABEL_SEEN} order by l.id",
        LabelRow,
        project=project,
        **visibility.binds(tx),
    )


def same_name(tx: Read, name: str, project: int | None, *, but: int | None = None) -> bool:
    """Whether another label of this name can stand beside one of the project, or of any where it is the org's."""
    key = folded(name)
    found = tx.column("select id from label where name_key = :key and project is null", key=key)
    if project is not None:
        found += tx.column(
            "select id from label where project = :project and name_key = :key", project=project, key=key
        )
    else:  # by the projects, since names have an index within each
        found += tx.column(
            "select l.id from project p cross join label l on l.project = p.id and l.name_key = :key", key=key
        )
    return any(label != but for label in found)


def uses(tx: Read, labels: list[int]) -> list[IssueLabelRow]:
    """(issue, label) of every use, seen or not: renaming, merging and deleting reach them all."""
    return tx.all(
        "select issue, label from issue_label where label in (select value from json_each(:labels))"
        " order by issue, label",
        IssueLabelRow,
        labels=json_array(labels),
    )


def _holds(row: Row, words: list[str]) -> bool:
    text = f"{row['name_key']}\n{folded(row['description'])}" if words else ""
    return all(word in text for word in words)


def _label(row: Row, issues: int, pages: int) -> Label:
    return Label(
        id=row["id"],
        name=row["name"],
        color=row["color"],
        project=row["project"],
        group=row["family"],
        description=row["description"],
        issues=issues,
        pages=pages,
    )
