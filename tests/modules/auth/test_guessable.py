"""Which passwords are refused for being tried first, wherever one is set, and what a refusal costs."""

import secrets
import string
from pathlib import Path
from typing import Any

import pytest

from kbwork.base.clock import FixedClock
from kbwork.modules.auth.guessable import is_guessable
from kbwork.modules.org.setup import new_setup_link
from kbwork.settings import Settings
from tests.cli.commands.here import kbwork_here
from tests.conftest import PASSWORD, World, serving
from tests.modules.calls import call, call_nobody, refused

OWN = ("Ana Lund", "ana.l", "ana.lund@acme-tools.example", "Müller & Söhne")
COMMON = "password1234"


@pytest.mark.parametrize(
    "password",
    [
        COMMON, "Passw0rd!!!!", "p@$$w0rd2026", "welcome2026!", "letmein12345", "iloveyou12", "MyPassword!1",
        "qwertyuiop12", "1q2w3e4r5t6y7u8i", "poiuytrewq", "zaq1zaq1zaq1", "abcabcabcabc", "aaaaaaaaaaaaaaaaaaaa",
        "0123456789", "19871987", "24.12.1987", "8472910345", "!!!!!!!!!!!",
        "Ana.Lund.1987", "4n4lund#2026", "lund+ana+77", "acme-tools99", "toolsacme2026!", "muller!Müller",
        "söhnemüller1", "kbwork12345", "  AnaLund  12 ", "ANALUND!!ANALUND!!",
    ],
)  # fmt: skip
def test_what_is_tried_first_is_soon_guessed(password: str) -> None:
    assert is_guessable(password, OWN)


@pytest.mark.parametrize(
    "password",
    [
        PASSWORD, "a longer sentence of mine", "the dog ate my homework", "kitchen84729103", "tr0ub4dor&3x",
        "ana likes green tea", "}{;&*>?^<~", "84729103451234567890917364", "дождь идёт весь день", "x7Gq-pp2L-v",
        "I trust no password 4 long",
    ],
)  # fmt: skip
def test_sentences_and_what_a_program_makes_are_not(password: str) -> None:
    assert not is_guessable(password, OWN)


def test_of_what_chance_makes_hardly_any_is_refused() -> None:
    signs = string.ascii_lowercase + string.digits
    made = ("".join(secrets.choice(signs) for _ in range(12)) for _ in range(1000))
    assert sum(is_guessable(password, OWN) for password in made) < 10


def test_the_longest_that_is_taken_is_judged_at_once() -> None:
    assert is_guessable("a" * 256, ("a" * 500,))
    assert not is_guessable("".join(secrets.choice("abcdes0@1!") for _ in range(256)), OWN)


def test_a_change_refuses_them_and_counts_no_attempt(world: World) -> None:
    seq = world.database.seq
    for password in (COMMON, "cy-moss-acme", "Cy@acme.example"):
        for current in (PASSWORD, "not this one"):
            for _ in range(4):
                with refused("invalid-input"):
                    call(world, "cy", "auth.password_change", current=current, password=password)
    assert world.events_since(seq) == []
    call(world, "cy", "auth.password_change", current=PASSWORD, password="a longer sentence of mine")


def test_the_handle_is_an_own_word(world: World) -> None:
    cy = world.people["cy"].id
    world.database.write_now(lambda tx: tx.update("member", cy, handle="zebulon"))
    with refused("invalid-input"):
        call(world, "cy", "auth.password_change", current=PASSWORD, password="zebulon1999")


def test_an_invite_refuses_them_and_is_not_used_up(world: World) -> None:
    made = call(world, "bo", "invites.create", emails=["eli@stones.example"], role="member")[0]
    given: dict[str, Any] = {"token": made["path"].partition("token=")[2], "name": "Elias Brandt"}
    for password in (COMMON, "eliasbrandt1", "stones-eli-9", "acme4acme4"):
        with refused("invalid-input"):
            call_nobody(world, "invites.accept", **given, password=password)
    assert call_nobody(world, "invites.accept", **given, password=PASSWORD)["member"]["state"] == "active"


def test_the_first_owner_takes_none_of_them(tmp_path: Path, clock: FixedClock) -> None:
    world = World(tmp_path / "data", clock, {})
    with serving(world, Settings()):
        given: dict[str, Any] = {"token": world.database.write_now(new_setup_link), "org": "Wunderbar Works"}
        given |= {"name": "Ana Lund", "email": "ana@acme.example"}
        for password in (COMMON, "wunderbarworks", "Wunderb4r!2026", "ana@acme.example"):
            with refused("invalid-input"):
                call_nobody(world, "org.setup", **given, password=password)
        assert call_nobody(world, "org.setup", **given, password=PASSWORD)["member"]["role"] == "owner"


@pytest.mark.parametrize("password", [COMMON, "wunderbar2026"])
def test_the_command_refuses_them_and_says_what_to_take(password: str, tmp_path: Path) -> None:
    ran = kbwork_here(
        *("init", "--data", tmp_path / "data", "--org", "Wunderbar", "--email", "ana@acme.example"),
        *("--name", "Ana", "--password-stdin"),
        given=password,
    )
    assert ran.returncode == 1
    assert "soon guessed" in ran.stderr
    assert "four words" in ran.stderr
