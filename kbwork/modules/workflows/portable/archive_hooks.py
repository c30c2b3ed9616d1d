"""Workflows told for the archive of a project, and restored: the one here of the same name that is the same is taken,
else a new one is made."""

from collections.abc import Mapping
from functools import partial
from itertools import chain
from typing import Any

from kbwork.base.text import folded, numbered
from kbwork.core.operations import nested
from kbwork.core.ports.archive import ArchiveHook, ArchiveNames, ArchiveReferences
from kbwork.modules.workflows import ops, save

_USED = """
select id from workflow where draft_of is null and id in (select workflow from project where id = :project
  union select workflow from project_type where project = :project
  union select t.workflow from issue_type t join project_type p on p.type = t.id where p.project = :project)
"""
_MOST_NAME = 500
_GRAPH = ("key", "name", "from", "to")
_RULES = ("who", "if", "check", "ask", "approvers", "needed", "self_approval", "watch", "then", "auto_when")


def _told(names: ArchiveNames, projects: list[int]) -> Mapping[int, Any]:
    (project,) = projects
    used = set(names.tx.column(_USED, project=project))
    found = [
        {
            "name": one["name"],
            "start": one["start"],
            "lanes": [lane["key"] for lane in one["lanes"]],
            "transitions": names.told(one["transitions"]),
        }
        for one in ops.list_(names.tx, ops.WorkflowsList())
        if one["id"] in used
    ]
    return {project: found}


def _restore(refs: ArchiveReferences, _project: int, workflows: list[dict[str, Any]]) -> None:
    for way in workflows:
        ident = refs.attempt(f"The workflow {way['name']}", partial(_restore_one, refs, way))
        if ident is not None:
            refs.become("workflow", way["name"], ident)


def _restore_one(refs: ArchiveReferences, way: dict[str, Any]) -> int:
    wanted = _wanted(refs, way)
    every = nested.run(refs.tx, ops.list_, {})
    for one in every:
        same = folded(one["name"]) == folded(way["name"]) and not one["draft"]
        if same and _graph(one, [lane["key"] for lane in one["lanes"]]) == _graph(wanted, wanted["lanes"]):
            return int(one["id"])
    taken = {folded(one["name"]) for one in every}
    free = chain((way["name"],), numbered(f"{way['name']} ({refs.project['key']})", _MOST_NAME, " "))
    wanted["name"] = next(name for name in free if folded(name) not in taken)
    saved = refs.attempt(f"What the workflow {way['name']} asks for", partial(_saved, refs, wanted))
    if saved is None:
        plain = [{name: step[name] for name in ("name", "from", "to")} for step in wanted["transitions"]]
        saved = _saved(refs, wanted | {"transitions": plain})
    refs.made("workflows", f"workflow/{way['name']}", f"workflow:{saved}")
    return int(saved)


def _saved(refs: ArchiveReferences, wanted: dict[str, Any]) -> int:
    return int(nested.run(refs.tx, save.save, wanted)["id"])


def _wanted(refs: ArchiveReferences, way: dict[str, Any]) -> dict[str, Any]:
    lane = partial(refs.key, "lane")
    steps = []
    for step in way["transitions"]:
        own = {name: one for name, one in step.items() if one is not None}
        own = _peopled(refs, way["name"], own)
        own["from"] = [one if one == "*" else lane(one) for one in own["from"]]
        own["to"] = lane(own["to"])
        own["ask"] = [_asked(refs, one) for one in own["ask"]]
        steps.append(own)
    return {
        "name": way["name"],
        "start": lane(way["start"]),
        "lanes": list(dict.fromkeys(lane(one) for one in way["lanes"])),
        "transitions": steps,
    }


def _peopled(refs: ArchiveReferences, way: str, step: dict[str, Any]) -> dict[str, Any]:
    """A transition with people of here. What was for some who are not here is for those who lead."""
    own: dict[str, Any] = refs.here(step, alone=True)
    if step["who"] and not own["who"]:
        own["who"] = ["lead"]
        refs.warn(f"{way}, {step['name']}: those who may go this way are not here: leads may.")
    if len(own["approvers"]) < len(step["approvers"]):
        own["needed"] = min(own["needed"], len(own["approvers"]))
        refs.warn(f"{way}, {step['name']}: not all who approve it are here: {own['needed']} must agree.")
    return own


def _asked(refs: ArchiveReferences, asked: dict[str, Any]) -> dict[str, Any]:
    row = refs.field(str(asked.get("field")))
    return asked | {"field": row["key"]} if row is not None else asked


def _graph(way: Mapping[str, Any], lanes: list[str]) -> Any:
    """What two workflows that are the same have in common."""
    steps = [
        {name: step.get(name) for name in _GRAPH} | {name: step.get(name) or [] for name in _RULES}
        for step in way["transitions"]
    ]
    return way["start"], lanes, steps


WORKFLOWS = ArchiveHook(
    home=__name__, line="projects.jsonl", name="words.workflows", gathered=_told, restored=_restore
)
