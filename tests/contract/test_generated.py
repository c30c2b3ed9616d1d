import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from jsonschema import Draft202012Validator
from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.errors import every_problem
from kbwork.base.events import DomainEvent
from kbwork.base.model import Empty, Id, Input, Name, Ok, Paged, Text
from kbwork.contract import FOLDER, TYPESCRIPT
from kbwork.contract.render import folder
from kbwork.contract.render.annotations import annotation, definition, text_literal
from kbwork.contract.render.cli import cli
from kbwork.contract.render.client import client
from kbwork.contract.render.files import render
from kbwork.contract.render.folder import stale
from kbwork.contract.render.lists import errors, events
from kbwork.contract.render.mcp import mcp
from kbwork.contract.render.openapi import openapi
from kbwork.contract.render.schemas import schemas
from kbwork.contract.render.typescript import type_of, typescript
from kbwork.core.operations.declare import Misdeclared, Operation, destructive, read, write
from kbwork.core.operations.external import External
from kbwork.core.operations.registry import Registry
from kbwork.db.tx import Read, Write


class Thing(TypedDict):
    """A thing."""

    id: int
    name: str
    parent: "Thing | None"


class ChangeFeed(TypedDict):
    """A shape that is called like a class of the client."""

    things: list[Thing]


Typed = Annotated[Text, Field(description="With its type.")]


class Origin(TypedDict):
    """What is inherited."""

    old: str
    """Inherited."""


class Described(Origin):
    """A shape whose fields have sentences."""

    new: int
    """Of its own."""
    any: Any


class ThingsDescribe(Input):
    own: Text
    """Below the field."""
    typed: Typed | None = None
    both: Typed
    """Below it all the same."""


class ThingSaved(DomainEvent):
    kind = "thing.saved"
    inverse = "thing.deleted"
    audience = "team"


class Part(Input):
    at: Id
    size: Annotated[int, Field(ge=1, le=9)] | None = None


class ThingsSave(Input):
    name: Name
    from_: Annotated[Text | None, Field(alias="from", description="Where it comes from.")] = None
    mode: Literal["a", "b"] | None = None
    level: Annotated[Id, Field(ge=1, le=9)] | None = None
    parts: Annotated[list[Part], Field(max_length=5)] | None = None
    owner: Text | Literal[""] | None = None
    tags: list[Text] | None = None
    values: dict[str, Any] | None = None


@read("things.list", scope="things:read")
def things_list(tx: Read, args: Empty) -> Paged[Thing]:
    """List things. Newest first."""
    raise NotImplementedError


@write("things.save", scope=("things:write", "admin"), emits=[ThingSaved], example={"name": "x", "from": "y"})
def things_save(tx: Write, args: ThingsSave) -> Thing:
    """Make a thing.

    A second paragraph with a \\ and a quote".
    """
    raise NotImplementedError


@destructive("things.delete", scope="things:write")
def things_delete(tx: Write, args: Empty) -> list[ChangeFeed]:
    """Delete every thing."""
    raise NotImplementedError


@write("things.import", scope="desk:public")
async def things_import(out: External, args: Empty) -> Ok:
    """Fetch things from elsewhere."""
    raise NotImplementedError


@read("things.describe", scope="things:read", example={"own": "x", "both": "y"})
def things_describe(tx: Read, args: ThingsDescribe) -> Described:
    """Describe things."""
    raise NotImplementedError


@write("api.batch", scope=("api:read", "api:write"), emits_any=True)
def api_batch(tx: Write, args: Empty) -> Ok:
    """Run several operations."""
    raise NotImplementedError


@write("audit.record", scope="system")
def audit_record(tx: Write, args: Empty) -> Ok:
    """Record what a component did."""
    raise NotImplementedError


def _registry(*handlers: Any) -> Registry:
    found: list[Operation] = [vars(handler)["__operation__"] for handler in handlers]
    return Registry(found, [], [], [])


SMALL = _registry(
    things_list, things_save, things_delete, things_import, things_describe, api_batch, audit_record
)


@pytest.fixture(scope="module")
def product() -> Registry:
    from kbwork.app import registry

    return registry()


def test_the_committed_contract_is_that_of_the_operations(product: Registry) -> None:
    old = stale(FOLDER, render(product)) + stale(TYPESCRIPT, typescript(product))
    assert old == [], f"out of date: {', '.join(old)}; run: kbwork contract"


def test_every_example_fits_its_schema(product: Registry) -> None:
    found = schemas(product)
    for op in product.operations.values():
        whole = {**found.inputs[op.id], "components": {"schemas": found.shapes}}
        Draft202012Validator(whole).validate(op.example)


def test_every_word_of_a_schema_is_one_of_json_schema(product: Registry) -> None:
    known = {
        *Draft202012Validator.VALIDATORS,
        "$defs",
        "title",
        "contentEncoding",
        "description",
        "default",
        "format",
        "examples",
    }
    found = schemas(product)
    named = {**found.shapes, **found.inputs, **found.outputs}
    strange = {f"{name}: {word}" for name, schema in named.items() for word in _words(schema) - known}
    assert strange == set()


def _words(schema: Any) -> set[str]:
    """The keywords of a schema and of those inside, not the names of its fields or its values."""
    if isinstance(schema, list):
        return set().union(*(_words(part) for part in schema))
    if not isinstance(schema, dict):
        return set()
    found = set(schema)
    for word, part in schema.items():
        if word in ("properties", "$defs", "patternProperties"):
            found |= _words(list(part.values()))
        elif word not in ("default", "enum", "const", "examples", "required"):
            found |= _words(part)
    return found


def test_the_same_registry_gives_the_same_files_whatever_the_hash_seed() -> None:
    code = (
        "import hashlib, json, sys; sys.path.insert(0, 'tests/contract')\n"
        "from test_generated import SMALL; from kbwork.contract.render.files import render\n"
        "from kbwork.contract.render.typescript import typescript\n"
        "print(hashlib.sha256(json.dumps([render(SMALL), typescript(SMALL)]).encode()).hexdigest())"
    )
    room = FOLDER.parent.parent
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(room)},
            cwd=room,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


def test_files_are_written_only_when_they_differ(tmp_path: Path) -> None:
    files = render(SMALL)
    assert folder.write(tmp_path, files) == list(files)
    assert folder.write(tmp_path, files) == []
    (tmp_path / "cli.json").write_text("{}\n")
    assert stale(tmp_path, files) == ["cli.json"]
    assert all(text.endswith("\n") for text in files.values())


def test_an_operation_is_described_whole() -> None:
    document = openapi(SMALL)
    found = document["paths"]["/api/v1/things.save"]["post"]
    assert {
        name: found[name] for name in found if name not in ("responses", "requestBody", "parameters")
    } == {
        "operationId": "things.save",
        "tags": ["things"],
        "summary": "Make a thing",
        "description": 'Make a thing.\n\nA second paragraph with a \\ and a quote".',
        "security": [{"bearer": []}],
        "x-kb-class": "write",
        "x-kb-scopes": ["things:write", "admin"],
        "x-kb-events": ["thing.saved"],
        "x-kb-since": "0.2.0",
    }
    body = found["requestBody"]["content"]["application/json"]
    assert body == {
        "schema": {"$ref": "#/components/schemas/ThingsSave"},
        "example": {"name": "x", "from": "y"},
    }
    assert document["components"]["schemas"]["ThingsSave"]["additionalProperties"] is False
    assert [parameter["name"] for parameter in found["parameters"]] == ["Idempotency-Key"]
    assert set(found["responses"]["200"]["headers"]) == {
        "x-kb-seq",
        "Idempotent-Replayed",
        "RateLimit-Limit",
        "RateLimit-Remaining",
        "RateLimit-Reset",
    }
    assert "304" not in found["responses"]
    assert "502" not in found["responses"]


def test_reads_public_and_waiting_operations_differ_in_their_words() -> None:
    paths = openapi(SMALL)["paths"]
    look = paths["/api/v1/things.list"]["post"]
    assert [parameter["name"] for parameter in look["parameters"]] == ["If-None-Match"]
    assert "content" not in look["responses"]["304"]
    assert look["responses"]["200"]["content"]["application/json"]["schema"] == {
        "$ref": "#/components/schemas/PagedThing"
    }
    fetch = paths["/api/v1/things.import"]["post"]
    assert (fetch["security"], "502" in fetch["responses"]) == ([], True)
    assert paths["/api/v1/api.batch"]["post"]["x-kb-events"] == ["*"]


def test_every_reference_of_the_document_leads_somewhere() -> None:
    document = openapi(SMALL)
    for reference in _references(document):
        node: Any = document
        for part in reference.removeprefix("#/").split("/"):
            node = node[part]
    for schema in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def _references(node: Any) -> Iterator[str]:
    if isinstance(node, list):
        for inner in node:
            yield from _references(inner)
    elif isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for inner in node.values():
            yield from _references(inner)


def test_a_bound_over_a_bound_is_the_tighter_one() -> None:
    fields = openapi(SMALL)["components"]["schemas"]["ThingsSave"]["properties"]
    assert fields["level"]["anyOf"][0] == {"type": "integer", "minimum": 1, "maximum": 9}


def test_every_problem_is_described_and_fits_its_schema() -> None:
    components = openapi(SMALL)["components"]
    for problem in every_problem():
        text = components["responses"][f"Problem{problem.status}"]["description"]
        assert f"`{problem.slug}`: {problem.title}" in text
    from kbwork.base.errors import UnknownField

    document = UnknownField("no such field", field="x", allowed=["y"]).document("r1")
    Draft202012Validator(components["schemas"]["Problem"]).validate(document)


def test_two_shapes_of_one_name_are_refused() -> None:
    class Other:
        Thing = TypedDict("Thing", {"other": int})  # noqa: UP013 - a second shape with a taken name

    other: Any = Other.Thing

    def look(tx: Read, args: Empty) -> Any:
        """Look."""

    look.__annotations__["return"] = other
    found = _registry(things_list, read("others.list", scope="x")(look))
    with pytest.raises(Misdeclared, match="two shapes are called Thing"):
        openapi(found)


def test_tools_carry_hints_and_ask_to_be_confirmed() -> None:
    tools = {tool["name"]: tool for tool in mcp(SMALL)["tools"]}
    assert list(tools) == [
        "api_batch",
        "things_delete",
        "things_describe",
        "things_import",
        "things_list",
        "things_save",
    ]
    assert tools["things_delete"]["annotations"] == {
        "title": "Things: delete",
        "readOnlyHint": False,
        "openWorldHint": False,
        "destructiveHint": True,
        "idempotentHint": True,
    }
    assert tools["things_delete"]["inputSchema"]["required"] == ["confirm"]
    assert "confirm" in tools["api_batch"]["inputSchema"]["properties"]
    assert "confirm" not in tools["things_save"]["inputSchema"]["properties"]
    assert tools["things_list"]["annotations"] == {
        "title": "Things: list",
        "readOnlyHint": True,
        "openWorldHint": False,
    }


def test_the_command_line_knows_each_field() -> None:
    document = cli(SMALL)
    assert list(document["modules"]) == ["api", "things"]
    assert document["exit_codes"]["unauthenticated"] == 3
    assert document["modules"]["things"]["verbs"]["save"]["fields"] == [
        {"name": "name", "type": "string", "required": True},
        {"name": "from", "type": "string", "nullable": True, "help": "Where it comes from."},
        {"name": "mode", "type": "string", "nullable": True, "enum": ["a", "b"]},
        {"name": "level", "type": "int", "nullable": True, "help": "(1 to 9)"},
        {"name": "parts", "type": "object", "nullable": True, "repeated": True},
        {"name": "owner", "type": "string", "nullable": True},
        {"name": "tags", "type": "string", "nullable": True, "repeated": True},
        {"name": "values", "type": "object", "nullable": True},
    ]


def test_events_and_errors_are_listed() -> None:
    listed = events(SMALL)
    assert listed["thing.saved"] == {"module": "things", "audience": "team", "inverse": "thing.deleted"}
    assert list(listed) == sorted(listed)
    assert errors()["busy"] == {"title": "The server is busy", "status": 503, "exit_code": 1, "later": True}
    assert list(errors()) == sorted(errors())


def test_the_client_has_a_typed_method_per_operation() -> None:
    text = client(SMALL)
    compile(text, "kbwork_client.py", "exec")
    assert "def list(self) -> PagedThing:" in text
    assert "def import_(self) -> Ok:" in text
    assert "def delete(self) -> List[ChangeFeedShape]:" in text
    assert (
        "def save(self, *, name: str, from_: str | None = UNSET, mode: Literal['a', 'b'] | None = UNSET,"
        " level: int | None = UNSET, parts: List[Part] | None = UNSET,"
        " owner: str | Literal[''] | None = UNSET, tags: List[str] | None = UNSET,"
        " values: Dict[str, Any] | None = UNSET) -> Thing:"
    ) in text
    assert "{'name': name, 'from': from_, 'mode': mode," in text
    assert "audit" not in text.partition("class Kbwork(ApiClient)")[2]
    names: dict[str, Any] = {"__name__": "generated"}
    exec(compile(text, "kbwork_client.py", "exec"), names)
    assert json.loads(names["CATALOGUE"]) == cli(SMALL)


def test_a_module_called_like_a_method_is_refused() -> None:
    def look(tx: Read, args: Empty) -> Ok:
        """Look."""
        raise NotImplementedError

    for made in (client, typescript):
        with pytest.raises(Misdeclared, match="batch"):
            made(_registry(read("batch.list", scope="x")(look)))


def test_the_typescript_client_knows_every_operation() -> None:
    made = typescript(SMALL)
    types, values = made["types/contract.d.ts"], made["src/contract.ts"]
    assert '  "things.list": { in: Empty; out: PagedThing; class: "read" };\n' in types
    assert '  "things.delete": { in: Empty; out: ChangeFeed[]; class: "destructive" };\n' in types
    assert "export interface ThingsModule {\n  /** Delete every thing. */\n" in types
    assert '  readonly import: Method<"things.import">;\n' in types
    assert '   * A second paragraph with a \\ and a quote".\n   */\n  readonly save: Method' in types
    assert "  readonly things: ThingsModule;\n" in types
    assert "audit" not in types.partition("export interface Operations")[2]
    assert '"things describe list",\n' in values
    taken = types.partition("export interface ThingsSave {\n")[2].partition("}\n")[0].splitlines()
    assert [line for line in taken if not line.startswith("  /**")] == [
        "  name: string;",
        "  from?: string | null | undefined;",
        '  mode?: "a" | "b" | null | undefined;',
        "  level?: number | null | undefined;",
        "  parts?: readonly Part[] | null | undefined;",
        '  owner?: string | "" | null | undefined;',
        "  tags?: readonly string[] | null | undefined;",
        "  values?: Record<string, unknown> | null | undefined;",
    ]


def test_schemas_become_types() -> None:
    assert type_of({"anyOf": [{"type": "integer"}, {"type": "null"}]}) == "number | null"
    assert type_of({"anyOf": [{}, {"type": "null"}]}) == "unknown"
    assert type_of({"type": "array", "items": {"enum": ["a", 1]}}) == '("a" | 1)[]'
    pairs = {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}}
    assert type_of(pairs) == "Record<string, string[]>"
    assert (
        type_of({"type": "array", "items": pairs}, taken=True)
        == "readonly Record<string, readonly string[]>[]"
    )


def test_schemas_become_annotations() -> None:
    assert annotation({"anyOf": [{"type": "integer"}, {"type": "null"}]}) == "int | None"
    assert annotation({"anyOf": [{}, {"type": "null"}]}) == "Any"
    assert annotation({"type": "object", "additionalProperties": {"type": "boolean"}}) == "Dict[str, bool]"
    assert annotation({"enum": ["a", 1, None]}) == "Literal['a', 1, None]"
    fields = {"from": {"type": "string"}, "to": {"$ref": "#/components/schemas/Day"}}
    assert definition("Span", {"properties": fields, "required": ["from"]}) == [
        "Span = TypedDict('Span', {'from': 'str', 'to': 'NotRequired[Day]'})"
    ]
    assert definition("JsonValue", {}) == ["JsonValue = Any"]
    assert text_literal('a\\b "c"', 4) == '"""a\\\\b "c\\""""'


ANY_JSON = {"description": "Any JSON value."}
FILLER = re.compile(r"(the |an? )?\w+\.?", re.IGNORECASE)


def _fields(node: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Every field of every shape in a document, those of shapes inside too."""
    if isinstance(node, list):
        for number, inner in enumerate(node):
            yield from _fields(inner, f"{place}/{number}")
    elif isinstance(node, dict):
        shape = node.get("type") == "object" and isinstance(node.get("properties"), dict)
        for name, inner in node.items():
            if shape and name == "properties":
                yield from ((f"{place}/{field}", schema) for field, schema in inner.items())
            if name not in ("example", "examples", "default"):
                yield from _fields(inner, f"{place}/{name}")


@pytest.mark.parametrize("name", ["openapi.json", "mcp.json"])
def test_every_field_says_what_it_holds(name: str) -> None:
    document = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    texts = {place: field.get("description", "") for place, field in _fields(document)}
    silent = [place for place, text in texts.items() if FILLER.fullmatch(text) or not text]
    assert silent == [], "write the sentence below the field in its class"
    assert len(texts) > 800
    same = [place for place, text in texts.items() if text == ANY_JSON["description"]]
    assert same == [], "say what a field of any JSON is for"


def _bare(node: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Every schema in a document that allows any value, with what it says."""
    if isinstance(node, list):
        for number, inner in enumerate(node):
            yield from _bare(inner, f"{place}/{number}")
    elif isinstance(node, dict):
        named = place.endswith(("/properties", "/schemas")) and not place.endswith("/properties/properties")
        for name, inner in node.items():
            if (named or name in ("schema", "items")) and not inner.keys() - {"description"}:
                yield f"{place}/{name}", inner.get("description", "")
            if named or name not in ("example", "examples", "default", "enum", "const"):
                yield from _bare(inner, f"{place}/{name}")


def test_a_schema_of_any_value_says_so() -> None:
    document = json.loads((FOLDER / "openapi.json").read_text(encoding="utf-8"))
    found = dict(_bare(document))
    assert "/components/schemas/Preferences/properties/theme" in found
    assert [place for place, text in found.items() if "any json" not in text.lower()] == []


def test_a_sentence_stands_below_a_field_or_with_its_type() -> None:
    fields = openapi(SMALL)["components"]["schemas"]["ThingsDescribe"]["properties"]
    assert {name: field.get("description") for name, field in fields.items()} == {
        "own": "Below the field.",
        "typed": "With its type.",
        "both": "Below it all the same.",
    }
    answer = openapi(SMALL)["components"]["schemas"]["Described"]["properties"]
    assert [field["description"] for field in answer.values()] == [
        "Inherited.",
        "Of its own.",
        "Any JSON value.",
    ]


def _nulls(node: Any, place: str = "") -> Iterator[str]:
    """Where null stands for a default."""
    if isinstance(node, list):
        for number, inner in enumerate(node):
            yield from _nulls(inner, f"{place}/{number}")
    if isinstance(node, dict):
        if (
            "default" in node
            and node["default"] is None
            and ("type" in node or "anyOf" in node or "$ref" in node)
        ):
            yield place
        for name, inner in node.items():
            yield from _nulls(inner, f"{place}/{name}")


@pytest.mark.parametrize("name", ["openapi.json", "mcp.json"])
def test_no_input_has_null_for_a_default(name: str) -> None:
    """Generators of typed clients take a field with a default for one that is always there."""
    assert list(_nulls(json.loads((FOLDER / name).read_text(encoding="utf-8")))) == []
