"""Names for subjects of any kind, for who may see them."""

from typing import Any

import pytest

from kbwork.core.access import callers
from tests.conftest import World
from tests.modules.calls import refused


def make(world: World, who: str = "cy", **fields: Any) -> str:
    """An issue; answers its key."""
    asked = {"project": "WEB", "title": "One"} | fields
    return str(world.key(who).call("issues.create", asked)["key"])


def nothing(ref: str) -> dict[str, Any]:
    return {
        "ref": ref,
        "subject": None,
        "title": None,
        "kind": None,
        "path": None,
        "state": None,
        "allowed": False,
    }


def resolved(world: World, who: str, *refs: str) -> list[str | None]:
    return [row["subject"] for row in world.key(who).subjects.resolve(refs=list(refs))]


def test_references_stand_for_subjects_in_their_order(world: World) -> None:
    make(world)
    world.key("bo").labels.save(name="Bug")
    di = world.people["di"].id
    rows = world.key("cy").subjects.resolve(refs=["@di", "web-1", "#bug", "project:web", "WEB-2", "web-1"])
    issue = {
        "ref": "web-1",
        "subject": "issue:1",
        "title": "WEB-1 One",
        "kind": "issue",
        "path": "/issues/WEB-1",
        "state": "To do",
        "allowed": True,
    }
    assert rows == [
        {
            "ref": "@di",
            "subject": f"member:{di}",
            "title": "Di Park",
            "kind": "member",
            "path": "/members/di",
            "state": "active",
            "allowed": True,
        },
        issue,
        {
            "ref": "#bug",
            "subject": "label:1",
            "title": "Bug",
            "kind": "label",
            "path": "/labels/1",
            "state": None,
            "allowed": True,
        },
        {
            "ref": "project:web",
            "subject": "project:WEB",
            "title": "Website",
            "kind": "project",
            "path": "/projects/WEB",
            "state": None,
            "allowed": True,
        },
        nothing("WEB-2"),
        issue,
    ]
    assert world.key("cy").subjects.resolve(refs=[]) == []


def test_every_form_of_a_reference_is_taken(world: World) -> None:
    make(world)
    world.key("cy").comments.create(subject="WEB-1", body="Hello")
    cy = world.people["cy"].id
    for refs, subject in (
        (
            (
                "WEB-1",
                "issue:1",
                "issue:WEB-1",
                " issue:web-1 ",
                "/issues/WEB-1",
                f"{world.url}/issues/WEB-1",
            ),
            "issue:1",
        ),
        ((f"{world.url}/issues/WEB-1#comment-1", "comment:1"), "comment:1"),
        ((f"{world.url}/projects/WEB?tab=board", "project:WEB"), "project:WEB"),
        ((f"member:{cy}", "@cy", "/members/cy"), f"member:{cy}"),
        (("org:1",), "org:1"),
        (("team:admins", "@admins", "/teams/admins"), "team:admins"),
    ):
        assert resolved(world, "cy", *refs) == [subject] * len(refs)


@pytest.mark.parametrize(
    "ref",
    [
        "",
        ":",
        "issue:",
        "issue:x",
        "issue:-1",
        "comment:x",
        "team:x",
        "job:x",
        "job:1",
        "label:x",
        "#",
        "#none",
        "@",
        "@none",
        "@di@acme",
        "unknown:1",
        "http://[",
        "https://example.com/",
        "/issues",
        "/issues/",
        "WEB",
        "org:2",
        "9" * 40,
        "issue:" + "9" * 40,
        "member:' or 1=1 --",
    ],
)
def test_what_stands_for_nothing_is_answered_so(world: World, ref: str) -> None:
    make(world)
    make(world, "di", project="PRV")
    assert world.key("cy").subjects.resolve(refs=[ref]) == [nothing(ref)]


def test_what_one_may_not_see_is_as_what_is_not_there(world: World) -> None:
    make(world, "di", project="PRV")
    world.key("di").labels.save(name="secret", project="PRV")
    world.key("di").comments.create(subject="PRV-1", body="Hello")
    refs = ["PRV-1", "issue:1", "project:PRV", "#secret", "label:1", "comment:1", "/issues/PRV-1"]
    assert all(resolved(world, "di", *refs))
    for who in ("ana", "bo", "cy", "gus"):
        assert world.key(who).subjects.resolve(refs=refs) == [nothing(ref) for ref in refs], who


def test_a_scope_that_is_not_held_hides_its_subjects(world: World) -> None:
    make(world)
    world.key("cy").comments.create(subject="WEB-1", body="Hello")
    owner = world.people["cy"].id
    columns = {"name": "narrow", "scopes": ["search:read", "comments:read"]}
    _, secret = world.database.write_now(lambda tx: callers.add_key(tx, owner, columns))
    narrow = world._client("narrow", secret)
    refs = ["WEB-1", "issue:1", "@cy", "project:WEB", "comment:1"]
    assert [row["subject"] for row in narrow.subjects.resolve(refs=refs)][:4] == [None] * 4


def test_at_most_a_hundred_are_resolved_at_once(world: World) -> None:
    assert len(world.key("cy").subjects.resolve(refs=["WEB-1"] * 100)) == 100
    for bad in ({"refs": ["WEB-1"] * 101}, {"refs": "WEB-1"}, {"refs": [1]}, {}):
        with refused("invalid-input"):
            world.key("cy").call("subjects.resolve", bad)


def test_a_label_of_the_org_goes_before_those_of_projects(world: World) -> None:
    world.key("cy").labels.save(name="ui", project="SEC")
    assert resolved(world, "cy", "#UI") == ["label:1"]
    assert resolved(world, "gus", "#ui") == [None]
