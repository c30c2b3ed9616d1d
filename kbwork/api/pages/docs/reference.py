"""The API reference, read off the contract: modules, operations, shapes."""

import json
import re
from functools import cache
from typing import Any

from kbwork.api.pages.docs import markdown
from kbwork.api.pages.docs.manual import contents
from kbwork.api.pages.docs.samples import samples
from kbwork.api.pages.docs.schema_types import Schema, SchemaField, SchemaType, kind_of, rows, shape_name
from kbwork.api.pages.render import render_cached
from kbwork.api.pages.response import PageResponse
from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import NotFound
from kbwork.contract import load

_PREFIX = "/api/v1/"
_SLUG = re.compile(r"`([a-z-]+)`: ([^;]+?)\.?(?:;|$)")
_UNIVERSAL = frozenset({400, 405, 413, 415, 500, 503, 507})
"""What any call may meet: told once, on the page of problems."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One operation as its page has it."""

    id: str
    summary: str
    doc: str
    cls: str
    scopes: list[str]
    events: list[str]
    since: str
    inputs: list[SchemaField]
    answer: SchemaType
    answer_rows: list[SchemaField]
    problems: list[tuple[str, str, int]]
    samples: dict[str, str]
    answered: str
    """What the example answers in the sample org, as JSON; empty where that is not known."""


def show_reference(name: str) -> PageResponse:
    """The overview (`""`), a module, or one operation. Raises NotFound."""
    if name == "":
        return _overview()
    return _operation(name) if "." in name else _module(name)


@cache
def _contract() -> dict[str, Any]:
    found: dict[str, Any] = load("openapi.json")
    return found


@cache
def _modules() -> dict[str, dict[str, dict[str, Any]]]:
    """Module -> operation -> its description in the contract."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for path, item in _contract()["paths"].items():
        op_id = path.removeprefix(_PREFIX)
        if "post" in item and "." in op_id:
            found.setdefault(op_id.partition(".")[0], {})[op_id] = item["post"]
    return found


@cache
def _abouts() -> dict[str, str]:
    return {tag["name"]: tag.get("description", "") for tag in _contract()["tags"]}


@cache
def _overview() -> PageResponse:
    modules = {
        name: {"about": _abouts().get(name, ""), "operations": operations}
        for name, operations in _modules().items()
    }
    return render_cached(
        "api_index.html",
        groups=contents(),
        here="api",
        title="API reference",
        modules=modules,
        count=sum(len(operations) for operations in _modules().values()),
        about=markdown.clean(_contract()["info"]["description"]),
    )


@cache
def _module(name: str) -> PageResponse:
    operations = _modules().get(name)
    if operations is None:
        raise NotFound(f"There is no module {name!r}; /docs/api lists them.")
    return _page(name, name, _abouts().get(name, ""), [])


@cache
def _operation(op_id: str) -> PageResponse:
    module = op_id.partition(".")[0]
    described = _modules().get(module, {}).get(op_id)
    if described is None:
        raise NotFound(f"There is no operation {op_id!r}; /docs/api lists them.")
    return _page(module, op_id, "", [_shown(op_id, described)])


def _page(module: str, title: str, about: str, shown: list[Shown]) -> PageResponse:
    return render_cached(
        "api_module.html",
        groups=contents(),
        here="api",
        title=title,
        module=module,
        about=about,
        modules=list(_modules()),
        operations=_modules()[module],
        shown=shown,
        shapes=_reached(shown),
        kind_of=kind_of,
    )


def _shown(op_id: str, described: dict[str, Any]) -> Shown:
    content = described["requestBody"]["content"]["application/json"]
    done = described["responses"]["200"]["content"]["application/json"]
    answer, sample = done["schema"], done.get("examples", {}).get("sample")
    example = content.get("example", {})
    cls = described["x-kb-class"]
    return Shown(
        id=op_id,
        summary=described["summary"],
        doc=markdown.clean(described["description"]),
        cls=cls,
        scopes=described["x-kb-scopes"],
        events=described.get("x-kb-events", []),
        since=described.get("x-kb-since", ""),
        inputs=rows(_follow(content["schema"])),
        answer=kind_of(answer),
        answer_rows=rows(_row_shape(answer)),
        problems=_problems(described),
        samples=samples(op_id, example, confirm=cls == "destructive"),
        answered="" if sample is None else json.dumps(sample["value"], ensure_ascii=False, indent=2),
    )


def _follow(schema: Schema) -> Schema:
    if "$ref" in schema:
        found: Schema = _contract()["components"]["schemas"][shape_name(schema)]
        return found
    return schema


def _row_shape(answer: Schema) -> Schema:
    """The object whose fields tell what the answer is: for a list, that of its entries."""
    found = _follow(answer)
    return _follow(found.get("items", {})) if found.get("type") == "array" else found


def _problems(described: dict[str, Any]) -> list[tuple[str, str, int]]:
    """(slug, title, status) of the refusals that are worth a word here."""
    found = []
    for status, response in described["responses"].items():
        if not status.isdigit() or int(status) < 400 or int(status) in _UNIVERSAL:
            continue
        name = response["$ref"].rpartition("/")[2] if "$ref" in response else ""
        text = _contract()["components"]["responses"].get(name, response).get("description", "")
        found += [(slug, title, int(status)) for slug, title in _SLUG.findall(text)]
    return found


def _reached(shown: list[Shown]) -> dict[str, list[SchemaField]]:
    """The named shapes that these operations lead to, with their fields."""
    found: dict[str, list[SchemaField]] = {}
    waiting = [shape for op in shown for row in (*op.inputs, *op.answer_rows) for shape in row.kind.shapes]
    waiting += [shape for op in shown for shape in op.answer.shapes]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = rows(_contract()["components"]["schemas"][name])
            waiting += [shape for row in found[name] for shape in row.kind.shapes]
    return dict(sorted(found.items()))
