"""A project in which everything happened that can happen in one, and what one reads of it."""

import base64
import re
from typing import Any

from tests.conftest import World
from tests.modules.calls import call


def live(world: World) -> None:
    """Fill WEB."""

    def do(op: str, /, by: str = "ana", **value: Any) -> Any:
        world.clock.advance(60)
        return call(world, by, op, **value)

    do("labels.save", name="bug", color="#aa0011", description="It breaks")
    do("labels.save", name="late", project="WEB", group="when")
    do("labels.save", name="soon", project="WEB", group="when")
    do("components.save", project="WEB", name="Cart", lead="@cy", description="What is bought")
    do("components.save", project="WEB", name="Old")
    do("lanes.save", key="qa", name="In QA", category="in_progress", color="#123456", wip=3)
    do("types.save", key="chore", name="Chore", color="#010203", level=0, description="Dull")
    do("fields.save", key="severity", name="Severity", kind="select")
    options = [{"name": "High", "color": "#d64545"}, {"name": "Low"}, {"name": "Gone", "archived": True}]
    do("fields.options_set", key="severity", options=options)
    do("fields.save", key="price", name="Price", kind="money", projects=["WEB"])
    do("fields.save", key="seen_by", name="Seen by", kind="members")
    do("fields.save", key="behind", name="Behind", kind="issue")
    do("fields.save", key="score", name="Score", kind="number", types=["chore", "bug"])
    do("teams.save", name="Shop")
    steps = [
        {"name": "Test", "from": ["todo", "in_progress"], "to": "qa", "who": ["member", "team:1"]},
        {"name": "Begin", "from": ["todo", "qa"], "to": "in_progress", "ask": [{"field": "severity"}]},
        {
            "name": "Pass",
            "from": ["*"],
            "to": "done",
            "approvers": [world.people["ana"].id],
            "needed": 1,
            "watch": ["priority"],
        },
        {"name": "Again", "from": ["done"], "to": "todo"},
    ]
    way = do(
        "workflows.save",
        name="Careful",
        start="todo",
        lanes=["todo", "in_progress", "qa", "done"],
        transitions=steps,
    )
    do("types.projects_set", project="WEB", types=["task", "epic", "bug", "chore", "subtask"], default="task")
    do("workflows.assign", id=way["id"], project="WEB", types=["chore"])
    do(
        "projects.update",
        key="WEB",
        description="The site",
        color="#00aa00",
        labels=["front"],
        reporters_see="all",
    )
    do("projects.update", key="WEB", default_assignee="lead", budget={"hours": 12.5}, due_date="2031-01-01")
    do("projects.member_set", key="WEB", who="@di", role="member")
    do("projects.member_set", key="WEB", who="@ana", role="lead")
    do("projects.member_set", key="WEB", who="team:1", role="reporter")
    do("projects.status_post", key="WEB", health="at_risk", body="It waits.")
    do(
        "fields.layout_save",
        project="WEB",
        type="bug",
        create=["severity"],
        edit=["severity", "score", "behind"],
        required=["severity"],
    )
    do(
        "issues.template_save",
        project="WEB",
        name="Defect",
        type="bug",
        input={"body": "Seen by {{me.name}}"},
    )
    late = do("views.save", name="Late", tql="open due <= +7d", project="WEB", columns=["key", "title"])
    do("views.save", name="Whose", tql="open", project="WEB", group_by="assignee", subgroup_by="status")
    do("projects.update", key="WEB", default_view=late["id"])
    board = do("boards.save", name="Floor", tql="project = WEB", project="WEB", swimlanes="assignee")
    columns = [
        {"name": "Next", "lanes": ["todo"], "limit": 3, "hard": True},
        {"name": "End", "lanes": ["done"]},
    ]
    do("boards.columns_set", id=board["id"], columns=columns)
    do("boards.quick_filter_save", id=board["id"], filters=[{"name": "Bugs", "tql": "type = bug"}])
    _issues(do, world)
    _words(do, world)


def _issues(do: Any, world: World) -> None:
    epic = do("issues.create", project="WEB", title="The cart", type="epic", labels=["bug", "late"])["key"]
    do("issues.create", project="WEB", title="It forgets", type="bug", parent=epic, components=["Cart"], by="di",
       assignees=["@cy", "@di"], priority="high", values={"severity": "High", "score": 2.5}, start_date="2027-01-02",
       due_date="2027-02-03", estimate=3)  # fmt: skip
    values = {"severity": "Low", "price": {"amount": 12.5, "currency": "EUR"}, "seen_by": ["@ana", "@bo"]}
    do("issues.create", project="WEB", title="A chore", type="chore", body="**Do** it @cy", values=values)
    do("issues.update", key="WEB-2", values={"severity": "Low"}, title="It forgets all")
    do("issues.update", key="WEB-2", body="Longer\n\ntext", labels=["bug"], parent="")
    do("issues.update", key="WEB-2", parent=epic, priority="urgent")
    do("issues.create", project="WEB", title="Behind it", type="task", parent=epic, level="team:1")
    do("issues.update", key="WEB-2", values={"behind": "WEB-4"})
    do("issues.assign", key="WEB-4", assignees=["@ana"])
    do("issues.transition", key="WEB-3", to_status="qa")
    do("issues.transition", key="WEB-3", to_status="in_progress")
    do("issues.transition", key="WEB-4", to_status="done", outcome="completed")
    do("issues.create", project="WEB", title="Gone", type="task")
    do("issues.delete", key="WEB-5")
    do("issues.create", project="SEC", title="Elsewhere", type="task", by="cy")
    do("issues.create", project="WEB", title="Old", components=["Old"], source="chat:1", external="chat#1")
    do("issues.create", project="WEB", title="Locked", type="task", level="private")
    do("components.save", id=2, project="WEB", name="Old", archived=True)
    do("issues.relation_kind_save", key="tests", name="tests", inverse="tested by")
    do("issues.relation_add", key="WEB-1", kind="blocks", to=["WEB-2"])
    do("issues.relation_add", key="WEB-3", kind="tests", to=["WEB-2", "WEB-4"])
    do("issues.relation_add", key="WEB-4", kind="relates", to=["SEC-1"])
    do("issues.relation_add", key="SEC-1", kind="blocks", to=["WEB-3"])
    do("issues.link_add", key="WEB-2", url="https://example.com/a", title="A")
    do("issues.watch", key="WEB-2", on=True, by="bo")
    do("issues.vote", key="WEB-2", on=True, by="bo")
    do("issues.vote", key="WEB-2", on=True, by="cy")


def _words(do: Any, world: World) -> None:
    first = do("comments.create", subject="issue:WEB-2", body="I see it, @di", by="cy")["id"]
    do("comments.create", subject="issue:WEB-2", body="Me too", parent=first, by="di")
    do("comments.react", id=first, emoji="👍", on=True, by="bo")
    do("comments.update", id=first, body="I see it too", by="cy")
    do("comments.resolve", id=first, resolved=True)
    note = do("comments.create", subject="issue:WEB-2", body="Do not tell", internal=True)["id"]
    do("comments.create", subject="issue:WEB-2", body="I will not", parent=note)
    stub = do("comments.create", subject="issue:WEB-3", body="Never mind")["id"]
    do("comments.create", subject="issue:WEB-3", body="I do mind", parent=stub, by="di")
    do("comments.delete", id=stub)
    do("comments.create", subject="issue:WEB-6", body="Put away")
    checks = do("checklists.add", key="WEB-2", text="One\nTwo\nThree")
    ids = [one["id"] for one in checks["items"]]
    do("checklists.update", id=ids[0], done=True, by="di")
    do("checklists.update", id=ids[1], assignee="@cy", due_date="2027-05-05")
    data = base64.b64encode(b"hello, world").decode()
    do("attachments.add", subject="issue:WEB-2", name="a.txt", data=data)
    do(
        "attachments.add",
        subject=f"comment:{note}",
        name="b.bin",
        data=base64.b64encode(b"\0\1\2" * 999).decode(),
    )
    do("attachments.add", subject="project:WEB", name="again.txt", data=data, by="bo")
    do("assets.type_save", key="LAP", name="Laptop", fields=[])
    asset = do("assets.create", type="LAP", name="Bo's laptop")
    do("issues.asset_link", key="WEB-2", asset=asset["key"], on=True, role="cause")
    do("issues.lock", key="WEB-7", on=True, reason="Heated")
    do("issues.archive", keys=["WEB-6"], on=True)


_GONE = ("id", "seq", "subject", "path", "my_role", "used", "uses", "updated_at_of_me")


def _plain(value: Any, key: str, names: dict[str, str]) -> Any:
    """Without ids, with the key of a copy as that of the first, and with people by their names."""
    if isinstance(value, dict):
        return {name: _plain(one, key, names) for name, one in value.items() if name not in _GONE}
    if isinstance(value, list):
        return [_plain(one, key, names) for one in value]
    if isinstance(value, str):
        value = names.get(value, value)
        return re.sub(rf"\b{key}(?=-\d|$)", "WEB", value)
    return value


def said(world: World, key: str, who: str = "ana") -> dict[str, Any]:
    """All that the operations tell of a project."""

    def ask(op: str, /, **value: Any) -> Any:
        return call(world, who, op, **value)

    views = ask("views.list")
    found: dict[str, Any] = {
        "project": ask("projects.get", key=key),
        "members": sorted(ask("projects.members", key=key), key=lambda one: str(one["who"])),
        "statuses": ask("projects.statuses", key=key),
        "labels": ask("labels.list", project=key),
        "components": ask("components.list", project=key),
        "types": ask("types.list", project=key),
        "layouts": ask("fields.layout", project=key),
        "templates": [one for one in ask("issues.templates", project=key) if one["project"]],
        "workflows": ask("workflows.list", project=key),
        "views": [
            (one["name"], one["group_by"], one["subgroup_by"]) for one in views if one["project"] == key
        ],
        "boards": [_board(one) for one in ask("boards.list") if one["project"] == key],
        "files": ask("attachments.list", subject=f"project:{key}"),
        "issues": {},
    }
    for workflow in found["workflows"]:
        workflow.pop("used_by")
        workflow.pop("updated_at")
        for lane in workflow["lanes"]:
            lane.pop("issues")
            lane.pop("position")
    found["project"].pop("former_keys")
    opens = found["project"].pop("default_view")
    found["opens"] = [one["name"] for one in views if one["id"] == opens]
    for label in found["labels"]:
        label.pop("project")
        label.pop("issues")
    for kind in found["types"]:
        kind.pop("workflow", None)
        kind.pop("projects")
        kind.pop("issues")
    for number in _numbers(world, key):
        found["issues"][number] = _issue(ask, f"{key}-{number}")
    names = world.database.write_now(
        lambda tx: {row["id"]: row["name"] for row in tx.all("select id, name from member")}
    )
    answer: dict[str, Any] = _plain(found, key, names)
    return answer


def _numbers(world: World, key: str) -> list[int]:
    return world.database.write_now(
        lambda tx: tx.column(
            "select i.number from issue i join project p on p.id = i.project where p.key = :key"
            " and i.deleted_at is null order by i.number",
            key=key,
        )
    )


def _issue(ask: Any, key: str) -> dict[str, Any]:
    issue = ask("issues.get", key=key)
    issue.pop("external")
    issue.pop("watching")
    comments = ask("comments.list", subject=f"issue:{key}")
    ids = {one["id"]: place for place, one in enumerate(comments)}
    files = ask("attachments.list", subject=f"issue:{key}")
    for place, comment in enumerate(comments):
        comment["parent"] = ids.get(comment["parent"])
        comment["files"] = (
            ask("attachments.list", subject=f"comment:{comment['id']}") if comment["body"] else []
        )
        comments[place] = comment
    return {
        "issue": issue,
        "comments": comments,
        "files": [one | {"data": ask("attachments.get", id=one["id"])["data"]} for one in files],
        "history": ask("issues.history", key=key)["items"],
        "checklist": ask("checklists.list", key=key),
        "links": ask("issues.links", key=key),
        "relations": ask("issues.relations", key=key),
        "voters": ask("issues.voters", key=key),
        "watchers": ask("issues.watchers", key=key),
        "revisions": ask("issues.revisions", key=key),
        "assets": [one["key"] for one in ask("assets.for_issue", issue=key)],
    }


def differing(one: Any, other: Any, at: str = "") -> list[str]:
    """Where two readings are not the same."""
    if isinstance(one, dict) and isinstance(other, dict):
        names = dict.fromkeys([*one, *other])
        return [line for name in names for line in differing(one.get(name), other.get(name), f"{at}.{name}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return [line for number, pair in pairs for line in differing(*pair, f"{at}[{number}]")]
    return [] if one == other else [f"{at}: {one!r} became {other!r}"]


def _board(board: dict[str, Any]) -> dict[str, Any]:
    """A board without its ids and its owner."""
    parts = {name: [{**one, "id": None} for one in board[name]] for name in ("columns", "quick_filters")}
    return board | parts | {"id": None, "project": None, "owner": None}
