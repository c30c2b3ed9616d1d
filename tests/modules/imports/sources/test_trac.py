"""The database of Trac."""

from pathlib import Path

from kbwork.issuefields import IMPORTED
from tests.modules.imports.sources.read_source import ask_apart, database

SCHEMA = (
    (
        "create table ticket (id integer primary key, type text, time integer, changetime integer, component text,"
        " severity text, priority text, owner text, reporter text, cc text, version text, milestone text, status text,"
        " resolution text, summary text, description text, keywords text)"
    ),
    "create table ticket_change (ticket integer, time integer, author text, field text, oldvalue text, newvalue text)",
    "create table ticket_custom (ticket integer, name text, value text)",
    "create table component (name text, owner text, description text)",
    "create table milestone (name text, due integer)",
    "create table attachment (type text, id text, filename text)",
    "create table session_attribute (sid text, authenticated integer, name text, value text)",
)
TICKETS = (
    (
        "insert into ticket values (1, 'bug', 1526084170000000, 1526184170000000, 'web', 'major', 'high', 'bob', 'ada',"
        " '', '1.0', 'm1', 'closed', 'wontfix', 'First', 'See {{{x}}} and ''''''bold''''''', 'ui, slow')"
    ),
    (
        "insert into ticket values (2, 'task', 1526084170, 1526084170, 'core', null, null, 'somebody', 'anonymous',"
        " null, null, null, 'new', null, 'Second', null, null)"
    ),
    "insert into ticket_change values (1, 1526094170000000, 'bob', 'comment', '1', 'One')",
    "insert into ticket_change values (1, 1526104170000000, 'ada', 'comment', '1.2', 'Two')",
    "insert into ticket_change values (1, 1526114170000000, 'bob', 'comment', '2.3', 'Three')",
    "insert into ticket_change values (1, 1526114170000000, 'bob', 'status', 'new', 'closed')",
    "insert into ticket_change values (1, 1526114170000000, 'bob', 'comment', '4', '')",
    "insert into ticket_custom values (1, 'customer', 'ACME')",
    "insert into component values ('web', 'bob', ''), ('docs', '', '')",
    "insert into milestone values ('m1', 0)",
    "insert into attachment values ('ticket', '1', 'a.png')",
    "insert into session_attribute values ('ada', 1, 'name', 'Ada L'), ('ada', 1, 'email', 'ada@example.com')",
)


def test_tickets_come_with_everything_that_an_issue_can_hold(tmp_path: Path) -> None:
    read = ask_apart("trac", database(tmp_path / "trac.db", *SCHEMA, *TICKETS), place="old")
    assert read.refused is None
    first, second = read.of("issue")
    assert first == {
        "kind": "issue",
        "id": "trac:old#1",
        "project": "trac:old",
        "number": 1,
        "type": "bug",
        "title": "First",
        "body": "See `x` and **bold**",
        "author": "ada",
        "status": "closed",
        "done": True,
        "outcome": "cancelled",
        "priority": "high",
        "assignees": ["bob"],
        "labels": ["ui", "slow", "milestone:m1"],
        "components": ["web"],
        "parent": None,
        **{field.input: None for field in IMPORTED},
        "created_at": 1526084170,
        "updated_at": 1526184170,
        "done_at": 1526114170,
        "url": None,
        "values": {
            "severity": "major",
            "version": "1.0",
            "resolution": "wontfix",
            "customer": "ACME",
        },
    }
    assert (second["created_at"], second["assignees"], second["outcome"]) == (1526084170, [], None)
    assert {person["id"]: person["email"] for person in read.of("person")}["ada"] == "ada@example.com"
    assert [component["name"] for component in read.of("component")] == ["web", "docs", "core"]
    assert read.losses == [
        "files lie outside the database: a comment on the ticket keeps the name of each",
        "milestones are kept as labels, such as milestone:1.0, without their days",
    ]


def test_answers_hang_on_the_comment_that_began_their_thread(tmp_path: Path) -> None:
    read = ask_apart("trac", database(tmp_path / "trac.db", *SCHEMA, *TICKETS), place="old")
    begun = "trac:old#1/comment/1"
    assert [(one["id"][-1], one["parent"], one["body"]) for one in read.of("comment")] == [
        ("1", None, "One"),
        ("2", begun, "Two"),
        ("3", begun, "Three"),
        ("g", None, "Attached `a.png`"),
    ]


def test_a_wrong_type_is_told_with_table_and_row(tmp_path: Path) -> None:
    wrong = database(
        tmp_path / "trac.db", *SCHEMA, *TICKETS, "update ticket set summary = 7.5e300 where id = 2"
    )
    read = ask_apart("trac", wrong)
    assert read.refused is None  # a column of text holds text, whatever is put in
    number = database(tmp_path / "b.db", *SCHEMA, *TICKETS, "update ticket set time = 'soon' where id = 2")
    assert ask_apart("trac", number).refused == "ticket[2].time should be a whole number"
    blob = database(tmp_path / "c.db", *SCHEMA, *TICKETS, "update ticket set summary = x'00ff' where id = 2")
    assert ask_apart("trac", blob).refused == "ticket[2].summary should be a text"
    late = database(tmp_path / "d.db", *SCHEMA, *TICKETS, "update ticket set time = 9223372036854775807")
    refused = ask_apart("trac", late).refused
    assert refused == "ticket[1].time should be a whole number from 0 to 253402300799000000"
