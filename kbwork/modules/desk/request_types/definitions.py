"""Request types as rows and in their shape, and what one may say."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import InvalidInput
from kbwork.base.text import did_you_mean, folded
from kbwork.core.access import visibility
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import ProjectRow, RequestTypeRow
from kbwork.db.tx import Read
from kbwork.modules import fields, issues, members, workflows
from kbwork.modules.desk.model import RequestField, RequestType

MOST_APPROVERS = 20
NOT_FOR_CUSTOMERS = frozenset({"member", "members", "team", "issue", "page", "asset", "formula", "rollup"})
"""Kinds of fields whose values name what a customer does not see, or that take none."""
_CONDITION = fields.conditions.ConditionScope("A form")


class PlainField(NamedTuple):
    """A field of every issue that a form may ask for: what issues.create calls it, what people read, and its kind."""

    input: str
    title: str
    kind: str
    fact: str
    """What conditions call it; empty: they do not ask for it."""
    options: tuple[str, ...] = ()


PLAIN = {
    "description": PlainField("body", "Description", "paragraph", ""),
    "priority": PlainField("priority", "Priority", "select", "priority", issues.PRIORITIES),
    "due_date": PlainField("due_date", "Needed by", "date", "due"),
}
TITLE = "title"


@dataclass(frozen=True, slots=True)
class KeptQuestion:
    """A question of a form as it is kept: `field` is the id of an own field, or the name of a plain one."""

    field: int | str
    label: str
    help: str
    required: bool
    show_if: dict[str, Any] | None


def questions(row: RequestTypeRow) -> list[KeptQuestion]:
    """The form of a type; one without questions asks for a description."""
    found = [KeptQuestion(**one) for one in json.loads(row["fields"])]
    return found or [KeptQuestion("description", "", "", required=False, show_if=None)]


def of_project(tx: Read, project: int) -> list[RequestTypeRow]:
    """In order."""
    return tx.all(
        "select * from request_type where project = :project order by position, id",
        RequestTypeRow,
        project=project,
    )


def shown(tx: Read, project: ProjectRow) -> list[RequestType]:
    """The request types of a desk."""
    return [_shown(tx, project, row) for row in of_project(tx, project["id"])]


def _shown(tx: Read, project: ProjectRow, row: RequestTypeRow) -> RequestType:
    known = fields.catalogue(tx)
    return RequestType(
        id=row["id"],
        project=project["key"],
        name=row["name"],
        description=row["description"],
        icon=row["icon"],
        group=row["family"],
        issue_type=tx.value("select key from issue_type where id = :id", id=row["issue_type"]),
        fields=[
            RequestField(
                field=known[one.field].key if isinstance(one.field, int) else one.field,
                label=one.label,
                help=one.help,
                required=one.required,
                show_if=fields.conditions.shown(one.show_if, known) if one.show_if is not None else None,
            )
            for one in (KeptQuestion(**kept) for kept in json.loads(row["fields"]))
            if not isinstance(one.field, int) or one.field in known
        ],
        approvers=json.loads(row["approvers"]),
        template=row["template"],
        position=row["position"],
        hidden=bool(row["hidden"]),
    )


class FormReader:
    """Reads the questions of a form as callers write them. Raises InvalidInput at the path of what does not fit."""

    def __init__(self, tx: Read, project: int, issue_type: int) -> None:
        self._tx = tx
        self._layout = fields.layout_of(tx, project, issue_type)
        self._before: dict[int | str, fields.OwnField | None] = {TITLE: None}
        """What is asked before, as conditions call it."""
        self._asked: set[int | str] = set()

    def read(self, given: Sequence[Any]) -> list[dict[str, Any]]:
        """As it is kept."""
        found = [self._question(one, f"fields[{place}]") for place, one in enumerate(given)]
        for own in self._layout.required:
            if own.kind in NOT_FOR_CUSTOMERS and not own.preset:
                raise InvalidInput(
                    f"The layout of these issues asks for {own.name}, which no customer can give.",
                    field="issue_type",
                )
        return found

    def _question(self, given: Any, path: str) -> dict[str, Any]:
        field = self._field(given.field, f"{path}.field")
        if field in self._asked:
            raise InvalidInput(f"{given.field!r} is asked twice.", field=f"{path}.field")
        self._asked.add(field)
        condition = self._condition(given.show_if, f"{path}.show_if") if given.show_if is not None else None
        if isinstance(field, int):
            self._before[field] = self._layout.fields[field]
        elif PLAIN[field].fact:
            self._before[PLAIN[field].fact] = None
        return {
            "field": field,
            "label": (given.label or "").strip(),
            "help": (given.help or "").strip(),
            "required": given.required,
            "show_if": condition,
        }

    def _field(self, name: str, path: str) -> int | str:
        wanted = folded(name.strip())
        own = fields.named(self._layout.fields.values(), name)
        if wanted in PLAIN and not own:
            return wanted
        if not own:
            known = [*PLAIN, *(one.key for one in self._layout.fields.values())]
            raise InvalidInput(
                f"Issues of this type have no field {name[:100]!r} here.{did_you_mean(name, known)}",
                field=path,
                allowed=sorted(known),
            )
        found = fields.pick(self._layout.fields.values(), name, path=path)
        if found.kind in NOT_FOR_CUSTOMERS:
            raise InvalidInput(f"No customer can fill in {found.name}: it is a {found.kind}.", field=path)
        return found.id

    def _condition(self, given: Any, path: str) -> dict[str, Any]:
        """It asks for answers that stand before it."""
        own = {
            ident: one for ident, one in self._before.items() if isinstance(ident, int) and one is not None
        }
        found = fields.conditions.ConditionReader(self._tx, own, _CONDITION).read(given, path)
        if _names_roles(found):
            raise InvalidInput(
                "What customers are asked goes by what they answered, not by roles.", field=path
            )
        for one in fields.conditions.comparisons(found):
            if one["field"] not in self._before:
                known = [str(name) for name in self._before if isinstance(name, str)]
                raise InvalidInput(
                    f"{one['field']!r} is not asked before this.", field=path, allowed=sorted(known)
                )
        return found


def _names_roles(condition: dict[str, Any]) -> bool:
    return "role" in condition or any(
        _names_roles(one) for name in ("all", "any") for one in condition.get(name, ())
    )


def approvers(tx: Read, given: Sequence[str]) -> list[str]:
    """Members, teams and customers, each once. Raises InvalidInput for one who is not there."""
    return list(dict.fromkeys(_approver(tx, ref.strip(), f"approvers[{at}]") for at, ref in enumerate(given)))


def _approver(tx: Read, ref: str, path: str) -> str:
    kind, rest = ref_of(ref)
    if kind == "customer":
        found = visibility.find(tx, ref)
        if found is None:
            raise InvalidInput(f"There is no customer {rest!r} that you can see.", field=path)
        return found.id
    if kind == "team":
        if ref != "team:admins" and visibility.find_named(tx, ref) is None:
            raise InvalidInput(f"There is no team {rest!r} that you can see.", field=path)
        return ref
    row = members.by_ref(tx, ref, field=path)
    if row["state"] != "active":
        raise InvalidInput(f"{row['name']} is no active member.", field=path)
    return row["id"]


def require_way(tx: Read, project: int, issue_type: int) -> None:
    """Raises InvalidInput where nobody is asked on any way from the start of the workflow."""
    graph = workflows.of_issue_type(tx, project, issue_type)
    if not any(step.transition["approvers"] for step in graph.steps(graph.start["key"])):
        raise InvalidInput(
            f"The workflow {graph.name} asks nobody to agree where it starts: name approvers on a way from there.",
            field="approvers",
        )
