"""People and pages: locks, narrowing, watching, rights on one page."""

import pytest

from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.issues.test_issues import payloads
from tests.modules.notifications.inboxes import inbox, read_all, told
from tests.modules.pages.wiki import outline, page, space


@pytest.fixture
def tree(world: World) -> tuple[str, str]:
    space(world)
    above = page(world, "Above")
    return above, page(world, "Below", parent=above)


def test_a_locked_page_is_changed_by_those_who_manage_it(world: World, tree: tuple[str, str]) -> None:
    above, _ = tree
    with refused("not-allowed"):
        call(world, "di", "pages.lock", id=above, on=True)
    seq = world.database.seq
    assert call(world, "cy", "pages.lock", id=above, on=True)["locked"] is True
    assert payloads(world, seq, "page.updated")[0]["changes"] == {"locked": {"from": False, "to": True}}
    for op in ("update", "append"):
        with refused("not-allowed"):
            call(world, "di", f"pages.{op}", id=above, body="x")
    for op, value in (("pages.delete", {}), ("pages.archive", {"on": True})):
        with refused("not-allowed"):
            call(world, "di", op, id=above, **value)
    call(world, "bo", "pages.update", id=above, body="x")
    call(world, "cy", "pages.lock", id=above, on=False)
    call(world, "di", "pages.update", id=above, body="y")
    call(world, "cy", "undo.apply", seq=world.database.seq - 1)
    assert call(world, "cy", "pages.get", id=above)["locked"] is True


def test_a_narrowed_page_is_for_those_named_and_so_is_what_is_below(
    world: World, tree: tuple[str, str]
) -> None:
    above, below = tree
    with refused("not-allowed"):
        call(world, "di", "pages.restrict", id=above, view=["@di"])
    seq = world.database.seq
    done = call(world, "cy", "pages.restrict", id=above, view=["@cy"])
    assert done["restricted"] is True
    assert world.events_since(seq) == [("page.restricted", f"page:{above}")]
    assert payloads(world, seq, "page.restricted")[0]["changes"] == {
        "view": {"from": [], "to": [world.people["cy"].id]}
    }
    for ident in tree:
        with refused("not-found"):
            call(world, "di", "pages.get", id=ident)
        assert call(world, "bo", "pages.get", id=ident)["restricted"] is True
    call(world, "cy", "pages.restrict", id=above, view=["@cy", "@di"], edit=["@cy"])
    named = {who: world.people[who].id for who in ("cy", "di")}
    limits = {"view": list(named.values()), "edit": [named["cy"]]}
    assert [call(world, who, "pages.get", id=above)["limits"] for who in named] == [limits, None]
    assert call(world, "di", "pages.get", id=below)["my_level"] == "comment"
    with refused("not-allowed"):
        call(world, "di", "pages.update", id=below, body="x")
    call(world, "di", "comments.create", subject=f"page:{below}", body="But why?")
    call(world, "cy", "pages.restrict", id=above, view=[], edit=[])
    assert call(world, "di", "pages.get", id=below)["my_level"] == "edit"
    assert outline(world, "di") == [["Above", ["Below"]]]


def test_its_owner_narrows_a_page_and_sees_it_still(world: World) -> None:
    space(world)
    own = page(world, "Di's", who="di")
    call(world, "di", "pages.restrict", id=own, view=["@bo"])
    assert call(world, "di", "pages.get", id=own)["my_level"] == "edit"
    with refused("not-found"):
        call(world, "cy", "pages.get", id=own)
    other = page(world, "Cy's")
    call(world, "cy", "pages.update", id=other, owner="@di")
    with refused("conflict"):
        call(world, "cy", "pages.restrict", id=other, view=["@bo"])
    with refused("invalid-input"):
        call(world, "cy", "pages.restrict", id=other, view=["@nobody"])
    call(world, "cy", "pages.restrict", id=other, view=["@cy"])
    assert call(world, "di", "pages.get", id=other)["title"] == "Cy's"
    call(world, "cy", "pages.update", id=other, owner="@bo")
    with refused("not-found"):
        call(world, "di", "pages.get", id=other)


def test_a_team_is_named_and_who_leaves_it_sees_no_more(world: World, tree: tuple[str, str]) -> None:
    above, below = tree
    team = call(world, "bo", "teams.save", name="Writers")["id"]
    call(world, "bo", "teams.member_set", id=team, who="@di", role="member")
    call(world, "cy", "pages.restrict", id=above, view=["@cy", f"team:{team}"])
    assert call(world, "di", "pages.get", id=below)["title"] == "Below"
    call(world, "bo", "teams.member_set", id=team, who="@di", role="none")
    with refused("not-found"):
        call(world, "di", "pages.get", id=below)


def test_a_guest_sees_a_page_by_a_right_on_it_and_what_is_below(world: World, tree: tuple[str, str]) -> None:
    above, below = tree
    other = page(world, "Other", body="[[Above]]")
    with refused("not-found"):
        call(world, "gus", "pages.get", id=above)
    call(world, "cy", "access.grant_set", subject=f"page:{above}", who="@gus", level="comment")
    assert call(world, "gus", "pages.get", id=below)["my_level"] == "comment"
    assert call(world, "gus", "pages.get", id=above)["counts"]["backlinks"] == 0
    assert [one["title"] for one in call(world, "gus", "pages.list")["items"]] == ["Below", "Above"]
    assert [one["title"] for one in call(world, "gus", "pages.children", id=above)] == ["Below"]
    call(world, "gus", "comments.create", subject=f"page:{below}", body="Seen")
    with refused("not-found"):
        call(world, "gus", "pages.get", id=other)
    with refused("not-allowed"):
        call(world, "gus", "pages.update", id=below, body="x")
    call(world, "cy", "pages.restrict", id=below, view=["@cy"])
    with refused("not-found"):
        call(world, "gus", "pages.get", id=below)
    call(world, "cy", "access.grant_set", subject=f"page:{below}", who="@gus", level="view")
    assert call(world, "gus", "pages.get", id=below)["my_level"] == "comment", "named on it itself"


def test_files_stars_and_mentions_work_on_pages_without_knowing_them(
    world: World, tree: tuple[str, str]
) -> None:
    above, _ = tree
    call(world, "di", "attachments.add", subject=f"page:{above}", name="a.txt", data="b2thcGk=")
    assert [one["name"] for one in call(world, "cy", "attachments.list", subject=f"page:{above}")] == [
        "a.txt"
    ]
    assert call(world, "di", "stars.set", subject=f"page:{above}", on=True)[0]["title"] == "Above"
    found = call(world, "di", "subjects.resolve", refs=["HAND/above", "/pages/1", "space:hand", "page:99"])
    assert [(one["subject"], one["title"]) for one in found] == [
        ("page:1", "Above"),
        ("page:1", "Above"),
        ("space:HAND", "Handbook"),
        (None, None),
    ]
    call(world, "di", "drafts.save", subject=f"page:{above}", body="I think")
    issue = call(world, "di", "issues.promote", from_=f"page:{above}", project="WEB")
    assert issue["title"] == "Above"
    said = call(world, "di", "comments.create", subject=f"page:{above}", body="@cy look")
    assert said["mentions"] == [world.people["cy"].id] if "mentions" in said else said["id"]
    shown = call(world, "cy", "pages.get", id=above)["counts"]
    assert (shown["comments"], shown["open_threads"]) == (1, 1)
    assert [e["kind"] for e in call(world, "cy", "activity.list", subject=f"page:{above}")] == [
        "page.created",
        "attachment.added",
        "comment.created",
    ]


def test_who_watches_is_asked_by_nobody(world: World, tree: tuple[str, str]) -> None:
    above, _ = tree
    seq = world.database.seq
    assert call(world, "di", "pages.watch", id=above, on=True, children=True) == {"watching": True}
    assert call(world, "di", "pages.watch", id=above, on=True) == {"watching": True}
    watched = [call(world, who, "pages.get", id=above)["watching"] for who in ("di", "cy")]
    assert watched == [True, False]
    assert call(world, "di", "pages.watch", id=above, on=False) == {"watching": False}
    assert world.events_since(seq) == []
    with refused("not-found"):
        call(world, "gus", "pages.watch", id=above, on=True)


def test_whoever_watches_and_whoever_is_mentioned_hears_of_it(world: World, tree: tuple[str, str]) -> None:
    above, below = tree
    read_all(world, "di")
    call(world, "di", "pages.watch", id=above, on=True, children=True)
    call(world, "cy", "pages.update", id=below, body="Ask @bo and @gus")
    assert told(world, "di") == [(f"page:{below}", "watching", ["page.updated"])]
    assert inbox(world, "di")[0]["events"][0]["summary"] == "changed its text"
    assert told(world, "bo") == [(f"page:{below}", "mentioned", ["page.updated"])]
    assert inbox(world, "bo")[0]["events"][0]["summary"] == "mentioned you in its text"
    assert told(world, "gus") == []
    read_all(world, "di", "bo")
    call(world, "cy", "pages.update", id=below, body="Ask @bo and @gus again")
    assert told(world, "bo") == []
    read_all(world, "di")
    call(world, "cy", "pages.update", id=below, body="@ana: soon", draft=True)
    assert (told(world, "di"), told(world, "ana")) == ([], [])
    call(world, "cy", "pages.publish", id=below, note="At last")
    assert told(world, "ana") == [(f"page:{below}", "mentioned", ["page.published"])]
    assert inbox(world, "di")[0]["events"][0]["summary"] == "published it: At last"
    read_all(world, "di")
    call(world, "cy", "comments.create", subject=f"page:{below}", body="So?")
    assert told(world, "di") == [(f"page:{below}", "watching", ["comment.created"])]
    read_all(world, "di")
    call(world, "cy", "pages.restrict", id=above, view=["@cy"])
    call(world, "cy", "pages.update", id=below, title="Secret")
    assert told(world, "di") == []
    call(world, "di", "notifications.mute", subject="space:HAND", on=True)


def test_a_page_stays_narrowed_when_the_only_one_named_is_erased(world: World) -> None:
    space(world, "bo")
    seen, changed = page(world, "Seen by few", "bo"), page(world, "Changed by few", "bo")
    call(world, "bo", "pages.restrict", id=seen, view=["@di"])
    call(world, "bo", "pages.restrict", id=changed, edit=["@di"])
    job = call(world, "ana", "members.erase", id="@di", confirm_name="Di Park")["job"]
    eventually(lambda: call(world, "ana", "jobs.get", id=job)["state"] == "done")
    with refused("not-found"):
        call(world, "cy", "pages.get", id=seen)
    with refused("not-allowed"):
        call(world, "cy", "pages.update", id=changed, body="x")
    assert call(world, "bo", "pages.get", id=seen)["restricted"] is True


def test_a_narrowed_page_that_goes_opens_nothing_below_it(world: World, tree: tuple[str, str]) -> None:
    above, below = tree
    call(world, "cy", "pages.restrict", id=above, view=["@cy"])
    with refused("conflict"):
        call(world, "cy", "pages.delete", id=above)
    with refused("not-found"):
        call(world, "di", "pages.get", id=below)
    call(world, "cy", "pages.delete", id=above, children="delete")


def test_an_owner_whom_undo_brings_back_sees_the_page_and_the_other_no_more(world: World) -> None:
    space(world, "bo")
    ident = page(world, "Plans", "cy")
    call(world, "bo", "pages.restrict", id=ident, view=["@bo"])
    call(world, "bo", "pages.update", id=ident, owner="@di")
    call(world, "bo", "undo.apply", seq=world.database.seq)
    assert call(world, "cy", "pages.get", id=ident)["owner"] == world.people["cy"].id
    with refused("not-found"):
        call(world, "di", "pages.get", id=ident)
