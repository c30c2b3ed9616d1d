"""Tables in text."""

from pathlib import Path

import pytest

from tests.modules.imports.sources.read_source import Read, ask

JIRA = """Summary,Issue key,Issue id,Parent,Issue Type,Status,Resolution,Priority,Assignee,Reporter,Created,Due date,\
Labels,Labels,Comment,Outward issue link (Blocks),Custom field (Story Points),Sprint
Top,WEB-1,1001,,Epic,Done,Fixed,High,ada,bob@example.com,12/May/18 3:14 PM,,ui,later,\
"13/May/18 9:00 AM;bob;Well; done",WEB-2,3,S1
Part,WEB-2,1002,1001,Task,In Progress,,Low,,Bob B <bob@example.com>,13/May/18 3:14 PM,14/May/18,,,,,,
"""


def table(folder: Path, text: str | bytes, **columns: str) -> Read:
    file = folder / "work.csv"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return ask("csv", file, **({"columns": columns} if columns else {}))


def refused(read: Read) -> str:
    assert read.refused is not None
    return read.refused


def test_an_export_of_jira_is_understood(tmp_path: Path) -> None:
    read = table(tmp_path, JIRA)
    top, part = read.of("issue")
    assert (top["id"], top["number"], top["title"], top["type"]) == ("csv:work#WEB-1", 1, "Top", "Epic")
    assert (top["status"], top["done"], top["outcome"], top["priority"]) == (
        "Done",
        True,
        "completed",
        "High",
    )
    assert (top["labels"], top["estimate"], top["created_at"]) == (["ui", "later"], 3.0, 1526138040)
    assert top["values"] == {"Sprint": "S1", "Resolution": "Fixed"}
    assert (part["parent"], part["due_date"], part["done"]) == (top["id"], "2018-05-14", False)
    [project] = read.of("project")
    assert (project["id"], project["key"]) == ("csv:work/WEB", "WEB")
    [comment] = read.of("comment")
    assert (comment["author"], comment["body"], comment["created_at"]) == ("bob", "Well; done", 1526202000)
    [relation] = read.of("relation")
    assert (relation["from"], relation["relation"], relation["to"]) == (top["id"], "blocks", part["id"])
    people = {person["id"]: person["email"] for person in read.of("person")}
    assert people == {
        "ada": None,
        "bob": None,
        "bob@example.com": "bob@example.com",
        "Bob B <bob@example.com>": "bob@example.com",
    }
    assert read.found["columns"]["Custom field (Story Points)"] == "estimate"


@pytest.mark.parametrize(
    ("header", "row", "expected"),
    [
        ("ID,Team,Title,Status,Creator,Assignee,Estimate,Labels,Created", "ENG-7,Eng,T,Todo,a@b.c,d@e.f,2,x,2023-05-01",
         {"number": 7, "status": "Todo", "author": "a@b.c", "assignees": ["d@e.f"], "estimate": 2.0}),
        ("Card ID,Card Name,Card Description,Labels,Members,List Name,Due Date",
         'abc,T,D,"Bug (red), Urgent (blue)",ada,Doing,2023-05-01T12:00:00.000Z',
         {"number": None, "body": "D", "labels": ["Bug", "Urgent"], "status": "Doing", "due_date": "2023-05-01"}),
        ("Task ID,Created At,Completed At,Name,Section/Column,Assignee,Tags",
         "12345,2023-05-01,2023-05-02,T,Week,ada,x",
         {"status": "Week", "done": True, "outcome": "completed", "done_at": 1682985600, "labels": ["x"]}),
        ("#,Project,Tracker,Parent task,Status,Priority,Subject,Author,Assignee,Updated,% Done",
         "42,Site,Bug,,Rejected,Normal,T,ada,bob,2023-05-01 10:00,50",
         {"number": 42, "type": "Bug", "outcome": "cancelled", "values": {"% Done": "50"}}),
        ("number,title,state,author,labels,created_at,closed_at",
         "5,T,closed,ada,a;b,2023-05-01T00:00:00Z,2023-05-02T00:00:00Z",
         {"number": 5, "status": "closed", "labels": ["a", "b"], "created_at": 1682899200}),
    ],
    ids=["linear", "trello", "asana", "redmine", "github"],
)  # fmt: skip
def test_the_columns_of_other_tools_are_known(
    tmp_path: Path, header: str, row: str, expected: dict[str, object]
) -> None:
    [issue] = table(tmp_path, f"{header}\n{row}\n").of("issue")
    assert issue["title"] == "T"
    assert {name: issue[name] for name in expected} == expected


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_encoding_and_delimiter_are_found_out(tmp_path: Path, encoding: str, delimiter: str) -> None:
    text = f"Key{delimiter}Title\r\nA-1{delimiter}Größe über alles\r\n"
    [issue] = table(tmp_path, text.encode(encoding)).of("issue")
    assert (issue["number"], issue["title"]) == (1, "Größe über alles")


def test_a_spreadsheet_may_name_its_delimiter(tmp_path: Path) -> None:
    [issue] = table(tmp_path, "sep=|\nTitle|Note\nOne|a,b;c\n").of("issue")
    assert issue["values"] == {"Note": "a,b;c"}


def test_the_order_of_days_is_taken_from_the_file_and_told_where_it_is_not_sure(tmp_path: Path) -> None:
    sure = table(tmp_path, "Key,Title,Due\n1,A,03/04/2026\n2,B,25/12/2026\n")
    assert [issue["due_date"] for issue in sure.of("issue")] == ["2026-04-03", "2026-12-25"]
    assert sure.losses == []
    unsure = table(tmp_path, "Key,Title,Due\n1,A,03/04/2026\n")
    assert unsure.of("issue")[0]["due_date"] == "2026-03-04"
    assert unsure.losses == [
        "days of the column Due are read as month/day; map it to 'due_date d/m' for day/month (row 2, column Due)"
    ]
    asked = table(tmp_path, "Key,Title,Due\n1,A,03/04/2026\n", Due="due_date d/m")
    assert asked.of("issue")[0]["due_date"] == "2026-04-03"
    assert asked.losses == []


def test_a_mapping_goes_before_the_usual_names(tmp_path: Path) -> None:
    text = "Key,Title,What,Status,Secret,Waits for\n1,A,B,Open,x,\n2,C,D,Open,y,1\n"
    read = table(
        tmp_path, text, What="title", Title="body", Secret="", **{"Waits for": "relation:blocks back"}
    )
    first = read.of("issue")[0]
    assert (first["title"], first["body"], first["values"]) == ("B", "A", {})
    [relation] = read.of("relation")
    assert (relation["from"], relation["to"]) == ("csv:work#1", "csv:work#2")
    assert read.found["columns"]["Waits for"] == "relation:blocks back"


def test_a_mapping_that_fits_nothing_is_refused(tmp_path: Path) -> None:
    assert refused(table(tmp_path, "Title\nA\n", Nope="title")) == "columns: there is no column 'Nope'"
    assert refused(table(tmp_path, "Title\nA\n", Title="name")).startswith(
        "columns.Title: 'name' is no field; one of id,"
    )
    assert (
        refused(table(tmp_path, "A,B\nx,y\n", A="title", B="title")) == "columns: more than one goes to title"
    )
    assert refused(table(tmp_path, "Key,Due\nx,2026-01-01\n")).startswith("row 1: no column holds a title")
    assert refused(table(tmp_path, "A,B\nx,y\n", A="body", B="values")).startswith("row 1: no column holds")


def test_where_no_column_is_called_a_title_the_first_that_is_free_is_taken(tmp_path: Path) -> None:
    read = table(tmp_path, "Key,What,Why\nWEB-1,Basket,It is empty\n")
    [issue] = read.of("issue")
    assert (issue["title"], issue["values"]) == ("Basket", {"Why": "It is empty"})
    assert read.found["columns"] == {"Key": "id", "What": "title", "Why": "values"}
    assert any("What is taken for it" in loss for loss in read.losses)
    [other] = table(tmp_path, "Key,What,Why\nWEB-1,Basket,It is empty\n", What="body", Why="title").of(
        "issue"
    )
    assert (other["title"], other["body"]) == ("It is empty", "Basket")


def test_rows_without_a_key_are_known_by_their_place(tmp_path: Path) -> None:
    read = table(tmp_path, "Title\nA\n\nB\n")
    assert [issue["id"] for issue in read.of("issue")] == ["csv:work#row-2", "csv:work#row-4"]
    assert len(read.losses) == 1


def test_circles_and_missing_parents_are_opened_with_a_word(tmp_path: Path) -> None:
    read = table(tmp_path, "Key,Title,Parent\n1,A,2\n2,B,3\n3,C,1\n4,D,9\n5,E,6\n6,F,\n")
    parents = {issue["id"][-1]: issue["parent"] and issue["parent"][-1] for issue in read.of("issue")}
    assert parents["4"] is None
    assert parents["5"] == "6"
    assert sorted(child for child in "123" if parents[child] is None) == ["1"]
    assert read.losses == [
        "issues whose parent is not in the file stand alone",
        "issues that stand under themselves stand alone",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Key,Title\n1,A\n1,B\n", "row 3: csv:work#1 is in the file twice"),
        ("Key,Title\n1,A,extra\n", "row 2: 3 cells under 2 columns"),
        ('Key,Title\n1,"A\n', "row 2 (line 2): the file ends inside a quoted cell"),
        ('Key,Title\n1,"A" b\n', "row 2 (line 2): ',' expected after '\"' (a quote inside a cell is written twice)"),
        ("Key,Title\n", "row 1: there is a header, but no row below it"),
        ("\n\n\n", "the file holds no rows"),
        (",".join(["Title"] * 10_000) + "\n", "row 1: 10,000 columns; at most 2,000"),
        (b"Key,Title\n1,\xc3", "byte 13: the file ends in the middle of a character"),
        ("Key,Title\n1,A\n".encode("utf-16")[:-1], "row 2: not utf-16-le: truncated data"),
        (b"PK\x03\x04xlsx", "the file is a workbook or an archive, no table in text: save it as CSV"),
        (bytes(range(256)) * 20, "the file is no table in text"),
        (b"", "the file is empty"),
        ("Key,Title,Status\n1,A,x\n2,B", "row 3: the file ends after 2 of 3 columns"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told_with_its_place(tmp_path: Path, text: str | bytes, told: str) -> None:
    assert table(tmp_path, text).refused == told


@pytest.mark.parametrize(
    ("column", "good", "bad", "told"),
    [
        ("Due", "2026-01-01", "banana",
         "cells of the column Due that are no day or time from 1970 to 9999 are left out"),
        ("Due", "2026-01-01", "31.02.2026",
         "cells of the column Due that are no day or time from 1970 to 9999 are left out"),
        ("Created", "2026-01-01Z", "soon",
         "cells of the column Created that are no day or time from 1970 to 9999 are left out"),
        ("Points", "2", "1e400", "cells of the column Points that are no number up to 10^15 are left out"),
    ],
)  # fmt: skip
def test_a_cell_that_does_not_fit_is_left_out_and_told_and_its_row_comes_in(
    tmp_path: Path, column: str, good: str, bad: str, told: str
) -> None:
    text = f"Key,Title,{column}\n1,A,{good}\n2,B,{bad}\n3,C,{good}\n4,D,{good}\n"
    read = table(tmp_path, text)
    issues = read.of("issue")
    [field] = [name for name in ("due_date", "created_at", "estimate") if issues[0][name] is not None]
    assert [issue["title"] for issue in issues] == ["A", "B", "C", "D"]
    assert [issue[field] is None for issue in issues] == [False, True, False, False]
    assert f"{told}; mend them, or map it to values (row 3: '{bad}')" in read.losses
    kept = table(tmp_path, text, **{column: "values"})
    assert [issue["values"][column] for issue in kept.of("issue")] == [good, bad, good, good]
    assert not any("left out" in loss for loss in kept.losses)


def test_of_a_cell_with_too_many_values_the_first_thousand_come_in(tmp_path: Path) -> None:
    labels = ";".join(f"x{at}" for at in range(1_002))
    read = table(tmp_path, f"Key,Title,Labels\n1,A,{labels}\n")
    assert len(read.of("issue")[0]["labels"]) == 1_000
    assert read.losses == ["of more than 1,000 values in one cell the others are left out (row 2, labels)"]


def test_a_line_without_end_is_refused_in_little_memory(tmp_path: Path) -> None:
    file = tmp_path / "work.csv"
    with file.open("wb") as out:
        out.write(b"Key,Title\n1,")
        for _ in range(100):
            out.write(b"x" * 1_000_000)
    assert ask("csv", file).refused == "line 2 is longer than 16,000,000 characters"


def test_a_quote_that_is_never_closed_is_refused(tmp_path: Path) -> None:
    text = 'Key,Title\n1,"A\n' + "2,B\n" * 3_000_000
    assert refused(table(tmp_path, text)).startswith("row 2 (line ")


def test_a_column_that_does_not_hold_what_it_says_is_kept_as_text(tmp_path: Path) -> None:
    read = table(tmp_path, "Key,Title,Estimate\n1,A,3h\n2,B,1d 2h\n")
    assert [issue["values"] for issue in read.of("issue")] == [{"Estimate": "3h"}, {"Estimate": "1d 2h"}]
    assert read.losses == ["column Estimate does not hold what its name says and is kept as text"]


def test_a_short_row_ends_in_empty_cells(tmp_path: Path) -> None:
    read = table(tmp_path, "Key,Title,Status\n1,A\n")
    assert read.of("issue")[0]["status"] == "open"
    assert read.losses == ["rows with fewer cells than the header end in empty ones (row 2)"]


def test_what_was_guessed_may_be_asked_for_and_gives_the_same(tmp_path: Path) -> None:
    twice = "Key,Title,Title,Due,Labels,Labels,Blocked by,Note\n1,A,B,03/04/2026,x,y,2,n\n2,C,D,,,,,\n"
    for text in (JIRA, twice):
        guessed = table(tmp_path, text)
        asked = table(tmp_path, text, **guessed.found["columns"])
        assert asked.records == guessed.records
        assert asked.found == guessed.found | {"guessed": []}
