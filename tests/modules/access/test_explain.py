"""Why somebody may do something, or not."""

from typing import Any

from kbwork.contract.kbwork_client import Kbwork
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.issues.test_issues import make
from tests.modules.pages.wiki import page, space


def why(world: World, asker: str, subject: str, op: str, **more: Any) -> list[tuple[str, bool]]:
    found = call(world, asker, "access.explain", subject=subject, op=op, **more)
    steps = [(one["check"], one["passed"]) for one in found["steps"]]
    assert found["allowed"] == all(passed for _, passed in steps)
    return steps


def test_each_step_is_told_until_one_does_not_pass(world: World) -> None:
    space(world)
    page(world, "Welcome")
    all_ = [("scope", True), ("role", True), ("sight", True), ("grant", True)]
    assert why(world, "di", "page:1", "pages.update") == all_
    assert why(world, "di", "page:1", "access.grant_set") == [*all_[:3], ("grant", False)]
    assert why(world, "di", "page:1", "spaces.delete") == [("scope", False)]
    assert why(world, "bo", "page:1", "pages.update", who="@gus") == [*all_[:2], ("sight", False)]
    assert why(world, "bo", "space:HAND", "spaces.save", who="@gus") == [("scope", True), ("role", False)]
    call(world, "cy", "access.grant_set", subject="space:HAND", who="@gus", level="view")
    assert why(world, "bo", "page:1", "comments.create", who="@gus") == [*all_[:3], ("grant", False)]
    assert why(world, "bo", "page:1", "pages.get", who="@gus") == all_
    key = make(world)
    assert why(world, "cy", key, "issues.update") == [*all_[:3], ("right", True)]
    assert why(world, "cy", key, "comments.create")[-1] == ("right", True)
    assert why(world, "cy", key, "issues.get")[-1] == ("right", True)


def test_what_others_may_is_told_to_admins(world: World) -> None:
    space(world)
    with refused("not-allowed"):
        call(world, "di", "access.explain", subject="space:HAND", op="spaces.get", who="@cy")
    with refused("not-found"):
        call(world, "di", "access.explain", subject="page:9", op="pages.get")
    with refused("not-found"):
        call(world, "di", "access.explain", subject="space:HAND", op="pages.gett")
    assert (
        call(world, "di", "access.explain", subject="space:HAND", op="spaces.get", who="me")["allowed"]
        is True
    )


def test_a_thing_that_one_does_not_see_is_explained_to_nobody(world: World) -> None:
    key = make(world, "di", project="PRV")
    for who in ("cy", "gus"):
        with refused("not-found"):
            call(world, who, "access.explain", subject=key, op="issues.update")
    with refused("not-found"):
        call(world, "bo", "access.explain", subject=key, op="issues.update", who="@di")
    with refused("invalid-input"):
        call(world, "bo", "access.explain", subject=make(world), op="issues.update", who="@nobody")
    secret = call(world, "cy", "keys.create", name="narrow", scopes=["issues:read"])["secret"]
    with Kbwork(world.url, secret) as narrow, refused("insufficient-scope"):
        narrow.call("access.explain", {"subject": make(world), "op": "issues.get"})
