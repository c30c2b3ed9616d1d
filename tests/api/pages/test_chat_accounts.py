"""Accounts on chat platforms on the account page: linked by a code, and unlinked."""

from tests.api.pages.test_pages import Browser
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.chat.platforms import Somebody, connected


def test_an_account_is_linked_and_unlinked(world: World) -> None:
    ana = Browser(world.url)
    ana.sign_in()
    assert "Chats" not in ana.get("/account").words  # none is connected
    rita = Somebody(world, connected(world, name="Acme <b>chat</b>"), name="Rita & co")
    answer = rita.hears("link")
    page = ana.get("/account")
    assert "kbwork in Acme <b>chat</b>, and enter the code" in page.words
    assert "/account" in answer
    wrong = ana.fill(page, "/account/chats", code="BCDFG-HJKLM")
    assert (wrong.status, "No chat handed out this code" in wrong.words) == (422, True)
    done = ana.follow(ana.fill(page, "/account/chats", code=answer.rpartition(" ")[2]))
    assert "The chat is linked." in done.words
    assert "Rita & co in Acme <b>chat</b>" in done.words
    rita.says("create By ana")
    assert call(world, "ana", "issues.get", key="WEB-1")["reporter"] == world.people["ana"].id
    gone = ana.follow(ana.fill(done, "/account/chats/unlink"))
    assert "The chat is unlinked." in gone.words
    assert ana.fill(done, "/account/chats/unlink").status == 404
    assert ana.post("/account/chats/unlink", {"id": "x"}).status == 404
    call(world, "ana", "org.modules_set", off=["chat"])
    assert "Chats" not in ana.get("/account").words
