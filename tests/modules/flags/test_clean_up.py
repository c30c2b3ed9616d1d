"""The flags of an issue, and the issue that removes a stale flag."""

import datetime
from typing import Any

import pytest

from kbwork.contract.kbwork_client import KbworkProblem
from tests.conftest import NOW, World
from tests.modules.calls import call, refused
from tests.modules.flags.flag_project import DAY_S, aged, agent, flag, patch, serve, shop
from tests.modules.together import slugs, together

ON = {"kind": "turnFlagOn"}
AGE_S = 20 * DAY_S


def shown(world: World, who: str, key: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = call(world, who, "issues.get", key=key, with_=["flags"])["flags"]
    return found


def issue(world: World, who: str = "cy", project: str = "WEB") -> str:
    return str(call(world, who, "issues.create", project=project, title="Ship it")["key"])


def link(world: World, key: str, project: str = "shop", who: str = "cy", flag: str = "checkout") -> None:
    call(world, who, "flags.link", project=project, key=flag, issue=key, on=True)


def tied(world: World, **more: Any) -> None:
    """The flag `checkout` of a shop that is tied to WEB: stale, for it was never asked for."""
    shop(world, work_project="WEB")
    flag(world, **more)
    aged(world, AGE_S)


def clean_up(world: World, who: str = "cy", **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = call(
        world, who, "flags.clean_up", **{"project": "shop", "key": "checkout"} | more
    )
    return found


def why_not(world: World, **more: Any) -> tuple[str, str]:
    """The refusal: its type, and what it says."""
    with pytest.raises(KbworkProblem) as problem:
        clean_up(world, **more)
    return problem.value.slug, str(problem.value)


# The flags of an issue.


def test_an_issue_shows_its_flags_with_what_each_environment_serves(world: World) -> None:
    shop(world)
    flag(world, name="Check out")
    flag(world, "banner", template="release")
    key = issue(world)
    assert shown(world, "cy", key) == []
    assert "flags" not in call(world, "cy", "issues.get", key=key, with_=["checklist"])
    link(world, key)
    link(world, key, flag="banner")
    serve(world, 0, "production", key="banner")
    assert shown(world, "di", key) == [
        {
            "project": "shop",
            "key": "banner",
            "name": "banner",
            "archived": False,
            "environments": {
                "test": {"on": False, "serves": "Off"},
                "production": {"on": True, "serves": "On"},
            },
        },
        {
            "project": "shop",
            "key": "checkout",
            "name": "Check out",
            "archived": False,
            "environments": {
                "test": {"on": False, "serves": "false"},
                "production": {"on": False, "serves": "false"},
            },
        },
    ]


def test_what_depends_on_who_asks_is_served_by_no_name(world: World) -> None:
    shop(world, "test", "a-first", "production")
    flag(world)
    key = issue(world)
    link(world, key)
    parts = [{"variation": 0, "weight": 25_000}, {"variation": 1, "weight": 75_000}]
    rollout = {"kind": "updateFallthroughVariationOrRollout", "rollout": {"variations": parts}}
    patch(world, "cy", "test", ON, rollout)
    patch(world, "cy", "a-first", ON, {"kind": "addTargets", "variation": 1, "values": ["cy"]})
    patch(world, "cy", "production", {"kind": "updateOffVariation", "variation": None})
    (one,) = shown(world, "cy", key)
    assert list(one["environments"].items()) == [
        ("test", {"on": True, "serves": None}),
        ("a-first", {"on": True, "serves": None}),
        ("production", {"on": False, "serves": "the caller's default"}),
    ]
    call(world, "cy", "flags.archive", project="shop", key="checkout")
    (one,) = shown(world, "cy", key)
    assert one["archived"] is True
    assert {state["serves"] for state in one["environments"].values()} == {"the caller's default"}


def test_a_flag_without_environments_has_none(world: World) -> None:
    call(world, "ana", "flags.project_save", project="shop")
    flag(world)
    key = issue(world)
    link(world, key)
    assert [one["environments"] for one in shown(world, "cy", key)] == [{}]


def test_an_issue_shows_the_flags_that_one_sees(world: World) -> None:
    shop(world)
    flag(world)
    call(world, "ana", "flags.project_save", project="own")
    call(world, "ana", "flags.environment_save", project="own", key="test")
    call(world, "cy", "flags.create", project="own", key="checkout")
    key = issue(world)
    link(world, key)
    link(world, key, "own")
    call(world, "bo", "projects.create", key="OWN", name="Own", visibility="private")
    call(world, "bo", "flags.project_save", project="own", work_project="OWN")
    assert [one["project"] for one in shown(world, "bo", key)] == ["own", "shop"]
    assert [one["project"] for one in shown(world, "cy", key)] == ["shop"]
    for scopes, projects, seen in (
        (["issues:read"], [], []),
        (["issues:read", "flags:read"], [], ["shop"]),
        (["issues:read", "flags:read"], ["WEB"], []),
    ):
        made = call(world, "cy", "keys.create", name="k", scopes=scopes, projects=projects)
        client = world._client(f"{scopes} {projects}", made["secret"])
        found = client.call("issues.get", {"key": key, "with": ["flags"]})["flags"]
        assert [one["project"] for one in found] == seen
    call(world, "bo", "projects.member_set", key="WEB", who="@gus", role="member")
    assert shown(world, "gus", key) == []


def test_an_answer_that_was_kept_is_forgotten_when_the_flag_changes(world: World) -> None:
    shop(world, "test")
    flag(world)
    key = issue(world)
    link(world, key)
    assert shown(world, "cy", key)[0]["environments"]["test"]["on"] is False
    patch(world, "cy", "test", ON)
    assert shown(world, "cy", key)[0]["environments"]["test"]["on"] is True


# The issue that removes a flag.


def test_a_stale_flag_opens_its_clean_up_issue(world: World) -> None:
    shop(world, work_project="WEB")
    variations = [{"value": "a`b", "name": "@di, look"}, {"value": "x" * 200}]
    flag(world, kind="string", variations=variations, maintainers=["@di", "@cy"])
    serve(world, 0, "production")
    patch(world, "cy", "test", ON, {"kind": "addTargets", "variation": 1, "values": ["cy"]})
    aged(world, AGE_S)
    other = issue(world)
    link(world, other)
    seq = world.database.seq
    found = clean_up(world)
    assert found == {"key": "WEB-2", "issues": [other, "WEB-2"]}
    assert world.events_since(seq) == [
        ("issue.created", "issue:2"),
        ("issue.assigned", "issue:2"),
        ("flag.linked", "flag:shop/checkout"),
    ]
    made = call(world, "di", "issues.get", key="WEB-2", with_=["flags"])
    assert (made["title"], made["source"], made["reporter"], made["assignees"]) == (
        "Remove the flag checkout",
        "flag:shop/checkout",
        world.people["cy"].id,
        [world.people["di"].id, world.people["cy"].id],
    )
    since = datetime.datetime.fromtimestamp(NOW - AGE_S, datetime.UTC).date()
    assert made["body"].partition("\n\nWhat to do:")[0] == (
        "The flag `checkout` of the flag project `shop` looks ready to be removed: production has served variation 0"
        f" to everybody for 20 days, since {since}.\n\nWhat it serves:\n\n"
        "- `test` is on; what it serves depends on who asks.\n"
        '- `production` is on and serves variation 0, `@di, look = "a\'b"`, to everybody.'
    )
    assert [one["key"] for one in made["flags"]] == ["checkout"]
    assert call(world, "cy", "flags.get", project="shop", key="checkout")["issues"] == [other, "WEB-2"]


def test_a_clean_up_that_is_open_is_answered_again(world: World) -> None:
    tied(world)
    first = clean_up(world)
    call(world, "di", "issues.update", key=first["key"], title="Away with it")
    seq = world.database.seq
    assert clean_up(world, "di", to="SEC") == first
    assert world.events_since(seq) == []
    call(world, "cy", "issues.transition", key=first["key"], to_status="done")
    assert clean_up(world) == {"key": "WEB-2", "issues": ["WEB-1", "WEB-2"]}
    call(world, "cy", "issues.delete", key="WEB-2")
    assert clean_up(world)["key"] == "WEB-3"
    call(world, "cy", "issues.archive", keys=["WEB-3"], on=True)
    assert clean_up(world)["key"] == "WEB-4"
    call(world, "cy", "flags.link", project="shop", key="checkout", issue="WEB-4", on=False)
    assert clean_up(world) == {"key": "WEB-5", "issues": ["WEB-1", "WEB-3", "WEB-5"]}


def test_two_at_once_open_one_issue(world: World) -> None:
    tied(world)
    asked = ("flags.clean_up", {"project": "shop", "key": "checkout"})
    assert together(world, "cy", [asked] * 8) == [{"key": "WEB-1", "issues": ["WEB-1"]}] * 8
    assert slugs(together(world, "di", [asked] * 2)) == []
    assert len(call(world, "cy", "issues.list", project="WEB")["items"]) == 1


def test_a_dry_run_makes_no_issue(world: World) -> None:
    tied(world)
    seq = world.database.seq
    assert clean_up(world, dry_run=True) == {"key": "WEB-1", "issues": ["WEB-1"]}
    assert world.events_since(seq) == []
    assert clean_up(world) == clean_up(world, dry_run=True) == {"key": "WEB-1", "issues": ["WEB-1"]}


def test_those_who_do_not_see_the_project_are_assigned_nothing(world: World) -> None:
    shop(world)
    flag(world, maintainers=["@bo", "@di", "@cy"])
    aged(world, AGE_S)
    call(world, "ana", "members.deactivate", id="@bo", on=True)
    made = clean_up(world, to="SEC")
    assert call(world, "cy", "issues.get", key=made["key"])["assignees"] == [
        world.people["di"].id,
        world.people["cy"].id,
    ]
    flag(world, "banner", maintainers=["@ana"])
    aged(world, AGE_S)
    call(world, "di", "projects.update", key="PRV", default_assignee="lead")
    made = clean_up(world, "di", key="banner", to="PRV")
    assert call(world, "di", "issues.get", key=made["key"])["assignees"] == [world.people["di"].id]


@pytest.mark.parametrize(
    ("why", "said"),
    [
        ("permanent", "it is to stay"),
        ("young", "it is younger than 14 days"),
        ("scheduled", "a schedule waits"),
        ("asked", "a change of it waits"),
        ("in use", "in production it was evaluated in the last 30 days"),
        ("archived", "it is archived"),
        ("nowhere", "its project has no environment yet"),
    ],
)
def test_a_flag_with_a_reason_to_stay_is_not_cleaned_up(world: World, why: str, said: str) -> None:
    if why == "nowhere":
        call(world, "ana", "flags.project_save", project="shop", work_project="WEB")
    else:
        shop(world, work_project="WEB")
    flag(world, temporary=why != "permanent")
    if why != "young":
        aged(world, AGE_S)
    one = {"project": "shop", "environment": "test", "instructions": [ON]}
    if why == "scheduled":
        call(world, "cy", "flags.schedule_create", **one, key="checkout", run_at="2040-01-01T00:00:00Z")
    elif why == "asked":
        call(world, "cy", "flags.change_create", **one, kind="flag", target="checkout")
    elif why == "in use":
        patch(world, "cy", "production", ON)
        world.database.write_now(lambda tx: tx.execute("update flag_config set evaluated_at = :n", n=tx.now))
    elif why == "archived":
        call(world, "cy", "flags.archive", project="shop", key="checkout")
    assert call(world, "cy", "flags.stale", project="shop") == []
    slug, text = why_not(world)
    assert (slug, said in text) == ("conflict", True), text


def test_where_the_issue_goes_is_said_or_tied(world: World) -> None:
    shop(world)
    flag(world)
    aged(world, AGE_S)
    with pytest.raises(KbworkProblem) as problem:
        clean_up(world)
    assert (problem.value.slug, problem.value.extra["errors"][0]["path"]) == ("invalid-input", "to")
    for hidden in ("PRV", "NONE"):
        with refused("not-found"):
            clean_up(world, to=hidden)
    with refused("not-found"):
        clean_up(world, to="WEB", key="none")
    assert clean_up(world, to="web")["key"] == "WEB-1"


def test_who_may_not_change_the_flags_or_make_issues_cleans_up_nothing(world: World) -> None:
    shop(world, work_project="SEC")
    flag(world)
    aged(world, AGE_S)
    with refused("not-allowed"):
        clean_up(world, "di", to="WEB")  # Di is a reporter there
    call(world, "cy", "projects.member_set", key="SEC", who="@di", role="viewer")
    call(world, "ana", "flags.project_save", project="shop", work_project=None)
    with refused("not-allowed"):
        clean_up(world, "di", to="SEC")
    call(world, "bo", "projects.create", key="OWN", name="Own", visibility="private")
    call(world, "bo", "flags.project_save", project="shop", work_project="OWN")
    with refused("not-found"):
        clean_up(world, to="WEB")
    with refused("insufficient-scope"):
        clean_up(world, "gus")


def test_a_clean_up_that_one_does_not_see_is_not_made_twice(world: World) -> None:
    shop(world)
    flag(world)
    aged(world, AGE_S)
    key = clean_up(world, to="WEB")["key"]
    call(world, "cy", "issues.assign", key=key, assignees=[])
    call(world, "bo", "issues.level_set", key=key, level="private")
    assert why_not(world, who="di", to="WEB")[0] == "conflict"
    assert clean_up(world, to="WEB")["key"] == key


def test_a_clean_up_needs_both_scopes(world: World) -> None:
    tied(world)
    asked = {"project": "shop", "key": "checkout"}
    for scopes, missing in (
        (["flags:read", "flags:write"], ["issues:write"]),
        (["issues:read", "issues:write", "flags:read"], ["flags:write"]),
    ):
        with pytest.raises(KbworkProblem) as problem:
            agent(world, "cy", *scopes).call("flags.clean_up", asked)
        assert (problem.value.slug, problem.value.extra["scopes"]) == ("insufficient-scope", missing)
        call(world, "cy", "keys.revoke", id=call(world, "cy", "keys.list")[0]["id"])


def test_an_agent_may_clean_up(world: World) -> None:
    tied(world)
    robot = agent(world, "cy", "flags:write", "issues:write", "issues:read")
    asked = {"project": "shop", "key": "checkout"}
    assert robot.call("flags.clean_up", asked) == {"key": "WEB-1", "issues": ["WEB-1"]}
    blind = agent(world, "di", "flags:write", "issues:write")
    with refused("conflict"):
        blind.call("flags.clean_up", asked)
    call(world, "cy", "issues.transition", key="WEB-1", to_status="done")
    assert blind.call("flags.clean_up", asked) == {"key": "WEB-2", "issues": []}


def test_a_flag_with_a_hundred_issues_takes_no_clean_up(world: World) -> None:
    tied(world)

    def fill(tx: Any) -> None:
        for number in range(1, 101):
            tx.execute(
                "insert into flag_issue select f.id, i.id from flag f, issue i where i.number = :number",
                number=number,
            )

    for _ in range(100):
        issue(world)
    world.database.write_now(fill)
    seq = world.database.seq
    assert why_not(world)[0] == "invalid-input"
    assert world.events_since(seq) == []


def test_what_a_clean_up_made_is_taken_back_by_hand(world: World) -> None:
    tied(world)
    clean_up(world)
    with refused("conflict"):
        call(world, "cy", "undo.apply", seq=world.database.seq)
