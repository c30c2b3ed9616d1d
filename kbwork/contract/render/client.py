"""The one-file client: its hand-written parts, joined, and one typed method per operation."""

import ast
import json
from pathlib import Path
from typing import Any

import kbwork
from kbwork.client.client import ApiClient
from kbwork.client.help import python_name
from kbwork.contract.render.annotations import annotation, definition, text_literal, used
from kbwork.contract.render.cli import cli
from kbwork.contract.render.openapi import about
from kbwork.contract.render.schemas import Schema, Schemas, schemas
from kbwork.core.operations.declare import Misdeclared, Operation
from kbwork.core.operations.registry import Registry

_PARTS = (
    "client/suggest.py",
    "client/errors.py",
    "client/profile.py",
    "client/transport.py",
    "client/stream.py",
    "client/client.py",
    "client/signin.py",
    "client/argv.py",
    "client/columns.py",
    "client/things.py",
    "client/people.py",
    "client/output.py",
    "client/help.py",
    "client/answer.py",
    "client/command.py",
)
"""A part comes after those that it uses. They import each other by `from ... import name` only."""
_HEAD = '''\
#!/usr/bin/env python3
"""The kbwork client in one file, for Python 3.9 and later: library and command line, without dependencies.

    from kbwork import Kbwork                        # this file, as kbwork.py

    client = Kbwork()                                # KBWORK_URL and KBWORK_KEY, or what `login` stored
    for issue in client.every("issues.list"): ...    # all pages
    client.labels.save(name="bug")                   # one typed method per operation

    $ python kbwork.py login --url https://work.example.org
    $ python kbwork.py labels list --help

Made by `kbwork contract`; changes belong into the files that it is made from. The shapes of answers are for
annotations: import them under `TYPE_CHECKING`.
"""
# mypy: disable-error-code="no-any-return"

from __future__ import annotations
'''
_TAIL = '''\
def main() -> None:
    """The command line: ends the process with the exit code."""
    try:
        code = main_of(json.loads(CATALOGUE), sys.argv[1:])
    except KeyboardInterrupt:
        tell("Stopped.")
        code = 130
    sys.exit(code)


if __name__ == "__main__":
    main()
'''
_PUBLIC = (
    *("Kbwork", "ApiClient", "Reply", "ChangeFeed", "Stream", "UNSET"),
    *("KbworkError", "KbworkProblem", "NotSignedIn", "Unreachable", "Profile", "sign_in"),
)


_OWN = ("Kbwork", "CATALOGUE", "main", "NotRequired", "TypedDict")
"""Names that the generated part brings."""


def client(registry: Registry) -> str:
    """The text of `kbwork_client.py`. Raises Misdeclared where a name would be taken twice."""
    imports, parts, taken = _joined(Path(kbwork.__file__).parent)
    taken |= {_class_of(module) for module in registry.modules}
    found = schemas(registry)
    found = found.renamed({name: name + "Shape" if name in taken else name for name in found.shapes})
    blocks = [
        _HEAD + "\n" + "\n".join(imports) + "\n",
        f"__version__ = {kbwork.__version__!r}\n__all__ = {list(_PUBLIC)!r}\n",
        *parts,
        _types(found),
        *(_module(registry, name, found) for name in registry.modules if _operations(registry, name)),
        _class(registry),
        f"CATALOGUE = r'''\n{_catalogue(registry)}\n'''\n",
        _TAIL,
    ]
    return "\n\n".join(blocks)


def _joined(room: Path) -> tuple[list[str], list[str], set[str]]:
    """(imports of all parts, their bodies, the names taken). Raises Misdeclared for a name defined twice."""
    modules: set[str] = set()
    names: dict[str, set[str]] = {"typing": {"TYPE_CHECKING", "Dict", "List", "Literal"}}
    bodies: list[str] = []
    homes: dict[str, str] = {}
    for part in _PARTS:
        text = (room / part).read_text(encoding="utf-8")
        tree = ast.parse(text)
        imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        for node in imports:
            _gather(node, modules, names)
        for name in _defined(tree):
            if name in homes:
                raise Misdeclared(f"the client would have two {name}: from {homes[name]} and {part}")
            homes[name] = part
        bodies.append(_without(text, [tree.body[0], *imports]))
    lines = [f"import {name}" for name in sorted(modules)]
    lines += [f"from {module} import {', '.join(sorted(found))}" for module, found in sorted(names.items())]
    taken = {*homes, *_OWN, *modules}.union(*names.values())
    return lines, bodies, taken


def _gather(node: ast.Import | ast.ImportFrom, modules: set[str], names: dict[str, set[str]]) -> None:
    """Note what an import brings; what comes from other parts stands in the same file."""
    found = {alias.name for alias in node.names}
    if isinstance(node, ast.Import):
        modules |= found
    elif node.module and node.module.partition(".")[0] not in ("kbwork", "__future__"):
        names.setdefault(node.module, set()).update(found)


def _without(text: str, nodes: list[ast.stmt]) -> str:
    lines = text.split("\n")
    gone = {at for node in nodes for at in range(node.lineno - 1, node.end_lineno or node.lineno)}
    return "\n".join(line for at, line in enumerate(lines) if at not in gone).strip("\n") + "\n"


def _defined(tree: ast.Module) -> list[str]:
    names: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign):
            names += [target.id for target in node.targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.append(node.target.id)
    return names


def _operations(registry: Registry, module: str) -> list[Operation]:
    return [op for op in registry.operations.values() if op.module == module and not op.system]


def _types(found: Schemas) -> str:
    """The shapes that answers and inputs hold; not those of whole inputs, which are arguments."""
    names = used(list(found.outputs.values())) | used(
        [found.follow(schema) for schema in found.inputs.values()]
    )
    waiting = list(names)
    while waiting:
        fresh = used(found.shapes[waiting.pop()]) - names
        names |= fresh
        waiting += fresh
    lines = ["if TYPE_CHECKING:", "    from typing_extensions import NotRequired, TypedDict", ""]
    for name in sorted(names):
        lines += [
            f"    {line}" if line else ""
            for line in "\n".join(definition(name, found.shapes[name])).split("\n")
        ]
        lines.append("")
    return "\n".join(lines)


def _class_of(module: str) -> str:
    return "".join(part.capitalize() for part in module.split("_")) + "Module"


def _module(registry: Registry, name: str, found: Schemas) -> str:
    lines = [f"class {_class_of(name)}(Module):", f"    {text_literal(about(registry, name) or name, 4)}"]
    for op in _operations(registry, name):
        lines += ["", _method(op, found)]
    return "\n".join(lines) + "\n"


def _method(op: Operation, found: Schemas) -> str:
    schema = found.follow(found.inputs[op.id])
    required = schema.get("required", [])
    fields: dict[str, Schema] = schema.get("properties", {})
    arguments = [_argument(name, inner, name in required) for name, inner in fields.items()]
    taken = f"self, *, {', '.join(arguments)}" if arguments else "self"
    sent = ", ".join(f"{name!r}: {python_name(name)}" for name in fields)
    return "\n".join(
        [
            f"    def {python_name(op.verb)}({taken}) -> {annotation(found.outputs[op.id])}:",
            f"        {text_literal(op.doc, 8)}",
            f"        return self._client.call({op.id!r}, {{{sent}}})",
        ]
    )


def _argument(name: str, schema: Schema, required: bool) -> str:
    return f"{python_name(name)}: {annotation(schema)}{'' if required else ' = UNSET'}"


def _class(registry: Registry) -> str:
    names = [name for name in registry.modules if _operations(registry, name)]
    if clash := sorted(set(names) & _members()):
        raise Misdeclared(f"modules that are called like a method of the client: {', '.join(clash)}")
    reads = " ".join(op.id for op in registry.operations.values() if op.cls == "read")
    made = [f"        self.{python_name(name)} = {_class_of(name)}(self)" for name in names]
    return "\n".join(
        [
            "class Kbwork(ApiClient):",
            '    """A client with one attribute per module and one method per operation."""',
            "",
            f"    reads = frozenset({reads!r}.split())",
            "",
            "    def __init__(",
            "        self,",
            "        url: str | None = None,",
            "        key: str | None = None,",
            "        *,",
            "        key_file: str | None = None,",
            "        profile: str | None = None,",
            "        timeout_s: float = 60.0,",
            "    ) -> None:",
            "        super().__init__(url, key, key_file=key_file, profile=profile, timeout_s=timeout_s)",
            *made,
            "",
        ]
    )


def _members() -> set[str]:
    return {*dir(ApiClient), "url", "last_seq"}


def _catalogue(registry: Registry) -> str:
    """`cli.json` without the words by which operations are found, one line an operation; apostrophes as JSON may write
    them, since they end the literal."""
    whole: dict[str, Any] = cli(registry)
    lines = [f"{json.dumps(key)}: {_line(value)}," for key, value in whole.items() if key != "modules"]
    lines.append('"modules": {')
    for name, module in whole["modules"].items():
        lines.append(f'{json.dumps(name)}: {{"about": {_line(module["about"])}, "verbs": {{')
        for verb, entry in module["verbs"].items():
            told = {name: value for name, value in entry.items() if name != "words"}
            lines.append(f"{json.dumps(verb)}: {_line(told)},")
        lines[-1] = lines[-1][:-1] + "}},"
    lines[-1] = lines[-1].rstrip(",") + "}"
    return "{" + "\n".join(lines).replace("'", "\\u0027") + "}"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
