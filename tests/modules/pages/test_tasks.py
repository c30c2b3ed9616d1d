"""Lines with a box to tick: which are tasks, whose they are, who sees them, and by which roads they come."""

from typing import Any

import pytest

from kbwork.modules.pages.text.task_lines import MOST, task_lines
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.pages.wiki import page, space

TEXT = """# Minutes

- [ ] Order the keys @bo due:2026-12-01
  * [x] Ask @cy, then @bo
1. [X] Count `due:2026-01-01` them due:2026-11-30.
> - [ ] Quoted

```
- [ ] Code @bo
```

    - [ ] Indented code

- [] No box
- [ ]
- [ ]Stuck
- [ ] Never due:2026-13-01 nor `@bo`
"""


@pytest.fixture
def ident(world: World) -> str:
    space(world)
    return page(world, "Minutes", who="di", body=TEXT)


def tasks(world: World, who: str = "di", **asked: object) -> list[Any]:
    return [(one["line"], one["text"]) for one in call(world, who, "pages.tasks", **asked)]


def test_lines_with_a_box_are_tasks_outside_code() -> None:
    found = [(one.line, one.text, one.handle, one.due_date, one.done) for one in task_lines(TEXT)]
    assert found == [
        (3, "Order the keys @bo", "bo", "2026-12-01", False),
        (4, "Ask @cy, then @bo", "cy", None, True),
        (5, "Count `due:2026-01-01` them.", None, "2026-11-30", True),
        (6, "Quoted", None, None, False),
        (17, "Never due:2026-13-01 nor `@bo`", None, None, False),
    ]
    assert [one.text for one in task_lines("- [ ] due:2026-12-01")] == ["due:2026-12-01"]


@pytest.mark.parametrize("text", ["- [ ] " + "`" * 500_000, "> " * 400_000, "- [ ] " + "due:" * 200_000])
def test_no_text_makes_it_slow(text: str) -> None:
    assert len(list(task_lines(text))) <= 1
    assert len(list(task_lines("- [ ] One\n" * (MOST + 5)))) == MOST


def test_tasks_are_listed_by_their_days_and_asked_for(world: World, ident: str) -> None:
    bo = world.people["bo"].id
    assert call(world, "di", "pages.tasks")[1] == {
        "page": ident,
        "line": 3,
        "text": "Order the keys @bo",
        "assignee": bo,
        "due_date": "2026-12-01",
        "done": False,
    }
    other = page(world, "Later", body="- [ ] Another @bo due:2026-11-15")
    assert [line for line, _ in tasks(world)] == [1, 5, 3, 4, 6, 17]
    assert tasks(world, page=other) == tasks(world, due_before="2026-11-30") == [(1, "Another @bo")]
    assert [line for line, _ in tasks(world, "bo", assignee="me")] == [1, 3]
    assert tasks(world, assignee="@bo") == tasks(world, assignee=bo)
    assert [line for line, _ in tasks(world, page="HAND/minutes", done=True)] == [5, 4]
    assert tasks(world, space="HAND", assignee="team:9") == []
    for asked in ({"assignee": "@nobody"}, {"due_before": "soon"}):
        with refused("invalid-input"):
            call(world, "di", "pages.tasks", **asked)
    for missing in ({"space": "NONE"}, {"page": "99"}):
        with refused("not-found"):
            call(world, "di", "pages.tasks", **missing)


def test_every_road_by_which_a_text_comes_keeps_its_tasks(world: World, ident: str) -> None:
    call(world, "di", "pages.update", id=ident, body="- [ ] Two", draft=True)
    assert len(tasks(world)) == 5
    call(world, "di", "pages.publish", id=ident)
    assert tasks(world) == [(1, "Two")]
    call(world, "di", "undo.apply", seq=world.database.seq)
    assert len(tasks(world)) == 5
    call(world, "di", "pages.update", id=ident, body="- [x] Three")
    assert tasks(world, done=True) == [(1, "Three")]
    call(world, "di", "pages.append", id=ident, body="- [ ] Four")
    assert tasks(world) == [(1, "Three"), (3, "Four")]
    call(world, "di", "pages.version_restore", id=ident, version=1)
    assert len(tasks(world)) == 5
    copied = call(world, "di", "pages.copy", id=ident, title="Copy")["id"]
    assert len(tasks(world, page=copied)) == 5
    entry = call(world, "di", "pages.delete", id=copied)["trash"]
    assert len(tasks(world)) == 5
    call(world, "di", "trash.restore", ids=[entry])
    assert len(tasks(world)) == 10
    entry = call(world, "di", "pages.delete", id=copied)["trash"]
    call(world, "ana", "trash.purge", ids=[entry])
    assert world.database.read_now(lambda tx: tx.value("select count(*) from page_task")) == 5


def test_a_task_is_seen_with_its_page_when_that_is_published(world: World, ident: str) -> None:
    draft = page(world, "Plans", body="- [ ] Secret", draft=True)
    assert len(tasks(world)) == 5
    call(world, "cy", "pages.publish", id=draft)
    assert len(tasks(world)) == 6
    call(world, "cy", "pages.restrict", id=draft, view=["@cy"])
    assert len(tasks(world)) == 5
    assert len(tasks(world, "cy")) == 6
    assert tasks(world, "gus") == []
    with refused("not-found"):
        call(world, "di", "pages.tasks", page=draft)
    call(world, "cy", "pages.archive", id=draft, on=True)
    assert len(tasks(world, "cy")) == 5
    assert tasks(world, "cy", page=draft) == [(1, "Secret")]


def test_who_is_not_known_is_nobody(world: World) -> None:
    space(world)
    page(world, "Minutes", body="- [ ] One @ghost\n- [ ] Two @bo.")
    found = call(world, "cy", "pages.tasks")
    assert [one["assignee"] for one in found] == [None, world.people["bo"].id]
