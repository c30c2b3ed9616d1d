"""What becomes of a desk when its project, its issues or its people go, and as time goes by."""

from tests.conftest import World
from tests.modules.calls import call, call_nobody, eventually, refused
from tests.modules.desk.helpdesk import HelpDesk, open_desk
from tests.modules.desk.test_intake import mail, token

TABLES = (
    "customer_request",
    "request_customer",
    "request_comment",
    "desk_mail",
    "request_type",
    "desk",
    "article_use",
)


def rows(world: World) -> dict[str, int]:
    return world.database.write_now(
        lambda tx: {table: tx.value(f"select count(*) from {table}") for table in TABLES}
    )


def test_what_is_purged_leaves_no_request(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    key = rita.ask()
    rita.call("desk.portal_comment", key=key, body="Number 17")
    trash = call(world, "ana", "issues.delete", key=key)["trash"]
    call(world, "ana", "trash.purge", ids=[trash])
    eventually(lambda: rows(world)["customer_request"] == 0)
    found = rows(world)
    assert (found["request_customer"], found["request_comment"], found["desk"]) == (0, 0, 1)
    assert rita.call("desk.portal_requests") == []


def test_a_project_takes_its_desk_along_and_brings_it_back(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    key = rita.ask()
    mail(world, token(world))
    trash = call(world, "ana", "projects.delete", key="WEB", confirm_key="WEB")["trash"]
    assert call_nobody(world, "desk.portal_info") == []
    with refused("not-found"):
        rita.thread(key)
    call(world, "ana", "trash.restore", ids=[trash])
    assert rita.thread(key)["request"]["key"] == key
    trash = call(world, "ana", "projects.delete", key="WEB", confirm_key="WEB")["trash"]
    call(world, "ana", "trash.purge", ids=[trash])
    eventually(lambda: rows(world) == dict.fromkeys(TABLES, 0))
    assert rita.call("desk.portal_me")["requests"] == 0


def test_an_archived_project_takes_nothing_in(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    key, path = rita.ask(), token(world)
    call(world, "ana", "projects.archive", key="WEB", on=True)
    assert call_nobody(world, "desk.portal_info") == []
    assert rita.thread(key)["request"]["key"] == key
    for op, value in (
        ("desk.portal_comment", {"body": "x"}),
        ("desk.portal_transition", {"action": "close"}),
    ):
        with refused("conflict"):
            rita.call(op, key=key, **value)
    with refused("not-found"):
        rita.call("desk.portal_create", title="x", type=1)
    assert path


def test_tokens_and_links_end(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    world.advance(30 * 86400 - 10)
    assert rita.call("desk.portal_me")["id"] == rita.id
    world.advance(20)
    with refused("unauthenticated"):
        rita.call("desk.portal_me")


def test_who_is_erased_is_asked_no_more(world: World) -> None:
    open_desk(world)
    kept = {"project": "WEB", "name": "Old", "issue_type": "task", "fields": []}
    call(world, "ana", "desk.request_type_save", **kept)
    world.database.write_now(
        lambda tx: tx.execute(
            "update request_type set approvers = json_array(:who, 'team:admins')", who=world.people["cy"].id
        )
    )
    call(world, "ana", "members.erase", id="@cy", confirm_name="Cy Moss")
    eventually(
        lambda: (
            {tuple(one["approvers"]) for one in call(world, "ana", "desk.request_types", project="WEB")}
            == {("team:admins",)}
        )
    )


def test_a_type_of_issues_that_goes_leaves_no_form_without_one(world: World) -> None:
    open_desk(world)
    with refused("in-use"):
        call(world, "ana", "types.delete", key="bug")
    call(world, "ana", "types.delete", key="bug", move_to="task")
    eventually(
        lambda: (
            {one["issue_type"] for one in call(world, "ana", "desk.request_types", project="WEB")} == {"task"}
        )
    )


def test_the_module_is_switched_off_whole(help_desk: HelpDesk) -> None:
    world, path = help_desk.world, token(help_desk.world)
    call(world, "ana", "org.modules_set", off=["desk"])
    with refused("not-found"):
        help_desk.rita.call("desk.portal_me")
    with refused("not-found"):
        call_nobody(world, "desk.portal_info")
    assert path


def test_a_project_is_purged_whose_request_went_to_another(help_desk: HelpDesk) -> None:
    world = help_desk.world
    key = help_desk.rita.ask()
    call(world, "ana", "issues.move", keys=[key], project="SEC")
    trash = call(world, "ana", "projects.delete", key="WEB", confirm_key="WEB")["trash"]
    call(world, "ana", "trash.purge", ids=[trash])
    eventually(lambda: rows(world)["desk"] == 0)
    assert rows(world)["customer_request"] == 1
