"""Whoever is assigned to an issue sees it."""

from typing import Any

import pytest

from kbwork.contract.kbwork_client import KbworkProblem
from kbwork.core.access import visibility
from kbwork.db.tx import DryRun, Write
from kbwork.modules.projects import ISSUE_SEEN
from kbwork.modules.projects import access as projects
from tests.conftest import PEOPLE, World
from tests.modules.calls import call


@pytest.fixture
def open_to_few(world: World) -> World:
    """Reporters of SEC see their own issues, Gus reads WEB, and Red is a team with Di."""
    call(world, "ana", "teams.save", name="Red")
    call(world, "ana", "teams.member_set", id=1, who="@di", role="member")
    call(world, "ana", "projects.member_set", key="WEB", who="@gus", role="viewer")
    return world


def sees_when_assigned(world: World, key: str, who: str) -> bool:
    """Whether the condition of issues holds for somebody who is assigned, and has a role in the project."""

    def look(tx: Write) -> bool:
        issue = tx.value("select id from issue order by id desc limit 1")
        tx.insert("issue_assignee", issue=issue, who=who, position=0)
        theirs = visibility.as_member(tx, who)
        found = theirs.value(
            f"select project from issue i where i.id = :id and {ISSUE_SEEN}",
            id=issue,
            **visibility.binds(theirs),
        )
        raise DryRun(found is not None and found in projects.roles(theirs))

    return world.database.write_now(look)


def is_taken(world: World, author: str, op: str, **value: Any) -> bool:
    """Whether this is done; else it says that the assignees are why."""
    try:
        call(world, author, op, **value)
    except KbworkProblem as problem:
        if problem.slug != "invalid-input" or problem.errors[0]["path"] != "assignees":
            raise
        return False
    return True


@pytest.mark.parametrize("level", [None, "public", "private", "team:1"])
@pytest.mark.parametrize(("project", "author"), [("WEB", "bo"), ("SEC", "cy"), ("PRV", "di")])
def test_whoever_is_taken_as_an_assignee_sees_it_and_nobody_else_is_taken(
    open_to_few: World, project: str, author: str, level: str | None
) -> None:
    world = open_to_few
    given: dict[str, Any] = {"project": project, "title": "One"} | ({"level": level} if level else {})
    for handle in PEOPLE:
        who = world.people[handle].id
        plain = call(world, author, "issues.create", **given)["key"]
        expected = sees_when_assigned(world, plain, who)
        assert is_taken(world, author, "issues.assign", key=plain, assignees=[f"@{handle}"]) == expected
        assert is_taken(world, author, "issues.create", **given, assignees=[f"@{handle}"]) == expected
        if expected:
            assert call(world, handle, "issues.get", key=plain)["assignees"] == [who]
