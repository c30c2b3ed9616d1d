"""What issues of a project that is put aside block elsewhere, and what they block when it comes back."""

import pytest

from kbwork.db.tx import Write
from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.issues.test_issues import make

_TRUE = """
select i.id, i.blockers, (
  select count(*) from relation r join relation_kind k on k.id = r.kind and k.blocks
    join issue s on s.id = r.src and s.category <> 'done' and s.deleted_at is null join project p on p.id = s.project
    where r.dst = i.id and (s.project = i.project or p.archived_at is null and p.deleted_at is null)
) as found from issue i
"""


def settled(world: World) -> None:
    """Wait until nothing is unsettled, and see that every issue knows how many block it."""

    def none_left() -> bool:
        world.advance(1)
        return not world.database.write_now(lambda tx: tx.column("select project from unsettled"))

    eventually(none_left)
    rows = world.database.write_now(lambda tx: tx.all(_TRUE))
    assert [row["blockers"] for row in rows] == [row["found"] for row in rows]


def blocked(world: World, key: str) -> bool:
    return bool(call(world, "bo", "issues.get", key=key)["blocked"])


def told(world: World, seq: int) -> list[tuple[str, str]]:
    return [event for event in world.events_since(seq) if "blocked" in event[0]]


def chain(world: World) -> None:
    """OLD-1 blocks OLD-2 and WEB-1."""
    call(world, "bo", "projects.create", key="OLD", name="Old")
    for project in ("OLD", "OLD", "WEB"):
        make(world, "bo", project=project)
    call(world, "bo", "issues.relation_add", key="OLD-1", kind="blocks", to=["OLD-2", "WEB-1"])


def test_a_project_that_is_archived_blocks_nothing_elsewhere(world: World) -> None:
    chain(world)
    call(world, "bo", "projects.update", key="WEB", blockers="refuse")
    with refused("workflow-refused"):
        call(world, "bo", "issues.transition", key="WEB-1", to_status="done")
    seq = world.database.seq
    call(world, "bo", "projects.archive", key="OLD", on=True)
    settled(world)
    assert told(world, seq) == [("issue.unblocked", "issue:3")]
    assert (blocked(world, "WEB-1"), blocked(world, "OLD-2")) == (False, True)
    seq = world.database.seq
    call(world, "bo", "projects.archive", key="OLD", on=False)
    settled(world)
    assert told(world, seq) == [("issue.blocked", "issue:3")]
    assert (blocked(world, "WEB-1"), blocked(world, "OLD-2")) == (True, True)


def test_an_issue_can_be_closed_as_soon_as_what_blocks_it_is_put_aside(world: World) -> None:
    chain(world)
    call(world, "bo", "projects.update", key="WEB", blockers="refuse")
    call(world, "bo", "projects.delete", key="OLD", confirm_key="OLD")
    assert call(world, "bo", "issues.transition", key="WEB-1", to_status="done")["status"] == "Done"
    settled(world)


@pytest.mark.parametrize("back", [True, False])
def test_a_project_in_the_trash_blocks_nothing_until_it_is_back(world: World, back: bool) -> None:
    chain(world)
    entry = call(world, "bo", "projects.delete", key="OLD", confirm_key="OLD")["trash"]
    settled(world)
    assert not blocked(world, "WEB-1")
    seq = world.database.seq
    if back:
        call(world, "bo", "trash.restore", ids=[entry])
    else:
        call(world, "bo", "trash.purge", ids=[entry])
        eventually(lambda: world.database.write_now(lambda tx: tx.value("select count(*) from issue")) == 1)
    settled(world)
    assert told(world, seq) == ([("issue.blocked", "issue:3")] if back else [])
    assert blocked(world, "WEB-1") == back


def test_what_comes_and_goes_while_a_project_is_aside_counts_when_it_is_back(world: World) -> None:
    chain(world)
    make(world, "bo")
    call(world, "bo", "projects.archive", key="OLD", on=True)
    call(world, "bo", "issues.relation_add", key="WEB-2", kind="blocked by", to=["OLD-1", "OLD-2"])
    settled(world)
    assert not blocked(world, "WEB-2")
    for relation in call(world, "bo", "issues.relations", key="WEB-2"):
        if relation["issue"]["key"] == "OLD-2":
            call(world, "bo", "issues.relation_delete", id=relation["id"])
    settled(world)
    call(world, "bo", "projects.archive", key="OLD", on=False)
    settled(world)
    assert blocked(world, "WEB-2")
    call(world, "bo", "issues.relation_add", key="WEB-2", kind="blocked by", to=["OLD-2"])
    settled(world)


def test_an_issue_that_moves_on_before_its_project_is_settled_is_counted_right(world: World) -> None:
    chain(world)
    call(world, "bo", "projects.archive", key="OLD", on=True)
    settled(world)
    call(world, "bo", "projects.archive", key="OLD", on=False)
    call(world, "bo", "issues.move", keys=["OLD-2"], project="SEC")
    settled(world)
    assert blocked(world, "SEC-1")


def test_many_issues_are_settled_in_slices(world: World) -> None:
    chain(world)

    def crowd(tx: Write) -> None:
        tx.execute("update relation_kind set blocks = 1 where key = 'relates'")
        for number in range(2, 452):
            tx.execute(
                "insert into issue (project, number, type, title, body, lane, category, priority, reporter, level_no,"
                " rank, created_at, created_by, updated_at, status_at, seq) select project, number + :n, type, 'x', '',"
                " lane, category, priority, reporter, level_no, rank || 'x' || :n, created_at, created_by, updated_at,"
                " status_at, seq from issue where id = 1",
                n=number,
            )
        tx.execute(
            "insert into relation (kind, src, dst, created_at, created_by) select k.id, i.id, 3, 1, 'x' from issue i,"
            " relation_kind k where k.key = 'blocks' and i.id > 3"
        )

    world.database.write_now(crowd)
    seq = world.database.seq
    call(world, "bo", "projects.archive", key="OLD", on=True)
    settled(world)
    assert told(world, seq) == [("issue.unblocked", "issue:3")]
