"""What is not read goes by mail, after a while, and ends by the link in the letter."""

import datetime
import http.client
import zoneinfo
from typing import Any
from urllib.parse import urlsplit

import pytest

from kbwork.modules.notifications.mail import delivery
from kbwork.modules.notifications.preferences import USUAL, InboxPreferences, QuietTime
from kbwork.worker.smtp import message
from tests.conftest import NOW, World
from tests.modules.backups.test_backups import taken
from tests.modules.backups.test_restore_all import restored
from tests.modules.calls import call, refused
from tests.modules.notifications.inboxes import follow, inbox, issue, letters

DELAY_S = 600


def post(world: World, path: str, body: str, **headers: str) -> tuple[int, str]:
    """As a mail program does: without cookies, and from no page."""
    connection = http.client.HTTPConnection(urlsplit(world.url).netloc, timeout=10)
    try:
        method = "POST" if body else "GET"
        kind = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}
        connection.request(method, path, body or None, kind | headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def test_a_letter_says_what_happened_and_why_it_comes(mailed: World) -> None:
    key = issue(mailed)
    call(mailed, "ana", "comments.create", subject=f"issue:{key}", body="Look here, @cy")
    assert letters(mailed) == [], "it waits for what is read meanwhile"
    mailed.clock.advance(DELAY_S)
    (letter,) = letters(mailed)
    page = letter["unsubscribe"]
    assert page.startswith(f"{mailed.url}/unsubscribe?t=")
    assert letter["text"] == (
        f"WEB-1 Cart\n{mailed.url}/issues/WEB-1\n\nAna Lund mentioned you: Look here, @cy\n\n--\n"
        f"You get this letter when you are mentioned, from Acme.\nTurn such letters off: {page}"
    )
    assert (letter["member"], letter["subject"], letter["about"], letter["one_click"]) == (
        mailed.people["cy"].id,
        "WEB-1 Cart",
        "issue:1",
        1,
    )
    written = message(letter, "kb@acme.example").decode()
    assert f"List-Unsubscribe: <{page}>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n" in written
    assert f"References: {letter['thread']}\r\n" in written
    assert f"In-Reply-To: {letter['thread']}\r\n" in written
    assert len(letters(mailed)) == 1, "once"
    call(mailed, "ana", "comments.create", subject=f"issue:{key}", body="And here, @cy")
    follow(mailed)
    mailed.clock.advance(DELAY_S)
    second = letters(mailed)[1]
    assert "And here" in second["text"]
    assert "Look here" not in second["text"]
    assert (second["thread"], second["message_id"] != letter["message_id"]) == (letter["thread"], True)


def test_what_came_meanwhile_goes_in_the_same_letter_and_what_was_read_in_none(mailed: World) -> None:
    key = issue(mailed, assignees=["@cy"])
    follow(mailed)
    mailed.clock.advance(DELAY_S - 60)
    call(mailed, "ana", "comments.create", subject=f"issue:{key}", body="@cy, see this")
    other = issue(mailed, assignees=["@cy"])
    follow(mailed)
    call(mailed, "cy", "notifications.read", subject=other)
    mailed.clock.advance(60)
    (letter,) = letters(mailed)
    assert "assigned it to you\nAna Lund mentioned you: @cy, see this\n" in letter["text"]


def test_what_one_merely_watches_is_not_mailed_and_what_one_sees_no_more_neither(mailed: World) -> None:
    key = issue(mailed)
    call(mailed, "di", "issues.watch", key=key, on=True)
    call(mailed, "ana", "comments.create", subject=f"issue:{key}", body="For @cy")
    follow(mailed)
    call(mailed, "ana", "issues.level_set", key=key, level="private")
    mailed.clock.advance(DELAY_S)
    assert letters(mailed) == []


def test_what_comes_while_others_are_dropped_is_mailed(mailed: World) -> None:
    key = issue(mailed)
    call(mailed, "ana", "comments.create", subject=f"issue:{key}", body="For @cy")
    with mailed.at_rest():
        follow(mailed)
        call(mailed, "ana", "issues.level_set", key=key, level="private")
        mailed.clock.advance(DELAY_S)
        found = mailed.database.write_now(delivery.look)
        assert found is not None
        assert len(found.dropped) == 1
        call(mailed, "ana", "issues.level_set", key=key, level="")
        call(mailed, "ana", "comments.create", subject=f"issue:{key}", body="And this, @cy")
        follow(mailed)
        mailed.database.write_now(lambda tx: delivery.write(tx, found))
    (letter,) = letters(mailed)
    assert "And this, @cy" in letter["text"]


def test_a_digest_is_one_letter_at_its_time(mailed: World) -> None:
    call(mailed, "cy", "members.preferences_set", set={"zone": "Europe/Berlin"})
    call(mailed, "cy", "notifications.settings_set", digest="daily", digest_at="07:30")
    for _ in range(2):
        issue(mailed, assignees=["@cy"])
    follow(mailed)
    mailed.clock.advance(DELAY_S)
    assert letters(mailed) == []
    zone = zoneinfo.ZoneInfo("Europe/Berlin")
    due = datetime.datetime.fromtimestamp(NOW, zone).replace(hour=7, minute=30, second=0)
    due += datetime.timedelta(days=due.timestamp() <= NOW)
    mailed.clock.set(int(due.timestamp()))
    (letter,) = letters(mailed)
    assert (letter["subject"], letter["about"], letter["thread"]) == (
        "2 things are new for you in Acme",
        None,
        None,
    )
    assert [title in letter["text"] for title in ("WEB-1 Cart", "WEB-2 Cart")] == [True, True]


def test_letters_end_by_their_link_and_come_again_by_the_page(mailed: World) -> None:
    key = issue(mailed)
    call(mailed, "ana", "comments.create", subject=f"issue:{key}", body="For @cy")
    follow(mailed)
    mailed.clock.advance(DELAY_S)
    (letter,) = letters(mailed)
    path = letter["unsubscribe"].removeprefix(mailed.url)

    def ways() -> list[str]:
        found: list[str] = call(mailed, "cy", "notifications.settings")["channels"]["mentioned"]
        return found

    status, page = post(mailed, path, "")
    assert (status, "Turn these letters off?" in page, ways()) == (200, True, ["inbox", "mail", "push"])
    status, page = post(mailed, path, "List-Unsubscribe=One-Click")
    assert (status, "no more letters come to you when you are mentioned" in page) == (200, True)
    assert ways() == ["inbox", "push"]
    call(mailed, "ana", "comments.create", subject=f"issue:{key}", body="Again, @cy")
    follow(mailed)
    mailed.clock.advance(DELAY_S)
    assert len(letters(mailed)) == 1
    assert len(inbox(mailed, "cy")) == 1
    assert post(mailed, path, "turn=on")[0] == 200
    assert ways() == ["inbox", "mail", "push"]
    assert post(mailed, path, "x", **{"Content-Type": "multipart/form-data; boundary=x"})[0] == 200
    assert ways() == ["inbox", "push"]
    for wrong in (path[:-1], path.replace("mentioned", "assigned"), "/unsubscribe?t=", "/unsubscribe"):
        assert post(mailed, wrong, "turn=off")[0] == 404, wrong
        assert post(mailed, wrong, "")[0] == 404, wrong


def test_a_server_that_sends_no_mail_keeps_no_letter_back(world: World) -> None:
    issue(world, assignees=["@cy"])
    world.clock.advance(DELAY_S)
    assert letters(world) == []


BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")


def _at(text: str) -> int:
    return int(datetime.datetime.fromisoformat(text).replace(tzinfo=BERLIN).timestamp())


@pytest.mark.parametrize(
    ("moment", "awake"),
    [
        ("2026-11-23 21:59", "2026-11-23 21:59"),
        ("2026-11-23 22:00", "2026-11-24 07:00"),
        ("2026-11-24 06:59", "2026-11-24 07:00"),
        ("2026-11-24 07:00", "2026-11-24 07:00"),
        ("2026-11-28 06:59", "2026-11-28 07:00"),  # the night of Friday ends on Saturday
        ("2026-11-28 23:00", "2026-11-28 23:00"),  # and that of Saturday is not quiet
        ("2026-11-30 06:00", "2026-11-30 06:00"),
    ],
)
def test_quiet_nights_end_in_the_morning(moment: str, awake: str) -> None:
    quiet = QuietTime(22 * 60, 7 * 60, frozenset({1, 2, 3, 4, 5}))
    wanted = InboxPreferences(USUAL, "off", 480, quiet, [1], 0, BERLIN)
    assert wanted.awake_at(_at(moment)) == _at(awake)
    assert wanted.mail_at(_at(moment)) == _at(awake)


@pytest.mark.parametrize(
    ("moment", "awake"),
    [("12:00", "13:00"), ("12:59", "13:00"), ("13:00", "13:00"), ("11:59", "11:59")],
)
def test_a_quiet_hour_by_day(moment: str, awake: str) -> None:
    wanted = InboxPreferences(USUAL, "off", 480, QuietTime(720, 780, frozenset({1})), [1], 0, BERLIN)
    assert wanted.awake_at(_at(f"2026-11-23 {moment}")) == _at(f"2026-11-23 {awake}")
    assert wanted.awake_at(_at(f"2026-11-24 {moment}")) == _at(f"2026-11-24 {moment}"), "on Mondays alone"


def test_settings_are_changed_one_by_one_and_answered_whole(world: World) -> None:
    seq = world.database.seq
    usual = call(world, "cy", "notifications.settings")
    assert usual | {"push_key": None} == {
        "channels": USUAL,
        "digest": "off",
        "digest_at": "08:00",
        "quiet": None,
        "due_before_days": [1],
        "own_projects": [],
        "delay_minutes": 10,
        "muted": [],
        "devices": [],
        "push_key": None,
    }
    changes: list[dict[str, Any]] = [
        {"channels": {"watching": [], "due": ["mail"]}},
        {"digest": "weekly", "digest_at": "17:05"},
        {"quiet": {"from": "22:00", "to": "07:00"}},
        {"due_before_days": [3, 0, 3]},
        {"own_projects": ["web"]},
        {"delay_minutes": 0},
    ]
    for change in changes:
        found = world.session("cy").call("notifications.settings_set", change)
    assert found == usual | {
        "channels": USUAL | {"watching": [], "due": ["inbox", "mail"]},
        "digest": "weekly",
        "digest_at": "17:05",
        "quiet": {"from": "22:00", "to": "07:00", "days": [1, 2, 3, 4, 5, 6, 7]},
        "due_before_days": [0, 3],
        "own_projects": ["WEB"],
        "delay_minutes": 0,
        "push_key": found["push_key"],
    }
    assert world.session("cy").call("notifications.settings_set", {"quiet": None})["quiet"] is None
    assert call(world, "di", "notifications.settings")["digest"] == "off"
    assert world.events_since(seq) == []
    for wrong in ({"channels": {"sms": ["mail"]}}, {"channels": {"due": ["fax"]}}, {"digest_at": "25:00"}):
        with refused("invalid-input"):
            world.session("cy").call("notifications.settings_set", wrong)


def test_what_waits_follows_the_settings(mailed: World) -> None:
    issue(mailed, assignees=["@cy"])
    follow(mailed)
    call(mailed, "cy", "notifications.settings_set", delay_minutes=60)
    mailed.clock.advance(DELAY_S)
    assert letters(mailed) == []
    mailed.clock.advance(3600)
    assert len(letters(mailed)) == 1


def test_data_that_were_put_back_mail_nothing_of_what_waited_then(mailed: World) -> None:
    issue(mailed, assignees=["@cy"])
    follow(mailed)
    assert restored(mailed, taken(mailed)["id"])["state"] == "done"
    mailed.clock.advance(DELAY_S)
    assert letters(mailed) == []
    assert mailed.database.write_now(lambda tx: tx.column("select state from notification")) == ["unread"]
