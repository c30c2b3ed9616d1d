"""What is wrong with a text is told at its place, with what to write instead."""

from dataclasses import dataclass

import pytest

from kbwork.tql.checker.query import check, check_expr, check_value
from kbwork.tql.errors import MOST, Fault, TqlError
from kbwork.tql.evaluator.conditions import Evaluator
from kbwork.tql.fields import FieldKind
from kbwork.tql.names import NamedThing, OwnFieldDef, known_as
from kbwork.tql.normal_form import normal
from kbwork.tql.tree import NotNode
from tests.tql.office import Office, crowd
from tests.tql.world import SmallWorld


def faults(text: str, world: SmallWorld | None = None) -> list[Fault]:
    with pytest.raises(TqlError) as refused:
        check(text, world or SmallWorld())
    return list(refused.value.faults)


def typed(text: str, world: SmallWorld | None = None) -> str:
    return normal(check(text, world or SmallWorld()).query)


@dataclass
class Row:
    """One row of the document's table of answers."""

    text: str
    at: int
    length: int
    message: str
    instead: str = ""


ROWS = [
    Row("asignee = me()", 0, 7, "There is no field `asignee`; did you mean `assignee`?", "assignee"),
    Row(
        'status = "In Progess"',
        9,
        12,
        "There is no status called so in what you see; near: `In Progress` (WEB, APP).",
        '"In Progress"',
    ),
    Row("assignee = currentUser()", 11, 13, "Write `me()`.", "me()"),
    Row("due < 31.12.2026", 6, 10, "Dates are written 2026-12-31.", "2026-12-31"),
    Row(
        'estimate ~ "5"',
        9,
        1,
        "`~` is for texts; `estimate` is a number: use `=`, `<`, `>`, `..`.",
        "=",
    ),
    Row("status was done befor -7d", 16, 5, "Unknown word `befor`; `before`?", "before"),
    Row("(open or mine", 13, 0, "A bracket opened at 0 is not closed."),
    Row("assignee = sam", 11, 3, "Two people match: @sam.k, @sam.t.", "@sam.k"),
    Row("project = WEB or", 16, 0, "Something must follow `or`."),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.text)
def test_a_row_of_the_table_of_answers(row: Row) -> None:
    [fault] = faults(row.text)
    told = fault.document(row.text)
    assert (told["position"], told["length"], told["message"]) == (row.at, row.length, row.message)
    assert (told["line"], told["column"]) == (1, row.at + 1)
    assert [one["with"] for one in told["suggestions"]][:1] == ([row.instead] if row.instead else [])


def test_an_empty_text_asks_for_nothing() -> None:
    assert typed("") == typed(" -- nothing\n ") == ""
    assert check_expr("  ", SmallWorld()) is None


def test_the_error_knows_its_problem_type() -> None:
    with pytest.raises(TqlError) as unreadable:
        check("asignee = 1 or", SmallWorld())
    with pytest.raises(TqlError) as misnamed:
        check("asignee = 1", SmallWorld())
    assert (unreadable.value.sort, misnamed.value.sort) == ("tql-syntax", "tql-name")


def test_up_to_five_faults_are_told_at_once() -> None:
    found = faults("a1 = 1 and b2 = 2 or (c3 = 3 d4 = 4) and e5 = 5 and f6 = 6")
    assert [fault.span.start for fault in found] == [0, 11, 22, 29, 41]
    unread = faults("a = and b = or (c = ) and d = and e = and f =")
    assert len(unread) == MOST


def test_lines_and_columns_count_from_one() -> None:
    [fault] = faults("open and\n  asignee = me()")
    assert fault.document("open and\n  asignee = me()")["line"] == 2
    assert fault.document("open and\n  asignee = me()")["column"] == 3


@pytest.mark.parametrize(
    ("text", "at", "part"),
    [
        ("spent > 3", 8, "30min, 2h, 3d"),
        ("left < 30m", 7, "30min"),
        ("due < 3d", 6, "write 2026-12-31"),
        ("title > 3", 6, "`>` is for numbers and times"),
        ("age was 3d", 0, "No history is kept of `age`"),
        ("parent.status was done", 0, "ask for it in a query"),
        ("sum(estimate) > 3", 0, "counts rows"),
        ("select sum(title)", 7, "this is a text"),
        ("select sum(count())", 11, "never in itself"),
        ("priority = hihg", 11, "is one of none, low"),
        ("cost = 3", 0, 'cf["cost_web"]'),
        ("title.length = 3", 0, "a path goes on from"),
        ("parent.parent.parent.parent.title = x", 0, "at most 3 steps"),
        ("similar(WEB-1) = 3", 17, "There is no issue called so"),
        ("membersOf()", 0, "membersOf(team)"),
        ("membersOf(core)", 0, "is no condition"),
        ("comments any (limit 3)", 14, "Only a condition stands in brackets"),
        ("from members where open", 19, "says nothing about members"),
        ("from members where blocks WEB-1", 19, "no relation of members"),
        ("priority was high for > 3wd", 24, "no fixed length"),
        ("created + updated = 3", 0, "does not join"),
        ("estimate = due", 11, "`estimate` is a number"),
        ('view("mine") and open', 0, "no view"),
        ("status = empty and estimate < empty", 30, "nothing is more or less"),
        ("due = 2026-02-30", 6, "There is no such time"),
        ("due is null", 7, "`empty`"),
    ],
)
def test_what_does_not_fit_is_told_where_it_stands(text: str, at: int, part: str) -> None:
    [fault] = faults(text)
    assert (fault.span.start, part in fault.message) == (at, True), fault


def test_what_comes_with_a_module_that_is_missing_names_it() -> None:
    bare = SmallWorld(frozenset())
    for text, module in {
        "git any": "git",
        "from pages": "pages",
        "sprint = 12": "sprints",
        "release in unreleased()": "releases",
    }.items():
        [fault] = faults(text, bare)
        assert f"comes with the module {module}, which is not there yet" in fault.message


def test_what_stands_in_a_source_that_is_missing_is_not_looked_at() -> None:
    bare = SmallWorld(frozenset())
    for text in (
        "from pages space = NOWHERE and view > 3",
        "mentioned in (from pages where space = NOWHERE)",
    ):
        [fault] = faults(text, bare)
        assert "comes with the module pages" in fault.message


def test_a_word_that_names_a_missing_field_may_still_be_a_name() -> None:
    bare = SmallWorld(frozenset())
    assert typed("label has all (customer, security)", bare) == 'label has all ("customer", security)'
    [fault] = faults("label = sprint", bare)
    assert "comes with the module sprints" in fault.message


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("STATUS : Done && Assignee <> ANA", "status = Done and assignee != @ana"),
        ("label = grosse", 'label = "Größe"'),
        ("status = in-pro", 'status = "In Progress"'),
        ("status = in_progress", "status = in_progress"),
        ("fixVersion = 2.0 and release = 1.2.3", 'release = "2.0" and release = "1.2.3"'),
        ("assignee = me", "assignee = me()"),
        ("assignee = reporter", "assignee = reporter"),
        ("assignee = ekr", "assignee = ekr"),
        ('assignee = "ana@acme.test"', "assignee = @ana"),
        ("utf-8 encoding", '"utf-8" and text ~ "encoding"'),
        ("web-12", "key = WEB-12"),
        ("parent = WEB-1", "parent = WEB-1"),
        ("created = 2026", "created = 2026"),
        ("spent + left > 8h", "spent + left > 8h"),
        ('"Due soon" = true', "cf.due_soon = true"),
        ("APP.cost = 3 and parent.score = 2", "cf.cost_app = 3 and parent.cf.score = 2"),
        ("from issues where not not open", "open"),
        ("select count() as n group by status having n > 2 order by n desc limit 3",) * 2,
        ("assignee in (from members where team = core)", "assignee in (from members where team = Core)"),
        ("blocked = true and blocked by (WEB-1, API-2)", "blocked = true and blocked by (WEB-1, API-2)"),
        ("comments any (author = reporter)", "comments any (author = issue.reporter)"),
        ("from comments created > closed", "from comments where created > issue.closed"),
        ("comments any (text = title)", 'comments any (text = "title")'),
    ],
)
def test_names_are_found_and_the_normal_form_tells_them(text: str, meant: str) -> None:
    assert typed(text) == meant
    assert typed(meant) == meant


def test_one_name_in_two_projects_is_both() -> None:
    assert "ids=('3', '4')" in repr(check("label = bug", SmallWorld()).query)


def test_a_former_name_is_found_with_a_notice() -> None:
    checked = check("label = infra", SmallWorld())
    assert (normal(checked.query), checked.notices) == (
        "label = platform",
        ("infra is called platform now.",),
    )


def test_a_former_key_of_a_project_is_known() -> None:
    checked = check("project = mob", SmallWorld())
    assert (normal(checked.query), checked.notices) == ("project = APP", ("mob is called APP now.",))


def test_a_former_name_that_begins_the_present_one_is_told_as_well() -> None:
    assert check("project = WE", SmallWorld()).notices == ()
    named = NamedThing("9", "Flow", key="FLOW", former=("FLO",))
    assert (known_as(named, "flow"), known_as(named, "fl"), known_as(named, "FLO")) == (True, True, False)


GONE = ("The field severity was deleted: it is empty everywhere.",)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("severity = high", False),
        ("severity != high", True),
        ("cf.severity > 3", False),
        ('cf["severity"] in (a, b)', False),
        ("severity not in (a, b)", True),
        ("severity in (a, empty)", True),
        ("severity is empty", True),
        ("severity is not empty", False),
        ("severity = empty", True),
        ("severity ~ x", False),
        ("severity !~ x", True),
        ("severity has none (a)", True),
        ("severity has any (a)", False),
        ("severity = 1..", False),
        ("severity was high", False),
        ("severity was not high", True),
        ("severity was empty", True),
        ("severity changed", False),
        ("severity changed < 1 times", True),
        ("severity unchanged for 3d", False),
        ("WEB.severity = 3", False),
        ("parent.severity = 3", False),
        ("estimate > cf.severity", False),
        ("severity + 1 > 2", False),
        ("children any (severity = 3)", False),
        ("children none (severity = 3)", True),
    ],
)
def test_a_deleted_field_is_empty_everywhere_with_a_notice(text: str, holds: bool) -> None:
    office, items = Office(), crowd(5)
    checked = check(text, SmallWorld())
    assert checked.notices == GONE
    told = normal(checked.query)
    assert normal(check(told, SmallWorld()).query) == told
    assert checked.query.where is not None
    for expr, wanted in ((checked.query.where, holds), (NotNode(checked.query.where), not holds)):
        assert {Evaluator(office).matches(expr, item) for item in items} == {wanted}


def test_a_deleted_field_is_known_by_its_name_too_and_may_be_told_and_sorted_by() -> None:
    assert check('"How bad" = 3', SmallWorld()).notices == (
        "The field How bad was deleted: it is empty everywhere.",
    )
    for clause in (
        "select severity, title",
        "order by severity desc",
        "select severity, count() group by severity",
    ):
        assert check(f"open {clause}", SmallWorld()).notices == GONE
    assert check("view(worst)", SmallWorld(views={"worst": "severity = high"})).notices == GONE


def test_a_field_that_never_was_is_refused() -> None:
    assert [fault.span.start for fault in faults("open and gravity = high", SmallWorld())] == [9]


def test_a_look_back_tells_what_it_cannot_see() -> None:
    checked = check("status = done votes > 3 as of -7d select progress", SmallWorld())
    assert checked.notices == ("No history is kept of votes, progress: read as of now.",)
    assert check("status = done as of -7d", SmallWorld()).notices == ()


def test_views_are_put_in_place_and_never_lead_back() -> None:
    world = SmallWorld(views={"a": "open and view(b)", "b": "mine", "c": "view(d)", "d": "view(c)"})
    assert typed("view(a) and done", world) == 'view("a") and done'
    [fault] = faults("open and view(c)", world)
    assert (fault.span.start, "leads back to itself" in fault.message) == (9, True)


def test_what_is_wrong_in_a_view_is_told_at_its_call() -> None:
    many = {f"v{n}": f"view(v{n + 1}) and view(v{n + 1})" for n in range(30)}
    world = SmallWorld(views=many | {"bad": "open and asignee = me()"})
    [fault] = faults("mine and view(bad)", world)
    assert (fault.span.start, "There is no field `asignee`" in fault.message) == (9, True)
    [deep] = faults("view(v0)", world)
    assert "at most 5 views" in deep.message


def test_a_formula_is_checked_like_a_condition() -> None:
    assert (
        normal(check_value("(estimate + score) * 2 / votes", SmallWorld()))
        == "(estimate + cf.score) * 2 / votes"
    )
    with pytest.raises(TqlError, match="does not join"):
        check_value("title * 2", SmallWorld())


def test_paths_go_on_from_own_fields_and_are_written_so_that_they_can_be_read() -> None:
    world = SmallWorld()
    world.owned = {
        "issues": [OwnFieldDef("again", "Again", FieldKind.KEY, domain="issue", to="issues")],
        "assets": [
            OwnFieldDef("docked", "Docked in", FieldKind.KEY, domain="asset", to="assets", tracked=False),
            OwnFieldDef("DOCK.note", "Note", FieldKind.NUMBER, projects=("DOCK",), tracked=False),
            OwnFieldDef("LAP.note", "Note", FieldKind.TEXT, projects=("LAP",), tracked=False),
        ],
    }
    for text, told in (
        ("again.status = done", "cf.again.status = Done"),
        ("cf.again.again.project = WEB", "cf.again.cf.again.project = WEB"),
        ("asset.docked.owner = @ana", "asset.cf.docked.owner = @ana"),
        ("from assets DOCK.note = 4", 'from assets where cf["DOCK.note"] = 4'),
        ("asset.docked.LAP.note ~ lent", 'asset.cf.docked.cf["LAP.note"] ~ "lent"'),
        ("from assets refers to asset:WEB-1", "from assets where refers to WEB-1"),
        ("from assets WEB-1", "from assets where key = WEB-1"),
    ):
        assert typed(text, world) == told
        assert typed(told, world) == told
    for text, said in (
        ("from assets note = 4", 'Several fields are called so: cf["DOCK.note"], cf["LAP.note"].'),
        ("from assets docked was WEB-1", "No history is kept of `cf.docked`."),
        (
            "estimate.status = done",
            "`estimate` is a number; a path goes on from a person, an issue or another thing.",
        ),
        ("again.again.again.again.status = done", "A path has at most 3 steps."),
    ):
        assert faults(text, world)[0].message == said


def test_what_is_no_issue_has_no_history_to_ask_for() -> None:
    for text in (
        "from comments author was me()",
        "from members role changed",
        "comments any (author was me())",
    ):
        assert faults(text)[0].message.startswith("No history is kept of")
    checked = check("comments any (author = me()) as of -7d", SmallWorld())
    assert checked.notices == ("No history is kept of author: read as of now.",)
