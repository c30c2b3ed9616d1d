"""Issues made of templates, trees and one line of text; and told as one text."""

from typing import Any

import pytest

from kbwork.contract.kbwork_client import KbworkProblem
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.issues.test_issues import make, payloads


def tree(world: World, *items: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = call(
        world, "cy", "issues.create_tree", **{"project": "WEB", "items": list(items)} | more
    )
    return found


def item(ref: str, **fields: Any) -> dict[str, Any]:
    return {"ref": ref, "title": ref.title()} | fields


# trees


def test_a_tree_is_made_in_any_order_with_parents_and_blocking(world: World) -> None:
    seq = world.database.seq
    step, task, top, other = tree(
        world,
        item("step", type="subtask", parent="task"),
        item("task", parent="top", blocks=["other"]),
        item("top", type="epic"),
        item("other", parent="top"),
    )
    assert (top["key"], task["parent"], step["parent"]) == ("WEB-1", "WEB-1", task["key"])
    assert (other["blocked"], task["blocked"]) == (True, False)
    assert [kind for kind, _ in world.events_since(seq)].count("issue.created") == 4
    made = next(row["seq"] for row in call(world, "cy", "undo.list") if row["op"] == "issues.create_tree")
    call(world, "cy", "undo.apply", seq=made)
    assert call(world, "cy", "issues.list", project="WEB")["items"] == []


@pytest.mark.parametrize(
    ("items", "path"),
    [
        ([item("a"), item("a")], "items[1].ref"),
        ([item("a", parent="b"), item("b", parent="a")], "items[0].parent"),
        ([item("a"), item("b", parent="a")], "items[1].parent"),
        ([item("a"), item("b", labels=["nope"])], "items[1].labels"),
        ([item("a", blocks=["a"])], "items[0].blocks"),
        ([item("a", blocks=["c"])], "items[0].blocks"),
        ([item("a", type="epic", parent="WEB-99")], "items[0].parent"),
    ],
)
def test_a_tree_that_cannot_be_says_which_item(world: World, items: list[dict[str, Any]], path: str) -> None:
    with refused("invalid-input") as found:
        tree(world, *items)
    assert found.value.errors[0]["path"] == path
    assert call(world, "cy", "issues.list", project="WEB")["items"] == []


def test_a_tree_is_looked_at_with_its_sums(world: World) -> None:
    tree(
        world,
        item("top", type="epic", estimate=1),
        item("one", parent="top", estimate=2),
        item("two", parent="top", estimate=3),
        item("low", type="subtask", parent="two", estimate=4),
    )
    call(world, "cy", "issues.transition", key="WEB-4", to_status="done")
    make(world, "bo", parent="WEB-1", level="private", title="hidden")
    found = call(world, "cy", "issues.tree", key="WEB-1")
    assert [found[name] for name in ("done", "total", "estimate", "spent")] == [1, 3, 10, 0]
    assert [child["issue"]["title"] for child in found["children"]] == ["One", "Two"]
    assert found["children"][1]["children"][0]["issue"]["key"] == "WEB-4"
    assert call(world, "bo", "issues.tree", key="WEB-1")["total"] == 4
    flat = call(world, "cy", "issues.tree", key="WEB-1", depth=0)
    assert (flat["children"], flat["total"]) == ([], 3)


# templates


def template(world: World, who: str = "bo", **fields: Any) -> dict[str, Any]:
    asked = {
        "project": "WEB",
        "name": "Defect",
        "type": "bug",
        "input": {
            "body": "Seen by {{me.name}} in {{project.name}}: {{body}}",
            "due_date": "{{today+1w}}",
            "priority": "high",
        },
        "children": [
            {"ref": "test", "input": {"title": "Test for {{title}}", "type": "subtask"}},
            {"ref": "note", "blocks": ["test"], "input": {"title": "Note", "type": "subtask"}},
        ],
    }
    saved = call(world, who, "issues.template_save", **asked | fields)
    return next(one for one in saved if one["name"] == (asked | fields)["name"])


def test_an_issue_made_with_a_template_has_what_it_says_and_its_children(world: World) -> None:
    made = template(world)
    seq = world.database.seq
    found = call(
        world,
        "cy",
        "issues.create",
        project="WEB",
        title="Cart",
        body="it is empty",
        template=made["id"],
        priority="low",
    )
    assert (found["type"], found["body"], found["priority"]) == (
        "bug",
        "Seen by Cy Moss in Website: it is empty",
        "low",
    )
    assert found["due_date"] == "2027-01-22"
    (test, note) = call(world, "cy", "issues.get", key=found["key"], with_=["children"])["children"]
    assert (test["title"], test["blocked"], note["title"]) == ("Test for Cart", True, "Note")
    assert payloads(world, seq, "issue.created")[0]["template"] == made["id"]


def test_templates_are_kept_by_leads_and_admins(world: World) -> None:
    seq = world.database.seq
    own, orgs = template(world), template(world, "ana", project=None, name="For all")
    assert (own["project"], orgs["project"], orgs["type"]) == ("WEB", None, "bug")
    assert world.events_since(seq) == [("template.saved", "project:WEB"), ("template.saved", "org:1")]
    assert [one["name"] for one in call(world, "cy", "issues.templates", project="SEC")] == ["For all"]
    assert [one["name"] for one in call(world, "cy", "issues.templates")] == ["Defect", "For all"]
    for who, fields in (("cy", {"name": "X"}), ("cy", {"name": "X", "project": None})):
        with refused("not-allowed"):
            template(world, who, **fields)
    with refused("conflict"):
        template(world, name="DEFECT")
    with refused("not-found"):
        call(world, "cy", "issues.create", project="SEC", title="x", template=own["id"])
    changed = template(world, id=own["id"], project=None, name="Fault", children=[])
    assert (changed["id"], changed["project"], changed["children"]) == (own["id"], "WEB", [])
    call(world, "bo", "undo.apply", seq=world.database.seq)
    assert len(call(world, "cy", "issues.templates", project="WEB")[0]["children"]) == 2
    assert [one["name"] for one in call(world, "bo", "issues.template_delete", id=own["id"])] == ["For all"]
    with refused("not-found"):
        call(world, "bo", "issues.template_delete", id=own["id"])


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"input": {"titel": "x"}}, "input.titel"),
        ({"input": {"priority": "highest"}}, "input.priority"),
        ({"input": {"due_date": "{{tomorow}}"}}, "input.input"),
        ({"input": {"project": "SEC"}}, "input.project"),
        ({"children": [{"ref": "a", "input": {"estimate": "x"}}]}, "children[0].input.estimate"),
        ({"children": [{"ref": "a", "input": {}}, {"ref": "a", "input": {}}]}, "children[1].ref"),
        ({"type": "bgu"}, "type"),
        ({"checklists": [1]}, "checklists"),
    ],
)
def test_a_template_that_cannot_be_says_where(world: World, fields: dict[str, Any], path: str) -> None:
    with pytest.raises(KbworkProblem) as found:
        template(world, **fields)
    assert found.value.slug in ("invalid-input", "unknown-field")
    assert found.value.errors[0]["path"] == path


# one line of text


def parse(world: World, text: str, who: str = "cy", **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = call(world, who, "issues.parse", text=text, **more)
    return found


def test_a_line_of_text_becomes_an_issue(world: World) -> None:
    call(world, "ana", "labels.save", name="web")
    call(world, "ana", "labels.save", name="Needs info")
    epic = make(world, type="epic")
    text = f'fix login !high @cy #web #"needs info" /bug due fri start 2027-01-10 ~3 in WEB under {epic} now'
    found = parse(world, text)
    assert found["input"] == {
        "project": "WEB",
        "title": "fix login now",
        "priority": "high",
        "assignees": ["@cy"],
        "labels": ["web", "Needs info"],
        "type": "bug",
        "due_date": "2027-01-22",
        "start_date": "2027-01-10",
        "estimate": 3.0,
        "parent": epic,
    }
    assert [(text[span["from"] : span["to"]], span["means"]) for span in found["spans"]] == [
        ("!high", "priority: high"),
        ("@cy", "assignee: @cy"),
        ("#web", "label: web"),
        ('#"needs info"', "label: Needs info"),
        ("/bug", "type: bug"),
        ("due fri", "due: 2027-01-22"),
        ("start 2027-01-10", "start: 2027-01-10"),
        ("~3", "estimate: 3.0"),
        ("in WEB", "project: WEB"),
        (f"under {epic}", f"parent: {epic}"),
    ]
    assert call(world, "cy", "issues.create", **found["input"])["title"] == "fix login now"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("mail a@b.example about C# and #9", "mail a@b.example about C# and #9"),
        ("log in under stress in time due process", "log in under stress in time due process"),
        ("@nobody !soon /dev/null ~ # @", "@nobody !soon /dev/null ~ # @"),
        ("in PRV under PRV-1", "in PRV under PRV-1"),
        ("due", "due"),
    ],
)
def test_words_that_mean_nothing_stay_in_the_title(world: World, text: str, title: str) -> None:
    make(world, "di", project="PRV")
    assert parse(world, text, project="WEB") == {"input": {"project": "WEB", "title": title}, "spans": []}


@pytest.mark.parametrize(
    ("word", "day"),
    [
        ("today", "2027-01-15"),
        ("tomorrow", "2027-01-16"),
        ("Friday", "2027-01-22"),
        ("sat", "2027-01-16"),
        ("+3d", "2027-01-18"),
        ("+2w", "2027-01-29"),
        ("next fri", "2027-01-22"),
        ("in 3 days", "2027-01-18"),
        ("5 dec 2028", "2028-12-05"),
        ("eom", "2027-01-31"),
    ],
)
def test_days_are_said_as_people_do(world: World, word: str, day: str) -> None:
    text = f"x due {word} !high"
    found = parse(world, text)
    assert found["input"] == {"title": "x", "due_date": day, "priority": "high"}
    assert text[found["spans"][0]["from"] : found["spans"][0]["to"]] == f"due {word}"
    assert parse(world, f"x by {word}")["input"] == {"title": "x", "due_date": day}


def test_days_are_said_in_the_language_of_the_org(world: World) -> None:
    call(world, "ana", "org.update", locale="de-DE", week_start=0)
    for word, day in (("morgen", "2027-01-16"), ("nächsten so", "2027-01-17"), ("5/12", "2027-12-05")):
        assert parse(world, f"x due {word}")["input"] == {"title": "x", "due_date": day}


# one text


def test_an_issue_is_told_as_one_text(world: World) -> None:
    key = make(world, title="Cart", body="It is empty.", priority="high", assignees=["@di"])
    other = make(world, title="Stock")
    call(world, "cy", "issues.relation_add", key=key, kind="blocked by", to=[other])
    call(world, "cy", "comments.create", subject=f"issue:{key}", body="Since Tuesday")
    call(world, "cy", "issues.update", key=key, priority="urgent")
    found = call(world, "cy", "issues.export_text", key=key, with_=["comments", "relations", "history"])
    assert found["truncated"] is False
    text = found["text"]
    assert text.startswith(
        f"# {key} Cart\n\n- Type: task\n- Status: To do\n- Priority: urgent\n- Assignees: Di Park\n"
    )
    for part in (
        "It is empty.",
        f"## Relations\n\n- blocked by {other} Stock (To do)",
        "## Comments",
        "Since Tuesday",
        "## History\n\n- 2027-01-15 Cy Moss: priority high to urgent",
    ):
        assert part in text


def test_threads_are_indented_and_internal_notes_marked(world: World) -> None:
    key = make(world, title="Cart")
    subject = f"issue:{key}"
    call(world, "cy", "comments.create", subject=subject, body="First")
    call(world, "cy", "comments.create", subject=subject, body="Between us", internal=True)
    call(world, "di", "comments.create", subject=subject, body="Reply\n\nof two", parent=1)
    text = call(world, "cy", "issues.export_text", key=key, with_=["comments"])["text"]
    day = "2027-01-15"
    assert text.partition("## Comments\n\n")[2].split("\n\n**Cy Moss**") == [
        f"**Cy Moss**, {day} (internal note):\n\nBetween us",
        f", {day}:\n\nFirst\n\n> **Di Park**, {day}:\n> \n> Reply\n> \n> of two",
    ]


def test_own_fields_are_told_in_words(world: World) -> None:
    for name, kind in (
        ("budget", "money"),
        ("paid", "bool"),
        ("effort", "duration"),
        ("due_at", "datetime"),
        ("owner", "member"),
        ("crew", "members"),
        ("parts", "multi_select"),
        ("amount", "number"),
    ):
        field(world, name, kind)
    call(world, "ana", "fields.options_set", key="parts", options=[{"name": "Wheel"}, {"name": "Door"}])
    values = {
        "budget": {"amount": 12.5, "currency": "EUR"},
        "paid": True,
        "effort": 5400,
        "due_at": 1800000000,
        "owner": "@di",
        "crew": ["@cy", "@di"],
        "parts": ["Wheel", "Door"],
        "amount": 3.0,
    }
    key = make(world)
    call(world, "cy", "issues.update", key=key, values=values)
    call(world, "cy", "issues.assign", key=key, assignees=["@di"])
    call(world, "cy", "issues.archive", keys=[key], on=True)
    text = call(world, "cy", "issues.export_text", key=key, with_=["history"])["text"]
    facts, _, history = text.partition("## History")
    for line in (
        "Budget: 12.5 EUR",
        "Paid: yes",
        "Effort: 1 h 30 min",
        "Due_At: 2027-01-15 08:00 UTC",
        "Owner: Di Park",
        "Crew: Cy Moss, Di Park",
        "Parts: Wheel, Door",
        "Amount: 3",
    ):
        name, _, value = line.partition(": ")
        assert f"\n- {line}\n" in f"{facts}\n"
        assert f"Cy Moss: {name} nothing to {value}" in history
    assert "assignees nothing to Di Park" in history
    assert "archived_at nothing to 2027-01-15" in history


def test_a_budget_keeps_facts_and_the_latest(world: World) -> None:
    key = make(world, title="Cart", body="word " * 2000)
    for number in range(30):
        call(world, "cy", "comments.create", subject=f"issue:{key}", body=f"said {number:02} " + "x" * 60)
    found = call(world, "cy", "issues.export_text", key=key, with_=["comments"], max_tokens=300)
    assert found["truncated"] is True
    assert len(found["text"].encode()) <= 1200
    assert "[cut]" in found["text"]
    assert "said 29" in found["text"]
    assert "said 00" not in found["text"]


# own fields


def field(world: World, key: str, kind: str, **more: Any) -> None:
    call(world, "ana", "fields.save", key=key, name=key.title(), kind=kind, **more)


def test_own_fields_are_set_cleared_told_and_taken_back(world: World) -> None:
    field(world, "severity", "select")
    call(world, "ana", "fields.options_set", key="severity", options=[{"name": "High"}, {"name": "Low"}])
    field(world, "region", "text", default="EU")
    key = make(world, values={"severity": "high"})
    seq = world.database.seq
    assert call(world, "cy", "issues.get", key=key)["values"] == {"severity": "High", "region": "EU"}
    changed = call(world, "cy", "issues.update", key=key, values={"severity": None, "region": "US"})
    assert changed["values"] == {"region": "US"}
    assert payloads(world, seq, "issue.updated")[0]["changes"] == {
        "values.severity": {"from": "High", "to": None},
        "values.region": {"from": "EU", "to": "US"},
    }
    call(world, "cy", "undo.apply", seq=seq + 1)
    assert call(world, "cy", "issues.get", key=key)["values"] == {"severity": "High", "region": "EU"}
    history = call(world, "cy", "issues.history", key=key, field="values.region")["items"]
    assert [(one["from"], one["to"]) for one in history] == [("US", "EU"), ("EU", "US")]
    for bad, path in (({"severty": "High"}, "values.severty"), ({"severity": "Mid"}, "values.severity")):
        with refused("invalid-input") as found:
            call(world, "cy", "issues.update", key=key, values=bad)
        assert found.value.errors[0]["path"] == path


def test_required_fields_are_asked_on_making_and_converting(world: World) -> None:
    field(world, "region", "text")
    call(
        world,
        "bo",
        "fields.layout_save",
        project="WEB",
        type="bug",
        create=["region"],
        edit=["region"],
        required=["region"],
    )
    call(world, "bo", "fields.layout_save", project="WEB", type="task", create=[], edit=[], required=[])
    with refused("invalid-input") as found:
        make(world, type="bug")
    assert found.value.errors[0]["path"] == "values.region"
    bug = make(world, type="bug", values={"region": "EU"})
    task = make(world, type="task")
    with refused("invalid-input"):
        call(world, "cy", "issues.convert", key=task, type="bug")
    seq = world.database.seq
    assert call(world, "cy", "issues.convert", key=task, type="bug", values={"region": "US"})["values"] == {
        "region": "US"
    }
    assert payloads(world, seq, "issue.updated")[0]["changes"] == {
        "type": {"from": "task", "to": "bug"},
        "values.region": {"from": None, "to": "US"},
    }
    assert call(world, "cy", "issues.convert", key=bug, type="task")["values"] == {}
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert call(world, "cy", "issues.get", key=bug)["values"] == {"region": "EU"}


def test_values_that_a_project_does_not_have_stay_behind(world: World) -> None:
    field(world, "region", "text", projects=["WEB"])
    field(world, "size", "number")
    key = make(world, values={"region": "EU", "size": 3})
    copied = call(world, "cy", "issues.copy", key=key, project="SEC", with_=["values"])
    assert copied["values"] == {"size": 3}
    assert call(world, "cy", "issues.copy", key=key)["values"] == {}
    seq = world.database.seq
    (moved,) = call(world, "cy", "issues.move", keys=[key], project="SEC", values={"size": 4})
    assert moved["values"] == {"size": 4}
    assert payloads(world, seq, "issue.moved")[0]["dropped"] == {"values": ["Region"]}


def test_formulas_are_computed_when_an_issue_is_read(world: World) -> None:
    field(world, "size", "number")
    field(world, "double", "formula", formula="size * 2 + estimate")
    field(world, "below", "rollup", formula="sum(estimate)")
    epic = make(world, type="epic", values={"size": 3}, estimate=1)
    make(world, parent=epic, estimate=5)
    make(world, parent=epic, estimate=2)
    found = call(world, "cy", "issues.get", key=epic)["values"]
    assert (found["double"], found["below"]) == (7, 7)
    listed = call(world, "cy", "issues.list", project="WEB", sort="key")["items"]
    assert [one["values"]["below"] for one in listed] == [7, 0, 0]
    assert [one["values"]["double"] for one in listed] == [7, None, None]
    with refused("invalid-input"):
        call(world, "cy", "issues.update", key=epic, values={"double": 1})
    for text, slug in (("size *", "tql-syntax"), ("sized * 2", "tql-name")):
        with refused(slug):
            field(world, "bad", "formula", formula=text)


def test_trees_of_templates_have_a_bound(world: World) -> None:
    children = [{"ref": str(number), "input": {"type": "subtask", "title": "x"}} for number in range(199)]
    (template,) = call(
        world, "bo", "issues.template_save", name="Large", type="task", input={}, children=children
    )
    items = [{"ref": str(number), "title": "y", "template": template["id"]} for number in range(6)]
    seq = world.database.seq
    with refused("invalid-input"):
        call(world, "cy", "issues.create_tree", project="WEB", items=items)
    assert world.events_since(seq) == []
    assert (
        call(world, "cy", "issues.create", project="WEB", title="y", template=template["id"])["counts"][
            "children"
        ]
        == 199
    )
