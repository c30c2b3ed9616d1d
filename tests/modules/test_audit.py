"""The audit log: every event and security act, for admins."""

import json
from dataclasses import dataclass
from typing import Any

import pytest

from kbwork.contract.kbwork_client import Kbwork
from kbwork.core.access import callers, scopes
from kbwork.db.tx import Write
from kbwork.modules.audit.jobs import TRIM
from tests.conftest import NOW, World
from tests.modules.calls import eventually, refused


def make(world: World, who: str = "cy", **fields: Any) -> str:
    """An issue; answers its key."""
    asked = {"project": "WEB", "title": "One"} | fields
    return str(world.session(who).call("issues.create", asked)["key"])


def ids(world: World, **asked: Any) -> list[int]:
    return [entry["id"] for entry in world.key("bo").call("audit.list", asked)["entries"]]


def test_an_entry_says_who_did_what_when_and_through_what(world: World) -> None:
    seq = world.database.seq
    make(world)
    page: dict[str, Any] = world.key("bo").call("audit.list", {"limit": 1})
    (entry,) = page.pop("entries")
    request = entry.pop("request")
    assert isinstance(request, str)
    assert entry == {
        "id": seq + 1,
        "at": NOW,
        "kind": "issue.created",
        "subject": "issue:1",
        "actor": world.people["cy"].id,
        "actor_kind": "human",
        "via": None,
        "address": None,
        "details": {
            "key": "WEB-1",
            "project": "WEB",
            "title": "One",
            "type": "task",
            "status": "To do",
            "assignees": [],
            "parent": None,
        },
        "op": "issues.create",
        "veiled": False,
    }
    assert page == {"next_before": seq + 1, "plan": "self-hosted", "retention_days": 365}


def test_the_log_is_for_admins(world: World) -> None:
    for who in ("cy", "di", "gus"):
        for op in ("audit.list", "audit.export"):
            with refused("insufficient-scope"):
                world.session(who).call(op, {})
    for who in ("ana", "bo"):
        assert world.session(who).audit.list()["entries"]


def test_security_acts_stand_in_the_log_and_nowhere_else(world: World) -> None:
    seq = world.database.seq
    world.session("cy").keys.create(name="mine", scopes=["issues:read"])
    assert [kind for kind, _ in world.events_since(seq)] == ["key.created"]
    assert world.key("bo").audit.list(kind="key.*")["entries"][0]["id"] == seq + 1
    for who in ("ana", "cy"):
        assert world.key(who).api.changes(since=seq)["events"] == []
        assert seq + 1 not in [event["seq"] for event in world.key(who).activity.recent()]


def test_pages_go_back_entry_by_entry(world: World) -> None:
    seq = world.database.seq
    for _ in range(5):
        make(world)
    first = world.key("bo").audit.list(kind="issue.created", limit=2)
    second = world.key("bo").audit.list(kind="issue.created", limit=2, before=first["next_before"])
    third = world.key("bo").audit.list(kind="issue.created", limit=2, before=second["next_before"])
    found = [entry["id"] for page in (first, second, third) for entry in page["entries"]]
    assert (found, third["next_before"]) == (list(range(seq + 5, seq, -1)), None)


def test_entries_are_filtered(world: World) -> None:
    seq = world.database.seq
    key = make(world, title="Grüße AN Ömer")
    world.clock.advance(10)
    world.key("di").issues.update(key=key, title="Two")
    cy = world.people["cy"]
    one, two = seq + 1, seq + 2
    for asked, expected in (
        ({"actor": cy.id, "from": NOW, "kind": "issue.*"}, [one]),
        ({"actor": "@di", "kind": "issue.*"}, [two]),
        ({"actor": "di@acme.example", "kind": "issue.*"}, [two]),
        ({"actor": "@nobody"}, []),
        ({"actor_kind": "key"}, [two]),
        ({"actor_kind": "automation"}, []),
        ({"from": NOW + 10}, [two]),
        ({"from": NOW, "to": NOW + 10, "kind": "issue.*"}, [one]),
        ({"kind": "issue.updated"}, [two]),
        ({"kind": "issue.up*"}, [two]),
        ({"kind": "issue"}, []),
        ({"subject": "issue:1"}, [two, one]),
        ({"subject": "issue:web-1"}, [two, one]),
        ({"subject": "WEB-1"}, [two, one]),
        ({"subject": "issue:2"}, []),
        ({"q": "an ömer"}, [two, one]),
        ({"q": "ISSUE:1"}, [two, one]),
        ({"q": "key:k_", "kind": "issue.*"}, [two]),
        ({"q": "100%"}, []),
    ):
        assert ids(world, **asked) == expected, asked


@pytest.mark.parametrize(
    ("bad", "slug"),
    [
        ({"limit": 0}, "invalid-input"),
        ({"limit": 201}, "invalid-input"),
        ({"actor_kind": "robot"}, "invalid-input"),
        ({"from": -1}, "invalid-input"),
        ({"since": 1}, "unknown-field"),
    ],
)
def test_what_does_not_fit_a_filter_is_refused(world: World, bad: dict[str, Any], slug: str) -> None:
    with refused(slug):
        world.key("bo").call("audit.list", bad)


def test_an_export_is_one_entry_a_line_oldest_first_and_stands_in_the_log(world: World) -> None:
    make(world, title="Zeile\nzwei  ")
    make(world)
    listed = world.key("bo").audit.list(kind="issue.*")["entries"]
    seq = world.database.seq
    answer: dict[str, Any] = world.key("bo").call("audit.export", {"kind": "issue.*"})
    lines = answer.pop("ndjson")
    assert [json.loads(line) for line in lines.split("\n")[:-1]] == listed[::-1]
    assert answer == {"count": 2, "truncated": False}
    assert world.events_since(seq) == [("audit.exported", "org:1")]
    assert [event["payload"] for event in world.key("ana").api.changes(since=seq)["events"]] == [
        {"entries": 2}
    ]
    assert world.key("cy").api.changes(since=seq)["events"] == []
    assert world.key("bo").audit.export(kind="nothing")["ndjson"] == ""
    with refused("conflict"):
        world.key("bo").undo.apply(seq=seq + 1)


@dataclass
class Secret:
    """What Di did where only she may look: the entries that tell of it, by their ids."""

    entries: list[int]
    issue: int
    view: int


@pytest.fixture
def secret(world: World) -> Secret:
    """An issue with a comment, a file and a view in PRV, flags that are tied to it, and a view of Di's own."""
    seq = world.database.seq
    di = world.session("di")
    key = make(world, "di", project="PRV", title="cnry one")
    di.issues.update(key=key, title="cnry two")
    di.call("comments.create", {"subject": key, "body": "cnry said"})
    di.call("attachments.add", {"subject": key, "name": "cnry.txt", "data": "YQ=="})
    di.call("labels.save", {"name": "cnry label", "project": "PRV"})
    di.call("views.save", {"name": "cnry shared", "tql": "", "project": "PRV", "shared": True})
    view = di.call("views.save", {"name": "cnry view", "tql": ""})["id"]

    def tied(tx: Write) -> tuple[int, int]:
        issue, work = tx.tuples(
            "select i.id, p.id from project p join issue i on i.project = p.id where p.key = 'PRV'"
        )[0]
        named = {"key": "tied", "key_folded": "tied", "name": "Tied"}
        tx.insert("flag_project", work_project=work, created_at=tx.now, **named)
        return issue, work

    issue, _ = world.database.write_now(tied)
    di.call("flags.create", {"project": "tied", "key": "beta", "name": "cnry flag"})
    return Secret(list(range(seq + 1, world.database.seq + 1)), issue, view)


def shown(world: World, who: str, **asked: Any) -> dict[int, Any]:
    """The entries by their ids, the same in the list and in the export, by somebody in a session."""
    listed = world.session(who).call("audit.list", asked | {"limit": 200})["entries"]
    lines = world.session(who).call("audit.export", asked)["ndjson"].splitlines()
    assert [json.loads(line) for line in lines] == listed[::-1]
    return {entry["id"]: entry for entry in listed}


def test_admins_read_of_private_things_that_they_were_touched_and_no_more(
    world: World, secret: Secret
) -> None:
    whole, veiled = shown(world, "ana"), shown(world, "bo")
    assert "cnry" not in json.dumps(veiled)
    assert len(secret.entries) == 8
    for seq in secret.entries:
        assert whole[seq]["details"]
        assert not whole[seq]["veiled"]
        assert veiled[seq] == whole[seq] | {"details": {}, "veiled": True}
    others = veiled.keys() - set(secret.entries)
    assert not any(veiled[seq]["veiled"] for seq in others if veiled[seq]["subject"] != "project:PRV")


def test_an_admin_who_comes_to_see_a_thing_reads_what_was_told_of_it(world: World, secret: Secret) -> None:
    world.session("ana").call("projects.member_set", {"key": "PRV", "who": "@bo", "role": "viewer"})
    found = shown(world, "bo")
    own_view = f"view:{secret.view}"
    assert {found[seq]["subject"] for seq in secret.entries if found[seq]["veiled"]} == {own_view}
    shared = {"id": secret.view, "name": "cnry view", "tql": "", "shared": True}
    world.session("di").call("views.save", shared)
    assert not any(entry["veiled"] for entry in shown(world, "bo", subject=own_view).values())


def test_no_filter_looks_behind_the_veil(world: World, secret: Secret) -> None:
    mine = set(secret.entries)
    issue = f"issue:{secret.issue}"
    for asked in ({"q": "cnry"}, {"q": "PRV-1"}, {"subject": "PRV-1"}, {"subject": "issue:prv-1"}):
        assert mine & shown(world, "bo", **asked).keys() == set(), asked
        assert mine & shown(world, "ana", **asked).keys() != set(), asked
    for asked in ({"subject": issue}, {"q": issue}):
        found = shown(world, "bo", **asked)
        assert found.keys() == {seq for seq in mine if shown(world, "ana")[seq]["subject"] == issue}
    page = world.session("bo").call("audit.list", {"q": "cnry", "limit": 1})
    assert (page["entries"], page["next_before"]) == ([], None)


def test_an_open_thing_does_not_name_a_private_one(world: World) -> None:
    make(world, "di", project="PRV", type="epic")
    key = make(world, "di", parent="PRV-1")
    admins, owners = (shown(world, who, subject=key) for who in ("bo", "ana"))
    assert [entry["details"]["parent"] for entry in admins.values()] == [None]
    assert [entry["details"]["parent"] for entry in owners.values()] == ["PRV-1"]
    assert shown(world, "bo", subject=key, q="PRV-1") == {}
    for q in ("null", '"parent":null', "null}"):
        assert shown(world, "bo", subject=key, q=q) == admins
        assert shown(world, "ana", subject=key, q=q) == {}


def test_what_is_of_the_org_stays_open_when_it_is_gone(world: World) -> None:
    bo = world.session("bo")
    seq = world.database.seq
    world.session("cy").keys.create(name="of Cy", scopes=["issues:read"])
    bo.call("org.update", {"name": "New"})
    bo.call("invites.create", {"emails": ["new@acme.example"], "role": "member"})
    team = bo.call("teams.save", {"name": "Soon gone"})["id"]
    bo.call("teams.delete", {"id": team})
    world.database.write_now(lambda tx: tx.execute("delete from key where name = 'of Cy'"))
    found = {at: entry for at, entry in shown(world, "bo").items() if at > seq}
    assert {"key.created", "org.updated", "invite.created", "member.invited", "team.deleted"} <= {
        entry["kind"] for entry in found.values()
    }
    assert not any(entry["veiled"] for entry in found.values())


def test_what_is_gone_for_good_is_veiled(world: World) -> None:
    key = make(world, "bo")
    bo = world.session("bo")
    bo.call("issues.delete", {"key": key})
    assert not any(entry["veiled"] for entry in shown(world, "bo", subject="issue:1").values())
    bo.call("trash.purge", {"ids": [entry["id"] for entry in bo.call("trash.list", {})["items"]]})
    eventually(lambda: ("issue.purged", "issue:1") in world.events_since(0))
    found = shown(world, "bo", subject="issue:1")
    assert {"issue.created", "issue.deleted", "issue.purged"} <= {entry["kind"] for entry in found.values()}
    assert all(entry["veiled"] and entry["details"] == {} for entry in found.values())


@pytest.mark.parametrize(("who", "reads"), [("ana", [True, True]), ("bo", [False, True])])
def test_a_key_reads_what_its_scopes_let_it(
    world: World, who: str, reads: list[bool], secret: Secret
) -> None:
    make(world)
    seq = world.database.seq
    world.session("cy").keys.create(name="of Cy", scopes=["issues:read"])
    for held, expected in ((sorted(scopes.ADMIN), reads), (["admin"], [False, False])):
        entries = {entry["id"]: entry for entry in with_key(world, who, scopes=held)["entries"]}
        assert [not entries[at]["veiled"] for at in (secret.entries[0], seq)] == expected
        assert not entries[seq + 1]["veiled"]


@pytest.mark.parametrize("who", ["ana", "bo"])
def test_a_key_that_is_limited_to_projects_does_not_read_the_log(world: World, who: str) -> None:
    with refused("not-allowed"):
        with_key(world, who, scopes=sorted(scopes.ADMIN), projects="[1]")


def with_key(world: World, who: str, **columns: Any) -> Any:
    """The latest entries as a key of somebody reads them."""
    owner = world.people[who].id
    token = world.database.write_now(lambda tx: callers.add_key(tx, owner, {"name": "one", **columns})[1])
    with Kbwork(world.url, token) as client:
        return client.call("audit.list", {"limit": 200})


def test_more_than_fifty_thousand_are_cut(world: World) -> None:
    make(world)
    last = world.database.seq

    def more(tx: Any) -> None:
        names = [name for name in tx.one("select * from events limit 1") if name not in ("seq", "kind")]
        tx.execute(
            f"insert into events (seq, kind, {', '.join(names)})"
            " with recursive n (value) as (select 1 union all select value + 1 from n where value < 50001)"
            f" select value - 60000, 'x.y', {', '.join(names)} from n, events where seq = :last",
            last=last,
        )

    world.database.write_now(more)
    answer = world.key("bo").audit.export(kind="x.y")
    assert (answer["count"], answer["truncated"]) == (50_000, True)
    assert json.loads(answer["ndjson"].partition("\n")[0])["id"] == -59999


def test_nobody_from_outside_writes_an_entry(world: World) -> None:
    for who in world.people:
        with refused("insufficient-scope"):
            world.session(who).call("audit.record", {"kind": "auth.signed_in", "subject": "org:1"})


def test_retention_takes_the_oldest_and_leaves_an_entry(world: World) -> None:
    make(world)
    seq = world.database.seq
    world.advance(366 * 86400)
    eventually(lambda: ("audit.trimmed", "org:1") in world.events_since(seq))
    trimmed = world.events_since(0)[-1]
    assert trimmed == ("audit.trimmed", "org:1")
    assert world.events_since(0)[0][0] != "project.created"


def test_what_an_import_says_is_older_stays_as_long_as_its_record_for_undo(world: World) -> None:
    seq = world.database.seq
    make(world)
    (made,) = world.events_since(seq)
    long_ago = NOW - 400 * 86400
    world.database.write_now(
        lambda tx: tx.execute("update events set at = :at where seq > :seq", at=long_ago, seq=seq)
    )
    world.database.write_now(TRIM.run)
    assert world.events_since(seq) == [made]
    world.clock.advance(86400)
    world.database.write_now(TRIM.run)
    assert world.events_since(seq) == [("audit.trimmed", "org:1")]
