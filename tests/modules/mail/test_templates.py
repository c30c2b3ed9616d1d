"""What letters say, in the words of admins."""

from typing import Any

import pytest

from kbwork.contract.kbwork_client import Kbwork
from kbwork.core.mail import templates
from kbwork.core.mail.templates import LetterKind
from kbwork.modules.notifications import channel_test
from tests.conftest import World
from tests.modules.calls import call, refused

INVITE = {
    "key": "invites.invite",
    "locale": "en",
    "subject": "Come to {{org}}",
    "body": "{{ words }}\n\nIn: {{link}}",
}


def save(world: World, **more: Any) -> Any:
    return world.session("ana").call("mail.template_save", INVITE | more)


def mails(world: World) -> list[Any]:
    return world.database.write_now(lambda tx: tx.all("select subject, text, html from mail order by id"))


def test_every_kind_of_letter_is_there_with_its_variables(world: World) -> None:
    found = call(world, "ana", "mail.templates")
    assert [one["key"] for one in found] == [
        "auth.password",
        "auth.password_changed",
        "auth.sign_in",
        "desk.known",
        "desk.receipt",
        "desk.reply",
        "desk.reset",
        "desk.shared",
        "desk.signup",
        "desk.survey",
        "invites.invite",
        "notifications.digest",
        "notifications.inbox",
        "notifications.test",
        "views.subscription",
        "webhooks.disabled",
    ]
    for one in found:
        assert one["built_in"], one
        assert one["locale"] == "en"
        assert set(templates.names_in(one["subject"] + one["body"])) <= set(one["variables"])
        assert set(one["required"]) <= set(templates.names_in(one["body"]))


def test_each_built_in_text_can_be_saved_as_it_is(world: World) -> None:
    for one in call(world, "ana", "mail.templates"):
        value = {name: one[name] for name in ("key", "locale", "subject", "body")}
        after = world.session("ana").call("mail.template_save", value)
        assert next(mine for mine in after if mine["key"] == one["key"])["built_in"] is False


def test_an_admins_text_takes_the_place_and_goes_again(mailed: World) -> None:
    shown = next(one for one in save(mailed) if one["key"] == "invites.invite")
    assert (shown["subject"], shown["body"], shown["built_in"]) == (INVITE["subject"], INVITE["body"], False)
    message = "See <script>alert(1)</script> & {{link}}"
    call(mailed, "ana", "invites.create", emails=["fay@acme.example"], role="member", message=message)
    save(mailed, subject="", body="")
    call(mailed, "ana", "invites.create", emails=["gil@acme.example"], role="member")
    first, second = mails(mailed)
    assert first["subject"] == "Come to Acme"
    intro, link = first["text"].rstrip().split("\n\nIn: ")
    assert intro == f"Ana Lund writes:\n\n{message}"  # a variable in a value stays a text
    assert link.startswith("http")
    assert "<script>" not in first["html"]
    assert "See &lt;script&gt;alert(1)&lt;/script&gt; &amp; {{link}}" in first["html"]
    assert f'<a href="{link}">{link}</a>' in first["html"]
    assert second["subject"] == "Ana Lund invites you to Acme"
    assert mailed.database.write_now(lambda tx: tx.value("select count(*) from mail_template")) == 0


def test_a_page_in_an_admins_text_is_a_link_and_html_is_text() -> None:
    row: Any = {
        "key": "x",
        "locale": "en",
        "subject": "Hi {{name}}",
        "body": "<b>See</b> https://acme.example/a?b=1&c=2\nand {{link}}\n\n\n\n{{none}}\n\nEnd",
    }
    values = {"name": "Zoë\r\nBcc: eve", "link": 'https://x.example/"><script>', "none": ""}
    subject, text, html = templates.write(row, values)
    assert text == f"<b>See</b> https://acme.example/a?b=1&c=2\nand {values['link']}\n\nEnd\n"
    assert '<a href="https://acme.example/a?b=1&amp;c=2">' in html
    assert "&lt;b&gt;See&lt;/b&gt;" in html
    assert "<script>" not in html
    assert subject.startswith("Hi Zoë")


def test_the_reader_gets_their_language_its_wider_one_or_that_of_the_org(mailed: World) -> None:
    german = {
        "key": "notifications.test",
        "locale": "de",
        "subject": "Ein Versuch",
        "body": "Hallo von {{org}}",
    }
    mailed.session("ana").call("mail.template_save", german)
    for locale in ("de-AT", "fr", "de"):
        call(mailed, "cy", "members.preferences_set", set={"locale": locale})
        call(mailed, "cy", "notifications.test", channel="mail")
    assert [one["subject"] for one in mails(mailed)] == ["Ein Versuch", "A test from Acme", "Ein Versuch"]
    call(mailed, "ana", "org.update", locale="de")
    call(mailed, "cy", "members.preferences_set", set={"locale": "fr"})
    call(mailed, "cy", "notifications.test", channel="mail")
    assert mails(mailed)[-1]["subject"] == "Ein Versuch"
    told = call(mailed, "ana", "mail.templates", locale="de-CH")
    assert next(one for one in told if one["key"] == "notifications.test")["locale"] == "de"
    call(mailed, "ana", "org.update", locale="en")
    told = [one for one in call(mailed, "ana", "mail.templates") if one["key"] == "notifications.test"]
    assert [(one["locale"], one["built_in"]) for one in told] == [("en", True), ("de", False)]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"key": "no.such"}, "allowed"),
        ({"body": "In: {{link}} {{password}}"}, "allowed"),
        ({"subject": "{{secret}}"}, "allowed"),
        ({"body": "In: {{link}} {{}}"}, "allowed"),
        ({"body": "Come in."}, "link"),
        ({"subject": ""}, "subject"),
        ({"body": " "}, "body"),
        ({"subject": "Two\nlines"}, "one line"),
        ({"subject": "In: {{link}}"}, "subject"),
        *(
            ({"body": f"{{{{link}}}}\n\n{inside}"}, "inside another address")
            for inside in (
                "https://evil.example/?at={{ link }}",
                "https://evil.example/({{link}})",
                "evil.example/{{link}}",
                "mailto:eve@evil.example?body={{link}}",
                "//evil.example/{{link}}",
                "{{origin}}{{link}}",
                "{{by}}{{link}}",
                "{{link}}@evil.example",
                "{{link}}/more",
                "{{link}}{{link}}",
                "mailto:({{link}})",
            )
        ),
        ({"key": "desk.receipt", "body": "https://evil.example/{{key}}"}, "inside another address"),
        ({"key": "desk.reply", "body": "See www.evil.example/?q={{ body }}"}, "inside another address"),
        ({"locale": "not a locale"}, "locale"),
        ({"subject": "x" * 201}, "subject"),
    ],
)
def test_a_text_that_does_not_fit_is_refused(world: World, wrong: dict[str, str], says: str) -> None:
    with refused("invalid-input") as raised:
        save(world, **wrong)
    assert says in str(vars(raised.value))
    assert all(one["built_in"] for one in call(world, "ana", "mail.templates"))


@pytest.mark.parametrize(
    "apart",
    [
        "{{link}}",
        "<{{ link }}>",
        "({{link}}).",
        "„{{link}}“,",
        "[in]({{link}})",
        "In:\n{{link}}!",
        "\t{{link}}\n",
    ],
)
def test_a_link_may_stand_between_blanks_and_signs_around_it(world: World, apart: str) -> None:
    save(world, body=f"Hello {{{{by}}}} at {{{{origin}}}}/portal\n{apart}\n[{{{{role}}}}]")


def test_admins_hear_of_a_letter_that_is_worded_otherwise(world: World) -> None:
    seq = world.database.seq
    save(world)
    save(world)  # the same
    save(world, subject="", body="")
    save(world, subject="", body="")
    found = call(world, "ana", "audit.list", kind="mail.template_saved")["entries"]
    told = {"template": "invites.invite", "locale": "en"}
    assert [one["details"] for one in found] == [told | {"built_in": True}, told | {"built_in": False}]
    assert {(one["subject"], one["actor"]) for one in found} == {("org:1", world.people["ana"].id)}
    assert [kind for kind, _ in world.events_since(seq)] == ["mail.template_saved"] * 2
    assert not any(INVITE["subject"] in str(one) for one in found)


def test_texts_are_for_admins(world: World) -> None:
    for who in ("cy", "gus"):
        for op, value in (("mail.templates", {}), ("mail.template_save", INVITE)):
            with refused("insufficient-scope"):
                world.session(who).call(op, value)


def test_letters_are_worded_by_people_and_by_no_limited_key(world: World) -> None:
    limited = call(world, "ana", "keys.create", name="web", scopes=["admin"], projects=["WEB"])["secret"]
    made = {"name": "a", "kind": "agent", "agent": "builder", "scopes": ["admin"]}
    agent = call(world, "ana", "keys.create", **made)["secret"]
    full = call(world, "ana", "keys.create", name="all", scopes=["admin"])["secret"]
    for secret in (limited, agent):
        with Kbwork(world.url, secret) as client, refused("not-allowed"):
            client.call("mail.template_save", INVITE)
    assert all(one["built_in"] for one in call(world, "ana", "mail.templates"))
    with Kbwork(world.url, full) as client:
        client.call("mail.template_save", INVITE)


def test_what_a_file_says_is_shown_with_its_variables() -> None:
    kind: LetterKind = channel_test.TRIAL
    assert kind.built_in().count("{{org}}") == 1
