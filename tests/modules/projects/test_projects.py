"""Projects: made, looked at, set up, and who works in them."""

from dataclasses import replace
from typing import Any

import pytest

from kbwork.base.errors import NotAllowed
from kbwork.contract.kbwork_client import KbworkProblem
from kbwork.core.operations import nested
from tests.conftest import NOW, World
from tests.modules.calls import call, refused
from tests.modules.fields.sample_values import caller
from tests.modules.together import slugs, together


def whole(world: World, who: str, **told: Any) -> dict[str, Any]:
    """A new project in its shape, as its maker sees it."""
    project: dict[str, Any] = {
        "key": "NEW",
        "name": "New",
        "description": "",
        "kind": "software",
        "icon": None,
        "color": None,
        "lead": world.people[who].id,
        "visibility": "org",
        "modules": {"desk": False},
        "default_type": "task",
        "default_assignee": "none",
        "estimate_scale": None,
        "calendar": None,
        "budget": None,
        "start_date": None,
        "due_date": None,
        "labels": [],
        "triage": False,
        "reporters_see": "own",
        "blockers": "warn",
        "auto_archive_days": None,
        "auto_close_days": None,
        "default_view": None,
        "former_keys": [],
        "health": None,
        "my_role": "lead",
        "counts": {"open": 0, "done": 0, "late": 0},
        "archived_at": None,
        "created_at": NOW,
        "seq": world.database.seq,
    }
    return project | told


def join(world: World, team_of: str, open_: bool = False) -> int:
    """A team with one member; answers its id."""

    def make(tx: Any) -> int:
        team: int = tx.insert(
            "team", name="Core", handle="core", description="", open=int(open_), created_at=tx.now
        )
        tx.insert("team_member", team=team, member=world.people[team_of].id, role="member")
        return team

    return world.database.write_now(make)


# making


def test_a_member_makes_a_project_and_leads_it(world: World) -> None:
    seq = world.database.seq
    made = world.key("cy").projects.create(key=" new ", name=" New ")
    assert made == whole(world, "cy")
    assert world.events_since(seq) == [("project.created", "project:NEW")]
    (event,) = world.key("di").api.changes(since=seq)["events"]
    assert event["payload"] == {"key": "NEW", "name": "New"}
    assert world.key("gus").api.changes(since=seq)["events"] == []
    assert [row["who"] for row in world.key("cy").projects.members(key="NEW")] == [world.people["cy"].id]


@pytest.mark.parametrize(
    ("kind", "types", "told"),
    [
        ("software", ["task", "epic", "story", "bug", "subtask"], {}),
        ("business", ["task", "epic", "subtask"], {}),
        ("desk", ["task", "bug", "subtask"], {"modules": {"desk": True}}),
        ("personal", ["task", "subtask"], {"visibility": "private"}),
    ],
)
def test_the_kind_decides_the_types(world: World, kind: str, types: list[str], told: dict[str, Any]) -> None:
    made = world.key("cy").call("projects.create", {"key": "NEW", "name": "New", "kind": kind})
    assert made == whole(world, "cy", kind=kind, **told)
    assert [row["key"] for row in world.key("cy").types.list(project="NEW")] == types


def test_a_project_is_made_for_somebody_else_to_lead(world: World) -> None:
    made = world.key("cy").projects.create(
        key="NEW", name="New", lead="@di", visibility="members", description="D", modules=["git"]
    )
    assert made == whole(
        world,
        "di",
        visibility="members",
        description="D",
        modules={"desk": False, "git": True},
    )
    roles = {row["who"]: row["role"] for row in world.key("di").projects.members(key="NEW")}
    assert roles == {world.people["cy"].id: "lead", world.people["di"].id: "lead"}


@pytest.mark.parametrize(
    ("asked", "slug"),
    [
        ({"key": "N"}, "invalid-input"),
        ({"key": "1NEW"}, "invalid-input"),
        ({"key": "TOOLONGAKEY"}, "invalid-input"),
        ({"key": "NÉW"}, "invalid-input"),
        ({"name": "  "}, "invalid-input"),
        ({"lead": "@gus"}, "invalid-input"),
        ({"lead": "@nobody"}, "invalid-input"),
        ({"kind": "other"}, "invalid-input"),
        ({"visibility": "public"}, "invalid-input"),
        ({"modules": ["gti"]}, "invalid-input"),
        ({"kind": "personal", "visibility": "org"}, "invalid-input"),
        ({"kind": "personal", "lead": "@di"}, "invalid-input"),
        ({"template": 99}, "not-found"),
        ({"key": "web"}, "conflict"),
        ({"key": "PRV"}, "conflict"),
        ({"colour": "red"}, "unknown-field"),
    ],
)
def test_what_does_not_fit_a_new_project_is_refused(world: World, asked: dict[str, Any], slug: str) -> None:
    seq = world.database.seq
    with refused(slug):
        world.key("cy").call("projects.create", {"key": "NEW", "name": "New"} | asked)
    assert world.events_since(seq) == []


def test_guests_make_no_project(world: World) -> None:
    with refused("insufficient-scope"):
        world.key("gus").projects.create(key="NEW", name="New")


def test_one_of_many_who_want_a_key_gets_it(world: World) -> None:
    answers = together(world, "cy", [("projects.create", {"key": "NEW", "name": f"{n}"}) for n in range(8)])
    assert slugs(answers) == ["conflict"] * 7


def test_a_key_is_never_given_out_again(world: World) -> None:
    cy = world.key("cy")
    seq = world.database.seq
    cy.projects.create(key="NEW", name="New")
    cy.undo.apply(seq=seq + 1)
    with refused("conflict"):
        cy.projects.create(key="NEW", name="New")


# looking


def test_a_project_is_found_by_its_key_or_a_former_one_in_any_case(world: World) -> None:
    def rename(tx: Any) -> None:
        tx.update("project", 1, key="SHOP")
        tx.insert("project_key", key="SHOP", project=1)

    world.database.write_now(rename)
    for key in ("SHOP", "shop", "WEB", "web", " Web "):
        found = world.key("cy").projects.get(key=key)
        assert (found["key"], found["former_keys"]) == ("SHOP", ["WEB"])
    with refused("conflict"):
        world.key("cy").projects.create(key="WEB", name="Web")
    with pytest.raises(KbworkProblem, match="SHOP"):
        world.key("cy").projects.get(key="SHOPS")


def test_everybody_sees_the_projects_that_are_theirs_to_see(world: World) -> None:
    seen = {
        who: [(project["key"], project["my_role"]) for project in world.key(who).projects.list()]
        for who in world.people
    }
    admins = [("PRV", None), ("SEC", "lead"), ("WEB", "lead")]
    assert seen == {
        "ana": admins,
        "bo": admins,
        "cy": [("SEC", "lead"), ("WEB", "member")],
        "di": [("PRV", "lead"), ("SEC", "reporter"), ("WEB", "member")],
        "gus": [],
    }
    for key in ("WEB", "SEC", "PRV", "NOPE"):
        for op in ("projects.get", "projects.members"):
            with refused("not-found"):
                world.key("gus").call(op, {"key": key})


def test_of_a_private_project_admins_see_key_name_and_people(world: World) -> None:
    di = world.key("di")
    di.projects.update(
        key="PRV", description="Secret", icon="x", labels=["l"], start_date="2026-01-01", budget={"hours": 1}
    )
    di.issues.create(project="PRV", title="Mine")
    seen = world.key("ana").projects.get(key="PRV")
    assert seen == di.projects.get(key="PRV") | {
        "description": "",
        "icon": None,
        "labels": [],
        "start_date": None,
        "budget": None,
        "my_role": None,
        "counts": {"open": 0, "done": 0, "late": 0},
    }
    assert [row["name"] for row in world.key("ana").projects.members(key="PRV")] == ["Di Park"]
    for op, asked in (
        ("projects.update", {"key": "PRV", "name": "Mine"}),
        ("issues.list", {"project": "PRV"}),
        ("activity.list", {"subject": "project:PRV"}),
    ):
        with refused("not-found"):
            world.key("ana").call(op, asked)


def test_counts_are_of_the_issues_that_one_sees_and_late_follows_the_clock(world: World) -> None:
    cy, di = world.key("cy"), world.key("di")
    cy.issues.create(project="SEC", title="Open", due_date="2027-01-15")
    cy.issues.create(project="SEC", title="Done", status="done", due_date="2020-01-01")
    di.issues.create(project="SEC", title="Own", due_date="2027-01-16")

    def counts(who: str) -> Any:
        return world.key(who).projects.get(key="SEC")["counts"]

    assert (counts("cy"), counts("di")) == (
        {"open": 2, "done": 1, "late": 0},
        {"open": 1, "done": 0, "late": 0},
    )
    world.clock.advance(86400)
    assert counts("cy") == {"open": 2, "done": 1, "late": 1}
    world.clock.advance(86400)
    assert counts("di") == {"open": 1, "done": 0, "late": 1}
    cy.issues.create(project="SEC", title="Hidden", level="private", due_date="2027-01-14")
    assert (counts("cy")["late"], counts("di")["late"]) == (3, 1)
    cy.issues.level_set(key="SEC-1", level="private")
    cy.issues.level_set(key="SEC-3", level="public")
    assert (counts("cy")["late"], counts("di")["late"]) == (3, 1)
    cy.issues.archive(keys=["SEC-1"], on=True)
    assert (counts("cy")["late"], counts("di")["late"]) == (2, 1)


def test_lists_are_filtered(world: World) -> None:
    cy = world.key("cy")
    cy.projects.create(key="BIZ", name="Alpha business", kind="business")
    cy.projects.update(key="BIZ", labels=["Blue"])
    world.database.write_now(lambda tx: tx.update("project", 1, archived_at=5))

    def keys(**asked: Any) -> list[str]:
        return [project["key"] for project in cy.projects.list(**asked)]

    assert keys() == ["BIZ", "SEC"]
    assert keys(archived=True) == ["BIZ", "SEC", "WEB"]
    assert keys(kind="business") == ["BIZ"]
    assert keys(q="BUSINESS alpha") == ["BIZ"]
    assert keys(q="sec") == ["SEC"]
    assert keys(label="blue") == ["BIZ"]
    assert keys(mine=True) == ["BIZ", "SEC"]
    with refused("invalid-input"):
        keys(kind="other")


# settings


def test_a_lead_changes_settings_and_they_are_told(world: World) -> None:
    cy = world.key("cy")
    before = cy.projects.get(key="SEC")
    seq = world.database.seq
    asked: dict[str, Any] = {
        "name": "Safety",
        "description": "About it",
        "icon": "lock",
        "color": "#fff",
        "visibility": "org",
        "default_type": "Bug",
        "default_assignee": "lead",
        "budget": {"hours": 10, "currency": "EUR"},
        "start_date": "2026-01-01",
        "due_date": "2026-06-30",
        "labels": ["a", "b", "a"],
        "modules": {"git": True},
        "reporters_see": "all",
        "blockers": "refuse",
        "auto_archive_days": 30,
        "auto_close_days": 60,
        "triage": True,
    }
    changed = cy.projects.update(key="sec", **asked)
    assert changed == before | asked | {
        "default_type": "bug",
        "labels": ["a", "b"],
        "modules": {"desk": False, "git": True},
        "budget": {"hours": 10.0, "money": None, "currency": "EUR"},
        "seq": seq + 1,
    }
    assert _told(world, seq) == [("project.updated", "project:SEC")]
    event = cy.api.changes(since=seq)["events"][0]
    changes = event["payload"]["changes"]
    assert sorted(changes) == sorted(asked)
    assert changes["default_type"] == {"from": "task", "to": "bug"}
    assert changes["triage"] == {"from": False, "to": True}
    assert changes["description"] == {"from": {"size": 0}, "to": {"size": 8}}
    cy.undo.apply(seq=seq + 1)
    after = cy.projects.get(key="SEC")
    assert after == before | {"seq": after["seq"]}
    assert _told(world, seq + 1) == [("project.updated", "project:SEC")]


def _told(world: World, seq: int) -> list[tuple[str, str]]:
    """Events but those of jobs: a project that wants to be tidied is, at once."""
    return [(kind, subject) for kind, subject in world.events_since(seq) if not kind.startswith("job.")]


def test_empty_texts_and_nulls_clear(world: World) -> None:
    cy = world.key("cy")
    before = cy.projects.get(key="SEC")
    cy.projects.update(
        key="SEC", icon="x", start_date="2026-01-01", auto_close_days=3, budget={"hours": 1}, labels=["a"]
    )
    cleared = cy.call(
        "projects.update",
        {"key": "SEC", "icon": "", "start_date": "", "auto_close_days": None, "budget": None, "labels": []},
    )
    assert cleared == before | {"seq": world.database.seq}
    seq = world.database.seq
    assert cy.projects.update(key="SEC", icon="", name="Security") == cleared
    told = [
        event for event in world.events_since(seq) if event[0] != "job.finished"
    ]  # of what closes by itself
    assert told == []


@pytest.mark.parametrize(
    ("asked", "path"),
    [
        ({"name": ""}, "name"),
        ({"lead": "@gus"}, "lead"),
        ({"default_type": "story2"}, "default_type"),
        ({"estimate_scale": 1}, "estimate_scale"),
        ({"calendar": 1}, "calendar"),
        ({"budget": {"currency": "euro"}}, "budget.currency"),
        ({"modules": {"gti": True}}, "modules"),
        ({"start_date": "2026-02-01", "due_date": "2026-01-01"}, "due_date"),
        ({"auto_close_days": 0}, "auto_close_days"),
    ],
)
def test_what_does_not_fit_a_setting_is_named(world: World, asked: dict[str, Any], path: str) -> None:
    with pytest.raises(KbworkProblem) as refusal:
        world.key("cy").projects.update(key="SEC", **asked)
    assert (refusal.value.slug, refusal.value.errors[0]["path"]) == ("invalid-input", path)


def test_settings_are_for_leads_and_admins(world: World) -> None:
    for who, key in (("di", "SEC"), ("cy", "WEB")):
        with refused("not-allowed"):
            world.key(who).projects.update(key=key, name="Mine")
    assert world.key("ana").projects.update(key="SEC", name="Ours")["name"] == "Ours"
    world.database.write_now(lambda tx: tx.update("project", 1, archived_at=5))
    with refused("conflict"):
        world.key("bo").projects.update(key="WEB", name="Late")


def test_a_new_lead_gets_the_role(world: World) -> None:
    cy = world.key("cy")
    assert cy.projects.update(key="SEC", lead="@di")["lead"] == world.people["di"].id
    assert world.key("di").projects.get(key="SEC")["my_role"] == "lead"
    assert cy.projects.update(key="SEC", lead="")["lead"] is None


def test_giving_the_lead_is_told_as_a_role_and_is_for_people(world: World) -> None:
    cy, di = world.key("cy"), world.people["di"].id
    before = cy.projects.get(key="SEC")["lead"]
    seq = world.database.seq
    cy.projects.update(key="SEC", lead="@di")
    assert world.events_since(seq) == [
        ("project.members_changed", "project:SEC"),
        ("project.updated", "project:SEC"),
    ]
    told = cy.api.changes(since=seq)["events"][0]["payload"]
    assert told == {
        "key": "SEC",
        "who": di,
        "name": "Di Park",
        "role": "lead",
        "changes": {"role": {"from": "reporter", "to": "lead"}},
    }
    assert cy.undo.apply(seq=seq + 1)["kept"] == []
    assert cy.projects.get(key="SEC")["lead"] == before
    assert world.key("di").projects.get(key="SEC")["my_role"] == "lead"
    world.session("cy").projects.member_set(key="SEC", who="@di", role="member")
    agent = replace(caller(world, "cy"), kind="agent")
    with pytest.raises(NotAllowed):
        world.database.write_now(
            lambda tx: nested.run(tx, "projects.update", {"key": "SEC", "lead": di}), agent
        )


def test_whoever_loses_the_role_is_the_lead_no_more_and_that_is_told(world: World) -> None:
    cy = world.session("cy")
    cy.projects.update(key="SEC", lead="@di")
    seq = world.database.seq
    cy.projects.member_set(key="SEC", who="@di", role="member")
    assert world.events_since(seq) == [
        ("project.members_changed", "project:SEC"),
        ("project.updated", "project:SEC"),
    ]
    changes = cy.api.changes(since=seq)["events"][1]["payload"]["changes"]
    assert changes == {"lead": {"from": world.people["di"].id, "to": None}}


def test_who_was_deactivated_is_no_lead_that_is_left(world: World) -> None:
    cy, bo = world.session("cy"), world.session("bo")
    cy.projects.member_set(key="SEC", who="@di", role="lead")
    team = bo.teams.save(name="Watch")["id"]
    bo.teams.member_set(id=team, who="@di", role="lead")
    bo.teams.member_set(id=team, who="me", role="none")
    cy.projects.member_set(key="SEC", who=f"team:{team}", role="lead")
    bo.members.deactivate(id="@di", on=True)
    with refused("conflict"):
        cy.projects.member_set(key="SEC", who="me", role="member")
    bo.members.deactivate(id="@di", on=False)
    cy.projects.member_set(key="SEC", who="@di", role="none")
    cy.projects.member_set(key="SEC", who="me", role="member")


def test_a_personal_project_stays_its_owners(world: World) -> None:
    cy = world.key("cy")
    cy.projects.create(key="OWN", name="Own", kind="personal")
    for asked in ({"visibility": "org"}, {"lead": "@di"}):
        with refused("invalid-input"):
            cy.call("projects.update", {"key": "OWN"} | asked)
    with refused("conflict"):
        world.session("cy").projects.member_set(key="OWN", who="@di", role="member")
    for who in ("ana", "bo"):
        with refused("not-found"):
            world.key(who).projects.get(key="OWN")
        with refused("not-found"):
            world.session(who).projects.member_set(key="OWN", who="me", role="lead")


# people


def test_people_get_roles_and_lose_them(world: World) -> None:
    cy = world.session("cy")
    seq = world.database.seq
    gus, di = world.people["gus"].id, world.people["di"].id
    people = cy.projects.member_set(key="SEC", who="@gus", role="viewer")
    rows = [
        {"who": world.people["cy"].id, "name": "Cy Moss", "role": "lead", "through": None},
        {"who": di, "name": "Di Park", "role": "reporter", "through": None},
        {"who": gus, "name": "Gus Field", "role": "viewer", "through": None},
    ]
    assert people == rows
    assert world.events_since(seq) == [("project.members_changed", "project:SEC")]
    (event,) = world.key("gus").api.changes(since=seq)["events"]
    assert event["payload"] == {
        "key": "SEC",
        "who": gus,
        "name": "Gus Field",
        "role": "viewer",
        "changes": {"role": {"from": None, "to": "viewer"}},
    }
    seq = world.database.seq
    assert cy.projects.member_set(key="SEC", who="@gus", role="viewer") == rows
    assert world.events_since(seq) == []
    assert world.key("gus").projects.get(key="SEC")["my_role"] == "viewer"
    assert cy.projects.member_set(key="SEC", who="@gus", role="none") == rows[:2]
    with refused("not-found"):
        world.key("gus").projects.get(key="SEC")
    with refused("conflict"):
        cy.undo.apply(seq=world.database.seq)


def test_roles_come_through_teams_and_the_widest_counts(world: World) -> None:
    team = join(world, "di")
    cy = world.session("cy")
    people = cy.projects.member_set(key="SEC", who=f"team:{team}", role="member")
    through = [(row["name"], row["role"], row["through"]) for row in people]
    assert through == [
        ("Cy Moss", "lead", None),
        ("Core", "member", None),
        ("Di Park", "member", "team:1"),
        ("Di Park", "reporter", None),
    ]
    assert world.key("di").projects.get(key="SEC")["my_role"] == "member"
    cy.projects.member_set(key="SEC", who=f"team:{team}", role="none")
    assert world.key("di").projects.get(key="SEC")["my_role"] == "reporter"


def test_an_open_team_only_looks(world: World) -> None:
    team = join(world, "di", open_=True)
    for role in ("lead", "member", "reporter"):
        with refused("conflict"):
            world.session("cy").projects.member_set(key="SEC", who=f"team:{team}", role=role)
    world.session("cy").projects.member_set(key="SEC", who=f"team:{team}", role="viewer")


def test_the_last_lead_stays_and_guests_never_lead(world: World) -> None:
    cy = world.session("cy")
    for role in ("member", "none"):
        with refused("conflict"):
            cy.projects.member_set(key="SEC", who="me", role=role)
    with refused("invalid-input"):
        cy.projects.member_set(key="SEC", who="@gus", role="lead")
    with refused("not-found"):
        cy.projects.member_set(key="SEC", who="team:99", role="member")
    with refused("invalid-input"):
        cy.projects.member_set(key="SEC", who="@nobody", role="member")
    cy.projects.member_set(key="SEC", who="@di", role="lead")
    cy.projects.member_set(key="SEC", who="me", role="member")
    assert world.key("di").projects.get(key="SEC")["lead"] is None


def test_one_of_two_leads_who_leave_at_once_stays(world: World) -> None:
    world.session("cy").projects.member_set(key="SEC", who="@di", role="lead")
    asked: list[tuple[str, dict[str, Any]]] = [
        ("projects.member_set", {"key": "SEC", "who": who, "role": "none"}) for who in ("@cy", "@di")
    ]
    assert slugs(together(world, "bo", asked)) == ["conflict"]


def test_roles_are_given_by_leads_and_admins(world: World) -> None:
    for who, key in (("di", "SEC"), ("cy", "WEB")):
        with refused("not-allowed"):
            world.session(who).projects.member_set(key=key, who="@gus", role="viewer")
    with refused("not-found"):
        world.session("cy").projects.member_set(key="PRV", who="@cy", role="viewer")


def test_an_admin_enters_a_private_project_and_its_leads_are_told(world: World) -> None:
    seq = world.database.seq
    world.session("ana").projects.member_set(key="PRV", who="me", role="member")
    (event,) = world.key("di").api.changes(since=seq)["events"]
    assert (event["kind"], event["actor"]) == ("project.members_changed", world.people["ana"].id)
    assert world.key("ana").projects.get(key="PRV")["my_role"] == "member"
    with refused("not-allowed"):
        world.session("ana").projects.member_set(key="PRV", who="@bo", role="member")


# undo


def test_making_a_project_is_taken_back_and_done_again(world: World) -> None:
    cy = world.key("cy")
    seq = world.database.seq
    made = cy.projects.create(key="NEW", name="New")
    cy.issues.create(project="NEW", title="In it", level="public")
    at = world.database.seq
    cy.undo.apply(seq=seq + 1)
    assert world.events_since(at) == [("project.deleted", "project:NEW")]
    assert [event["kind"] for event in cy.api.changes(since=at)["events"]] == ["project.deleted"]
    assert world.key("di").api.changes(since=at)["events"] == []
    for who in ("cy", "di"):
        with refused("not-found"):
            world.key(who).projects.get(key="NEW")
        with refused("not-found"):
            world.key(who).issues.get(key="NEW-1")
    cy.undo.apply(seq=at + 1)
    assert world.events_since(at + 1) == [("project.restored", "project:NEW")]
    assert cy.projects.get(key="NEW") == made | {
        "counts": {"open": 1, "done": 0, "late": 0},
        "seq": at + 2,
    }
    assert world.key("di").issues.get(key="NEW-1")["title"] == "In it"


def test_who_leads_no_more_takes_nothing_back(world: World) -> None:
    cy = world.session("cy")
    seq = world.database.seq
    cy.projects.update(key="SEC", name="Safety")
    cy.projects.member_set(key="SEC", who="@di", role="lead")
    world.session("di").projects.member_set(key="SEC", who="@cy", role="member")
    kept = cy.undo.apply(seq=seq + 1)
    assert kept["undone"] == []
    assert [row["subject"] for row in kept["kept"]] == ["project:SEC"]
    assert cy.projects.get(key="SEC")["name"] == "Safety"
    assert [row["can"] for row in cy.undo.list() if row["op"] == "projects.update"] == [False]


def test_what_is_of_a_project_is_for_those_who_see_it_and_of_the_org_for_its_members(world: World) -> None:
    seq = world.database.seq
    for project in (None, "WEB"):
        call(world, "ana", "labels.save", name=f"of {project}", project=project)
        given: dict[str, Any] = {"name": "One", "type": "bug", "input": {}, "project": project}
        call(world, "ana", "issues.template_save", **given)
    heard = world.database.write_now(
        lambda tx: tx.all("select subject, audience from events where seq > :seq order by seq", seq=seq)
    )
    assert [tuple(row.values()) for row in heard] == [
        ("org:1", "members"),
        ("org:1", "members"),
        ("project:WEB", "seen"),
        ("project:WEB", "seen"),
    ]
