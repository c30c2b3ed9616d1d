"""Every query that the language's document writes is asked of an org at work: it answers, or says what it waits for."""

import re
from pathlib import Path

import pytest

import kbwork.modules
from kbwork.contract.kbwork_client import KbworkProblem
from tests.conftest import World
from tests.tql.written_texts import DOCUMENT, document_texts

MODULES = {path.parent.name for path in Path(kbwork.modules.__file__).parent.glob("*/__init__.py")}
PLACEHOLDERS = {"x != y"}
"""Texts that say what holds of any two names."""
_WAITS = re.compile(r"comes with the module (\w+), which is not there yet\.$")


def queries() -> list[str]:
    """The empty query, which the document describes in words, and each that it writes out, once."""
    return ["", *dict.fromkeys(text.strip() for text in document_texts() if text not in PLACEHOLDERS)]


@pytest.fixture
def at_work(world: World) -> World:
    """What the queries name: two projects with a hundred issues, people in teams, labels, fields, assets."""
    ana = world.session("ana")
    ana.projects.create(key="API", name="Interfaces")
    for name in ("security", "customer"):
        ana.labels.save(name=name)
    for name, handle, who in (("Core", "core", "@cy"), ("Support", "support", "@di")):
        team = ana.call("teams.save", {"name": name, "handle": handle})
        ana.call("teams.member_set", {"id": team["id"], "who": who, "role": "member"})
    ana.call("fields.save", {"key": "region", "name": "Region", "kind": "select"})
    ana.call("fields.options_set", {"key": "region", "options": [{"name": "EU"}, {"name": "US"}]})
    ana.call("fields.save", {"key": "score", "name": "Score", "kind": "number"})
    ana.call("lanes.save", {"key": "review", "name": "Review", "category": "in_progress"})
    ana.call("issues.relation_kind_save", {"key": "tests", "name": "tests", "inverse": "tested by"})
    ana.call("assets.type_save", {"key": "LAP", "name": "Laptop", "fields": []})
    ana.call("spaces.save", {"key": "ENG", "name": "Engineering"})
    ana.call("pages.create", {"space": "ENG", "title": "abc", "body": "The rate limit of WEB-7"})
    for start in range(0, 100, 50):
        ops = [_issue("WEB", number) for number in range(start, start + 50)]
        ana.call("api.batch", {"ops": ops})
    ana.call("api.batch", {"ops": [_issue("API", 0), _issue("API", 1)]})
    ana.call("issues.relation_add", {"key": "API-1", "kind": "blocks", "to": ["WEB-12", "WEB-13"]})
    ana.call("issues.relation_add", {"key": "WEB-12", "kind": "tests", "to": ["WEB-13"]})
    ana.comments.create(subject="issue:WEB-7", body="Seen on Tuesday")
    ana.call("checklists.add", {"key": "WEB-7", "text": "Write the test"})
    return world


def _issue(project: str, number: int) -> dict[str, object]:
    title = ("Login timeout", "Exports fail", "The cart forgets")[number % 3]
    issue = {"project": project, "title": f"{title} {number}", "type": "bug" if number % 2 else "task"}
    return {
        "op": "issues.create",
        "input": issue | ({"labels": ["security", "customer"]} if number < 5 else {}),
    }


def asked(world: World, text: str) -> set[str]:
    """The modules that a query waits for; empty where it answers.

    Raises KbworkProblem for any other refusal.
    """
    try:
        answer = world.session("ana").call("tql.run", {"tql": text})
    except KbworkProblem as problem:
        if problem.slug != "tql-name":
            raise
        found = [_WAITS.search(error["message"]) for error in problem.errors]
        if not found or None in found:
            raise
        return {match[1] for match in found if match is not None}
    assert len(answer["rows"]) == min(answer["total"], 50)
    return set()


@pytest.mark.skipif(not DOCUMENT.is_file(), reason="the document of the language is not here")
def test_every_query_of_the_document_answers_or_names_a_module_that_is_to_come(at_work: World) -> None:
    failed = []
    for text in queries():
        try:
            here = asked(at_work, text) & MODULES
        except KbworkProblem as problem:
            failed.append(f"{text}: {problem.slug}: {problem.detail} {problem.errors}")
        else:
            failed += [f"{text}: waits for {name}, which is there" for name in here]
    assert len(queries()) >= 68
    assert not failed, "\n".join(failed)


def test_parts_are_compared_with_their_issue(at_work: World) -> None:
    at_work.session("bo").comments.create(subject="issue:WEB-8", body="Me too")
    for text, key in (("author = reporter", "WEB-7"), ("author != reporter", "WEB-8")):
        rows = at_work.session("ana").call("tql.run", {"tql": f"comments any ({text})", "fields": ["key"]})[
            "rows"
        ]
        assert rows == [[key]]
