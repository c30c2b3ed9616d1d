"""`kbwork import` over a folder that nobody serves: from the command line, cut in the middle, and with a mapping."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kbwork.app import open_data
from kbwork.base.clock import FixedClock
from tests import gitlab_server
from tests.cli.commands.here import kbwork_here
from tests.conftest import NOW
from tests.github_server import TOKEN, Answer, GitHubServer
from tests.modules.imports.github_archives import AT, archive, many
from tests.modules.imports.sources.kbz_file import packed
from tests.modules.imports.sources.test_gitlab import PARTS

ENVIRON = {name: value for name, value in os.environ.items() if not name.startswith("KBWORK_")} | {
    "NO_COLOR": "1"
}


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with an org and its owner."""
    made = tmp_path_factory.mktemp("begun") / "data"
    ran = kbwork_here(
        *("init", "--data", made, "--org", "Acme", "--email", "ana@acme.example", "--name", "Ana"),
        "--password-stdin",
        given="correct horse battery",
    )
    assert ran.returncode == 0, ran.stderr
    return made


@pytest.fixture
def folder(begun: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(begun, tmp_path / "data"))


def written(tmp_path: Path, held: dict[str, Any]) -> Path:
    file = tmp_path / "shop.json"
    file.write_text(json.dumps(held))
    return file


def counts(folder: Path) -> dict[str, int]:
    database = open_data(folder, FixedClock(NOW))
    try:
        return database.write_now(
            lambda tx: {
                "issues": tx.value("select count(*) from issue"),
                "externals": tx.value("select count(distinct external) from issue"),
                "comments": tx.value("select count(*) from comment"),
                "said": tx.value("select count(distinct external) from comment"),
                "items": tx.value("select count(*) from import_item where subject glob '[ic]*'"),
            }
        )
    finally:
        database.close()


def test_a_file_comes_into_a_folder_that_nobody_serves(folder: Path, tmp_path: Path) -> None:
    file = written(tmp_path, archive())
    tried = kbwork_here("import", file, "--project", "SHOP", "--data", folder, "--dry-run")
    assert tried.stdout.startswith(
        "SHOP: 2 issues, 1 pull requests and 3 comments would come in; 0 were there"
    )
    assert counts(folder)["issues"] == 0
    ran = kbwork_here("import", file, "--project", "SHOP", "--data", folder)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip() == (
        "SHOP: 2 issues, 1 pull requests and 3 comments brought in; 0 were there already, 0 changed, 0 were edited"
        " here and stay, 0 could not come in"
    )
    assert "kbwork imports undo --id 2" in ran.stderr
    again = kbwork_here("import", file, "--project", "SHOP", "--data", folder)
    assert "SHOP: 0 issues, 0 pull requests and 0 comments brought in; 6 were there already" in again.stdout
    assert counts(folder) == {"issues": 3, "externals": 3, "comments": 3, "said": 3, "items": 6}


def test_a_mapping_is_a_file(folder: Path, tmp_path: Path) -> None:
    plan = tmp_path / "map.json"
    plan.write_text(json.dumps({"statuses": {"open": "in_progress"}, "skip": ["pull-request", "comments"]}))
    file = written(tmp_path, archive())
    ran = kbwork_here("import", file, "--project", "SHOP", "--data", folder, "--map", plan)
    assert ran.stdout.startswith("SHOP: 2 issues, 0 pull requests and 0 comments brought in;"), ran.stderr
    plan.write_text("[]")
    refused = kbwork_here("import", file, "--project", "SHOP", "--data", folder, "--map", plan)
    assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)


@pytest.fixture
def far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[GitHubServer]:
    """GitHub on this machine, which the settings of the working folder allow."""
    made = GitHubServer(private=True)
    made.issue(1)
    made.issue(2, state="closed")
    (tmp_path / "kbwork.toml").write_text(f'[outbound]\nallow = ["{made.place}"]\n')
    (tmp_path / "token").write_text(f"{TOKEN}\n")
    monkeypatch.chdir(tmp_path)
    yield made
    made.close()


def test_a_repository_comes_in_without_a_file(folder: Path, tmp_path: Path, far: GitHubServer) -> None:
    argv = ("import", "github:acme/shop", "--project", "SHOP", "--data", folder, "--base-url", far.base)
    far.instead["labels"] = [Answer(429, {"Retry-After": "2"})]
    ran = kbwork_here(*argv, "--token-file", tmp_path / "token")
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr.startswith("GitHub's limit of calls is used up: goes on at ")
    assert ran.stdout.startswith("SHOP: 2 issues, 0 pull requests and 2 comments brought in;")
    assert far.tokens == {f"Bearer {TOKEN}"}
    assert TOKEN not in ran.stdout + ran.stderr
    again = kbwork_here(*argv, "--token-file", tmp_path / "token")
    assert "4 were there already" in again.stdout
    refused = kbwork_here(*argv)
    assert (refused.returncode, refused.stdout, len(refused.stderr.splitlines())) == (1, "", 1)
    assert (
        "The repository was not fetched: There is no repository acme/shop that may be read" in refused.stderr
    )


def test_a_project_of_gitlab_comes_in_without_a_file(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = gitlab_server.GitLabServer(private=True)
    there.issue(1, gitlab_server.thread(gitlab_server.note(10, "Me too")))
    there.merge_request(1)
    (tmp_path / "kbwork.toml").write_text(f'[outbound]\nallow = ["{there.place}"]\n')
    (tmp_path / "token").write_text(f"{gitlab_server.TOKEN}\n")
    monkeypatch.chdir(tmp_path)
    argv = ("import", "gitlab:acme/web/shop", "--project", "SHOP", "--data", folder, "--base-url", there.base)
    try:
        ran = kbwork_here(*argv, "--token-file", tmp_path / "token")
        refused = kbwork_here(*argv)
    finally:
        there.close()
    assert ran.stdout.startswith("SHOP: 1 issues, 1 pull requests and 1 comments brought in;"), ran.stderr
    assert there.tokens == {gitlab_server.TOKEN, None}
    assert gitlab_server.TOKEN not in ran.stdout + ran.stderr
    assert (refused.returncode, refused.stdout, len(refused.stderr.splitlines())) == (1, "", 1)
    assert "There is no project acme/web/shop that may be read (404)" in refused.stderr


def test_answers_of_gitlab_are_told_by_their_content(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "shop.json"
    file.write_text(json.dumps(PARTS))
    ran = kbwork_here("import", file, "--project", "SHOP", "--data", folder, "--dry-run")
    assert ran.stdout.startswith("SHOP: 2 issues, 1 pull requests and 3 comments would come in;"), ran.stderr


@pytest.mark.parametrize(
    ("argv", "place"),
    [
        (["github:acme"], "owner/name"),
        (["gitlab:acme"], "group/subgroup/project"),
        (["gitlab:acme/shop", "--format", "github"], "--format github is for a file"),
        (["github:acme/shop", "--format", "csv"], "--format csv is for a file"),
        (["github:acme/shop", "--token-file", "missing"], "missing cannot be read"),
        (["github:acme/shop", "--token-file", "empty"], "empty is empty"),
        (["shop.json", "--token-file", "token"], "are for github:OWNER/REPO"),
    ],
)
def test_what_is_no_repository_is_one_line(
    folder: Path, tmp_path: Path, far: GitHubServer, argv: list[str], place: str
) -> None:
    (tmp_path / "empty").touch()
    ran = kbwork_here("import", *argv, "--data", folder)
    assert (ran.returncode, ran.stdout, len(ran.stderr.splitlines())) == (2, "", 1), ran.stderr
    assert place in ran.stderr
    assert far.asked == []


def test_a_kbz_file_is_told_by_its_content(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "part"
    file.write_bytes(packed())
    ran = kbwork_here("import", file, "--data", folder)
    assert ran.stdout.startswith("WEB: 1 issues, 0 pull requests and 1 comments brought in;"), ran.stderr


@pytest.mark.parametrize(
    ("argv", "place"),
    [
        (["{file}", "--data", "{folder}", "--format", "kbz"], "no kbz file"),
        (["{file}", "--data", "{folder}", "--format", "redmine"], ""),
        (["{file}.missing", "--data", "{folder}"], "no such file"),
        (["{file}", "--data", "{folder}.missing"], "no data file"),
        (["{file}", "--data", "{folder}", "--url", "http://127.0.0.1:1"], "--data"),
        (["{file}", "--data", "{folder}", "--project", "no key"], ""),
    ],
)
def test_what_cannot_be_is_one_line(folder: Path, tmp_path: Path, argv: list[str], place: str) -> None:
    file = written(tmp_path, archive())
    ran = kbwork_here("import", *(word.format(file=file, folder=folder) for word in argv))
    assert (ran.returncode, ran.stdout, len(ran.stderr.splitlines())) == (2, "", 1), ran.stderr
    assert place in ran.stderr
    assert counts(folder)["issues"] == 0


def test_cut_in_the_middle_nothing_is_doubled_and_the_next_run_goes_on(folder: Path, tmp_path: Path) -> None:
    file = written(tmp_path, many(1500))
    argv = [sys.executable, "-m", "kbwork", "import", str(file), "--project", "SHOP", "--data", str(folder)]
    with subprocess.Popen(argv, env=ENVIRON, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as cut:
        log = folder / "kbwork.db-wal"
        for _ in range(3000):
            if log.exists() and log.stat().st_size > 3_000_000:
                break
            threading.Event().wait(0.01)
        cut.send_signal(signal.SIGKILL)
    before = counts(folder)
    assert 0 < before["issues"] < 1500
    assert before["issues"] + before["comments"] == before["items"]
    assert (before["externals"], before["said"]) == (before["issues"], before["comments"])
    ran = kbwork_here("import", file, "--project", "SHOP", "--data", folder)
    assert ran.returncode == 0, ran.stderr
    assert f"{before['items']} were there already" in ran.stdout
    assert counts(folder) == {
        "issues": 1500,
        "externals": 1500,
        "comments": 1500,
        "said": 1500,
        "items": 3000,
    }


def test_a_server_goes_on_with_what_was_cut(folder: Path, tmp_path: Path) -> None:
    """The job of the run that was cut is carried on by whoever opens the folder when its lease is over."""
    held = archive()
    held["issues"][0]["updatedAt"] = AT.format(9)
    file = written(tmp_path, held)
    assert kbwork_here("import", file, "--project", "SHOP", "--data", folder).returncode == 0
    database = open_data(folder)
    try:
        database.write_now(
            lambda tx: tx.execute(
                "update job set state = 'running', lease_until = 0, ended_at = null, result = null where id = 1"
            )
        )
        database.write_now(
            lambda tx: tx.execute("update import set state = 'running', cursor = 0, ended_at = null")
        )
    finally:
        database.close()
    other = written(tmp_path, archive(issues=[], pulls=[]))
    for _ in range(3):  # a command stays for its own job alone
        kbwork_here("import", other, "--project", "SHOP", "--data", folder)
    database = open_data(folder)
    try:
        states = database.write_now(lambda tx: tx.column("select state from job order by id"))
    finally:
        database.close()
    assert states == ["done"] * 4
    assert counts(folder)["issues"] == 3
