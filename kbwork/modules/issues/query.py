"""Issues, and their versions, as the query language asks for them."""

from typing import Any

from kbwork import issuefields
from kbwork.core.ports.query_source import (
    DEPTH,
    ColumnSql,
    FlagSql,
    QueryCollection,
    QueryField,
    QueryFrame,
    QuerySource,
    Rows,
    TextColumn,
)
from kbwork.modules import fields
from kbwork.modules.projects import ISSUE_SEEN
from kbwork.tql.fields import CATEGORIES, PRIORITIES, FieldDef, FieldKind
from kbwork.tql.sources import FIELDS_AHEAD, person


def _listed(table: str, order: str) -> ColumnSql:
    """The people of a side table."""

    def make(frame: QueryFrame, row: str) -> Rows:
        side = frame.row("u")
        return Rows(f"{side}.who", f"{table} {side}", f"{row}.id", f"{side}.issue", order=f"{side}.{order}")

    return make


def _parent(frame: QueryFrame, row: str) -> Rows:
    """The parent where the caller sees it."""
    above = frame.row("n")
    return Rows(f"{above}.id", f"issue {above}", f"{row}.parent", f"{above}.id", frame.seen("issues", above))


def _above(order: str) -> ColumnSql:
    """One of those above the row, along parents that the caller sees."""

    def make(frame: QueryFrame, row: str) -> Rows:
        walk, low, far = frame.row("w"), frame.row("n"), frame.row("n")
        seen = frame.seen("issues", far)
        return Rows(
            f"(with recursive {walk} (id, depth, level_no) as (select {row}.id, 0, null union"
            f" select {far}.id, {walk}.depth + 1, {far}.level_no from {walk} join issue {low} on {low}.id = {walk}.id"
            f" join issue {far} on {far}.id = {low}.parent where {walk}.depth < {DEPTH} and {seen})"
            f" select id from {walk} where depth > 0 {order} limit 1)"
        )

    return make


def _children(value: str) -> ColumnSql:
    def make(frame: QueryFrame, row: str) -> Rows:
        below = frame.row("n")
        seen = frame.seen("issues", below)
        return Rows(
            f"(select {value.format(row=below)} from issue {below} where {below}.parent = {row}.id and {seen})"
        )

    return make


def _age(frame: QueryFrame, row: str) -> Rows:
    return Rows(f"({frame.bind(frame.tx.now)} - {row}.created_at)")


def _category(frame: QueryFrame, row: str, *, done: bool) -> str:
    if frame.as_of is None:
        return f"{row}.category {'=' if done else '<>'} 'done'"
    held = frame.field("issues", row, "category")
    then = frame.some(held, lambda expr: f"{expr} = 'done'", aside=False)
    return then if done else f"(({then}) is not true)"


def _overdue(frame: QueryFrame, row: str) -> str:
    today = frame.bind(frame.today)
    due = frame.field("issues", row, "due")
    late = frame.some(due, lambda expr: f"{expr} < {today}", aside=False)
    return f"({late} and {_category(frame, row, done=False)})"


def _unassigned(frame: QueryFrame, row: str) -> str:
    return f"not {frame.some(frame.field('issues', row, 'assignee'), lambda _expr: '1', aside=False)}"


def _mine(frame: QueryFrame, row: str) -> str:
    if not frame.tx.caller.member:
        return "0"
    return frame.some(frame.field("issues", row, "assignee"), lambda expr: f"{expr} = :kb_me")


def _blocking(frame: QueryFrame, row: str) -> str:
    link, far, kind = frame.row("r"), frame.row("n"), frame.row("k")
    return (
        f"({row}.category <> 'done' and exists (select 1 from relation {link} join relation_kind {kind}"
        f" on {kind}.id = {link}.kind and {kind}.blocks join issue {far} on {far}.id = {link}.dst"
        f" where {link}.src = {row}.id and {far}.category <> 'done' and {frame.seen('issues', far)}))"
    )


def _pair(table: str, who: str = "who") -> FlagSql:
    """The caller stands beside it in this table of issues and people."""

    def make(frame: QueryFrame, row: str) -> str:
        side = frame.row("u")
        mine = f"{side}.{who} = :kb_me and {side}.issue is not null"
        if frame.aside:
            return f"{row}.id in (select {side}.issue from {table} {side} where {mine})"
        return f"exists (select 1 from {table} {side} where {side}.issue = {row}.id and {mine})"

    return make


_watched = _pair("issue_watcher")


def _unread(frame: QueryFrame, row: str) -> str:
    """The caller watches it, and it changed since they looked."""
    looked = (
        f"(select {row}m.seq from mark {row}m"
        f" where {row}m.member = :kb_me and {row}m.subject = 'issue:' || {row}.id)"
    )
    return f"({_watched(frame, row)} and coalesce({looked}, 0) < {row}.seq)"


def _few(sql: str) -> str:
    return f"select count(*) from (select 1 from {sql} = :id limit :few)"


_WRITER = (
    "(select {row}e.actor from events {row}e where {row}e.subject = 'issue:' || {row}.id and {row}e.kind in"
    " ('issue.created', 'issue.updated', 'issue.transitioned') order by {row}e.seq desc limit 1)"
)
_VIEWED = "(select {row}m.at from mark {row}m where {row}m.member = :kb_me and {row}m.subject = 'issue:' || {row}.id)"
_WEIGHT = "case {0} " + " ".join(f"when '{name}' then {at}" for at, name in enumerate(PRIORITIES)) + " end"
_IN_PROJECT = "select coalesce(sum(issues), 0) from project_count where project = :id"


_HISTORIES = {field.name: field.history for field in issuefields.FIELDS} | {"category": "lane"}
_KINDS = {"number": FieldKind.NUMBER, "date": FieldKind.DAY, "text": FieldKind.TEXT}


def _field(definition: FieldDef, sql: str | ColumnSql | None, **more: Any) -> QueryField:
    return QueryField(field=definition, sql=sql, history=_HISTORIES.get(definition.name, ""), **more)


def _text(name: str, *aliases: str, tracked: bool = False) -> FieldDef:
    return FieldDef(name, FieldKind.TEXT, aliases=aliases, tracked=tracked)


def _name(name: str, *aliases: str, to: str = "", choices: tuple[str, ...] = ()) -> FieldDef:
    """A name with a history."""
    return FieldDef(name, FieldKind.NAME, domain=name, to=to, choices=choices, aliases=aliases, tracked=True)


def _of(kind: FieldKind, name: str, *aliases: str, tracked: bool = False) -> FieldDef:
    return FieldDef(name, kind, aliases=aliases, tracked=tracked)


def _issue(name: str, *, to: str = "issues", tracked: bool = False) -> FieldDef:
    return FieldDef(name, FieldKind.KEY, domain="issue", to=to, tracked=tracked)


def _words(column: str) -> TextColumn:
    return TextColumn("i.id", f"i.{column}", "issue i", index=(column, "i.id", "issue"))


_NUMBER, _DURATION, _TIME = FieldKind.NUMBER, FieldKind.DURATION, FieldKind.TIME
FIELDS = (
    _field(_text("text"), None, texts=(_words("title"), _words("body"))),
    _field(_text("title", "summary", tracked=True), "{row}.title", texts=(_words("title"),), certain=True),
    _field(_text("body", "description"), "nullif({row}.body, '')", texts=(_words("body"),)),
    _field(
        _name("project", to="projects"),
        "{row}.project",
        certain=True,
        counted=_IN_PROJECT,
        order="(select y.key from project y where y.id = {0})",
    ),
    _field(
        _name("type"),
        "{row}.type",
        certain=True,
        order="(select folded(y.name) from issue_type y where y.id = {0})",
    ),
    _field(
        _name("status", "state"),
        "{row}.lane",
        certain=True,
        order="(select l.position from lane l where l.id = {0})",
    ),
    _field(_name("category", choices=CATEGORIES), "{row}.category"),
    _field(
        FieldDef(
            "outcome",
            FieldKind.NAME,
            domain="outcome",
            choices=("completed", "cancelled", "duplicate"),
        ),
        "{row}.outcome",
    ),
    _field(
        _name("priority", choices=PRIORITIES),
        "{row}.priority",
        certain=True,
        order=_WEIGHT,
    ),
    _field(_name("level"), "coalesce({row}.level, 'project')"),
    _field(FieldDef("source", FieldKind.NAME), "{row}.source"),
    _field(
        person("assignee", "assignees", many=True, tracked=True),
        _listed("issue_assignee", "position"),
        counted=_few("issue_assignee where who"),
    ),
    _field(
        person("reporter", tracked=True),
        "{row}.reporter",
        certain=True,
        counted=_few("issue where reporter"),
    ),
    _field(person("creator"), "{row}.created_by", certain=True),
    _field(person("updater"), _WRITER),
    _field(
        person("watcher", many=True),
        _listed("issue_watcher", "who"),
        counted=_few("issue_watcher where who"),
    ),
    _field(person("voter", many=True), _listed("issue_vote", "who")),
    _field(_of(_NUMBER, "level_no"), "{row}.level_no", certain=True),
    _field(_text("rank"), "{row}.rank", certain=True, order="{0}"),
    _field(_of(_NUMBER, "votes"), "{row}.votes", certain=True),
    _field(
        _of(_NUMBER, "watchers"), "(select count(*) from issue_watcher {row}w where {row}w.issue = {row}.id)"
    ),
    _field(_of(_NUMBER, "children"), _children("count(*)")),
    _field(_of(_NUMBER, "children_done"), _children("coalesce(sum({row}.category = 'done'), 0)")),
    _field(_of(_NUMBER, "progress"), _children("100.0 * sum({row}.category = 'done') / count(*)")),
    _field(_of(_NUMBER, "number"), "{row}.number", certain=True),
    _field(_of(_DURATION, "spent"), "0"),
    _field(_of(_DURATION, "left"), "null"),
    _field(_of(_DURATION, "age"), _age, certain=True),
    _field(_of(_DURATION, "cycle"), "({row}.done_at - {row}.started_at)"),
    _field(_of(_DURATION, "lead"), "({row}.done_at - {row}.created_at)"),
    _field(_of(_TIME, "created"), "{row}.created_at", certain=True),
    _field(_of(_TIME, "updated"), "{row}.updated_at", certain=True),
    _field(_of(_TIME, "started"), "{row}.started_at"),
    _field(_of(_TIME, "status_since"), "{row}.status_at", certain=True),
    _field(_of(_TIME, "archived_at"), "{row}.archived_at"),
    _field(_of(_TIME, "viewed"), _VIEWED),
    _field(_of(_TIME, "closed", "resolved"), "{row}.done_at"),
    *(
        _field(_of(_KINDS[field.kind], field.name, tracked=True), f"{{row}}.{field.column}")
        for field in issuefields.SIMPLE
    ),
    _field(
        _issue("key", to=""),
        "{row}.id",
        sorted_by=("(select y.key from project y where y.id = {row}.project)", "{row}.number"),
    ),
    _field(_of(_NUMBER, "id"), "{row}.id", certain=True),
    _field(
        _issue("parent", tracked=True),
        _parent,
        step="{row}.parent",
        counted=_few("issue where parent"),
    ),
    _field(_issue("root"), _above("order by depth desc")),
    _field(_issue("epic"), _above("and level_no = 1 order by depth")),
    _field(_text("external"), "{row}.external"),
    *(_field(definition, None) for definition in FIELDS_AHEAD),
)
ISSUES = QuerySource(
    home=__name__,
    name="issues",
    table="issue",
    row="i",
    seen=ISSUE_SEEN,
    scope="issues:read",
    domain="issue",
    key="(select {row}p.key from project {row}p where {row}p.id = {row}.project) || '-' || {row}.number",
    subject="issue:id",
    depth=DEPTH,
    defaults="key type title status priority assignee due updated",
    fields=FIELDS,
    own=fields.own_query_fields,
    deleted=fields.deleted_query_fields,
    flags={
        "open": lambda frame, row: _category(frame, row, done=False),
        "done": lambda frame, row: _category(frame, row, done=True),
        "blocked": "{row}.blockers > 0",
        "blocking": _blocking,
        "overdue": _overdue,
        "mine": _mine,
        "unassigned": _unassigned,
        "watched": _watched,
        "starred": _pair("star", "member"),
        "voted": _pair("issue_vote"),
        "archived": "{row}.archived_at is not null",
        "locked": "{row}.locked = 1",
        "unread": _unread,
        "triage": "0",
        "draft": "0",
        "restricted": "({row}.level is not null and {row}.level <> 'public')",
    },
)
VERSIONS = QuerySource(
    home=__name__,
    name="versions",
    table="issue_revision",
    row="v",
    seen="1",
    scope="issues:read",
    asked=False,
    ident="{row}.issue || '/' || {row}.revision",
    key="{row}.issue || '/' || {row}.revision",
    found="json_each(:ids) {row}k join issue_revision {row}"
    " on {row}.issue = cast(substr({row}k.value, 1, instr({row}k.value, '/') - 1) as integer)"
    " and {row}.revision = cast(substr({row}k.value, instr({row}k.value, '/') + 1) as integer)",
    fields=(
        _field(person("author"), "{row}.who"),
        _field(_of(_TIME, "created"), "{row}.at"),
        _field(_text("title"), "{row}.title"),
    ),
)
CHILDREN = QueryCollection(
    home=__name__,
    name="children",
    source="issues",
    tables="issue {part}",
    link="{part}.parent = {row}.id",
    order="{part}.rank, {part}.id",
)
REVISIONS = QueryCollection(
    home=__name__,
    name="versions",
    source="versions",
    tables="issue_revision {part}",
    link="{part}.issue = {row}.id",
    order="{part}.revision",
)
WATCHERS = QueryCollection(
    home=__name__,
    name="watchers",
    source="members",
    tables="issue_watcher {part}u join member {part} on {part}.id = {part}u.who",
    link="{part}u.issue = {row}.id",
    order="{part}.id",
)
