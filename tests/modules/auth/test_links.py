"""Links by mail and by command: who gets one, what it opens, and that nobody learns whose address is known."""

import re
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kbwork.base.clock import SystemClock
from kbwork.base.errors import Problem
from kbwork.core.operations.call import Credentials
from kbwork.db.tx import Read, Row
from kbwork.modules.auth import login as sign_in
from tests.cli.commands.here import kbwork_here
from tests.conftest import PASSWORD, Person, World, at_work
from tests.modules.auth.test_auth import (
    BO,
    CY,
    DI,
    LONGER,
    Answer,
    browse,
    failures,
    login,
    login_page,
    payloads,
    post,
    with_factor,
)
from tests.modules.calls import call, eventually
from tests.servers import SharedServer

_LINK = re.compile(r"https?://\S+\?token=(\S+)")


def letters(world: World) -> list[dict[str, Any]]:
    return world.database.write_now(lambda tx: tx.all("select * from mail order by id"))


def waiting(world: World) -> int:
    """Asks that were not answered yet."""
    return int(
        world.database.write_now(
            lambda tx: tx.value("select count(*) from challenge where purpose glob 'asked *'")
        )
    )


def forgot(world: World, email: str = CY) -> Answer:
    """Ask, and have it answered."""
    answer = post(world, "auth.password_forgot", email=email)
    world.advance(1)
    eventually(lambda: waiting(world) == 0)
    return answer


def token_of(letter: dict[str, Any]) -> str:
    found = _LINK.search(letter["text"])
    assert found is not None, letter["text"]
    assert found[0] in letter["html"]
    return found[1]


def link(world: World, email: str = CY) -> str:
    assert forgot(world, email).status == 200
    return token_of(letters(world)[-1])


def reset(world: World, token: str, password: str = LONGER) -> Answer:
    return post(world, "auth.password_reset", token=token, password=password)


def forgot_from(world: World, address: str, email: str = CY) -> str:
    """What an ask from another address than the tests' comes to: `ok`, or the slug of what refuses it."""
    assert world.app is not None
    dispatcher = world.app.dispatcher

    async def ask() -> str:
        admitted = dispatcher.admit("auth.password_forgot", Credentials(address=address))
        try:
            await dispatcher.run(admitted, b'{"email": "%s"}' % email.encode())
        except Problem as problem:
            return problem.slug
        return "ok"

    return world.on_loop(ask())


def test_a_forgotten_password_is_set_anew_by_a_link(mailed: World) -> None:
    cy, seq = mailed.people["cy"], mailed.database.seq
    token = link(mailed, "Cy@ACME.example")
    (letter,) = letters(mailed)
    assert (letter["member"], letter["address"]) == (cy.id, CY)
    assert letter["subject"] == "Set a new password for Acme"
    assert f"{mailed.url}/reset?token={token}" in letter["text"]
    stored = mailed.database.write_now(lambda tx: tx.all("select * from challenge"))
    assert token not in str(stored)
    known = login_page(mailed, CY).cookies
    answer = reset(mailed, token)
    assert (answer.status, answer.body, answer.cookies) == (200, {"ok": True}, {})
    kinds = [entry for entry in payloads(mailed, seq) if entry[0] != "auth.signed_in"]
    assert kinds == [
        ("auth.link_sent", f"member:{cy.id}", "anonymous", {"purpose": "password", "by": "mail"}),
        ("auth.password_changed", f"member:{cy.id}", cy.id, {"sessions_ended": 2, "how": "mail"}),
    ]
    assert post(mailed, "auth.me", cy.session).status == 401
    assert post(mailed, "auth.me", cy.key).status == 200
    assert (login(mailed, CY).status, login(mailed, CY, LONGER).status) == (401, 200)
    assert known
    assert mailed.database.write_now(lambda tx: tx.value("select count(*) from known_device")) == 0
    told = letters(mailed)[-1]
    assert (told["member"], told["subject"]) == (cy.id, "Your password for Acme was changed")
    assert "token=" not in told["text"]
    (listed,) = [e for e in call(mailed, "ana", "audit.list")["entries"] if e["kind"] == "auth.link_sent"]
    assert listed["address"] == "127.0.0.1"


def test_a_link_opens_once_and_takes_the_others_along(mailed: World) -> None:
    first, second = link(mailed), link(mailed)
    assert reset(mailed, second).status == 200
    refused = [reset(mailed, token) for token in (second, first, "kbl_mistyped")]
    assert {answer.slug for answer in refused} == {"not-found"}
    assert len({answer.body["detail"] for answer in refused}) == 1


def test_of_many_at_once_one_sets_the_password(mailed: World) -> None:
    token = link(mailed)
    told: list[int] = []
    threads = [threading.Thread(target=lambda: told.append(reset(mailed, token).status)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert sorted(told) == [200, 404, 404, 404]


def _nobody_has_it(world: World) -> str:
    return "nobody@acme.example"


def _deactivated(world: World) -> str:
    di = world.people["di"].id
    world.database.write_now(lambda tx: tx.update("member", di, state="deactivated"))
    return DI


def _invited(world: World) -> str:
    call(world, "bo", "invites.create", emails=["eli@acme.example"], role="member")
    return "eli@acme.example"


def _guest_is_over(world: World) -> str:
    gus = world.people["gus"].id
    world.database.write_now(lambda tx: tx.update("member", gus, guest_until=tx.now))
    return "gus@acme.example"


@pytest.mark.parametrize("whose", [_nobody_has_it, _deactivated, _invited, _guest_is_over])
def test_who_may_not_sign_in_gets_none_and_nobody_is_told(
    mailed: World, whose: Callable[[World], str]
) -> None:
    email = whose(mailed)
    before, seq = len(letters(mailed)), mailed.database.seq
    answers = [forgot(mailed, email), forgot(mailed, CY)]
    assert [(answer.status, answer.body) for answer in answers] == [(200, {"ok": True})] * 2
    assert [letter["address"] for letter in letters(mailed)[before:]] == [CY]
    assert [kind for kind, _ in mailed.events_since(seq) if kind.startswith("auth.")] == ["auth.link_sent"]


def test_a_server_that_sends_no_mail_answers_the_same_and_makes_no_link(world: World) -> None:
    seq = world.database.seq
    answer = forgot(world)
    assert (answer.status, answer.body) == (200, {"ok": True})
    assert letters(world) == []
    assert world.events_since(seq) == []


def test_no_call_looks_whose_the_address_is(mailed: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that it takes as long for every address."""
    looked: list[str] = []
    by_email = sign_in.by_email

    def look(tx: Read, email: str) -> Row | None:
        looked.append(getattr(tx, "op", ""))
        return by_email(tx, email)

    monkeypatch.setattr(sign_in, "by_email", look)
    for email in (CY, "nobody@acme.example"):
        forgot(mailed, email)
    assert looked == ["schedule.auth.links"] * 2


@pytest.mark.parametrize("email", [CY, "nobody@acme.example"])
def test_three_are_mailed_in_an_hour_for_one_address_of_the_network(mailed: World, email: str) -> None:
    assert [forgot(mailed, email).status for _ in range(3)] == [200] * 3
    answer = forgot(mailed, email.upper())
    assert (answer.status, answer.slug, answer.headers["retry-after"]) == (429, "rate-limited", "3597")
    assert forgot(mailed, BO).status == 200
    mailed.clock.advance(3600)
    assert forgot(mailed, email).status == 200


def test_ten_are_mailed_in_an_hour_whoever_asks(mailed: World) -> None:
    asked = [forgot_from(mailed, f"203.0.113.{number}") for number in range(12)]
    assert asked == ["ok"] * 10 + ["rate-limited"] * 2
    mailed.advance(1)
    eventually(lambda: waiting(mailed) == 0)
    assert len(letters(mailed)) == 10


def test_who_failed_too_often_asks_for_nothing_from_there(mailed: World) -> None:
    for number in range(5):
        failures(mailed, f"somebody{number}@acme.example", 10)
    assert post(mailed, "auth.password_forgot", email=CY).slug == "rate-limited"
    assert forgot_from(mailed, "203.0.113.9") == "ok"


def test_who_failed_on_their_own_account_asks_and_goes_on(mailed: World) -> None:
    failures(mailed, CY, 10)
    assert login(mailed, CY).slug == "rate-limited"
    assert reset(mailed, link(mailed)).status == 200
    assert login(mailed, CY, LONGER).status == 200


def test_a_second_factor_stays_in_force(mailed: World) -> None:
    with_factor(mailed, "cy")
    answer = reset(mailed, link(mailed))
    assert answer.body == {"ok": True}
    assert login(mailed, CY, LONGER).body["methods"] == ["totp", "recovery"]


def test_a_password_that_does_not_fit_uses_nothing_up(mailed: World) -> None:
    token = link(mailed)
    for password in ("short", "password1234", "cy.moss.acme", "x" * 257):
        answer = reset(mailed, token, password)
        assert (answer.status, answer.body["errors"][0]["path"]) == (422, "password")
    assert reset(mailed, token).status == 200


def _half_an_hour(world: World) -> None:
    world.clock.advance(30 * 60)


def _another_address(world: World) -> None:
    world.database.write_now(lambda tx: tx.update("member", world.people["cy"].id, email="cy@new.example"))


def _leaves(world: World) -> None:
    call(world, "bo", "members.deactivate", id="@cy", on=True)


def _changes_it(world: World) -> None:
    call(world, "cy", "auth.password_change", current=PASSWORD, password="four words of my own")


def _other_networks(world: World) -> None:
    world.database.write_now(
        lambda tx: tx.insert("setting", name="auth.allowed_networks", value='["203.0.113.0/24"]')
    )


@pytest.mark.parametrize("ends", [_half_an_hour, _another_address, _leaves, _changes_it, _other_networks])
def test_a_link_ends_with_what_it_rests_on(mailed: World, ends: Callable[[World], None]) -> None:
    token = link(mailed)
    ends(mailed)
    assert reset(mailed, token).slug == "not-found"


def test_a_token_of_another_purpose_opens_nothing(mailed: World) -> None:
    with_factor(mailed, "cy")
    challenge = login(mailed, CY).body["challenge"]
    assert reset(mailed, challenge).slug == "not-found"
    token = link(mailed)
    assert post(mailed, "auth.login_verify", challenge=token, code="123456").status == 401


def test_a_change_is_told_by_mail(mailed: World) -> None:
    _changes_it(mailed)
    (told,) = letters(mailed)
    assert (told["address"], told["subject"]) == (CY, "Your password for Acme was changed")


# signing in by a link


def allow_links(world: World) -> None:
    answer = post(world, "auth.policy_set", world.people["ana"].session, methods=["password", "link"])
    assert answer.body["methods"] == ["password", "link"]


def sign_in_link(world: World, email: str = CY) -> str:
    assert post(world, "auth.link_request", email=email).body == {"ok": True}
    world.advance(1)
    eventually(lambda: waiting(world) == 0)
    return token_of(letters(world)[-1])


def test_a_link_signs_in_once(mailed: World) -> None:
    allow_links(mailed)
    cy, seq = mailed.people["cy"], mailed.database.seq
    first, token = sign_in_link(mailed), sign_in_link(mailed)
    assert letters(mailed)[-1]["subject"] == "Sign in to Acme"
    assert f"{mailed.url}/link?token={token}" in letters(mailed)[-1]["text"]
    answer = post(mailed, "auth.link_login", token=token)
    assert answer.status == 200
    assert set(answer.body) == {"token", "member"}
    assert answer.body["member"]["id"] == cy.id
    assert post(mailed, "auth.me", answer.body["token"]).body["member"]["id"] == cy.id
    sent = ("auth.link_sent", f"member:{cy.id}", "anonymous", {"purpose": "sign-in", "by": "mail"})
    told = {"method": "link", "client": "program"}
    assert payloads(mailed, seq) == [sent, sent, ("auth.signed_in", f"member:{cy.id}", cy.id, told)]
    for used in (token, first, "kbl_mistyped"):
        assert post(mailed, "auth.link_login", token=used).slug == "not-found"


def test_a_browser_gets_the_session_of_a_link_as_a_cookie_for_a_day(mailed: World) -> None:
    allow_links(mailed)
    answer = browse(mailed, "auth.link_login", {}, token=sign_in_link(mailed))
    assert answer.body["token"] == ""
    (session,) = [one for one in browse(mailed, "auth.sessions", answer.cookies).body if one["current"]]
    assert session["expires_at"] - session["created_at"] == 86400


def test_a_second_factor_is_asked_for_behind_a_link(mailed: World) -> None:
    allow_links(mailed)
    _, codes = with_factor(mailed, "cy")
    token, seq = sign_in_link(mailed), mailed.database.seq
    answer = post(mailed, "auth.link_login", token=token)
    assert (answer.status, answer.slug, answer.body["methods"]) == (
        401,
        "unauthenticated",
        ["totp", "recovery"],
    )
    assert payloads(mailed, seq) == []
    assert post(mailed, "auth.link_login", token=token).slug == "not-found"
    done = post(mailed, "auth.login_verify", challenge=answer.body["challenge"], code=codes[0])
    assert done.status == 200


def test_of_many_at_once_one_is_signed_in(mailed: World) -> None:
    allow_links(mailed)
    token = sign_in_link(mailed)
    told: list[int] = []
    threads = [
        threading.Thread(target=lambda: told.append(post(mailed, "auth.link_login", token=token).status))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert sorted(told) == [200, 404, 404, 404]


def _no_links_any_more(world: World) -> None:
    world.database.write_now(lambda tx: tx.update("setting", "auth.methods", value='["password"]'))


@pytest.mark.parametrize(
    "ends", [_half_an_hour, _another_address, _leaves, _changes_it, _other_networks, _no_links_any_more]
)
def test_a_sign_in_link_ends_with_what_it_rests_on(mailed: World, ends: Callable[[World], None]) -> None:
    allow_links(mailed)
    token = sign_in_link(mailed)
    ends(mailed)
    assert post(mailed, "auth.link_login", token=token).slug == "not-found"


def test_a_link_opens_what_it_is_for_alone(mailed: World) -> None:
    allow_links(mailed)
    signs_in, sets = sign_in_link(mailed), link(mailed)
    assert post(mailed, "auth.link_login", token=sets).slug == "not-found"
    assert reset(mailed, signs_in).slug == "not-found"
    assert reset(mailed, sets).status == 200
    assert post(mailed, "auth.link_login", token=signs_in).slug == "not-found"


def test_where_the_policy_has_no_links_the_answer_is_the_same_and_none_goes_out(mailed: World) -> None:
    answer = post(mailed, "auth.link_request", email=CY)
    assert (answer.status, answer.body) == (200, {"ok": True})
    mailed.advance(1)
    eventually(lambda: waiting(mailed) == 0)
    assert letters(mailed) == []


def test_sign_in_links_are_counted_apart_from_those_for_passwords(mailed: World) -> None:
    asked = [post(mailed, "auth.link_request", email=CY).status for _ in range(4)]
    assert asked == [200, 200, 200, 429]
    assert post(mailed, "auth.password_forgot", email=CY).status == 200


# by command


@pytest.fixture
def folder(template: tuple[Path, dict[str, Person]], tmp_path: Path) -> Path:
    made = tmp_path / "unserved"
    shutil.copytree(template[0], made)
    return made


def test_the_operator_makes_a_link_that_works_once(
    template: tuple[Path, dict[str, Person]], folder: Path, tmp_path: Path, shared_server: SharedServer
) -> None:
    settings = tmp_path / "kbwork.toml"
    settings.write_text('[server]\nbase_url = "https://work.acme.example"\n')
    ran = kbwork_here("members", "reset", "CY@acme.example", "--data", folder, "--config", settings)
    assert ran.returncode == 0, ran.stderr
    beginning = "https://work.acme.example/reset?token="
    assert ran.stdout.startswith(beginning)
    assert "works once, for 30 minutes" in ran.stderr
    token = ran.stdout.strip().removeprefix(beginning)
    with _served(folder, template, shared_server) as world:
        cy = world.people["cy"].id
        assert reset(world, token).status == 200
        assert reset(world, token).slug == "not-found"
        assert login(world, CY, LONGER).status == 200
        found = [
            entry for entry in payloads(world, 0) if entry[0] in ("auth.link_sent", "auth.password_changed")
        ]
        assert found == [
            ("auth.link_sent", f"member:{cy}", "system", {"purpose": "password", "by": "command"}),
            ("auth.password_changed", f"member:{cy}", cy, {"sessions_ended": 1, "how": "command"}),
        ]


def test_the_operator_takes_a_second_factor_away(
    template: tuple[Path, dict[str, Person]], folder: Path, shared_server: SharedServer, tmp_path: Path
) -> None:
    with _served(folder, template, shared_server) as world:
        with_factor(world, "cy")
        served = world.folder
        refused = kbwork_here("members", "reset", CY, "--data", served)
        assert (refused.returncode, refused.stdout) == (2, "")
    kept = kbwork_here("members", "reset", CY, "--data", served)
    assert kept.stdout.startswith("/reset?token=")
    assert "behind the address of the server" in kept.stderr
    gone = kbwork_here("members", "reset", CY, "--data", served, "--second-factor")
    assert gone.returncode == 0
    again = tmp_path / "again"
    with _served(served, template, shared_server, again) as world:
        assert reset(world, kept.stdout.partition("token=")[2].strip()).slug == "not-found"
        assert reset(world, gone.stdout.partition("token=")[2].strip()).status == 200
        assert login(world, CY, LONGER).body["methods"] == []
        told = [payload for kind, _, _, payload in payloads(world, 0) if kind == "auth.factor_removed"]
        assert told == [{"method": "totp", "by": "command"}]


def test_the_command_says_what_is_wrong(folder: Path, tmp_path: Path) -> None:
    nowhere = kbwork_here("members", "reset", CY, "--data", tmp_path / "nowhere")
    assert (nowhere.returncode, "holds no data file" in nowhere.stderr) == (2, True)
    assert not (tmp_path / "nowhere").exists()
    nobody = kbwork_here("members", "reset", "nobody@acme.example", "--data", folder)
    assert (nobody.returncode, "Nobody here has" in nobody.stderr) == (1, True)


def _served(
    folder: Path,
    template: tuple[Path, dict[str, Person]],
    server: SharedServer,
    at: Path | None = None,
) -> Any:
    """A copy of the folder behind a server, by the clock of this machine, as the command goes by it."""
    from kbwork.settings import LimitSettings, Settings

    settings = Settings(limits=LimitSettings(enabled=False))
    return at_work((folder, template[1]), at or folder.parent / "served", SystemClock(), settings, server)  # type: ignore[arg-type]  # a clock that goes
