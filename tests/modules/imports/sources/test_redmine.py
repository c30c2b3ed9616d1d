"""The database of Redmine."""

from pathlib import Path

from kbwork.issuefields import IMPORTED
from tests.modules.imports.sources.read_source import ask_apart, database

SCHEMA = (
    "create table projects (id integer primary key, name text, identifier text, description text)",
    "create table trackers (id integer primary key, name text)",
    "create table issue_statuses (id integer primary key, name text, is_closed boolean)",
    "create table enumerations (id integer primary key, name text, type text)",
    "create table users (id integer primary key, login text, firstname text, lastname text, type text)",
    "create table email_addresses (id integer primary key, user_id integer, address text, is_default boolean)",
    "create table issue_categories (id integer primary key, name text)",
    "create table custom_fields (id integer primary key, name text)",
    (
        "create table custom_values (id integer primary key, customized_type text, customized_id integer,"
        " custom_field_id integer, value text)"
    ),
    "create table settings (id integer primary key, name text, value text)",
    (
        "create table issues (id integer primary key, tracker_id integer, project_id integer, subject text,"
        " description text, due_date date, category_id integer, status_id integer, assigned_to_id integer,"
        " priority_id integer, fixed_version_id integer, author_id integer, created_on datetime, updated_on datetime,"
        " start_date date, done_ratio integer, estimated_hours float, parent_id integer, is_private boolean,"
        " closed_on datetime)"
    ),
    (
        "create table journals (id integer primary key, journalized_id integer, journalized_type text, user_id integer,"
        " notes text, created_on datetime, private_notes boolean)"
    ),
    (
        "create table issue_relations (id integer primary key, issue_from_id integer, issue_to_id integer,"
        " relation_type text, delay integer)"
    ),
    "create table versions (id integer primary key, name text)",
    (
        "create table attachments (id integer primary key, container_id integer, container_type text, filename text,"
        " filesize integer, author_id integer, created_on datetime, description text)"
    ),
    "create table time_entries (id integer primary key)",
)
ROWS = (
    "insert into projects values (1, 'Site', 'site', 'h1. Hello'), (2, 'Shop', 'shop-front', null)",
    "insert into trackers values (1, 'Bug')",
    "insert into issue_statuses values (1, 'New', 0), (2, 'Rejected', 1)",
    "insert into enumerations values (1, 'Urgent', 'IssuePriority')",
    (
        "insert into users values (1, 'ada', 'Ada', 'L', 'User'), (2, '', '', 'Crew', 'Group'),"
        " (3, '', '', 'Anonymous', 'AnonymousUser')"
    ),
    "insert into email_addresses values (1, 1, 'ada@example.com', 1), (2, 1, 'other@example.com', 0)",
    "insert into issue_categories values (1, 'Front')",
    "insert into custom_fields values (1, 'Browser')",
    (
        "insert into custom_values values (1, 'Issue', 2, 1, 'Firefox'), (2, 'Issue', 2, 1, 'Safari'),"
        " (3, 'Project', 2, 1, 'x')"
    ),
    "insert into settings values (1, 'text_formatting', 'textile')",
    (
        "insert into issues values (1, 1, 1, 'Child', '*bold*', '2020-02-03', 1, 1, 2, 1, 1, 1,"
        " '2020-01-01 10:00:00',"
        " '2020-01-02 10:00:00.5', '2020-01-03', 40, 2.5, 2, 0, null)"
    ),
    (
        "insert into issues values (2, 1, 2, 'Parent', null, null, null, 2, null, null, null, 3, '2020-01-01 10:00:00',"
        " '2020-01-02 10:00:00', null, 0, null, null, 1, '2020-01-02 09:00:00')"
    ),
    (
        "insert into journals values (1, 1, 'Issue', 1, 'Said', '2020-01-01 11:00:00', 1),"
        " (2, 1, 'Issue', 1, '', '', 0),"
        " (3, 9, 'Issue', 1, 'Lost', '2020-01-01 11:00:00', 0)"
    ),
    "insert into issue_relations values (1, 1, 2, 'blocks', null), (2, 1, 77, 'relates', null)",
    "insert into versions values (1, '2.0')",
    (
        "insert into attachments values (1, 1, 'Issue', 'a.png', 1234, 1, '2020-01-01 12:00:00', 'How it looks'),"
        " (2, 1, 'WikiPage', 'b.png', 5, 1, '2020-01-01 12:00:00', null)"
    ),
)


def test_issues_come_with_everything_that_an_issue_can_hold(tmp_path: Path) -> None:
    read = ask_apart("redmine", database(tmp_path / "redmine.db", *SCHEMA, *ROWS), place="old")
    assert read.refused is None
    parent, child = read.of("issue")
    assert child == {
        "kind": "issue",
        "id": "redmine:old#1",
        "project": "redmine:old/site",
        "number": 1,
        "type": "Bug",
        "title": "Child",
        "body": "**bold**",
        "author": "ada",
        "status": "New",
        "done": False,
        "outcome": None,
        "priority": "Urgent",
        "assignees": ["Crew"],
        "labels": ["milestone:2.0"],
        "components": ["Front"],
        "parent": "redmine:old#2",
        **{field.input: None for field in IMPORTED},
        "estimate": 2.5,
        "start_date": "2020-01-03",
        "due_date": "2020-02-03",
        "created_at": 1577872800,
        "updated_at": 1577959200,
        "done_at": None,
        "url": None,
        "values": {"% Done": 40},
    }
    assert (parent["outcome"], parent["done_at"], parent["author"]) == ("cancelled", 1577955600, None)
    assert parent["values"] == {"Browser": ["Firefox", "Safari"]}
    site, shop = read.of("project")
    assert (site["key"], site["description"], shop["key"], shop["name"]) == ("SITE", "# Hello", None, "Shop")
    [comment, file] = read.of("comment")
    assert (file["body"], file["author"]) == ("Attached `a.png` (1,234 bytes): How it looks", "ada")
    assert (comment["body"], comment["internal"], comment["author"]) == ("Said", True, "ada")
    [relation] = read.of("relation")
    assert (relation["from"], relation["relation"], relation["to"]) == (
        "redmine:old#1",
        "blocks",
        "redmine:old#2",
    )
    [ada, crew] = read.of("person")
    assert (ada["name"], ada["handle"], ada["email"]) == ("Ada L", "ada", "ada@example.com")
    assert crew["id"] == "Crew"
    assert read.found["counts"]["relation"] == 1
    assert read.losses == [
        "estimates are in hours (issues[1])",
        "private issues become issues like any other (issues[2])",
        "comments on issues that are not in the file are left out (journals[3])",
        "files on anything but issues are left out (attachments[2])",
        "files lie outside the database: a comment on the issue keeps the name of each (2)",
        "versions are kept as labels, such as milestone:1.0, without their days",
        "relations to issues that are not in the file are left out",
    ]


def test_what_does_not_fit_is_told_with_table_and_row(tmp_path: Path) -> None:
    for index, (change, told) in enumerate(
        (
            ("update issues set due_date = '2020-13-40' where id = 1",
             "issues[1].due_date '2020-13-40' should be a day such as 2018-05-12, from 1970 to 9999"),
            ("update issues set created_on = 'x' where id = 2",
             "issues[2].created_on should be a time such as 2018-05-12T00:16:10Z, from 1970 to 9999"),
            ("update issues set project_id = 99 where id = 2", "issues[2].project_id names no project"),
            ("update issues set estimated_hours = 9e999", "issues[1].estimated_hours should be a number"),
            ("drop table journals", "there is no table journals: this is no database of Redmine"),
        )
    ):  # fmt: skip
        file = database(tmp_path / f"{index}.db", *SCHEMA, *ROWS, change)
        assert ask_apart("redmine", file).refused == told
