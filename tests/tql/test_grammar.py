"""Each production of the grammar, as people write it and in its normal form; and what is refused, with its place."""

import pytest

from kbwork.tql.errors import TqlError
from kbwork.tql.normal_form import normal
from tests.tql.language import parse, parse_expr, parse_value

NORMAL = [
    # the text, its normal form (empty: the text itself)
    ("from issues", ""),
    ("FROM pages WHERE space = ENG", "from pages where space = ENG"),
    ("from pages space = ENG", "from pages where space = ENG"),
    ('from table("Price list") cost > 3', 'from table("Price list") where cost > 3'),
    ("select key, title as name", ""),
    (
        "open limit 10 order by due asc, rank DESC empty first",
        "open order by due, rank desc empty first limit 10",
    ),
    ("group by week(closed), type select count(), count(distinct type) as kinds", None),
    ("project = WEB as of 2026-07-01 limit 3", "project = WEB limit 3 as of 2026-07-01"),
    ("select p85(cycle), share(open or mine), list(key, 5), sum(estimate / 2)", ""),
    ("select estimate as of 2026-10", ""),
    ("having n > 2", ""),
    ("a = 1 b = 2 or c = 3", "a = 1 and b = 2 or c = 3"),
    ("a = 1 && (b = 2 || c = 3)", "a = 1 and (b = 2 or c = 3)"),
    ("((a = 1)) and (b = 2 and (c = 3))", "a = 1 and b = 2 and c = 3"),
    ("not a = 1 !open not not done", "not a = 1 and not open and done"),
    ("!(a = 1 or b = 2)", "not (a = 1 or b = 2)"),
    ("a:1 b==2 c<>3", "a = 1 and b = 2 and c != 3"),
    ("a = empty b != EMPTY c is empty d is not empty", None),
    ("a in () b not in (1, empty) c in membersOf(core)", None),
    ("a in (type = epic) b in (from members where open)", None),
    ("a in (mine open) b in (under WEB-1)", "a in (mine and open) and b in (under WEB-1)"),
    ("a between 1 and 2 b not between 1 and 2", "a = 1..2 and b != 1..2"),
    ("a = 5.. b = ..5 c = 1..5 d = today - 3d..today", None),
    ("created = -12w.. open", "created = -12w.. and open"),
    ("created = -12w..+2w open", "created = -12w..+2w and open"),
    ("a has all (b, c) d has any (e) f has none openSprints()", None),
    ("title ~ export* body !~ 'a \"b\"'", r'title ~ "export*" and body !~ "a \"b\""'),
    ("status was done before -7d by @ana for >= 3d", ""),
    ("status was not in (a, b) during 2026-Q3", ""),
    ("status was empty at startOf(sprint)", ""),
    ("status was done for 3d by (a, b) by me()", "status was done by (a, b) by me() for >= 3d"),
    ("status was done during -1w.. or status was done during ..2026", None),
    ("status changed to b from a on today", "status changed from a to b on today"),
    ("status changed by me() during -1w.. >= 3 times", "status changed during -1w.. by me() >= 3 times"),
    ("status unchanged for 2h 30min", "status unchanged for 2h30min"),
    ("blocks WEB-1 blocked by any relates none", "blocks WEB-1 and blocked by any and relates none"),
    ("mentions page:abc mentioned in (from pages where space = ENG)", None),
    ("under (WEB-1, page:4) refers to (status = retired)", None),
    ("blocks (WEB-1)", "blocks WEB-1"),
    ("rel('tests') any", 'rel("tests") any'),
    ("children all (done) comments none git any (kind = pull)", None),
    ("worklogs count > 3 (member = me()) linked assets count = 0", None),
    ("blocked", ""),
    ("blocked = true", ""),
    ("blocked blocked by any", "blocked and blocked by any"),
    ("WEB-12", ""),
    ("similar(WEB-12) and random(5)", ""),
    ("login timeout -mobile type = bug", 'text ~ "login timeout -mobile" and type = bug'),
    ("error 500 on 2026-10-01 foo.bar log*", 'text ~ "error 500 on 2026-10-01 foo.bar log*"'),
    ("open (login page) or 'x'", 'open and text ~ "login page" or "x"'),
    ("utf-8 encoding", 'utf-8 and text ~ "encoding"'),
    ("'Due soon' = true cf['in'] = 3 cf[\"x\"] = 1", '"Due soon" = true and cf["in"] = 3 and cf.x = 1'),
    ("parent.cf['a b'] = parent.'In' ", 'parent.cf["a b"] = parent."In"'),
    ("a = 1 -- b = 2\nand c = 3", "a = 1 and c = 3"),
    ("a = true b = -3 c = 2.50 d = @sam.k e = #bug/ui f = 1.2.3 g = v1.2 h = pull-request", None),
    ("on = page:abc a = 'it\\'s' b = \"\\\\\"", 'on = page:abc and a = "it\'s" and b = "\\\\"'),
    ("a = b + c * 2 - (d - e) / 2 f - g > 3", "a = b + c * 2 - (d - e) / 2 and f - g > 3"),
    ("a = (1 + 2) - (3 * 4)", "a = 1 + 2 - 3 * 4"),
    ("workingDays(created, closed) > 5", ""),
    ("ME() = OPENSPRINTS()", "me() = openSprints()"),
    ("a = 2026-w07 b = 2026-10-01t09:30z c = TODAY", "a = 2026-W07 and b = 2026-10-01T09:30Z and c = today"),
    ("group = 1 order = 2 as = 3", "group = 1 and order = 2 and as = 3"),
]


@pytest.mark.parametrize(("text", "form"), NORMAL, ids=[text for text, _ in NORMAL])
def test_a_text_has_one_normal_form(text: str, form: str | None) -> None:
    tree = parse(text)
    told = normal(tree)
    assert parse(told) == tree
    assert normal(parse(told)) == told
    if form is not None:
        assert told == (form or text)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("type = bug login", [11]),
        ("login or timeout", [9]),
        ("open login", [5]),
        ("children", [8]),
        ("blocks the door", [7]),
        ("a = 1 limit", [11]),
        ("limit 3 limit 4", [8]),
        ("limit 2.5", [6]),
        ("select", [6]),
        ("a in b", [5]),
        ("a in (1,)", [8]),
        ("a in count()", [5]),
        ("a > ..5", [4]),
        ("a = ..", [6]),
        ("a = 5 .. 6", [9]),
        ("a is 5", [5]),
        ("a.b.", [3]),
        ("cf[x] = 1", [3]),
        ("status was done for 3", [20]),
        ("due = 2026-13", [6]),
        ("due = 300y", [6]),
        ("a = 1234567890123456", [4]),
        ("a = 'x", [4]),
        ("a = \u201cx\u201d", [4, 6]),
        ("a = $5", [4]),
        ("a = 1)", [5]),
        ("()", [1]),
        ("and a = 1", [0]),
        ("a = 1 and and b = 2", [10]),
        ("a = or b == and c <", [4, 12, 19]),
        ("(a = ) and (b = ) and c", [5, 16, 22]),
        ("from nowhere where a =", [5, 22]),
        ("select , group by order by", [7, 18, 26]),
        ("children all", [12]),
        ("status changed 3 times", [15]),
        ("rel(x) any", [4]),
    ],
)
def test_what_cannot_be_read_is_told_at_its_place(text: str, places: list[int]) -> None:
    with pytest.raises(TqlError) as refused:
        parse(text)
    assert [fault.span.start for fault in refused.value.faults] == places
    assert refused.value.sort == "tql-syntax"


@pytest.mark.parametrize(
    "text",
    [
        "(" * 20_000,
        "not " * 5_000,
        "!" * 20_000,
        "x = " + "(" * 19_000,
        "f(" * 10_000,
        "share(" * 3_000,
        "x in (" * 3_000,
        "children any (" * 1_400,
        "x = 1" + " + 1" * 4_990,
        "a" + ".b" * 9_990 + " = 1",
        "limit " + "9" * 19_000,
        "x = " + "9" * 19_000 + "d",
        "or " * 6_000,
        '"' * 19_999,
        "\\" * 20_000,
        "a = 1 and " * 2_000,
        "x" * 20_001,
    ],
    ids=lambda text: text[:12],
)
def test_a_hostile_text_is_refused_like_any_other(text: str) -> None:
    for read in (parse, parse_expr, parse_value):
        with pytest.raises(TqlError):
            read(text)


def test_a_text_within_the_limits_is_read() -> None:
    assert normal(parse("(" * 12 + "a = 1" + ")" * 12)) == "a = 1"
    for text in (" or ".join(["a = 1"] * 40), " and ".join(["children any (open)"] * 5)):
        assert normal(parse(text)) == text
    for text in ("(" * 13 + "a = 1" + ")" * 13, " or ".join(["a = 1"] * 41), "git any (open) " * 6):
        with pytest.raises(TqlError, match="at most"):
            parse(text)


def test_a_condition_and_a_value_take_no_more_than_that() -> None:
    assert parse_expr("") is None
    with pytest.raises(TqlError):
        parse_expr("open order by due")
    with pytest.raises(TqlError):
        parse_value("estimate 2")
    with pytest.raises(TqlError):
        parse_value("")


def test_a_mistyped_keyword_is_told_with_what_could_stand_there() -> None:
    with pytest.raises(TqlError) as refused:
        parse("status was done befor -7d")
    [fault] = refused.value.faults
    assert {"before", "after", "by", "for"} <= set(fault.expected)
    assert fault.suggestions[0].document() == {"replace": "befor", "with": "before", "note": ""}
