"""Comments are answered from documents that are kept: never otherwise than they would be made anew."""

from typing import Any

import pytest

from kbwork.core.operations.documents import eyes_of
from kbwork.db.tx import Read
from kbwork.modules.comments.queries import DOCUMENTS, CommentEyes
from tests.conftest import World
from tests.modules.documents import (
    SWITCH,
    UNDONE,
    Asked,
    Given,
    Model,
    Play,
    declared,
    given,
    play_beside,
    play_out,
    some,
    tables_read,
)

SUBJECTS = ("issue:WEB-1", "issue:WEB-2", "issue:SEC-1", "flag:shop/checkout")
_EMOJI = some("👍", "🎉", ":ship:")


def _id(model: Model) -> int:
    """Of a comment that is or was there."""
    last = model.column("select max(id) from comment")[0] or 1
    return model.chance.randint(max(1, last - 12), last)


def _said(model: Model) -> Given:
    """A remark, a note or a reply."""
    reply = model.chance.random() < 0.5
    return {
        "subject": model.chance.choice(SUBJECTS),
        "body": model.chance.choice(("One", "Ünd \u2028 zwei", 'a "b" \\', "@cy, look")),
        "internal": model.chance.choice((None, None, True)),
        "parent": _id(model) if reply else None,
        "anchor": None if reply else model.chance.choice((None, '{"exact":"One"}')),
    }


def _looks(model: Model) -> list[Asked]:
    return [("comments.list", {"subject": subject}) for subject in SUBJECTS]


PLAY = Play(
    kind="comment",
    looks=_looks,
    often="comments.create",
    writes={
        "comments.create": _said,
        "comments.import": given(subject=some(*SUBJECTS), author=some("Ada", "@di"), body="Seen elsewhere"),
        "comments.update": given(id=_id, body=some("Two", "Three", "@di too")),
        "comments.react": given(id=_id, emoji=_EMOJI, on=some(True, True, False)),
        "comments.resolve": given(id=_id, resolved=SWITCH),
        "comments.delete": given(id=_id),
        "issues.level_set": given(key=some("WEB-1", "WEB-2", "SEC-1"), level=some("private", "project")),
        "issues.delete": given(key=some("WEB-2")),
        "issues.assign": given(key=some("WEB-1", "SEC-1"), assignees=some([], ["@di"], ["@gus"])),
        "issues.lock": given(key="WEB-1", on=SWITCH),
        "issues.merge": given(from_=["WEB-3"], into="WEB-1"),
        "issues.promote": given(from_=lambda model: f"comment:{_id(model)}"),
        "projects.member_set": given(
            key=some("WEB", "SEC"),
            who=some("@cy", "@di", "@gus"),
            role=some("member", "reporter", "viewer", None),
        ),
        "projects.update": given(
            key="WEB", visibility=some("org", "members"), reporters_see=some("own", "all")
        ),
        "members.update": given(id=some("@cy", "@di"), name=some("Cy", "Di", "Somebody")),
        **UNDONE,
    },
)


@pytest.fixture
def model(world: World) -> Model:
    ana = world.session("ana")
    for project in ("WEB", "WEB", "SEC"):
        ana.issues.create(project=project, title="One")
    ana.call("flags.project_save", {"project": "shop"})
    ana.call("flags.create", {"project": "shop", "key": "checkout"})
    return Model(world, PLAY)


def test_whatever_happens_documents_say_what_is_there(model: Model, steps: int) -> None:
    play_out(model, steps)


def test_readers_beside_a_writer_see_one_snapshot_each(model: Model, steps: int) -> None:
    play_beside(model, steps)


def test_a_document_rests_on_all_that_is_read_for_it(model: Model) -> None:
    cy = model.world.session("cy")
    comment: int = cy.call("comments.create", {"subject": "issue:WEB-1", "body": "Look"})["id"]
    cy.call("comments.react", {"id": comment, "emoji": "👍", "on": True})

    def eyes(tx: Read) -> CommentEyes:
        return eyes_of(tx, CommentEyes)

    def make(tx: Read) -> Any:
        return DOCUMENTS.texts(tx, eyes(tx), [comment])

    looked = tables_read(model, make, model.admin, before=eyes)
    assert looked == declared(model) == {"comment", "reaction"}


def test_whoever_reacted_alike_shares_a_document(model: Model) -> None:
    said = {"subject": "issue:WEB-1", "body": "Look"}
    comment: int = model.world.session("cy").call("comments.create", said)["id"]
    for handle in ("ana", "bo"):
        model.world.session(handle).call("comments.react", {"id": comment, "emoji": "👍", "on": True})
    for handle in ("ana", "bo", "cy", "di"):
        (found,) = model.world.session(handle).comments.list(subject="issue:WEB-1")
        assert [one["mine"] for one in found["reactions"]] == [handle in ("ana", "bo")]
    entry = model.database.read_now(lambda tx: tx.documents("comment", [comment]))[0]
    assert entry is not None
    assert {one.shown for one in entry.documents} == {(), ("👍",)}
    assert len(entry.documents) == 2
