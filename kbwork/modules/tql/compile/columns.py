"""Fields of each source as SQL."""

from collections.abc import Callable

from kbwork.modules.tql.compile.context import CompileContext, NotCompilable, Rows, Scope, opposite
from kbwork.modules.tql.compile.field_history import past_of
from kbwork.modules.tql.compile.visibility import COMMENT_SEEN, TABLES, seen
from kbwork.modules.tql.names.asset_fields import asset_fields
from kbwork.modules.tql.names.db_names import OWN_LEADS_TO, own_fields
from kbwork.modules.tql.names.relations import DEPTH

Maker = Callable[[CompileContext, str], Rows]
"""Makes a field of the row of this name."""


def _plain(column: str) -> Maker:
    return lambda _frame, row: Rows(f"{row}.{column}")


def _listed(table: str, value: str, order: str) -> Maker:
    """A side table of pairs."""

    def make(frame: CompileContext, row: str) -> Rows:
        side = frame.row("u")
        sorted_by = order.format(side=side)
        return Rows(f"{side}.{value}", f"{table} {side}", f"{row}.id", f"{side}.issue", order=sorted_by)

    return make


def _computed(expr: str) -> Maker:
    """An expression over the row, written `{row}`."""
    return lambda _frame, row: Rows(expr.format(row=row))


def _parent(frame: CompileContext, row: str) -> Rows:
    """The parent where the caller sees it."""
    above = frame.row("n")
    return Rows(f"{above}.id", f"issue {above}", f"{row}.parent", f"{above}.id", seen("issues", above))


def _children(done: str) -> Maker:
    def make(frame: CompileContext, row: str) -> Rows:
        below = frame.row("n")
        sees = seen("issues", below)
        return Rows(
            f"(select {done.format(row=below)} from issue {below} where {below}.parent = {row}.id and {sees})"
        )

    return make


def _comment_count(frame: CompileContext, row: str) -> Rows:
    return Rows(f"{row}.comments" if frame.tx.caller.guest else f"({row}.comments + {row}.internal_comments)")


def _of_comments(expr: str) -> Maker:
    def make(frame: CompileContext, row: str) -> Rows:
        side = frame.row("c")
        seen_here = COMMENT_SEEN.replace("c.", f"{side}.")
        return Rows(
            f"(select {expr.format(row=side)} from comment {side}"
            f" where {side}.subject = 'issue:' || {row}.id and {seen_here})"
        )

    return make


_VIEWED = "(select {row}m.at from mark {row}m where {row}m.member = :kb_me and {row}m.subject = 'issue:' || {row}.id)"


def _above(order: str) -> Maker:
    """One of those above the row, along parents that the caller sees."""

    def make(frame: CompileContext, row: str) -> Rows:
        walk, low, far = frame.row("w"), frame.row("n"), frame.row("n")
        return Rows(
            f"(with recursive {walk} (id, depth, level_no) as (select {row}.id, 0, null union"
            f" select {far}.id, {walk}.depth + 1, {far}.level_no from {walk} join issue {low} on {low}.id = {walk}.id"
            f" join issue {far} on {far}.id = {low}.parent where {walk}.depth < {DEPTH} and {seen('issues', far)})"
            f" select id from {walk} where depth > 0 {order} limit 1)"
        )

    return make


def _assets(frame: CompileContext, row: str) -> Rows:
    side = frame.row("u")
    order = f"{side}.created_at, {side}.asset"
    return Rows(
        f"{side}.asset", f"asset_issue {side}", f"{row}.id", f"{side}.issue", seen("assets", side), order
    )


_PROGRESS = "100.0 * sum({row}.category = 'done') / count(*)"
_ISSUES: dict[str, Maker] = {
    **{
        name: _plain(name)
        for name in (
            "title", "project", "type", "category", "outcome", "priority", "source", "external", "reporter",
            "estimate", "rank", "level_no", "votes", "number", "id", "archived_at", "checks", "checks_done",
        )
    },
    "body": _computed("nullif({row}.body, '')"),
    "status": _plain("lane"),
    "level": _computed("coalesce({row}.level, 'project')"),
    "creator": _plain("created_by"),
    "created": _plain("created_at"),
    "updated": _plain("updated_at"),
    "started": _plain("started_at"),
    "closed": _plain("done_at"),
    "status_since": _plain("status_at"),
    "start": _plain("start_date"),
    "due": _plain("due_date"),
    "key": _plain("id"),
    "parent": _parent,
    "root": _above("order by depth desc"),
    "epic": _above("and level_no = 1 order by depth"),
    "spent": _computed("0"),
    "left": _computed("null"),
    "label": _listed("issue_label", "label", "(select name_key from label where id = {side}.label)"),
    "component": _listed(
        "issue_component", "component", "(select name_key from component where id = {side}.component)"
    ),
    "assignee": _listed("issue_assignee", "who", "{side}.position"),
    "watcher": _listed("issue_watcher", "who", "{side}.who"),
    "voter": _listed("issue_vote", "who", "{side}.who"),
    "updater": _computed(
        "(select {row}e.actor from events {row}e where {row}e.subject = 'issue:' || {row}.id and {row}e.kind in"
        " ('issue.created', 'issue.updated', 'issue.transitioned') order by {row}e.seq desc limit 1)"
    ),
    "watchers": _computed(
        "(select count(*) from issue_watcher {row}w where {row}w.issue = {row}.id)"
    ),
    "comments": _comment_count,
    "commented": _of_comments("max({row}.created_at)"),
    "children": _children("count(*)"),
    "children_done": _children("coalesce(sum({row}.category = 'done'), 0)"),
    "progress": _children(_PROGRESS),
    "cycle": _computed("({row}.done_at - {row}.started_at)"),
    "lead": _computed("({row}.done_at - {row}.created_at)"),
    "age": lambda frame, row: Rows(f"({frame.bind(frame.tx.now)} - {row}.created_at)"),
    "viewed": _computed(_VIEWED),
    "asset": _assets,
}  # fmt: skip
_COMMENTS: dict[str, Maker] = {
    "id": _plain("id"),
    "author": _plain("author"),
    "created": _plain("created_at"),
    "internal": _plain("internal"),
    "resolved": _computed("({row}.resolved_at is not null)"),
    "on": _computed("cast(substr({row}.subject, 7) as integer)"),
    "issue": _computed("cast(substr({row}.subject, 7) as integer)"),
}
_MEMBERS: dict[str, Maker] = {
    **{name: _plain(name) for name in ("name", "handle", "title", "role", "state", "zone")},
    "created": _plain("created_at"),
    "email": _computed("iif(:kb_guest and {row}.id <> :kb_me, null, {row}.email)"),
}
_PROJECTS: dict[str, Maker] = {
    **{name: _plain(name) for name in ("name", "kind", "visibility", "lead", "archived_at")},
    "key": _plain("id"),
    "start": _plain("start_date"),
    "due": _plain("due_date"),
    "created": _plain("created_at"),
    "health": _computed("null"),
}
_ATTACHMENTS: dict[str, Maker] = {
    **{name: _plain(name) for name in ("id", "name", "size")},
    "kind": _computed("substr({row}.content_type, 1, instr({row}.content_type, '/') - 1)"),
    "author": _plain("created_by"),
    "created": _plain("created_at"),
}
_ASSETS: dict[str, Maker] = {
    **{name: _plain(name) for name in ("name", "type", "status", "owner")},
    "key": _plain("id"),
    "created": _plain("created_at"),
    "updated": _plain("updated_at"),
}
_CHECKS: dict[str, Maker] = {
    "assignee": _plain("assignee"),
    "due": _plain("due_date"),
    "done_at": _plain("done_at"),
}
_VERSIONS: dict[str, Maker] = {"author": _plain("who"), "created": _plain("at"), "title": _plain("title")}


def _member_teams(frame: CompileContext, row: str) -> Rows:
    link, team = frame.row("u"), frame.row("t")
    tables = f"team_member {link} join team {team} on {team}.id = {link}.team"
    return Rows(f"{team}.id", tables, f"{row}.id", f"{link}.member", seen("teams", team))


def _project_labels(frame: CompileContext, row: str) -> Rows:
    holder, label = frame.row("p"), frame.row("l")
    tables = (
        f"project {holder}, json_each({holder}.labels) {holder}s join label {label}"
        f" on {label}.name_key = folded({holder}s.value)"
    )
    return Rows(f"{label}.id", tables, f"{row}.id", f"{holder}.id")


def _team_parent(frame: CompileContext, row: str) -> Rows:
    above = frame.row("t")
    return Rows(f"{above}.id", f"team {above}", f"{row}.parent", f"{above}.id", seen("teams", above))


_COLUMNS = {
    "issues": _ISSUES,
    "requests": _ISSUES,
    "comments": _COMMENTS,
    "assets": _ASSETS,
    "attachments": _ATTACHMENTS,
    "checks": _CHECKS,
    "members": _MEMBERS | {"team": _member_teams},
    "projects": _PROJECTS | {"label": _project_labels},
    "teams": {"name": _plain("name"), "handle": _plain("handle"), "parent": _team_parent},
    "versions": _VERSIONS,
}
_LEADS_TO: dict[str, str] = {
    **dict.fromkeys(("parent", "root", "epic", "issue"), "issues"),
    "project": "projects",
    "team": "teams",
    "asset": "assets",
    **dict.fromkeys(
        ("assignee", "reporter", "creator", "updater", "watcher", "voter", "author", "lead", "owner"),
        "members",
    ),
}


def column(frame: CompileContext, scope: Scope, name: str, *, tracked: bool = False) -> Rows:
    """A field of the row at hand, now or, where its history is asked for, as it was then. Raises NotCompilable."""
    if tracked and frame.as_of is not None and scope.source in ("issues", "requests"):
        return _then(frame, scope, name)
    if name.startswith("cf."):
        return _own(frame, scope, name)
    maker = _COLUMNS.get(scope.source, {}).get(name)
    if maker is None:
        raise NotCompilable
    return maker(frame, scope.row)


def path(frame: CompileContext, scope: Scope, steps: tuple[str, ...]) -> tuple[Rows, Scope]:
    """The rows that steps lead to, each one seen; the scope is about the last. Raises NotCompilable."""
    outer, inner, tables = "", "", ""
    where: list[str] = []
    at = scope
    for step in steps:
        found, far = _step(frame, at, step)
        joined = f"{TABLES[far.source]} {far.row}"
        if not tables:
            outer, inner = (found.outer, found.inner) if found.tables else (found.expr, f"{far.row}.id")
            tables = (
                f"{found.tables} join {joined} on {far.row}.id = {found.expr}" if found.tables else joined
            )
        elif found.tables:
            tables += f" join {found.tables} on {found.inner} = {found.outer}"
            tables += f" join {joined} on {far.row}.id = {found.expr}"
        else:
            tables += f" join {joined} on {far.row}.id = {found.expr}"
        where += [found.where, seen(far.source, far.row)]
        at = far
    return Rows("", tables, outer, inner, " and ".join(where)), at


def _step(frame: CompileContext, scope: Scope, step: str) -> tuple[Rows, Scope]:
    """The ids that a step leads to, and the row there."""
    held = asset_fields(frame.tx) if scope.source == "assets" else own_fields(frame.tx)
    source = OWN_LEADS_TO.get(held[step].kind, "") if step in held else _LEADS_TO.get(step, "")
    if not source:
        raise NotCompilable
    found = Rows(f"{scope.row}.parent") if step == "parent" else column(frame, scope, step)
    return found, Scope(source, frame.row("n"))


def _own(frame: CompileContext, scope: Scope, name: str) -> Rows:
    if scope.source == "assets":
        return _own_of_asset(frame, scope, name)
    field = own_fields(frame.tx).get(name)
    if field is None or scope.source not in ("issues", "requests"):
        raise NotCompilable
    side = frame.row("v")
    where = f"{side}.field = {frame.bind(field.id)}"
    if field.kind == "asset":
        far = frame.row("n")
        tables = f"issue_value {side} join asset {far} on {far}.key = {side}.value"
        where += f" and {seen('assets', far)}"
        return Rows(f"{far}.id", tables, f"{scope.row}.id", f"{side}.issue", where)
    if field.kind == "issue":
        far = frame.row("n")
        tables = f"issue_value {side} join issue {far} on {far}.id = {side}.value"
        where += f" and {seen('issues', far)}"
        return Rows(f"{far}.id", tables, f"{scope.row}.id", f"{side}.issue", where)
    tables = f"issue_value {side}"
    return Rows(f"{side}.value", tables, f"{scope.row}.id", f"{side}.issue", where, f"{side}.position")


def _own_of_asset(frame: CompileContext, scope: Scope, name: str) -> Rows:
    field = asset_fields(frame.tx).get(name)
    if field is None:
        raise NotCompilable
    side = frame.row("v")
    tables, where = f"asset_value {side}", f"{side}.field = {frame.bind(field.key)}"
    if field.several:
        holder = frame.row("a")
        tables += f" join asset {holder} on {holder}.id = {side}.asset"
        where += f" and {frame.among(f'{holder}.type', list(field.types))}"
    expr = f"{side}.target" if field.kind == "reference" else f"{side}.value"
    return Rows(expr, tables, f"{scope.row}.id", f"{side}.asset", where)


def _then(frame: CompileContext, scope: Scope, name: str) -> Rows:
    """What a field held at the instant that is looked back to."""
    past = past_of(frame.tx, name) if scope.source in ("issues", "requests") else None
    if past is None or name == "parent":
        raise NotCompilable
    side, at = frame.row("s"), frame.bind(frame.as_of)
    tables, expr = f"span {side}", written(name, f"{side}.value", frame)
    if name == "category":
        tables += f" join lane {side}l on {side}l.id = cast({side}.value as integer)"
        expr = f"{side}l.category"
    where = (
        f"+{side}.field = {frame.bind(past.field)} and {side}.from_at <= {at}"
        f" and ({side}.to_at is null or {side}.to_at > {at})"
    )
    return Rows(expr, tables, f"('issue:' || {scope.row}.id)", f"{side}.subject", where)


_INTEGERS = frozenset({"project", "type", "status", "label", "component", "milestone", "sprint", "parent"})
_OWN_INTEGERS = frozenset(
    {"select", "multi_select", "cascade", "team", "issue", "bool", "duration", "datetime"}
)
_OWN_REALS = frozenset({"number", "money", "rating"})


def written(name: str, value: str, frame: CompileContext) -> str:
    """What is written in a history, as the field itself holds it."""
    own = own_fields(frame.tx).get(name)
    if own is not None and own.kind == "asset":
        held = frame.row("a")
        return f"(select {held}.id from asset {held} where {held}.key = {value})"
    if name in _INTEGERS or (own is not None and own.kind in _OWN_INTEGERS):
        return f"cast({value} as integer)"
    if name == "estimate" or (own is not None and own.kind in _OWN_REALS):
        return f"cast({value} as real)"
    return value


def flag(frame: CompileContext, scope: Scope, name: str) -> str:
    """A flag as a condition on the row. Raises NotCompilable."""
    if scope.source not in ("issues", "requests"):
        said = _ELSEWHERE.get(scope.source, {}).get(name)
        if said is None:
            raise NotCompilable
        return said.format(row=scope.row, today=frame.bind(frame.today) if "{today}" in said else "")
    if name in _DERIVED:
        return _DERIVED[name](frame, scope)
    make = _FLAGS.get(name)
    return "0" if make is None else make(frame, scope.row)


def _category(frame: CompileContext, scope: Scope, *, done: bool) -> str:
    if frame.as_of is None:
        return f"{scope.row}.category {'=' if done else '<>'} 'done'"
    then = frame.some(
        column(frame, scope, "category", tracked=True), lambda expr: f"{expr} = 'done'", aside=False
    )
    return then if done else opposite(then)


def _overdue(frame: CompileContext, scope: Scope) -> str:
    today = frame.bind(frame.today)
    late = frame.some(
        column(frame, scope, "due", tracked=True), lambda expr: f"{expr} < {today}", aside=False
    )
    return f"({late} and {_category(frame, scope, done=False)})"


def _assigned(frame: CompileContext, scope: Scope) -> str:
    return frame.some(column(frame, scope, "assignee", tracked=True), lambda _expr: "1", aside=False)


def _mine(frame: CompileContext, scope: Scope) -> str:
    if not frame.world.me:
        return "0"
    return frame.some(column(frame, scope, "assignee", tracked=True), lambda expr: f"{expr} = :kb_me")


def _blocking(frame: CompileContext, row: str) -> str:
    link, far, kind = frame.row("r"), frame.row("n"), frame.row("k")
    return (
        f"({row}.category <> 'done' and exists (select 1 from relation {link} join relation_kind {kind}"
        f" on {kind}.id = {link}.kind and {kind}.blocks join issue {far} on {far}.id = {link}.dst"
        f" where {link}.src = {row}.id and {far}.category <> 'done' and {seen('issues', far)}))"
    )


def _pair(table: str) -> Callable[[CompileContext, str], str]:
    def make(frame: CompileContext, row: str) -> str:
        side = frame.row("u")
        if frame.aside:
            return f"{row}.id in (select {side}.issue from {table} {side} where {side}.who = :kb_me)"
        return f"exists (select 1 from {table} {side} where {side}.issue = {row}.id and {side}.who = :kb_me)"

    return make


_watched = _pair("issue_watcher")


def _unread(frame: CompileContext, row: str) -> str:
    looked = (
        f"(select {row}m.seq from mark {row}m"
        f" where {row}m.member = :kb_me and {row}m.subject = 'issue:' || {row}.id)"
    )
    return f"({_watched(frame, row)} and coalesce({looked}, 0) < {row}.seq)"


_LOOKED = (
    "(select {row}m.at from mark {row}m where {row}m.member = :kb_me and {row}m.subject = {row}.subject)"
)
_ELSEWHERE = {
    "assets": {"mine": "{row}.owner = :kb_me", "archived": "{row}.status = 'retired'"},
    "attachments": {"mine": "{row}.created_by = :kb_me"},
    "checks": {
        "open": "{row}.done_at is null",
        "done": "{row}.done_at is not null",
        "overdue": "({row}.done_at is null and {row}.due_date < {today})",
        "mine": "{row}.assignee = :kb_me",
        "unassigned": "{row}.assignee is null",
    },
    "comments": {
        "mine": "{row}.author = :kb_me",
        "unread": f"({{row}}.author <> :kb_me and coalesce({_LOOKED}, 0) < {{row}}.created_at)",
    },
    "projects": {
        "mine": "{row}.lead = :kb_me",
        "archived": "{row}.archived_at is not null",
        **dict.fromkeys(("starred", "watched"), "0"),
    },
}
"""Flags of other sources than issues. A retired asset is an archived one."""
_DERIVED: dict[str, Callable[[CompileContext, Scope], str]] = {
    "open": lambda frame, scope: _category(frame, scope, done=False),
    "done": lambda frame, scope: _category(frame, scope, done=True),
    "overdue": _overdue,
    "unassigned": lambda frame, scope: f"not {_assigned(frame, scope)}",
    "mine": _mine,
}
"""Flags that follow from fields, and so from fields as they were."""
_FLAGS: dict[str, Callable[[CompileContext, str], str]] = {
    "blocked": lambda _frame, row: f"{row}.blockers > 0",
    "blocking": _blocking,
    "watched": _watched,
    "voted": _pair("issue_vote"),
    "archived": lambda _frame, row: f"{row}.archived_at is not null",
    "locked": lambda _frame, row: f"{row}.locked = 1",
    "restricted": lambda _frame, row: f"({row}.level is not null and {row}.level <> 'public')",
    "unread": _unread,
}
