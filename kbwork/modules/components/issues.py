"""The components of issues: which an issue may have, which it has, and who takes it."""

from kbwork.base.errors import InvalidInput
from kbwork.base.text import did_you_mean, folded
from kbwork.db.rows import ComponentRow
from kbwork.db.tx import Read, Write, json_array


def by_names(
    tx: Read, project: int, names: list[str], *, held: frozenset[int] = frozenset()
) -> list[ComponentRow]:
    """Components of a project by name or id, once each and in order.

    Raises InvalidInput naming the nearest, or an archived one that is not `held` already.
    """
    if not names:
        return []
    known: list[ComponentRow] = tx.cached(
        ("components of", project),
        lambda: tx.all(
            "select * from component where project = :project order by name_key, id",
            ComponentRow,
            project=project,
        ),
        of=("component",),
    )
    found = {row["id"]: row for row in (_named(known, name, held) for name in names)}
    return list(found.values())


def _named(known: list[ComponentRow], name: str, held: frozenset[int]) -> ComponentRow:
    wanted = folded(name.strip())
    for row in known:
        if wanted in (row["name_key"], str(row["id"])):
            if row["archived"] and row["id"] not in held:
                raise InvalidInput(f"The component {row['name']} is archived.", field="components")
            return row
    names = [row["name"] for row in known if not row["archived"]]
    text = f"The project has no component {name!r}.{did_you_mean(name, names, repr)}"
    raise InvalidInput(text, field="components", allowed=names[:100])


def names_of(tx: Read, issues: list[int]) -> dict[int, list[str]]:
    """The names of the components of issues, in their order."""
    found: dict[int, list[str]] = {}
    for row in tx.all(
        "select u.issue, c.name from issue_component u join component c on c.id = u.component"
        " where u.issue in (select value from json_each(:ids)) order by u.issue, c.name_key, c.id",
        ids=json_array(issues),
    ):
        found.setdefault(row["issue"], []).append(row["name"])
    return found


def write(tx: Write, issue: int, components: list[ComponentRow]) -> tuple[list[str], list[str]] | None:
    """Give an issue these components and no others; answers the names before and after where they differ."""
    before = names_of(tx, [issue]).get(issue, [])
    had = set(tx.column("select component from issue_component where issue = :id", id=issue))
    wanted = {row["id"] for row in components}
    if had == wanted:
        return None
    for component in sorted(had - wanted):
        tx.delete("issue_component", (issue, component))
    for component in sorted(wanted - had):
        tx.insert("issue_component", issue=issue, component=component)
    return before, names_of(tx, [issue]).get(issue, [])


def taker(components: list[ComponentRow]) -> tuple[bool, str | None]:
    """(decided, who) for a new issue that nobody was named for: the first component that gives somebody.

    Where one says `nobody` and none gives somebody it is decided, too: nobody.
    """
    for row in components:
        if row["assign"] == "lead" and row["lead"]:
            return True, row["lead"]
    return any(row["assign"] == "nobody" for row in components), None
