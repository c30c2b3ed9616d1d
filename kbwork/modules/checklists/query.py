"""Check items as the query language asks for them: parts of an issue that the caller sees."""

from kbwork.core.ports.query_source import QueryCollection, QueryField, QueryFields, QuerySource, TextColumn
from kbwork.modules.projects import ISSUE_SEEN
from kbwork.tql.fields import FieldDef, FieldKind
from kbwork.tql.sources import person

CHECKS = QuerySource(
    home=__name__,
    name="checks",
    table="check_item",
    row="k",
    seen="1",
    scope="issues:read",
    asked=False,
    flags={
        "open": "{row}.done_at is null",
        "done": "{row}.done_at is not null",
        "overdue": "({row}.done_at is null and {row}.due_date < {today})",
        "mine": "{row}.assignee = :kb_me",
        "unassigned": "{row}.assignee is null",
    },
    fields=(
        QueryField(
            field=FieldDef("text", FieldKind.TEXT),
            texts=(TextColumn("k.id", "k.text", "check_item k join issue i on i.id = k.issue", ISSUE_SEEN),),
        ),
        QueryField(field=person("assignee"), sql="{row}.assignee"),
        QueryField(field=FieldDef("due", FieldKind.DAY), sql="{row}.due_date"),
        QueryField(field=FieldDef("done_at", FieldKind.TIME), sql="{row}.done_at"),
    ),
)
ON_ISSUES = QueryCollection(
    home=__name__,
    name="checks",
    source="checks",
    # Of one candidate after the other the items are read, however many there are of the person that is asked for.
    tables="check_item {part} indexed by check_item_issue",
    link="{part}.issue = {row}.id",
    order="{part}.position, {part}.id",
    sided=("check_item {part}", "{part}.issue"),
)
OF_ISSUES = QueryFields(
    home=__name__,
    source="issues",
    fields=(
        QueryField(field=FieldDef("checks", FieldKind.NUMBER, module="checklists"), sql="{row}.checks"),
        QueryField(
            field=FieldDef("checks_done", FieldKind.NUMBER, module="checklists"), sql="{row}.checks_done"
        ),
    ),
)
