"""What is said on assets, and the files that hang on them: seen as the asset is, and gone with it."""

import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from kbwork.app import open_data
from kbwork.contract.kbwork_client import Kbwork
from kbwork.core.access import visibility
from kbwork.core.things import undo
from kbwork.db.archives import backup
from kbwork.db.tx import Write
from tests.conftest import World
from tests.modules.backups.old_archives import age
from tests.modules.calls import call, eventually, refused
from tests.modules.issues.test_issues import make, payloads
from tests.modules.test_assets import FIELDS, laptop
from tests.modules.test_attachments import add
from tests.modules.test_search import subjects


@pytest.fixture
def house(world: World) -> World:
    """One laptop, LAP-1, of cy's making."""
    call(world, "bo", "assets.type_save", key="DOCK", name="Dock")
    call(world, "bo", "assets.type_save", key="LAP", name="Laptop", fields=FIELDS)
    laptop(world, "C02XK0", room="Attic")
    return world


def say(world: World, body: str, who: str = "cy", **more: Any) -> int:
    return int(call(world, who, "comments.create", **{"subject": "asset:LAP-1", "body": body} | more)["id"])


def bodies(world: World, who: str = "cy") -> list[str]:
    return [one["body"] for one in call(world, who, "comments.list", subject="asset:LAP-1")]


def hang(world: World, name: str, text: str, who: str = "cy", subject: str = "asset:LAP-1") -> str:
    return str(add(world, who, subject, text.encode(), name)["id"])


def names(world: World, who: str = "cy", subject: str = "asset:LAP-1") -> list[str]:
    return [one["name"] for one in call(world, who, "attachments.list", subject=subject)]


def fire(world: World, name: str) -> None:
    def run(tx: Write) -> None:
        (schedule,) = (one for one in tx.registry.schedules if one.name == name)
        if schedule.due is None or schedule.due(tx):
            schedule.run(tx)

    world.database.write_now(run)


def count(world: World, table: str) -> int:
    return int(world.database.write_now(lambda tx: tx.value(f"select count(*) from {table}")))


def test_members_comment_on_an_asset_reply_react_and_resolve(house: World) -> None:
    seq = house.database.seq
    first = say(house, "Its battery is old, @di")
    reply = say(house, "A new one is ordered", "di", subject="asset:lap-1", parent=first)
    call(house, "bo", "comments.react", id=first, emoji="👍", on=True)
    call(house, "di", "comments.resolve", id=first, resolved=True)
    call(house, "cy", "comments.update", id=first, body="Its battery is very old, @di")
    listed = call(house, "di", "comments.list", subject="asset:LAP-1")
    assert [(one["id"], one["parent"], one["body"]) for one in listed] == [
        (first, None, "Its battery is very old, @di"),
        (reply, first, "A new one is ordered"),
    ]
    assert house.events_since(seq) == [
        ("comment.created", "asset:LAP-1"),
        ("comment.created", "asset:LAP-1"),
        ("comment.reacted", "asset:LAP-1"),
        ("comment.resolved", "asset:LAP-1"),
        ("comment.updated", "asset:LAP-1"),
    ]
    di = house.people["di"].id
    told = payloads(house, seq, "comment.created")[0]
    assert {name: value for name, value in told.items() if name != "undo"} == {
        "asset": "LAP-1",
        "comment": first,
        "internal": False,
        "mentions": [di],
    }
    (found,) = call(house, "di", "subjects.resolve", refs=[f"comment:{first}"])
    assert found["path"] == f"/assets/LAP-1#comment-{first}"


def test_who_does_not_see_assets_sees_nothing_that_is_on_them(house: World) -> None:
    comment = say(house, "The okapi, @gus")
    file = hang(house, "okapi.txt", "okapi")
    inner = hang(house, "okapi 2.txt", "okapi", subject=f"comment:{comment}")
    assert "mentions" not in payloads(house, 0, "comment.created")[-1]
    for op, value in (
        ("comments.list", {"subject": "asset:LAP-1"}),
        ("comments.create", {"subject": "asset:LAP-1", "body": "Hello"}),
        ("comments.react", {"id": comment, "emoji": "x", "on": True}),
        ("attachments.list", {"subject": "asset:LAP-1"}),
        ("attachments.list", {"subject": f"comment:{comment}"}),
        ("attachments.get", {"id": file}),
        ("attachments.get", {"id": inner}),
        ("attachments.delete", {"id": file}),
        ("activity.list", {"subject": f"comment:{comment}"}),
    ):
        with refused("not-found"):
            call(house, "gus", op, **value)
    assert subjects(house, "okapi", "gus") == []
    assert call(house, "gus", "tql.run", tql="from comments")["rows"] == []
    assert call(house, "gus", "tql.run", tql="from attachments")["rows"] == []
    told = {event["subject"] for event in house.session("gus").changes(follow=False)}
    assert not {one for one in told if one.startswith("asset:")}


def test_a_key_of_some_projects_or_without_the_scope_finds_no_asset_to_comment_on(house: World) -> None:
    comment = say(house, "The okapi")
    file = hang(house, "okapi.txt", "okapi")
    few = [
        "comments:read",
        "comments:write",
        "attachments:read",
        "search:read",
        "activity:read",
        "issues:read",
    ]
    for limit in ({"scopes": few}, {"scopes": [*few, "assets:read"], "projects": ["WEB"]}):
        key = house.session("cy").call("keys.create", {"name": "narrow"} | limit)["secret"]
        with Kbwork(house.url, key) as client:
            for op, value in (
                ("comments.list", {"subject": "asset:LAP-1"}),
                ("comments.create", {"subject": "asset:LAP-1", "body": "x"}),
                ("comments.react", {"id": comment, "emoji": "x", "on": True}),
                ("attachments.list", {"subject": "asset:LAP-1"}),
                ("attachments.get", {"id": file}),
            ):
                with refused("not-found"):
                    client.call(op, value)
            assert client.call("search.query", {"q": "okapi"})["items"] == []


def test_files_hang_on_an_asset_and_on_what_is_said_of_it(house: World) -> None:
    seq = house.database.seq
    comment = say(house, "See the bill")
    bill = hang(house, "bill.txt", "Paid in gold", subject=f"comment:{comment}")
    manual = hang(house, "manual.txt", "Turn it on", "di")
    assert names(house, "bo") == ["manual.txt"]
    assert names(house, "bo", f"comment:{comment}") == ["bill.txt"]
    assert house.events_since(seq) == [
        ("comment.created", "asset:LAP-1"),
        ("attachment.added", f"comment:{comment}"),
        ("attachment.added", "asset:LAP-1"),
    ]
    told = payloads(house, seq, "attachment.added")
    assert [(one["asset"], one["name"]) for one in told] == [("LAP-1", "bill.txt"), ("LAP-1", "manual.txt")]
    with refused("not-allowed"):
        call(house, "di", "attachments.delete", id=bill)
    call(house, "cy", "attachments.delete", id=manual)
    assert names(house) == []
    call(house, "cy", "undo.apply", seq=house.database.seq)
    assert names(house) == ["manual.txt"]
    link = call(house, "bo", "attachments.get", id=bill, as_url=True)["url"]
    assert link.startswith("/files/")


def test_notes_for_the_team_are_made_on_issues_only(house: World) -> None:
    with refused("invalid-input"):
        say(house, "Secret", internal=True)


def test_authors_and_admins_delete_comments_and_the_trash_gives_them_back(house: World) -> None:
    comment = say(house, "The okapi")
    with refused("not-allowed"):
        call(house, "di", "comments.delete", id=comment)
    call(house, "bo", "comments.delete", id=comment)
    assert bodies(house) == []
    for who in ("cy", "bo"):
        (entry,) = call(house, who, "trash.list", kind="comment")["items"]
        assert entry["subject"] == f"comment:{comment}"
    assert call(house, "di", "trash.list")["items"] == []
    call(house, "cy", "trash.restore", ids=[entry["id"]])
    assert bodies(house) == ["The okapi"]
    call(house, "cy", "undo.apply", seq=payloads_seq(house, "comment.created"))
    assert bodies(house) == []


def payloads_seq(world: World, kind: str) -> int:
    return int(
        world.database.write_now(
            lambda tx: tx.value("select max(seq) from events where kind = :kind", kind=kind)
        )
    )


def test_a_file_of_the_trash_comes_back_to_who_could_delete_it(house: World) -> None:
    comment = say(house, "See the bill")
    on_comment = hang(house, "bill.txt", "gold", subject=f"comment:{comment}")
    on_asset = hang(house, "manual.txt", "on")
    for file in (on_comment, on_asset):
        call(house, "cy", "attachments.delete", id=file)
    seen = {
        who: {one["title"] for one in call(house, who, "trash.list")["items"]}
        for who in ("bo", "cy", "di", "gus")
    }
    both = {"bill.txt", "manual.txt"}
    assert seen == {"bo": both, "cy": both, "di": {"manual.txt"}, "gus": set()}
    ids = [one["id"] for one in call(house, "cy", "trash.list")["items"]]
    assert call(house, "cy", "trash.restore", ids=ids)["failed"] == []
    assert names(house) == ["manual.txt"]
    assert names(house, subject=f"comment:{comment}") == ["bill.txt"]


def test_search_finds_assets_and_what_is_on_them(house: World) -> None:
    comment = say(house, "The okapi sings")
    file = hang(house, "score.txt", "okapi in C")
    inner = hang(house, "voice.txt", "okapi in D", subject=f"comment:{comment}")
    assert set(subjects(house, "okapi")) == {
        f"comment:{comment}",
        f"attachment:{file}",
        f"attachment:{inner}",
    }
    assert subjects(house, "okapi", kinds=["comment"]) == [f"comment:{comment}"]
    (hit,) = call(house, "di", "search.query", q="sings")["items"]
    assert hit["title"] == "LAP-1 Laptop"
    assert hit["path"] == f"/assets/LAP-1#comment-{comment}"
    assert hit["status"] == "active"
    assert subjects(house, "C02XK0") == ["asset:LAP-1"]
    assert subjects(house, "attic") == ["asset:LAP-1"]
    assert subjects(house, "LAP-1", kinds=["asset"]) == ["asset:LAP-1"]
    call(house, "cy", "assets.update", key="LAP-1", name="Netbook", values={"room": "Cellar"})
    assert subjects(house, "attic") == []
    assert subjects(house, "netbook cellar") == ["asset:LAP-1"]
    call(house, "cy", "assets.update", key="LAP-1", status="retired")
    assert subjects(house, "okapi") == []
    assert len(subjects(house, "okapi is:archived")) == 3
    call(house, "bo", "comments.delete", id=comment)
    assert subjects(house, "okapi is:archived") == [f"attachment:{file}"]
    call(house, "bo", "org.modules_set", off=["assets"])
    assert subjects(house, "okapi is:archived") == []
    with refused("not-found"):
        bodies(house)


def test_a_field_that_becomes_a_text_is_found_and_one_that_is_none_any_more_is_not(house: World) -> None:
    def bought(kind: str) -> None:
        fields = [one | {"kind": kind} if one["key"] == "bought" else one for one in FIELDS]
        call(house, "bo", "assets.type_save", id=2, name="Laptop", fields=fields)

    call(house, "cy", "assets.update", key="LAP-1", values={"bought": "2026-01-02"})
    assert subjects(house, "2026") == []
    bought("text")
    assert subjects(house, "2026") == ["asset:LAP-1"]
    bought("date")
    assert subjects(house, "2026") == []


def test_assets_that_were_there_before_are_indexed_by_a_job(house: World, tmp_path: Path) -> None:
    at = call(house, "ana", "backups.create")["id"]
    shutil.copytree(house.folder, tmp_path / "old", ignore=shutil.ignore_patterns("kbwork.db*", "backups"))
    file = tmp_path / "old" / "kbwork.db"
    backup.unpack(house.folder / "backups" / f"{at}.zip", file)
    age(file, "202611230052_assets_searched")
    with closing(open_data(tmp_path / "old", house.clock)) as old:
        asked = "select args from job where kind = 'search.reindex' and state = 'queued'"
        assert '{"kinds":["asset"],"at":0}' in old.read_now(lambda tx: tx.column(asked))

    def before(tx: Write) -> None:
        tx.execute("delete from search_entry where kind = 'asset'")

    house.database.write_now(before)
    assert subjects(house, "attic") == []
    call(house, "ana", "search.reindex", kinds=["asset"])
    eventually(lambda: subjects(house, "attic") == ["asset:LAP-1"])


def test_what_hangs_on_a_thing_has_a_way_to_go_with_it(world: World) -> None:
    """A kind that takes comments or files lies in the trash, says whether a thing is there, or sees to it itself."""
    itself = {
        "flag": "with its project",
        "flag_change": "with its environment",
        "org": "it is there for good",
    }
    kinds = visibility.things(world.database.write_now(lambda tx: tx)).values()
    left = {one.name for one in kinds if (one.comments or one.files) and not one.trash and one.there is None}
    assert left == set(itself)


def test_queries_find_comments_and_files_of_assets(house: World) -> None:
    make(house, title="Canary")
    on_issue = int(call(house, "cy", "comments.create", subject="issue:WEB-1", body="okapi")["id"])
    comment = say(house, "okapi too")
    hang(house, "a.txt", "okapi")
    hang(house, "b.txt", "okapi", subject=f"comment:{comment}")
    rows = call(
        house, "di", "tql.run", tql="from comments text ~ okapi order by id select id, on, issue.key"
    )["rows"]
    assert rows == [[on_issue, "WEB-1", "WEB-1"], [comment, "asset:LAP-1", None]]
    there = call(house, "di", "tql.run", tql="from comments on = asset:LAP-1 select id")["rows"]
    assert there == [[comment]]
    assert call(house, "di", "tql.run", tql="from comments on = WEB-1 select id")["rows"] == [[on_issue]]
    files = call(house, "di", "tql.run", tql="from attachments order by name select name")["rows"]
    assert files == [["a.txt"], ["b.txt"]]


def test_what_is_on_an_asset_comes_back_with_it_and_else_goes_after_a_day(house: World) -> None:
    comment = say(house, "The okapi")
    file = hang(house, "a.txt", "okapi")
    hang(house, "b.txt", "okapi", subject=f"comment:{comment}")
    gone = say(house, "Said and taken back")
    call(house, "cy", "comments.delete", id=gone)
    call(house, "cy", "assets.delete", key="LAP-1")
    for op, value in (
        ("comments.list", {"subject": "asset:LAP-1"}),
        ("attachments.get", {"id": file}),
        ("comments.update", {"id": comment, "body": "x"}),
    ):
        with refused("not-found"):
            call(house, "cy", op, **value)
    assert subjects(house, "okapi") == []
    assert call(house, "cy", "trash.list")["items"] == []
    house.clock.advance(undo.KEPT_S - 10)
    fire(house, "trash.leftovers")
    call(house, "cy", "undo.apply", seq=payloads_seq(house, "asset.deleted"))
    assert bodies(house) == ["The okapi"]
    assert names(house) == ["a.txt"]
    assert len(subjects(house, "okapi")) == 3
    call(house, "cy", "assets.delete", key="LAP-1")
    house.clock.advance(undo.KEPT_S + 10)
    fire(house, "trash.leftovers")
    assert [count(house, table) for table in ("comment", "attachment", "blob", "trash")] == [0, 0, 0, 0]
    left = house.database.write_now(
        lambda tx: tx.column(
            "select json(payload) from events where kind glob 'comment.*' or kind glob 'attachment.*'"
        )
    )
    assert set(left) == {"{}"}


def test_what_is_on_an_asset_whose_making_was_taken_back_goes_too(house: World) -> None:
    key = laptop(house, "C03")["key"]
    made = payloads_seq(house, "asset.created")
    say(house, "The okapi", subject=f"asset:{key}")
    call(house, "cy", "undo.apply", seq=made, force=True)
    house.clock.advance(undo.KEPT_S + 10)
    fire(house, "trash.leftovers")
    assert count(house, "comment") == 0
