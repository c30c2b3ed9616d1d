"""Figures of a desk and what customers say of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.conftest import World
from tests.modules.calls import call, call_nobody, eventually, refused
from tests.modules.desk.helpdesk import Customer, HelpDesk, customer, open_desk
from tests.modules.desk.test_customers import letters

DAY_S = 86400
TODAY = {"from_": "2027-01-15", "to": "2027-01-15"}
"""The day on which the world begins."""


def stats(world: World, who: str = "cy", **value: Any) -> dict[str, Any]:
    found: dict[str, Any] = call(world, who, "desk.stats", **{"project": "WEB"} | TODAY | value)
    return found


def close(world: World, key: str, to: str = "done") -> None:
    call(world, "cy", "issues.transition", key=key, to_status=to)


def test_what_came_in_and_was_done_is_counted(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    assert stats(world) == {
        "created": 0,
        "solved": 0,
        "reopened": 0,
        "backlog": 0,
        "first_reply": None,
        "resolution": None,
        "by_channel": {},
        "by_type": {},
    }
    one, other, third = rita.ask(), rita.ask(type=2), help_desk.nat.ask()
    phoned = {"project": "WEB", "type": 2, "customer": rita.email, "title": "By phone"}
    call(world, "cy", "desk.request_create", **phoned)
    call(world, "cy", "issues.create", project="WEB", title="No request")
    world.advance(100)
    rita.call("desk.portal_comment", key=one, body="Anybody?")
    call(world, "cy", "comments.create", subject=f"issue:{one}", body="A note", internal=True)
    world.advance(200)
    call(world, "cy", "comments.create", subject=f"issue:{one}", body="Yes")
    world.advance(100)
    call(world, "cy", "comments.create", subject=f"issue:{other}", body="Yes")
    close(world, one)
    world.advance(200)
    close(world, other)
    close(world, one, "in_progress")
    assert stats(world) == {
        "created": 4,
        "solved": 2,
        "reopened": 1,
        "backlog": 3,
        "first_reply": 350,
        "resolution": 500,
        "by_channel": {"phone": 1, "portal": 3},
        "by_type": {"A question": 2, "Something is broken": 2},
    }
    world.advance(DAY_S)
    close(world, third)
    later = stats(world, from_="2027-01-16", to="2027-01-16")
    assert (later["created"], later["solved"], later["backlog"], later["reopened"]) == (0, 1, 2, 0)
    assert stats(world)["backlog"] == 3  # as it was that day
    call(world, "ana", "issues.delete", key=third)
    assert stats(world)["created"] == 3


def test_days_are_those_of_the_org(help_desk: HelpDesk) -> None:
    world = help_desk.world
    help_desk.rita.ask()
    assert stats(world)["created"] == 1
    call(
        world, "ana", "org.update", zone="Pacific/Honolulu"
    )  # where it is ten in the evening of the day before
    assert stats(world)["created"] == 0
    assert stats(world, from_="2027-01-14", to="2027-01-14")["created"] == 1


@pytest.mark.parametrize("op", ["desk.stats", "desk.satisfaction"])
def test_figures_are_for_members(help_desk: HelpDesk, op: str) -> None:
    world = help_desk.world
    with refused("not-allowed"):
        call(world, "gus", op, project="WEB", **TODAY)
    for project in ("SEC", "PRV", "NOPE"):
        with refused("not-found"):
            call(world, "bo", op, project=project, **TODAY)
    for wrong in ({"from_": "2027-01-16"}, {"from_": "2001-01-01"}, {"from_": "soon"}, {"to": "9999-12-31"}):
        with refused("invalid-input"):
            call(world, "cy", op, **{"project": "WEB"} | TODAY | wrong)


@contextmanager
def closed(world: World, **more: Any) -> Iterator[tuple[Customer, str, dict[str, Any]]]:
    """A customer, a closed request of theirs, and what they may say of it."""
    open_desk(world, survey=True, **more)
    with customer(world, "rita") as rita:
        key = rita.ask()
        call(world, "cy", "issues.assign", key=key, assignees=["@cy"])
        assert rita.thread(key)["survey"] is None
        close(world, key)
        yield rita, key, rita.thread(key)["survey"]


def notes(world: World, key: str) -> list[str]:
    return [one["body"] for one in call(world, "cy", "comments.list", subject=f"issue:{key}")]


def test_another_rating_changes_what_was_noted(world: World) -> None:
    with closed(world) as (_rita, key, survey):

        def rate(score: int, comment: str = "") -> list[tuple[str, str]]:
            seq = world.database.seq
            call_nobody(world, "desk.portal_survey", token=survey["token"], score=score, comment=comment)
            return world.events_since(seq)

        assert rate(5) == [("desk.rated", "issue:1")]
        assert rate(2, "Slow") == [("desk.rated", "issue:1"), ("comment.created", "issue:1")]
        for number in range(30):
            rate(1 + number % 5, f"Slow {number}")
        assert rate(4, "Fine") == [("desk.rated", "issue:1"), ("comment.updated", "issue:1")]
        assert notes(world, key) == ["4/5: Fine"]
        rate(4)
        assert notes(world, key) == ["4/5"]
        (note,) = call(world, "cy", "comments.list", subject=f"issue:{key}")
        assert note["internal"]
        close(world, key, "in_progress")
        world.advance(60)
        close(world, key)
        rate(4, "Fine again")
        assert notes(world, key) == ["4/5", "4/5: Fine again"]
        call(world, "ana", "comments.delete", id=note["id"] + 1)
        rate(5, "Better")
        assert notes(world, key) == ["4/5", "5/5: Better"]


def test_a_new_note_of_a_rating_counts_as_an_answer(world: World) -> None:
    with closed(world) as (rita, key, survey):
        for number in range(19):
            rita.call("desk.portal_comment", key=key, body=f"Number {number}")
        said = {"token": survey["token"], "score": 2}
        with refused("rate-limited"):
            call_nobody(world, "desk.portal_survey", **said, comment="Slow")
        assert rita.thread(key)["survey"]["score"] is None
        call_nobody(world, "desk.portal_survey", **said)


def test_a_customer_says_how_it_went(world: World) -> None:
    with closed(world) as (rita, key, survey):
        assert (survey["score"], survey["comment"]) == (None, "")
        seq = world.database.seq
        said = {"token": survey["token"], "score": 2, "comment": "canaryword"}
        assert call_nobody(world, "desk.portal_survey", **said) == {"ok": True}
        assert world.events_since(seq) == [("desk.rated", "issue:1"), ("comment.created", "issue:1")]
        event = call(world, "cy", "activity.list", subject=f"issue:{key}")
        rated = next(one for one in event if one["kind"] == "desk.rated")
        assert (rated["actor"], rated["payload"]["score"]) == (f"customer:{rita.id}", 2)
        assert "canaryword" not in str(rated["payload"])
        note = call(world, "cy", "comments.list", subject=f"issue:{key}")[-1]
        assert (note["body"], note["internal"]) == ("2/5: canaryword", True)
        assert rita.thread(key)["comments"] == []
        seq = world.database.seq
        call_nobody(world, "desk.portal_survey", **said)  # a double click
        assert world.events_since(seq) == []
        world.advance(7 * DAY_S)
        call_nobody(world, "desk.portal_survey", **said | {"score": 4})
        assert rita.thread(key)["survey"]["score"] == 4
        world.advance(1)
        with refused("conflict"):
            call_nobody(world, "desk.portal_survey", **said)
        assert rita.thread(key)["survey"] is None
        close(world, key, "in_progress")
        with refused("not-found"):
            call_nobody(world, "desk.portal_survey", **said)
        close(world, key)
        call_nobody(world, "desk.portal_survey", **said | {"score": 5})
        assert rita.thread(key)["survey"]["score"] == 5
        cy = world.people["cy"].id
        row = {"answers": 1, "average": 5.0, "low": 0}
        for by, group in (
            ("agent", cy),
            ("type", "Something is broken"),
            ("week", "2027-01-18"),
            (None, "all"),
        ):
            more = {"by": by} if by else {}
            found = call(world, "cy", "desk.satisfaction", project="WEB", **more)
            assert found == {"rows": [{"group": group, **row}]}, by


def test_a_token_opens_one_rating_alone(world: World) -> None:
    with closed(world) as (rita, key, survey), customer(world, "nat") as nat:
        call(world, "cy", "desk.requester_set", key=key, add=[nat.email])
        assert nat.thread(key)["survey"] is None  # whoever asked is asked
        other = nat.ask()
        close(world, other)
        issue, who, mac = survey["token"].split(".")
        for token in (
            f"2.{who}.{mac}",
            f"{issue}.{nat.id}.{mac}",
            f"{issue}.{who}.x",
            "x",
            "..",
            f"{issue}.{mac}",
        ):
            with refused("not-found"):
                call_nobody(world, "desk.portal_survey", token=token, score=5)
        for score in (0, 6):
            with refused("invalid-input"):
                call_nobody(world, "desk.portal_survey", token=survey["token"], score=score)
        call(world, "ana", "desk.save", project="WEB", survey=False)
        with refused("not-found"):
            call_nobody(world, "desk.portal_survey", token=survey["token"], score=5)
        call(world, "ana", "desk.save", project="WEB", survey=True)
        call(world, "ana", "desk.customer_block", id=rita.id, blocked=True)
        with refused("not-found"):
            call_nobody(world, "desk.portal_survey", token=survey["token"], score=5)
        call(world, "ana", "desk.customer_block", id=rita.id, blocked=False)
        world.advance(30 * DAY_S + 1)
        with refused("not-found"):
            call_nobody(world, "desk.portal_survey", token=survey["token"], score=5)


def test_a_letter_asks_once_for_each_closing(mailed: World) -> None:
    def asked(rita: Customer) -> list[dict[str, Any]]:
        return [one for one in letters(mailed, rita.email) if "How did it go?" in one["text"]]

    with closed(mailed) as (rita, key, survey):
        mailed.advance(299)
        assert asked(rita) == []
        mailed.advance(60)
        eventually(lambda: asked(rita))
        (letter,) = asked(rita)
        assert f"/portal/survey?token={survey['token']}" in letter["text"]
        assert letter["html"].count("&amp;score=") == 5
        mailed.advance(600)
        close(mailed, key, "in_progress")
        close(mailed, key)
        mailed.advance(600)
        eventually(lambda: len(asked(rita)) == 2)


def test_nobody_is_asked_for_what_was_closed_before(mailed: World) -> None:
    with closed(mailed, name="Web help") as (rita, _, _):
        call(mailed, "ana", "desk.save", project="WEB", survey=False)
        mailed.advance(100)
        call(mailed, "ana", "desk.save", project="WEB", survey=True)
        key = rita.ask("Another")
        close(mailed, key)
        mailed.advance(600)
        eventually(lambda: [one for one in letters(mailed, rita.email) if "How did it go?" in one["text"]])
        said = [one["subject"] for one in letters(mailed, rita.email) if "How did it go?" in one["text"]]
        assert said == [f"[{key}] Another"]
