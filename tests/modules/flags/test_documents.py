"""Lists of flags are answered from documents that are kept: never otherwise than they would be made anew."""

from collections.abc import Callable
from typing import Any

import pytest

from kbwork.db.tx import Read
from kbwork.modules.flags.flag.documents import DOCUMENTS, eyes
from tests.conftest import World
from tests.modules.documents import (
    UNDONE,
    Asked,
    Given,
    Model,
    Play,
    declared,
    given,
    play_beside,
    play_out,
    some,
    tables_read,
)

PROJECTS = ("shop", "Free")
_PROJECT = some(*PROJECTS)
_KEYS = [f"flag-{at}" for at in range(8)]
_ENVIRONMENT = some("test", "production", "edge")
_RULE = {"clauses": [{"attribute": "country", "op": "in", "values": ["NO"]}], "variation": 0}
_TEXT = some("Two", "Ünd \u2028 zwei", 'a "b" \\', None)


def _flag(**values: Any) -> Callable[[Model], Given]:
    """Of some flag that is there, or was archived, with values that are chosen each time."""

    def choose(model: Model) -> Given:
        project = _PROJECT(model)
        keys = model.column(
            "select f.key from flag f join flag_project p on p.id = f.project where p.key = :key", key=project
        )
        return {"project": project, "key": model.chance.choice(keys), **given(**values)(model)}

    return choose


def _change(model: Model) -> Given:
    """A change that waits, in its project; the first of all where none does."""
    found = model.rows(
        "select p.key, c.id from flag_change c join flag_project p on p.id = c.project"
        " where c.status in ('pending', 'approved')"
    )
    project, ident = model.chance.choice(found or [("shop", 1)])
    return {"project": project, "id": ident}


def _asked(model: Model) -> Given:
    """A change of some flag."""
    flag = _flag(environment=_ENVIRONMENT, instructions=_instructions)(model)
    flag["target"] = flag.pop("key")
    return flag | {"kind": "flag"}


def _instructions(model: Model) -> list[Given]:
    """What is done in one environment."""
    return [
        model.chance.choice(
            [
                {"kind": "turnFlagOn"},
                {"kind": "turnFlagOff"},
                {"kind": "addTargets", "variation": 0, "values": [f"u{model.chance.randrange(5)}"]},
                {"kind": "clearTargets"},
                {"kind": "updateFallthroughVariationOrRollout", "variation": model.chance.randrange(2)},
                {"kind": "addRule", **_RULE},
                {"kind": "addPrerequisite", "key": model.chance.choice(_KEYS), "variation": 0},
            ]
        )
    ]


def _meta_instructions(model: Model) -> list[Given]:
    """What is done everywhere."""
    return [
        model.chance.choice(
            [
                {"kind": "updateName", "value": _TEXT(model) or "One"},
                {"kind": "updateDescription", "value": "What it is for"},
                {"kind": "addTags", "values": [model.chance.choice(("ui", "slow"))]},
                {"kind": "removeTags", "values": ["ui"]},
                {"kind": "archiveFlag"},
                {"kind": "restoreFlag"},
            ]
        )
    ]


def _looks(model: Model) -> list[Asked]:
    asked = model.chance.choice(({}, {"archived": True}, {"tag": "ui"}, {"q": "two"}))
    return [
        ("flags.list", {"project": project, **more})
        for project in PROJECTS
        for more in ({}, {"full": True}, asked)
    ]


PLAY = Play(
    kind="flag",
    looks=_looks,
    often="flags.update",
    writes={
        "flags.create": given(project=_PROJECT, key=some(*_KEYS), name=_TEXT, tags=some(None, ["ui"])),
        "flags.update": lambda model: (
            _flag(environment=_ENVIRONMENT, instructions=_instructions)(model)
            if model.chance.random() < 0.7
            else _flag(instructions=_meta_instructions)(model)
        ),
        "flags.archive": _flag(),
        "flags.restore": _flag(revision=some(None, 1, 2, 3)),
        "flags.copy": given(project=_PROJECT, from_=_ENVIRONMENT, to=_ENVIRONMENT),
        "flags.environment_save": given(
            project=_PROJECT, key=_ENVIRONMENT, name=_TEXT, require_approval=some(True, False, None)
        ),
        "flags.environment_delete": given(project=_PROJECT, key=some("edge", "production")),
        "flags.project_save": given(project=_PROJECT, name=_TEXT, work_project=some("WEB", "SEC", None)),
        "flags.project_archive": given(project=some("Free", "none", "none")),
        "flags.segment_save": given(project=_PROJECT, environment=_ENVIRONMENT, key="beta", included=["bo"]),
        "flags.change_create": _asked,
        "flags.change_review": lambda model: _change(model) | {"decision": "approve"},
        "flags.change_cancel": _change,
        "projects.member_set": given(
            key=some("WEB", "SEC"), who=some("@cy", "@di", "@gus"), role=some("member", "viewer", None)
        ),
        "projects.update": given(key="WEB", visibility=some("org", "members")),
        **UNDONE,
    },
)


@pytest.fixture
def model(world: World) -> Model:
    ana = world.session("ana")
    for project, tied in (("shop", "WEB"), ("Free", None)):
        ana.call("flags.project_save", {"project": project, "work_project": tied})
        for key in ("test", "production"):
            ana.call("flags.environment_save", {"project": project, "key": key})
        for key in _KEYS[:3]:
            ana.call("flags.create", {"project": project, "key": key})
    return Model(world, PLAY)


def test_whatever_happens_documents_say_what_is_there(model: Model, steps: int) -> None:
    play_out(model, steps)


def test_readers_beside_a_writer_see_one_snapshot_each(model: Model, steps: int) -> None:
    play_beside(model, steps)


@pytest.mark.parametrize("whole", [True, False])
def test_a_document_rests_on_all_that_is_read_for_it(model: Model, whole: bool) -> None:
    numbers = model.column("select id from flag")

    def make(tx: Read) -> Any:
        return DOCUMENTS.texts(tx, eyes(whole=whole), numbers)

    looked = tables_read(model, make, model.admin, before=lambda tx: tx.caller)
    assert looked == declared(model)
