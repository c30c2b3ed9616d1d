"""What is kept in the query language beside views and boards: formulas, and rules of workflows."""

from typing import Any

from tests.conftest import World
from tests.modules.calls import call
from tests.modules.workflows.sample_workflows import in_force


def _given_away(world: World) -> None:
    """The label 1 is called otherwise, and 2 as it was."""
    call(world, "bo", "labels.save", id=1, name="Platform")
    call(world, "bo", "labels.save", name="infra")


def _issue(world: World, **more: Any) -> str:
    return str(call(world, "bo", "issues.create", **{"project": "WEB", "title": "One"} | more)["key"])


def test_a_formula_means_what_it_named(world: World) -> None:
    call(world, "bo", "labels.save", name="infra")
    asked = {"key": "part", "name": "Part", "kind": "rollup", "formula": "share(label = infra)"}
    call(world, "bo", "fields.save", **asked)
    parent = _issue(world)
    _issue(world, parent=parent, type="subtask", labels=["infra"])
    _given_away(world)
    assert call(world, "bo", "fields.get", key="part")["formula"] == "share(label = Platform)"
    assert call(world, "bo", "issues.get", key=parent)["values"] == {"part": 1}
    found = call(world, "bo", "tql.run", tql=f"key = {parent} and part = 1", fields=["key"])
    assert found["rows"] == [[parent]]
    call(world, "bo", "fields.save", **asked)
    assert call(world, "bo", "issues.get", key=parent)["values"] == {"part": 0}


def test_the_rules_of_a_workflow_mean_what_they_named(world: World) -> None:
    call(world, "bo", "labels.save", name="infra")
    others = {"op": "issues.update", "input": {"key": "{{key}}", "body": "Moved"}, "each": "label = infra"}
    rules: dict[str, Any] = {
        "if": [{"any": [{"tql": "label = infra"}]}],
        "check": [{"tql": "label = infra", "message": "Ours alone"}],
        "then": [others],
        "auto_when": "estimate = 3 and label = infra",
    }
    flow = in_force(world, **rules)
    old, other = _issue(world, labels=["infra"]), _issue(world, labels=["infra"])
    _given_away(world)
    new = _issue(world, labels=["infra"])
    step = call(world, "bo", "workflows.get", id=flow)["transitions"][0]
    shown = [step["if"][0]["any"][0], step["check"][0], step["then"][0]["each"], step["auto_when"]]
    text = "label = Platform"
    assert shown == [
        {"tql": text},
        {"tql": text, "message": "Ours alone"},
        text,
        f"estimate = 3 and {text}",
    ]
    ways = {key: call(world, "bo", "issues.transitions", key=key) for key in (old, new)}
    assert [len(ways[key]) for key in (old, new)] == [1, 0]
    for key in (old, new):
        call(world, "bo", "issues.update", key=key, estimate=3)
    moved = [call(world, "bo", "issues.get", key=key) for key in (old, other, new)]
    assert [(one["status"], one["body"]) for one in moved] == [
        ("In progress", "Moved"),
        ("To do", "Moved"),
        ("To do", ""),
    ]
    copied = call(world, "bo", "workflows.copy", id=flow, name="Another")["transitions"]
    assert copied[0]["auto_when"] == f"estimate = 3 and {text}"
