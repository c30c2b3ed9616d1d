"""Requests for approval as the query language asks for them: parts of an issue that the caller sees."""

from kbwork.core.ports.query_source import QueryCollection, QueryField, QueryFrame, QuerySource, Rows
from kbwork.tql.fields import FieldDef, FieldKind
from kbwork.tql.sources import person


def _approver(frame: QueryFrame, row: str) -> Rows:
    side = frame.row("u")
    tables, order = f"approval_approver {side}", f"{side}.position"
    return Rows(f"{side}.who", tables, f"{row}.id", f"{side}.approval", order=order)


APPROVALS = QuerySource(
    home=__name__,
    name="approvals",
    module="approvals",
    table="approval",
    row="a",
    seen="1",
    scope="issues:read",
    asked=False,
    fields=(
        QueryField(
            field=FieldDef(
                "state",
                FieldKind.NAME,
                domain="approval_state",
                choices=("pending", "approved", "rejected", "cancelled", "done"),
            ),
            sql="{row}.state",
            certain=True,
        ),
        QueryField(field=person("approver", many=True), sql=_approver),
        QueryField(field=person("requester"), sql="{row}.requested_by"),
        QueryField(field=FieldDef("created", FieldKind.TIME), sql="{row}.created_at", certain=True),
        QueryField(field=FieldDef("decided", FieldKind.TIME), sql="{row}.decided_at"),
    ),
)
ON_ISSUES = QueryCollection(
    home=__name__,
    name="approvals",
    source="approvals",
    tables="approval {part}",
    link="{part}.issue = {row}.id",
    order="{part}.id",
    sided=("approval {part}", "{part}.issue"),
)
