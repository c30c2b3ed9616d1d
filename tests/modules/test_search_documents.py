"""The index of a data file of before: it keeps its rows, and every kind finds a number in it from then on."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from kbwork.app import open_data
from kbwork.db import migrate
from kbwork.db.archives import backup
from kbwork.db.database import Database
from kbwork.db.tx import Write
from kbwork.modules.search import hits
from tests.conftest import Person, World, run
from tests.modules.backups.old_archives import age
from tests.modules.calls import call, eventually
from tests.modules.issues.test_issues import make
from tests.modules.test_attachments import add
from tests.modules.test_search import comment, subjects

DOCUMENTED = "202611200043_search_doc"
WORDS = (
    "canary",
    "canary tues",
    "voucher",
    "ca",
    "vuochers",
    "canary is:done",
    "canary by:@di",
    "by:@cy vouchers",
)


def aged_copy(world: World, to: Path) -> Path:
    """The world's data folder as the version before search had documents left it."""
    at = call(world, "ana", "backups.create")["id"]
    shutil.copytree(world.folder, to, ignore=shutil.ignore_patterns("kbwork.db*", "backups"))
    backup.unpack(world.folder / "backups" / f"{at}.zip", to / "kbwork.db")
    age(to / "kbwork.db", DOCUMENTED)
    return to


def found_in(database: Database, who: Person, texts: Sequence[str] = WORDS) -> dict[str, Any]:
    return {q: ran(database, who, "search.query", q=q) for q in texts}


def ran(database: Database, who: Person, op: str, **value: Any) -> Any:
    return database.write_now(lambda tx: run(tx, who, op, value))


def live(world: World) -> None:
    keys = []
    for number in range(6):
        keys.append(
            make(world, "di" if number % 2 else "cy", title=f"canary {number}", body="Vouchers since Tuesday")
        )
        world.clock.advance(60)
        comment(world, keys[-1], f"The canary of {keys[-1]} sings of vouchers", internal=number == 3)
        world.clock.advance(60)
        add(world, "cy", f"issue:{keys[-1]}", b"voucher,tuesday\n1,2\n", f"canary {number}.csv")
        world.clock.advance(60)
    call(world, "cy", "issues.transition", key=keys[2], to_status="done")
    call(world, "cy", "issues.delete", key=keys[4])
    call(world, "cy", "comments.delete", id=1)


def test_a_data_file_of_before_finds_what_it_found(world: World, tmp_path: Path) -> None:
    live(world)
    ana, di = world.people["ana"], world.people["di"]
    here = world.database
    before = {who.handle: found_in(here, who) for who in (ana, di)}
    folder = aged_copy(world, tmp_path / "old")
    with closing(open_data(folder, world.clock)) as old:
        assert {who.handle: found_in(old, who) for who in (ana, di)} == before
        ran(old, ana, "issues.create", project="WEB", title="canary of now")
        assert found_in(old, ana, ["canary"])["canary"]["items"][0]["subject"] == "issue:7"
        ran(old, ana, "trash.restore", ids=[row["id"] for row in ran(old, ana, "trash.list")["items"]])
        everything = {hit["subject"] for hit in found_in(old, ana, ["canary"])["canary"]["items"]}
        assert {"issue:5", "comment:1", "comment:5"} <= everything
        stray = "select count(*) from search_text where rowid not in (select id from search_doc)"
        assert old.write_now(lambda tx: tx.value(stray)) == 0


def test_a_start_cut_off_while_the_index_gets_its_documents_begins_anew(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live(world)
    before = found_in(world.database, world.people["ana"])
    folder = aged_copy(world, tmp_path / "old")
    whole = migrate.statements

    def cut_off(text: str) -> Iterator[str]:
        for statement in whole(text):
            if "drop trigger comment_searched;" in statement:
                raise SystemExit
            yield statement

    with monkeypatch.context() as patch:
        patch.setattr(migrate, "statements", cut_off)
        with pytest.raises(SystemExit):
            open_data(folder, world.clock)
    with closing(open_data(folder, world.clock)) as old:
        assert found_in(old, world.people["ana"]) == before


def test_a_kind_that_is_searched_from_now_on_is_indexed_by_a_job_of_its_migration(world: World) -> None:
    """Here issues and files are kinds that have things already and were never searched."""
    live(world)
    before = {q: sorted(subjects(world, q)) for q in WORDS}

    def migrated(tx: Write) -> None:
        tx.execute("delete from search_entry where kind in ('issue', 'attachment')")
        tx.execute(
            "insert into job (kind, state, args, progress, message, by, created_at, run_at, tries) values"
            " ('search.reindex', 'queued', json_object('kinds', json_array('issue', 'attachment'), 'at', 0),"
            " 0.0, 'Indexing', 'system', 0, 0, 0)"
        )
        tx.wake()

    world.database.write_now(migrated)
    key = make(world, title="canary of now")
    assert f"issue:{7}" in subjects(world, "canary")
    eventually(lambda: len(subjects(world, "canary")) > len(before["canary"]))
    eventually(
        lambda: {q: sorted(set(subjects(world, q)) - {"issue:7"}) for q in WORDS} == sorted_each(before)
    )
    assert key == "WEB-7"


def sorted_each(found: dict[str, list[str]]) -> dict[str, list[str]]:
    return {q: sorted(each) for q, each in found.items()}


@pytest.mark.parametrize("longest", [12_000, 1])
def test_what_others_see_hides_nothing_however_much_newer_it_is(
    world: World, monkeypatch: pytest.MonkeyPatch, longest: int
) -> None:
    key = make(world, title="canary")
    note = comment(world, key, "canary")
    for number in range(4):
        hidden = make(world, "di", project="PRV", title=f"canary {number}")
        comment(world, hidden, "canary", "di")
    monkeypatch.setattr(hits, "MOST_RANKED", 3)
    monkeypatch.setattr(hits, "_LONGEST_BYTES", longest)
    assert sorted(subjects(world, "canary")) == [f"comment:{note}", "issue:1"]
    assert len(subjects(world, "canary", "di")) == 3
