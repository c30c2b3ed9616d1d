"""Keys that reach some projects alone, how many there are at most, and what goes meanwhile."""

from dataclasses import replace
from typing import Any

import pytest

from kbwork.base.errors import Conflict, NotAllowed
from kbwork.contract.kbwork_client import Kbwork
from kbwork.core.operations import nested
from kbwork.modules.mail.mailbox import mailbox_test
from kbwork.modules.mail.model import MailboxTested
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.fields.sample_values import caller
from tests.modules.grants import ConnectedClient
from tests.modules.mail.conftest import FarEnd
from tests.modules.mail.test_sender import outbox, queue
from tests.modules.mail.test_templates import INVITE

HOOK: dict[str, Any] = {"name": "Ideas", "protocol": "hook", "target": {"project": "WEB"}}


def save(world: World, who: str = "ana", **more: Any) -> Any:
    return world.session(who).call("mail.mailbox_save", HOOK | more)


@pytest.mark.parametrize(
    ("op", "asked"),
    [
        ("mail.outbox", {}),
        ("mail.retry", {"ids": [1], "drop": True}),
        ("mail.suppressed", {}),
        ("mail.mailboxes", {}),
        ("mail.mailbox_save", HOOK),
        ("mail.mailbox_save", HOOK | {"id": 1, "name": "Other"}),
        ("mail.mailbox_test", {"id": 1}),
        ("mail.mailbox_delete", {"id": 1}),
        ("mail.sender", {}),
    ],
)
def test_a_key_of_some_projects_looks_at_no_mail(world: World, op: str, asked: dict[str, Any]) -> None:
    save(world)
    queue(world)
    secret = call(world, "ana", "keys.create", name="web", scopes=["admin"], projects=["WEB"])["secret"]
    with Kbwork(world.url, secret) as narrow, refused("not-allowed"):
        narrow.call(op, asked)
    assert [one["name"] for one in call(world, "ana", "mail.mailboxes")] == ["Ideas"]
    assert len(outbox(world)) == 1


@pytest.mark.parametrize(
    ("op", "asked"),
    [
        ("mail.outbox", {}),
        ("mail.retry", {"ids": [1], "drop": True}),
        ("mail.suppressed", {}),
        ("mail.mailboxes", {}),
        ("mail.mailbox_delete", {"id": 1}),
    ],
)
def test_a_client_that_was_given_some_modules_looks_at_no_mail(
    world: World, op: str, asked: dict[str, Any]
) -> None:
    save(world)
    queue(world)
    client = replace(caller(world, "ana"), modules=frozenset({"mail"}))
    with pytest.raises(NotAllowed):
        world.database.write_now(lambda tx: nested.run(tx, op, asked), client)
    assert len(call(world, "ana", "mail.mailboxes")) == len(outbox(world)) == 1


def test_a_client_that_was_given_some_modules_keeps_no_mailbox_and_looks_into_none(world: World) -> None:
    save(world)
    client = ConnectedClient(world, "ana", ["mail", "issues"])
    asked: tuple[tuple[str, dict[str, Any]], ...] = (
        ("mail.mailbox_save", HOOK),
        ("mail.mailbox_save", HOOK | {"id": 1, "name": "Other"}),
        ("mail.mailbox_test", {"id": 1, "pull": True}),
    )
    for op, value in asked:
        with pytest.raises(NotAllowed):
            client.call(op, **value)
    assert [one["name"] for one in call(world, "ana", "mail.mailboxes")] == ["Ideas"]


def test_an_org_has_so_many_mailboxes_and_texts(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    save(world)
    call(world, "ana", "mail.template_save", **INVITE)
    monkeypatch.setattr("kbwork.modules.mail.mailbox.ops.MOST", 1)
    monkeypatch.setattr("kbwork.modules.mail.template_texts.MOST", 1)
    with refused("conflict"):
        save(world, name="Other")
    with refused("conflict"):
        call(world, "ana", "mail.template_save", **INVITE | {"locale": "de"})
    assert save(world, id=1, name="Renamed")["name"] == "Renamed"
    call(world, "ana", "mail.template_save", **INVITE | {"subject": "Come to us"})


def test_who_does_not_see_what_becomes_of_mail_changes_no_mailbox(world: World) -> None:
    call(world, "di", "projects.member_set", key="PRV", who="@bo", role="lead")
    made = save(world, "bo", target={"project": "PRV"})
    with refused("not-allowed"):
        save(world, id=made["id"], name="Mine")
    with refused("not-found"):
        save(world, target={"project": "PRV"})
    assert "PRV" not in str(call(world, "ana", "mail.mailboxes"))


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"protocol": "imap"}, "host"),
        ({"protocol": "imap", "host": "127.0.0.1"}, "password"),
        ({"protocol": "imap", "host": "127.0.0.1", "user": "u"}, "password"),
        ({"protocol": "imap", "host": "127.0.0.1", "user": "u", "password": "p", "security": "none"}, "port"),
        ({"target": {}}, "target"),
        ({"target": {"desk": "WEB"}}, "target"),
        ({"target": {"project": "WEB", "page_space": "HAND"}}, "target"),
    ],
)
def test_a_mailbox_that_does_not_fit_is_refused(
    world: World, far: FarEnd, more: dict[str, Any], field: str
) -> None:
    with refused("invalid-input") as caught:
        save(world, **more)
    assert [one["path"] for one in caught.value.extra["errors"]] == [field]
    assert call(world, "ana", "mail.mailboxes") == []


def test_a_mailbox_that_goes_while_it_is_looked_into_is_said_so(world: World) -> None:
    save(world)
    call(world, "ana", "mail.mailbox_delete", id=1)
    told = MailboxTested(ok=True, detail="1 mail waits", waiting=1)
    with pytest.raises(Conflict):
        world.database.write_now(lambda tx: mailbox_test._told(tx, 1, told, pull=True))
    for op in ("mail.mailbox_test", "mail.mailbox_delete"):
        with refused("not-found"):
            call(world, "ana", op, id=1)
