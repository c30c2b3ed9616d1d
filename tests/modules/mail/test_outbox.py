"""What went, waits and did not go."""

import pytest

from kbwork.core.mail import bounces, suppression
from kbwork.core.ports import mail
from kbwork.core.ports.mail import Letter
from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.mail.conftest import FarEnd
from tests.modules.mail.test_sender import outbox, queue, save, sends


def states(world: World) -> list[str]:
    """Oldest first."""
    return [one["state"] for one in reversed(outbox(world))]


def test_letters_are_told_newest_first_and_never_what_they_say(world: World, far: FarEnd) -> None:
    save(world, far)
    sends(world)
    for number in range(3):
        queue(world, subject=f"Letter {number}", text=f"token-{number}")
    eventually(lambda: set(states(world)) == {"sent"})
    first = call(world, "ana", "mail.outbox", limit=2)
    rest = call(world, "ana", "mail.outbox", limit=2, cursor=first["next"])
    assert [one["subject"] for one in first["items"] + rest["items"]] == ["Letter 2", "Letter 1", "Letter 0"]
    assert rest["next"] is None
    assert first["items"][0] == {
        "id": 3,
        "to": "cy@acme.example",
        "subject": "Letter 2",
        "state": "sent",
        "tries": 1,
        "error": None,
        "at": world.clock.now(),
        "next_at": None,
    }
    assert "token-" not in str(first)
    assert outbox(world, state="failed") == []
    with refused("invalid-input"):
        call(world, "ana", "mail.outbox", state="sent", cursor=first["next"])


def test_what_a_letter_is_about_is_told_to_who_sees_it(world: World, far: FarEnd) -> None:
    queue(world, "di", subject="The secret of PRV", about="project:PRV")
    queue(world, "di", subject="WEB is well", about="project:WEB")
    assert [one["subject"] for one in outbox(world)] == ["WEB is well", "(not shown)"]


def test_a_letter_that_was_given_up_goes_again_under_the_same_id(world: World, far: FarEnd) -> None:
    save(world, far)
    sends(world)
    far.data_answer = "554 Not now"
    queue(world)
    eventually(lambda: states(world) == ["failed"])
    assert outbox(world)[0]["error"] == "The mail server said 554 Not now"
    ident = world.database.write_now(lambda tx: tx.value("select message_id from mail"))
    far.data_answer = "250 Taken"
    assert call(world, "ana", "mail.retry", ids=[1, 1]) == {"ok": True}
    eventually(lambda: states(world) == ["sent"])
    assert far.ids == [ident]
    with refused("conflict"):
        call(world, "ana", "mail.retry", ids=[1])
    with refused("not-found"):
        call(world, "ana", "mail.retry", ids=[99])
    with refused("invalid-input"):
        call(world, "ana", "mail.retry", ids=[])


def test_what_was_held_goes_when_it_is_told_to_and_one_that_does_not_fit_stops_all(
    world: World, far: FarEnd
) -> None:
    queue(world)
    queue(world, "di")
    assert states(world) == ["held", "held"]
    with refused("conflict"):
        call(world, "ana", "mail.retry", ids=[1])
    save(world, far)
    sends(world)
    call(world, "ana", "mail.retry", ids=[2], drop=True)
    with refused("conflict"):  # what it said went with it
        call(world, "ana", "mail.retry", ids=[1, 2])
    assert states(world) == ["held", "failed"]
    call(world, "ana", "mail.retry", ids=[1])
    eventually(lambda: states(world) == ["sent", "failed"])
    assert len(far.taken) == 1
    assert outbox(world, state="failed")[0]["error"] == "An admin dropped it."


def test_who_is_not_there_gets_no_more_mail_until_released(world: World, far: FarEnd) -> None:
    save(world, far)
    sends(world)
    far.answers["cy@acme.example"] = "550 5.1.1 No such user"
    seq = world.database.seq
    queue(world)
    eventually(lambda: call(world, "ana", "mail.suppressed") != [])
    (found,) = call(world, "ana", "mail.suppressed")
    assert found["address"] == "cy@acme.example"
    assert "No such user" in found["reason"]
    kinds = [kind for kind, _ in world.events_since(seq) if kind.startswith("mail.")]
    assert kinds == ["mail.failed", "mail.bounced"]
    far.answers.clear()
    queue(world)
    queue(world, "di")
    eventually(lambda: states(world) == ["failed", "held", "sent"])
    with refused("conflict"):
        call(world, "ana", "mail.retry", ids=[2])
    with refused("not-found"):
        call(world, "ana", "mail.suppressed", release="someone@acme.example")
    assert call(world, "ana", "mail.suppressed", release="CY@acme.example") == []
    call(world, "ana", "mail.retry", ids=[1, 2])
    eventually(lambda: states(world) == ["sent", "sent", "sent"])


@pytest.mark.parametrize(
    ("answer", "hard"),
    [
        ("550 No such user", True),
        ("550 5.1.1 <cy@acme.example>: Recipient address rejected", True),
        ("553 sorry, no mailbox here by that name", True),
        ("550 5.2.1 The account is disabled", True),
        ("550 5.7.1 Relaying denied", False),
        ("550 relay not permitted", False),
        ("552 5.2.2 Mailbox full", False),
        ("554 5.7.1 Service unavailable; client host blocked", False),
        ("503 5.5.1 Bad sequence", False),
        ("530 5.7.0 Authentication required", False),
        ("550 5.1.8 Sender address rejected", False),
    ],
)
def test_what_says_that_there_is_no_such_address(answer: str, hard: bool) -> None:
    assert bounces.is_of_address(int(answer[:3]), f"The mail server said {answer}") is hard


REPORT = """Reporting-MTA: dns; mx.example.net

Final-Recipient: rfc822; {to}
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 User unknown

Message-ID: {message}
"""


def test_a_report_counts_for_a_letter_that_was_ours(world: World, far: FarEnd) -> None:
    save(world, far)
    sends(world)
    queue(world)
    eventually(lambda: states(world) == ["sent"])
    message = world.database.write_now(lambda tx: tx.value("select message_id from mail"))

    def heard(text: str) -> bool:
        return world.database.write_now(lambda tx: bounces.heard(tx, text))

    made_up = REPORT.format(to="cy@acme.example", message="<guessed@acme.example>")
    assert not heard(made_up)
    assert not heard(REPORT.format(to="x", message=message).replace("5.1.1", "4.4.7").replace("550", "451"))
    assert not heard(f"I got your letter {message}, thank you.")
    assert call(world, "ana", "mail.suppressed") == []
    # another address than that of the letter is nobody's to silence
    assert heard(REPORT.format(to="ana@acme.example", message=message))
    assert [one["address"] for one in call(world, "ana", "mail.suppressed")] == ["cy@acme.example"]


def test_erasing_somebody_forgets_their_mail_and_that_it_came_back(world: World, far: FarEnd) -> None:
    queue(world)
    world.database.write_now(lambda tx: mail.to_address(tx, "CY@acme.example", Letter(subject="x", text="x")))
    queue(world, "di")
    world.database.write_now(
        lambda tx: suppression.suppress(tx, "cy@acme.example", "No such user"),
    )
    call(world, "ana", "members.erase", id="@cy", confirm_name="Cy Moss")
    eventually(lambda: len(outbox(world)) == 1)
    assert [one["to"] for one in outbox(world)] == ["di@acme.example"]
    assert call(world, "ana", "mail.suppressed") == []


def test_two_who_send_it_again_send_it_once(world: World, far: FarEnd) -> None:
    queue(world)
    save(world, far)
    sends(world)
    world.key("ana").call("mail.retry", {"ids": [1]})
    eventually(lambda: states(world) == ["sent"])
    with refused("conflict"):
        call(world, "ana", "mail.retry", ids=[1])
    assert len(far.taken) == 1
