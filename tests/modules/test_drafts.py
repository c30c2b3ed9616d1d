"""Drafts: unsent texts, whose they are, and who may finish them."""

from typing import Any

import pytest

from kbwork.contract.kbwork_client import Kbwork, KbworkProblem
from kbwork.core.access import callers, scopes
from kbwork.db.tx import Write
from kbwork.modules.drafts import ops
from tests.conftest import NOW, World, run
from tests.modules.calls import call, eventually, refused
from tests.modules.grants import ConnectedClient
from tests.modules.together import slugs, together


def issue(world: World, who: str = "cy", **more: Any) -> str:
    return str(call(world, who, "issues.create", **{"project": "WEB", "title": "Cart"} | more)["key"])


def saved(world: World, who: str = "cy", **more: Any) -> dict[str, Any]:
    made: dict[str, Any] = call(
        world, who, "drafts.save", **{"subject": "issue:WEB-1", "body": "So far"} | more
    )
    return made


def bodies(world: World, who: str = "cy", **asked: Any) -> list[str]:
    return [draft["body"] for draft in call(world, who, "drafts.list", **asked)]


def stored(world: World) -> list[str]:
    return world.database.write_now(lambda tx: tx.column("select body from draft order by seq"))


def limited_key(world: World, who: str, project: str, **more: Any) -> Kbwork:
    """A key that is limited to one project."""

    def make(tx: Write) -> str:
        ident = tx.value("select id from project where key = :key", key=project)
        made = {"name": "narrow", "scopes": sorted(scopes.MEMBER), "projects": f"[{ident}]"} | more
        return callers.add_key(tx, world.people[who].id, made)[1]

    return Kbwork(world.url, world.database.write_now(make))


def test_a_draft_is_answered_whole_and_tells_nobody_anything(world: World) -> None:
    issue(world)
    seq = world.database.seq
    made = saved(world, subject="WEB-1", data={"labels": ["bug"]})
    assert made == {
        "subject": "issue:1",
        "body": "So far",
        "data": {"labels": ["bug"]},
        "owner": world.people["cy"].id,
        "shared": False,
        "updated_at": NOW,
        "seq": made["seq"],
    }
    assert call(world, "cy", "drafts.list", subject="issue:WEB-1") == [made]
    world.clock.advance(5)
    again = saved(world, body="So far, so good")
    assert again == made | {"body": "So far, so good", "updated_at": NOW + 5, "seq": again["seq"]}
    assert again["seq"] > made["seq"]
    assert saved(world, body="So far, so good") == again, "what is the same is not saved"
    assert world.events_since(seq) == []
    assert [one["seq"] for one in call(world, "cy", "undo.list") if one["seq"] > seq] == []
    for who in ("ana", "bo", "di", "gus"):
        assert bodies(world, who) == []


def test_drafts_follow_their_owner_to_keys_and_agents(world: World) -> None:
    issue(world)
    made = saved(world)
    world.key("cy").call("drafts.save", {"subject": "issue:new", "body": "A new one"})
    assert bodies(world) == ["A new one", "So far"]
    with limited_key(world, "cy", "WEB") as narrow:
        assert narrow.call("drafts.list", {}) == [made]
        with refused("not-allowed"):
            narrow.call("drafts.save", {"subject": "issue:new", "body": "Of no project"})
    with limited_key(world, "cy", "SEC") as elsewhere:
        assert elsewhere.call("drafts.list", {}) == []
    assert ConnectedClient(world, "cy", {"drafts", "comments"}).call("drafts.list") == []
    assert len(ConnectedClient(world, "cy", {"drafts", "issues"}).call("drafts.list")) == 2


def test_a_stale_draft_is_refused_with_the_text_that_is_there(world: World) -> None:
    issue(world)
    first = saved(world, seq=0)
    with refused("stale") as found:
        saved(world, seq=0, body="Another tab begins")
    assert found.value.extra["current"] == first
    second = saved(world, seq=first["seq"], body="One tab")
    with refused("stale") as found:
        saved(world, seq=first["seq"], body="The other tab")
    assert found.value.extra["current"] == second
    with refused("stale"):
        call(world, "cy", "drafts.delete", subject="WEB-1", seq=first["seq"])
    assert call(world, "cy", "drafts.delete", subject="WEB-1", seq=second["seq"]) == {"ok": True}
    with refused("stale") as found:
        saved(world, seq=second["seq"], body="Sent by the other tab")
    assert found.value.extra["current"] is None
    assert saved(world, seq=0, body="Anew")["seq"] > second["seq"], "no number comes twice"
    with refused("not-found"):
        call(world, "di", "drafts.delete", subject="WEB-1")


def test_of_tabs_that_save_at_once_one_is_heard(world: World) -> None:
    issue(world)
    for seq in (0, None):
        calls = [
            ("drafts.save", {"subject": "issue:1", "body": f"Tab {tab}", "seq": seq}) for tab in range(6)
        ]
        answers = together(world, "cy", calls)
        assert slugs(answers) == (["stale"] * 5 if seq == 0 else [])
        assert len(stored(world)) == 1


def test_fields_that_are_left_out_stay(world: World) -> None:
    issue(world)
    saved(world, data={"a": [1, {"b": None}]}, shared=True)
    assert saved(world, body="More")["data"] == {"a": [1, {"b": None}]}
    assert saved(world, body="More", data={})["data"] == {}
    assert saved(world, body="")["shared"]
    assert not saved(world, shared=False)["shared"]


def test_what_is_not_seen_takes_no_draft(world: World) -> None:
    issue(world, "di", project="PRV")
    for subject in (
        "issue:PRV-1",
        "issue:1",
        "issue:9",
        "comment:1",
        "issue:newer",
        "nothing",
        "project:PRV",
    ):
        for op in ("drafts.save", "drafts.list", "drafts.delete"):
            with refused("not-found"):
                call(world, "cy", op, **{"subject": subject} | ({"body": "x"} if op == "drafts.save" else {}))
    assert stored(world) == []


def test_a_draft_goes_and_comes_with_the_sight_of_its_subject(world: World) -> None:
    issue(world)
    said = call(world, "cy", "comments.create", subject="WEB-1", body="Seen")["id"]
    saved(world)
    saved(world, subject=f"comment:{said}", body="Another wording")
    assert bodies(world) == ["Another wording", "So far"]
    call(world, "ana", "issues.update", key="WEB-1", reporter="@ana")
    call(world, "ana", "issues.level_set", key="WEB-1", level="private")
    assert bodies(world) == []
    with refused("not-found"):
        saved(world)
    call(world, "ana", "issues.level_set", key="WEB-1", level="project")
    assert bodies(world) == ["Another wording", "So far"]
    call(world, "ana", "issues.delete", key="WEB-1")
    assert bodies(world) == []
    (entry,) = call(world, "ana", "trash.list")["items"]
    call(world, "ana", "trash.restore", ids=[entry["id"]])
    assert len(bodies(world)) == 2


def test_a_project_that_has_another_key_keeps_its_drafts(world: World) -> None:
    made = saved(world, subject="project:WEB", body="How it is going")
    call(world, "ana", "projects.key_change", key="WEB", new_key="SHOP")
    assert call(world, "cy", "drafts.list") == [made | {"subject": "project:SHOP"}]
    saved(world, subject="project:SHOP", body="Better")
    assert stored(world) == ["Better"]


def test_a_shared_draft_is_told_and_finished_by_others(world: World) -> None:
    issue(world)
    seq = world.database.seq
    made = saved(world, shared=True)
    assert world.events_since(seq) == [("draft.shared", "issue:1")]
    (event,) = call(world, "di", "activity.list", subject="WEB-1", since=seq)
    assert event["payload"] == {"draft": made["seq"]}
    assert call(world, "di", "drafts.list", subject="WEB-1") == [made]
    assert bodies(world, "di") == [], "those of others are with their subject"
    own = saved(world, "di", body="Di's own")
    assert own["owner"] == world.people["di"].id
    finished = saved(world, "di", seq=made["seq"], body="Finished")
    assert (finished["owner"], finished["shared"]) == (made["owner"], True)
    assert bodies(world, "di", subject="WEB-1") == ["Di's own", "Finished"]
    assert bodies(world) == ["Finished"]
    with refused("stale"):
        saved(world, seq=made["seq"], body="Cy, meanwhile")
    with refused("not-allowed"):
        saved(world, "di", seq=finished["seq"], shared=False)
    call(world, "di", "drafts.delete", subject="WEB-1", seq=finished["seq"])
    assert bodies(world) == []
    assert world.events_since(seq) == [("draft.shared", "issue:1")]


def test_a_shared_draft_is_for_members_who_may_comment(world: World) -> None:
    issue(world)
    call(world, "ana", "projects.member_set", key="WEB", who="@gus", role="reporter")
    call(world, "ana", "projects.update", key="WEB", reporters_see="all")
    made = saved(world, shared=True)
    assert bodies(world, "gus", subject="WEB-1") == []
    kinds = [one["kind"] for one in call(world, "gus", "activity.list", subject="WEB-1")]
    assert "draft.shared" not in kinds
    with refused("stale") as found:
        saved(world, "gus", seq=made["seq"])
    assert found.value.extra["current"] is None
    assert saved(world, "gus", body="A guest's own")["shared"] is False
    with refused("not-allowed"):
        saved(world, "gus", shared=True)
    call(world, "ana", "issues.lock", key="WEB-1", on=True)
    for op, more in (("drafts.save", {"body": "On a locked one"}), ("drafts.delete", {})):
        with refused("not-allowed"):
            call(world, "di", op, subject="WEB-1", seq=made["seq"], **more)
    with refused("invalid-input"):
        saved(world, subject="issue:new", shared=True)
    with refused("invalid-input"):
        saved(world, subject="project:WEB", shared=True)


def test_an_internal_comment_keeps_its_drafts_from_guests(world: World) -> None:
    issue(world)
    call(world, "ana", "projects.member_set", key="WEB", who="@gus", role="reporter")
    call(world, "ana", "projects.update", key="WEB", reporters_see="all")
    note = call(world, "cy", "comments.create", subject="WEB-1", body="For us", internal=True)["id"]
    with refused("not-found"):
        saved(world, "gus", subject=f"comment:{note}")
    made = saved(world, subject=f"comment:{note}", shared=True)
    assert call(world, "di", "drafts.list", subject=f"comment:{note}") == [made]


def test_drafts_are_purged_with_what_they_are_on(world: World) -> None:
    issue(world)
    said = call(world, "cy", "comments.create", subject="WEB-1", body="Seen")["id"]
    file = call(world, "cy", "attachments.add", subject="WEB-1", name="a.txt", data="b2thcGk=")["id"]
    saved(world)
    saved(world, "di", subject=f"comment:{said}")
    saved(world, subject=f"attachment:{file}")
    saved(world, subject="issue:new", body="Stays")
    call(world, "cy", "issues.delete", key="WEB-1")
    assert len(stored(world)) == 4
    (entry,) = call(world, "ana", "trash.list")["items"]
    call(world, "ana", "trash.purge", ids=[entry["id"]])
    eventually(lambda: stored(world) == ["Stays"])


def test_whoever_is_erased_leaves_no_draft(world: World) -> None:
    issue(world)
    saved(world, shared=True)
    saved(world, "di", body="Di's")
    call(world, "ana", "members.erase", id="@cy", confirm_name="Cy Moss")
    eventually(lambda: stored(world) == ["Di's"])


@pytest.mark.parametrize(("most", "size"), [(3, 10**9), (200, 40)])
def test_drafts_are_so_many_and_so_long(
    world: World, monkeypatch: pytest.MonkeyPatch, most: int, size: int
) -> None:
    monkeypatch.setattr(ops, "MOST", most)
    monkeypatch.setattr(ops, "MOST_BYTES", size)
    for number in range(1, 6):
        issue(world, title=f"Number {number}")
    for number in range(1, 4):
        saved(world, subject=f"WEB-{number}", body="ten chars!")
    with refused("conflict"):
        saved(world, subject="WEB-4", body="ten chars!" * (1 if most == 3 else 3))
    assert len(stored(world)) == 3
    call(world, "ana", "issues.update", key="WEB-2", reporter="@ana")
    call(world, "ana", "issues.level_set", key="WEB-2", level="private")
    with limited_key(world, "cy", "WEB") as narrow:
        narrow.call("drafts.save", {"subject": "WEB-4", "body": "ten chars!"})
    seen = [draft["subject"] for draft in call(world, "cy", "drafts.list")]
    assert seen == ["issue:4", "issue:3", "issue:1"], "one that is not seen made room"


def test_what_a_form_holds_is_bounded(world: World) -> None:
    with refused("invalid-input"):
        saved(world, subject="issue:new", data={"a": "x" * ops.MOST_DATA_BYTES})
    with pytest.raises(KbworkProblem):
        saved(world, subject="issue:new", data=["no object"])


def test_a_batch_saves_and_sends_together(world: World) -> None:
    issue(world)
    saved(world)

    def send(tx: Write) -> None:
        run(tx, world.people["cy"], "comments.create", {"subject": "issue:1", "body": "So far"})
        run(tx, world.people["cy"], "drafts.delete", {"subject": "issue:1"})

    world.database.write_now(send)
    assert stored(world) == []
