"""A field of every issue is one row: inputs, shapes, the table and the query language have what the rows say."""

import re
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

import kbwork
from kbwork.issuefields import ABOUT, FIELDS, IMPORTED, SIMPLE, ImportedFields, IssueField
from kbwork.modules.imports.records import IssueRecord
from kbwork.modules.imports.sources.collector import RecordCollector
from kbwork.modules.imports.sources.csv import _Rows
from kbwork.modules.imports.sources.parse.columns import SourceColumn, columns
from kbwork.modules.issues.model import Issue, IssueChanges, IssuesCreate
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.workflows.sample_workflows import in_force

SAMPLES: dict[str, Any] = {"number": 3.5, "date": "2026-02-03", "text": "Words"}
TYPES = {"number": float, "date": str, "text": str}
STORED = {"number": "real", "date": "text", "text": "text"}
NAMES = [field.input for field in FIELDS]
simple = pytest.mark.parametrize("field", SIMPLE, ids=lambda field: field.name)


def test_inputs_and_the_shape_have_every_field() -> None:
    changed_elsewhere = {"project", "type", "status", "assignees", "level"}
    assert set(NAMES) - set(IssueChanges.model_fields) == changed_elsewhere
    assert set(NAMES) - set(IssuesCreate.model_fields) == {"reporter"}
    assert set(NAMES) <= set(Issue.__annotations__)


def test_inputs_have_nothing_that_is_no_field() -> None:
    assert set(IssueChanges.model_fields) - set(NAMES) == {"body_doc", "releases", "affects", "values"}
    beside = {"template", "relations", "source", "external", "imported", "uploads"}
    assert set(IssuesCreate.model_fields) - set(IssueChanges.model_fields) - set(NAMES) == beside


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
def test_what_clears_a_field_is_an_input(field: IssueField) -> None:
    required = field.input in ("title", "project", "type", "status", "assignees", "level", "reporter")
    if not required:
        assert getattr(IssueChanges.model_validate({field.input: field.clear}), field.input) == field.clear


@simple
def test_a_simple_field_has_the_types_of_its_kind(field: IssueField) -> None:
    sample = SAMPLES[field.kind]
    made = IssuesCreate.model_validate({"project": "WEB", "title": "One", field.input: sample})
    changed = IssueChanges.model_validate({field.input: sample})
    assert getattr(made, field.input) == getattr(changed, field.input) == sample
    assert set(get_args(get_type_hints(Issue)[field.input])) == {TYPES[field.kind], type(None)}


@simple
def test_the_table_of_issues_has_the_column(field: IssueField) -> None:
    schema = (Path(kbwork.__file__).parent / "db" / "schema.sql").read_text()
    issue = schema.partition("CREATE TABLE issue (")[2].partition(") strict;")[0]
    assert re.search(rf"\b{field.column} {STORED[field.kind]}(?:,|$)", issue)


def test_records_of_imports_hold_what_sources_may_have() -> None:
    assert list(ImportedFields.__annotations__) == [field.input for field in IMPORTED]
    assert set(ImportedFields.__annotations__) <= set(IssueRecord.__annotations__)


@pytest.mark.parametrize("field", IMPORTED, ids=lambda field: field.name)
def test_a_column_of_a_table_is_known_by_the_names_of_the_row(field: IssueField) -> None:
    for name in field.usual.split():
        assert columns(["Title", name], {})[1].field == field.input


@pytest.mark.parametrize("kind", SAMPLES)
def test_a_cell_is_read_by_the_kind_of_its_field(tmp_path: Path, kind: Any) -> None:
    field = IssueField("one", "one", "One", kind)
    with RecordCollector(tmp_path / "out") as into:
        rows = _Rows("file", [SourceColumn(0, "One", "one")], into)
        assert [rows._simple(field, 1, [cell]) for cell in (f" {SAMPLES[kind]} ", "")] == [
            SAMPLES[kind],
            None,
        ]


@simple
def test_a_simple_field_is_stored_told_found_and_copied(world: World, field: IssueField) -> None:
    cy, sample = world.key("cy"), SAMPLES[field.kind]
    made = cy.call("issues.create", {"project": "WEB", "title": "One", field.input: sample})
    assert made[field.input] == sample
    assert cy.call("issues.copy", {"key": "WEB-1"})[field.input] == sample
    assert f"- {field.name.capitalize()}: {sample}" in cy.issues.export_text(key="WEB-1")["text"]
    assert found(world, f"{field.name} is not empty") == ["WEB-1", "WEB-2"]
    cleared = cy.call("issues.update", {"key": "WEB-1", field.input: field.clear})
    assert cleared[field.input] is None
    [change] = cy.call("issues.history", {"key": "WEB-1"})["items"]
    assert [change[name] for name in ("field", "from", "to")] == [field.input, sample, None]
    assert found(world, f"{field.name} is not empty") == ["WEB-2"]
    assert found(world, f"{field.name} changed") == ["WEB-1"]


@simple
def test_a_transition_asks_for_a_simple_field_and_a_condition_for_what_it_holds(
    world: World, field: IssueField
) -> None:
    sample = SAMPLES[field.kind]
    in_force(
        world,
        ask=[{"field": field.input, "required": True}],
        check=[{"field": field.name, "op": "=", "value": sample, "message": "Not this one"}],
    )
    cy = world.key("cy")
    cy.issues.create(project="WEB", title="One")
    [way] = cy.call("issues.transitions", {"key": "WEB-1"})
    assert way["fields"] == [{"field": field.name, "name": field.title, "kind": field.kind, "required": True}]
    values = {field.name: sample}
    moved = cy.call("issues.transition", {"key": "WEB-1", "to_status": "in_progress", "values": values})
    assert (moved["lane"], moved[field.input]) == ("in_progress", sample)


def found(world: World, text: str) -> list[str]:
    """The keys of the issues that fit, in order."""
    answer = call(world, "cy", "tql.run", tql=f"{text} order by key", fields=["key"])
    return [row[0] for row in answer["rows"]]


def test_each_field_of_an_issue_has_a_sentence() -> None:
    assert list(ABOUT) == [field.input for field in FIELDS]
