"""Labels of pages: those of the org, and of the project that the space follows."""

from kbwork.base.errors import InvalidInput
from kbwork.base.text import did_you_mean, folded
from kbwork.core.access import visibility
from kbwork.db.rows import LabelRow
from kbwork.db.tx import Read, Write
from kbwork.modules import labels
from kbwork.modules.pages import access

MOST = 50
"""Labels on one page."""
_NO_PROJECT = 0
"""No project has this number: only labels of the org are there."""


def resolve(tx: Read, project: int | None, names: list[str]) -> list[LabelRow]:
    """The labels of these names. Raises InvalidInput for one that is not there, or two of one group."""
    known = {
        row["name_key"]: row for row in labels.usable(tx, project if project is not None else _NO_PROJECT)
    }
    found: dict[int, LabelRow] = {}
    for name in names:
        row = known.get(folded(name))
        if row is None:
            hint = did_you_mean(name, [one["name"] for one in known.values()])
            raise InvalidInput(f"There is no label {name!r} for pages here.{hint}", field="labels")
        found[row["id"]] = row
    families = [row["family"] for row in found.values() if row["family"] is not None]
    if len(families) > len(set(families)):
        raise InvalidInput("Of one group of labels a page carries one.", field="labels")
    return list(found.values())


def known(tx: Read, project: int | None, names: list[str]) -> tuple[list[LabelRow], list[str]]:
    """The labels of these names that a page here may carry together, and the names of which there is none such."""
    usable = {
        row["name_key"]: row for row in labels.usable(tx, project if project is not None else _NO_PROJECT)
    }
    found: dict[int, LabelRow] = {}
    families: set[str] = set()
    rest: list[str] = []
    for name in names:
        row = usable.get(folded(name))
        if (
            row is None
            or len(found) >= MOST
            or (row["id"] not in found and (row["family"] or "") in families)
        ):
            rest.append(name)
            continue
        found[row["id"]] = row
        if row["family"] is not None:
            families.add(row["family"])
    return list(found.values()), rest


def put(tx: Write, page: int, wanted: list[LabelRow]) -> tuple[list[str], list[str]] | None:
    """Let a page carry these labels and no others; answers the names before and after, None where they are the same."""
    before = held(tx, page)
    after = {row["id"]: row["name"] for row in wanted}
    if before.keys() == after.keys():
        return None
    for label in before.keys() - after.keys():
        tx.delete("page_label", (page, label))
    for label in after.keys() - before.keys():
        tx.insert("page_label", page=page, label=label)
    return sorted(before.values()), sorted(after.values())


def held(tx: Read, page: int) -> dict[int, str]:
    """The labels that a page carries, by number."""
    return dict(
        tx.tuples(
            "select l.id, l.name from page_label u join label l on l.id = u.label where u.page = :page",
            page=page,
        )
    )


def keep_fitting(tx: Write, page: int, project: int | None) -> None:
    """Take off the labels of another project than this: the page came to another space."""
    for label in tx.column(
        "select u.label from page_label u join label l on l.id = u.label"
        " where u.page = :page and l.project is not null and l.project is not :project",
        page=page,
        project=project,
    ):
        tx.delete("page_label", (page, label))


def _counts(tx: Read, label: int | None) -> dict[int, int]:
    if not visibility.reads(tx, "page"):
        return {}
    return dict(
        tx.tuples(
            "select u.label, count(*) from page_label u join page p on p.id = u.page"
            f" where (:label is null or u.label = :label) and {access.SEEN} group by u.label",
            label=label,
            **visibility.binds(tx),
        )
    )


LABELLED = labels.LabelledPages(home=__name__, counts=_counts)
