"""Members are answered from documents that are kept: never otherwise than they would be made anew."""

from collections.abc import Callable
from typing import Any

import pytest

from kbwork.core.operations.documents import eyes_of
from kbwork.db.tx import Read
from kbwork.modules.members.documents import DOCUMENTS, MemberEyes
from tests.conftest import NOW, PEOPLE, World
from tests.modules.documents import (
    SWITCH,
    UNDONE,
    Asked,
    Model,
    Play,
    declared,
    given,
    number,
    play_beside,
    play_out,
    rendered,
    some,
    tables_read,
)

_NAME = some("Cy Moss", "Ünd \u2028 zwei", 'a "b" \\', None)


def _who(*handles: str) -> Callable[[Model], str]:
    """One of these people, by id."""
    return lambda model: model.world.people[model.chance.choice(handles or tuple(PEOPLE))].id


def _status(model: Model) -> Any:
    """What somebody is up to, often for some minutes."""
    until = model.world.clock.now() + 60 * model.chance.randint(1, 4)
    return model.chance.choice(
        [
            None,
            {"emoji": "palm", "text": "Away"},
            {"emoji": "tea", "until": until},
            {"text": "Out", "until": until},
        ]
    )


def _looks(model: Model) -> list[Asked]:
    """From time to time a minute has passed."""
    chance = model.chance
    if chance.random() < 0.2:
        model.world.clock.advance(60)
    return [
        ("members.get", {"id": _who()(model)}),
        ("members.get", {"id": chance.choice(("me", "@cy", "@cyrus", "@di", "bo@acme.example"))}),
        ("members.list", {"state": chance.choice(("all", "active", "deactivated")), "limit": 4}),
        (
            "members.list",
            {"q": chance.choice(("a", "cy"))} if chance.random() < 0.5 else {"team": number(3)(model)},
        ),
    ]


PLAY = Play(
    kind="member",
    looks=_looks,
    often="members.profile_set",
    writes={
        "members.profile_set": given(
            name=_NAME,
            handle=some("cyrus", "cy", "di", None, None, None),
            title=some("Designer", "", None),
            zone=some("Europe/Oslo", None),
            status=_status,
        ),
        "members.update": given(
            id=_who("bo", "cy", "di", "gus"), name=_NAME, role=some("admin", "member", "guest", None)
        ),
        "members.deactivate": given(id=_who("cy", "di", "gus"), on=some(True, False, False)),
        "members.preferences_set": given(set=some({"locale": "de"}, {"zone": "Europe/Oslo"})),
        "teams.save": given(id=some(None, 1, 2), name=some("One", "Two")),
        "teams.member_set": given(id=number(3), who=_who(), role=some("lead", "member", "none")),
        "teams.delete": given(id=number(6)),
        "projects.member_set": given(
            key=some("WEB", "SEC"), who=_who(), role=some("member", "reporter", None)
        ),
        "issues.create": given(
            project=some("WEB", "SEC"), title="One", assignees=lambda model: [_who()(model)]
        ),
        "comments.create": given(subject="issue:WEB-1", body="Said", internal=SWITCH),
        **UNDONE,
    },
)


@pytest.fixture
def model(world: World) -> Model:
    return Model(world, PLAY)


def test_whatever_happens_documents_say_what_is_there(model: Model, steps: int) -> None:
    play_out(model, steps)


def test_readers_beside_a_writer_see_one_snapshot_each(model: Model, steps: int) -> None:
    play_beside(model, steps)


def test_a_document_rests_on_all_that_is_read_for_it(model: Model) -> None:
    model.world.session("cy").call("members.profile_set", {"status": {"text": "Out", "until": NOW + 60}})
    everybody = [person.id for person in model.world.people.values()]

    def make(tx: Read) -> Any:
        return DOCUMENTS.texts(tx, eyes_of(tx, MemberEyes), everybody)

    looked = tables_read(model, make, model.admin, before=lambda tx: eyes_of(tx, MemberEyes))
    assert looked == declared(model) == {"member", "credential", "passkey", "team_member"}
    di = model.person("di")
    assert di is not None
    answered = tables_read(model, rendered(model, "members.get", {"id": "@bo"}), di)
    access = model.database.read_now(lambda tx: tx.registry.access_tables)
    assert answered <= declared(model) | access, (
        "an answer that is a document rests on who may see it, and no more"
    )


def test_a_status_ends_though_nothing_was_written(model: Model) -> None:
    cy = model.world.people["cy"].id
    model.world.session("cy").call("members.profile_set", {"status": {"text": "Out", "until": NOW + 60}})
    look = rendered(model, "members.get", {"id": cy})

    def shown(tx: Read) -> tuple[bytes, bytes, bool]:
        found = look(tx)
        assert found is not None
        return found.text(), found.digest, found.entry is not None

    body, digest, kept = model.database.read_now(shown, model.admin)
    assert b'"status":{"emoji":"","text":"Out","until":' in body
    assert not kept, "it is not what it says by its document alone"
    entry = model.database.read_now(lambda tx: tx.documents("member", [cy]))[0]

    def later(tx: Read) -> tuple[bytes, bytes, bool]:
        tx.now += 60
        return shown(tx)

    ended, other, _ = model.database.read_now(later, model.admin)
    assert b'"status":null' in ended
    assert other != digest
    assert entry is not None
    assert model.database.read_now(lambda tx: tx.documents("member", [cy]))[0] is entry


def test_who_has_a_second_factor_is_told_to_admins_and_to_themselves(model: Model) -> None:
    cy = model.world.people["cy"].id

    def told(handle: str) -> Any:
        return model.world.session(handle).members.get(id=cy)["two_factor"]

    assert [told(handle) for handle in ("ana", "cy", "di")] == [False, False, None]
    model.database.write_now(lambda tx: tx.update("credential", cy, totp=b"secret"))
    assert [told(handle) for handle in ("ana", "cy", "di")] == [True, True, None]
