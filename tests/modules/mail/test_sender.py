"""The mail server that an admin saves: at once, sealed, guarded, and behind the operator's."""

import threading
from typing import Any

import pytest

from kbwork.core.data_check import DataCheck
from kbwork.core.mail import sender as saved
from kbwork.core.ports import mail
from kbwork.core.ports.mail import Letter
from kbwork.modules.backups import carry_over
from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.mail.conftest import FarEnd


def save(world: World, far: FarEnd, **more: Any) -> Any:
    asked = {"host": "127.0.0.1", "port": far.port, "security": "none", "from": "work@acme.example"}
    return world.session("ana").call("mail.sender_set", asked | more)


def queue(world: World, who: str = "cy", **more: Any) -> int:
    written: dict[str, Any] = {"subject": "Hello", "text": "Read this.\n"}
    found = world.database.write_now(
        lambda tx: mail.to_member(tx, world.people[who].id, Letter(**written | more))
    )
    assert found is not None
    return found


def outbox(world: World, **more: Any) -> list[Any]:
    found: list[Any] = call(world, "ana", "mail.outbox", **more)["items"]
    return found


def sends(world: World) -> None:
    eventually(lambda: world.database.write_now(mail.sends))


def test_what_is_saved_takes_effect_at_once(world: World, far: FarEnd) -> None:
    none = call(world, "ana", "mail.sender")
    assert (none["host"], none["source"], none["place"], none["has_password"]) == ("", "none", "", False)
    found = save(world, far, signature="Acme & Sons\nWoolwich")
    place = f"127.0.0.1:{far.port}"
    assert found == {
        "host": "127.0.0.1",
        "port": far.port,
        "security": "none",
        "user": "",
        "from": "work@acme.example",
        "name": "Acme",
        "signature": "Acme & Sons\nWoolwich",
        "has_password": False,
        "source": "saved",
        "place": place,
        "said": None,
    }
    sends(world)
    assert call(world, "ana", "mail.sender") == found
    queue(world, html="<body><p>Read this.</p></body>")
    eventually(lambda: far.taken)
    (letter,) = far.taken
    assert str(letter["From"]) == "Acme <work@acme.example>"
    assert letter["Message-ID"].endswith("@acme.example>")
    text, html = (part.get_content().replace("\r\n", "\n") for part in letter.iter_parts())
    assert text == "Read this.\n\nAcme & Sons\nWoolwich\n"
    assert html == "<body><p>Read this.</p><p>Acme &amp; Sons<br>\nWoolwich</p>\n</body>\n"
    far.hold = threading.Event()
    queue(world)
    eventually(lambda: len(far.taken) == 2)
    save(world, far, name="The shop", signature="")  # while a letter is on its way
    queue(world)
    far.hold.set()
    eventually(lambda: len(far.taken) == 3)
    assert [str(letter["From"]) for letter in far.taken[1:]] == [
        "Acme <work@acme.example>",
        "The shop <work@acme.example>",
    ]


def test_a_test_letter_says_what_the_server_said(world: World, far: FarEnd) -> None:
    found = save(world, far, test_to="me@example.com")
    assert found["said"] == "250 Taken"
    assert [str(one["To"]) for one in far.taken] == ["me@example.com"]
    far.answers["me@example.com"] = "550 5.7.1 Relaying denied"
    with refused("upstream-failed") as raised:
        save(world, far, name="Another", test_to="me@example.com")
    assert "Relaying denied" in str(raised.value)
    assert call(world, "ana", "mail.sender")["name"] == "Acme"
    assert call(world, "ana", "mail.suppressed") == []


def test_a_password_is_sealed_kept_and_gone_with_its_address(world: World, far: FarEnd) -> None:
    given = {"security": "starttls", "user": "kb", "password": "a mail password"}
    assert save(world, far, **given)["has_password"]
    kept = world.database.write_now(saved.stored)
    assert kept is not None
    assert b"a mail password" not in (kept["password"] or b"")
    assert save(world, far, security="starttls", name="Other")["has_password"]
    opened = world.database.write_now(saved.server)
    assert opened is not None
    assert (opened.user, opened.password) == ("kb", "a mail password")
    for moved in ({"port": far.port + 1}, {"host": "smtp.acme.example"}, {"user": "other"}):
        with refused("invalid-input"):
            save(world, far, security="starttls", **moved)
    with refused("invalid-input"):
        save(world, far)  # in the clear
    assert not save(world, far, user="", password="")["has_password"]
    for text in (str(call(world, "ana", "mail.sender")), str(call(world, "ana", "audit.list", limit=200))):
        assert "a mail password" not in text


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "10.0.0.8", "::1", "::ffff:10.0.0.8", "169.254.169.254", "0.0.0.0"]
)
def test_a_private_address_is_refused_but_where_the_operator_lists_it(
    world: World, far: FarEnd, host: str
) -> None:
    with refused("invalid-input"):
        save(world, far, host=host, port=2525)


def test_a_name_that_leads_to_a_private_address_gets_no_mail(world: World, far: FarEnd) -> None:
    with refused("upstream-failed") as raised:
        save(world, far, host="localhost", test_to="me@example.com")
    assert "127.0.0.1" not in str(raised.value)
    save(world, far, host="localhost")
    sends(world)
    queue(world)
    eventually(lambda: outbox(world)[0]["error"] is not None)
    assert "127.0.0.1" not in outbox(world)[0]["error"]
    assert far.taken == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"from": "two@acme.example, one@acme.example"},
        {"from": "a@b\r\nBcc: eve@evil.example"},
        {"test_to": "nobody"},
        {"host": "smtp acme"},
        {"port": 0},
        {"security": "ssl"},
        {"user": "kb"},
        {"password": "x"},
    ],
)
def test_what_is_no_mail_server_is_refused(world: World, far: FarEnd, wrong: dict[str, Any]) -> None:
    with refused("invalid-input"):
        save(world, far, **wrong)


def test_a_name_adds_no_header(world: World, far: FarEnd) -> None:
    save(world, far, name="Acme\u2028Bcc: eve@evil.example, <x@y>")
    sends(world)
    queue(world)
    eventually(lambda: far.taken)
    assert far.taken[0]["Bcc"] is None
    assert far.taken[0]["X-Envelope"] == "work@acme.example ['cy@acme.example']"


@pytest.mark.parametrize("who", ["cy", "gus"])
@pytest.mark.parametrize(
    ("op", "value"),
    [
        ("mail.sender", {}),
        ("mail.sender_set", {"host": "a.example", "port": 25, "security": "none", "from": "a@b.example"}),
        ("mail.outbox", {}),
        ("mail.retry", {"ids": [1]}),
        ("mail.suppressed", {}),
    ],
)
def test_it_is_for_admins(world: World, who: str, op: str, value: dict[str, Any]) -> None:
    with refused("insufficient-scope"):
        world.session(who).call(op, value)


def test_a_limited_key_and_an_agent_name_no_mail_server(world: World, far: FarEnd) -> None:
    asked = {"host": "127.0.0.1", "port": far.port, "security": "none", "from": "work@acme.example"}
    limited = call(world, "ana", "keys.create", name="web", scopes=["admin"], projects=["WEB"])["secret"]
    from kbwork.contract.kbwork_client import Kbwork

    with Kbwork(world.url, limited) as client:
        for op, value in (("mail.sender_set", asked), ("mail.outbox", {}), ("mail.suppressed", {})):
            with refused("not-allowed"):
                client.call(op, value)


def test_the_operators_server_goes_first(mailed: World, far: FarEnd) -> None:
    found = save(mailed, far, signature="Acme")
    assert (found["source"], found["place"], found["host"]) == ("settings", "127.0.0.1:9", "127.0.0.1")
    queue(mailed)
    text = mailed.database.write_now(lambda tx: tx.value("select text from mail"))
    assert text == "Read this.\n\nAcme\n"
    assert far.taken == []


def test_the_doctor_says_when_the_password_opens_no_more(world: World, far: FarEnd) -> None:
    save(world, far, security="starttls", user="kb", password="secret")
    world.database.write_now(lambda tx: tx.execute("update mail_sender set password = zeroblob(40)"))

    def told(tx: Any) -> list[tuple[bool, str]]:
        checks = tx.registry.of(DataCheck)
        return [(one.well, one.said) for check in checks for one in check.look(tx) if one.about == "mail"]

    ((well, said),) = world.database.write_now(told)
    assert not well
    assert "mail.sender_set" in said
    assert call(world, "ana", "mail.sender")["has_password"]


def test_a_restore_sends_by_the_server_that_was_in_use(world: World, far: FarEnd) -> None:
    save(world, far, name="Before")
    with world.at_rest():
        held = world.database.write_now(carry_over.since)
        save(world, far, name="Of the backup")
        world.database.write_now(lambda tx: carry_over._carry_mail(tx, held.mail))
        assert call(world, "ana", "mail.sender")["name"] == "Before"
        held.mail["mail_sender"].clear()  # type: ignore[index]  # it is there
        world.database.write_now(lambda tx: carry_over._carry_mail(tx, held.mail))
        assert call(world, "ana", "mail.sender")["host"] == ""
