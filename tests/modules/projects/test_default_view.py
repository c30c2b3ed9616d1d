"""Views that projects open with: who sets them, who sees them, and what becomes of one that goes."""

from typing import Any

import pytest

from kbwork.contract.kbwork_client import Kbwork, KbworkProblem
from kbwork.core.access import scopes
from tests.conftest import World
from tests.modules.calls import call, refused


def saved(world: World, who: str = "cy", **more: Any) -> int:
    made: dict[str, Any] = call(world, who, "views.save", **{"name": "Now", "tql": "open"} | more)
    return int(made["id"])


def opens(world: World, who: str, key: str = "SEC") -> int | None:
    found: int | None = call(world, who, "projects.get", key=key)["default_view"]
    [listed] = [one for one in call(world, who, "projects.list") if one["key"] == key]
    synced = call(world, who, "sync.snapshot", parts=["project"])["parts"][0]
    kept = dict(
        zip(
            *(synced["values"][synced["columns"].index(name)] for name in ("key", "default_view")),
            strict=True,
        )
    )
    assert found == listed["default_view"] == kept[key]
    return found


def test_a_lead_says_with_which_view_a_project_opens(world: World) -> None:
    first, second = saved(world, project="SEC"), saved(world, name="For all", shared=True)
    assert opens(world, "di") is None
    seq = world.database.seq
    assert call(world, "cy", "projects.update", key="SEC", default_view=first)["default_view"] == first
    assert world.events_since(seq) == [("project.updated", "project:SEC")]
    [told] = call(world, "cy", "api.changes", since=seq)["events"]
    assert told["payload"]["changes"] == {"default_view": {"from": None, "to": first}}
    assert opens(world, "di") == first
    call(world, "ana", "projects.update", key="SEC", default_view=second)
    assert opens(world, "di") == second
    call(world, "ana", "undo.apply", seq=world.database.seq)
    assert opens(world, "di") == first
    assert call(world, "cy", "projects.update", key="SEC", default_view=None)["default_view"] is None
    with refused("not-allowed"):
        call(world, "di", "projects.update", key="SEC", default_view=second)


def test_a_view_that_others_do_not_see_is_refused_in_words(world: World) -> None:
    own, elsewhere = saved(world), saved(world, project="WEB", name="Of Web")
    theirs, of_projects = saved(world, "di"), saved(world, project="SEC", tql="from projects")
    for view, why in (
        (own, "Only you see Now: share it, or put it on SEC, before others open with it."),
        (elsewhere, "Of Web is on another project: views.copy makes one that can be put on SEC."),
        (theirs, f"There is no view {theirs} that you can see."),
        (999, "There is no view 999 that you can see."),
        (of_projects, "Now does not ask for issues, or cannot be asked now."),
    ):
        with pytest.raises(KbworkProblem) as found:
            call(world, "cy", "projects.update", key="SEC", default_view=view)
        assert (found.value.slug, found.value.errors[0]["path"]) == ("invalid-input", "default_view")
        assert found.value.errors[0]["message"] == why


def test_what_is_deleted_or_shared_no_more_is_not_shown_until_it_is_there_again(world: World) -> None:
    view = saved(world, shared=True)
    call(world, "cy", "projects.update", key="SEC", default_view=view)
    assert opens(world, "di") == view
    call(world, "cy", "views.save", id=view, name="Now", tql="open", shared=False)
    assert (opens(world, "di"), opens(world, "cy")) == (None, None)
    call(world, "cy", "views.save", id=view, name="Now", tql="open", project="WEB")
    assert opens(world, "cy") is None
    call(world, "cy", "views.save", id=view, name="Now", tql="open", project="SEC")
    assert opens(world, "di") == view
    call(world, "cy", "views.delete", id=view)
    assert (opens(world, "di"), opens(world, "cy")) == (None, None)
    entry = call(world, "cy", "trash.list")["items"][0]["id"]
    call(world, "cy", "trash.restore", ids=[entry])
    assert opens(world, "di") == view
    call(world, "cy", "views.delete", id=view)
    call(world, "ana", "trash.purge", ids=[call(world, "ana", "trash.list")["items"][0]["id"]])
    assert opens(world, "cy") is None
    assert call(world, "cy", "projects.update", key="SEC", name="Safe")["default_view"] is None


def test_a_key_sees_the_view_where_it_sees_views(world: World) -> None:
    shared, own = saved(world, shared=True), saved(world, project="SEC")
    call(world, "cy", "projects.update", key="SEC", default_view=shared)
    held = sorted(scopes.of_role("member"))
    made = call(world, "cy", "keys.create", name="narrow", scopes=held, projects=["SEC"])
    blind = call(world, "cy", "keys.create", name="blind", scopes=["projects:read", "projects:write"])
    with Kbwork(world.url, made["secret"]) as narrow, Kbwork(world.url, blind["secret"]) as other:
        assert (
            narrow.projects.get(key="SEC")["default_view"] is None
        )  # it has the views of its projects alone
        call(world, "cy", "projects.update", key="SEC", default_view=own)
        assert narrow.projects.get(key="SEC")["default_view"] == own
        assert other.projects.get(key="SEC")["default_view"] is None
        for view in (shared, saved(world, name="Mine alone")):
            with pytest.raises(KbworkProblem) as found:
                other.projects.update(key="SEC", default_view=view)
            assert found.value.errors[0]["message"] == f"There is no view {view} that you can see."


def test_of_a_private_project_others_are_not_told_it(world: World) -> None:
    view = saved(world, "di", project="PRV")
    assert call(world, "di", "projects.update", key="PRV", default_view=view)["default_view"] == view
    assert call(world, "ana", "projects.get", key="PRV")["default_view"] is None


def test_a_copy_opens_with_what_is_of_no_project(world: World) -> None:
    shared, own = saved(world, shared=True), saved(world, project="SEC")
    for view, key, expected in ((shared, "TWO", shared), (own, "THREE", None)):
        call(world, "cy", "projects.update", key="SEC", default_view=view)
        call(world, "cy", "projects.copy", key="SEC", new_key=key, name=key)
        assert call(world, "cy", "projects.get", key=key)["default_view"] == expected
    call(world, "cy", "projects.update", key="SEC", default_view=shared)
    call(world, "cy", "views.save", id=shared, name="Now", tql="from projects", shared=True)
    call(world, "cy", "projects.copy", key="SEC", new_key="FOUR", name="FOUR")
    assert (
        call(world, "cy", "projects.get", key="FOUR")["default_view"] is None
    )  # none that a project opens with now
