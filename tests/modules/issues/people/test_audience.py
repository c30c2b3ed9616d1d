"""Who of a team or a list sees a comment: the same as each of them finds by looking, found in one look."""

from typing import Any

from kbwork.core.access import callers, visibility
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Write
from kbwork.modules import issues
from kbwork.modules.comments import mentions
from kbwork.modules.issues.commentable import IssueCommentTarget
from kbwork.modules.issues.people import audience
from tests.conftest import World
from tests.house import company
from tests.modules.calls import call
from tests.modules.issues.test_issues import make


def test_one_look_for_all_finds_whom_each_one_s_own_look_finds(world: World) -> None:
    made = company.found(world)

    def look(tx: Write) -> list[str]:
        members = tx.all("select id, role from member where state = 'active'")
        people = {team: {world.people[who].id for who in there} for team, there in company.TEAMS.items()}
        eyes = {row["id"]: visibility.as_member(tx, row["id"]) for row in members}
        guests = {row["id"] for row in members if row["role"] == "guest"}
        whos = [*eyes, *(f"team:{team}" for team in people)]
        wrong = []
        for one in made.issues.values():
            row = tx.one("select * from issue where id = :id and deleted_at is null", IssueRow, id=one.id)
            if row is None:
                continue
            seers = {who for who, theirs in eyes.items() if issues.find(theirs, f"issue:{one.id}")}
            for internal in (False, True):
                each = seers - guests if internal else seers
                wanted = each | {f"team:{team}" for team, there in people.items() if there & each}
                found = set(audience.among(tx, whos, row, internal=internal))
                if found != wanted:
                    wrong.append(f"{one} internal={internal}: {found ^ wanted}")
        return wrong

    assert world.database.write_now(look) == []


def test_a_large_team_costs_no_more_looks_than_a_small_one(world: World) -> None:
    make(world, "bo", title="One", level="private")
    small, large = 3, 300
    world.database.write_now(lambda tx: _teams(tx, {"small": small, "large": large}))

    def looks(tx: Write) -> list[int]:
        tx.caller = visibility.as_member(tx, world.people["bo"].id).caller
        row = tx.one("select * from issue where id = 1", IssueRow)
        assert row is not None
        counts = []
        for text in ("warm @large @small", "@small", "@large"):
            tx.memo.clear()
            said: list[str] = []
            tx._connection.exec_trace = lambda *told, said=said: said.append(told[1]) or True
            try:
                assert mentions.mentioned(tx, text, IssueCommentTarget(tx, row), internal=False) == []
            finally:
                tx._connection.exec_trace = None
            counts.append(len(said))
        return counts

    found = world.database.write_now(looks)
    assert found[1] == found[2]


def _teams(tx: Write, sizes: dict[str, int]) -> None:
    for name, size in sizes.items():
        team = tx.insert("team", name=name, handle=name, description="", open=1, created_at=tx.now)
        for number in range(size):
            member = callers.add_member(
                tx, name=f"{name} {number}", email=f"{name}{number}@acme.example", role="member"
            )
            tx.insert("team_member", team=team, member=member, role="member")


def test_a_comment_brought_back_elsewhere_is_counted_there_alone(world: World) -> None:
    first, other = make(world), make(world)
    for key, internal in ((first, False), (first, True), (other, False)):
        call(world, "cy", "comments.create", subject=f"issue:{key}", body="Said", internal=internal)
    call(world, "cy", "comments.delete", id=1)
    call(world, "cy", "comments.delete", id=2)
    call(world, "cy", "issues.delete", key=first)
    for trashed in (1, 2):
        assert call(world, "cy", "trash.restore", ids=[trashed], parent=other)["failed"] == []
        seq = world.database.seq
    assert _counts(world) == {1: (0, 0), 2: (2, 1)}
    call(world, "cy", "undo.apply", seq=seq)
    assert _counts(world) == {1: (0, 0), 2: (2, 0)}
    call(world, "cy", "comments.delete", id=1)
    assert _counts(world) == {1: (0, 0), 2: (1, 0)}


def _counts(world: World) -> dict[int, Any]:
    rows = world.database.write_now(lambda tx: tx.all("select id, comments, internal_comments from issue"))
    return {row["id"]: (row["comments"], row["internal_comments"]) for row in rows}
