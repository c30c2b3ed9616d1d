"""Counts how the house is built: names, sizes of folders, who knows whom. `python -m tests.house.structure [CHECKOUT]`.

Everything is read off the sources as text; nothing of the checkout is imported, so that an older one can be counted
beside this one.
"""

import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

MOST_FILES = 15
"""Modules in one folder."""
GENERATED = {"contract/kbwork_client.py", "db/rows.py"}
DECORATORS = {"read", "write", "destructive"}
READS = {"get", "list", "history", "search", "find", "check"}
"""Verbs of operations that a newcomer looks for in `read.py`."""
FIELD = re.compile(r"\bestimate\b")
"""A field that issues alone have, by one name everywhere: projects have a `start_date` too, and half of the places say
`start` for it. Prose is counted, and what other tools call so."""
FIELDS = ("estimate", "start_date", "due_date", "sprint", "milestone")
"""Fields of issues. A file in which each of them is must learn of every new one; one that has some of them is about
those."""
KINDS = {
    "assets": "asset",
    "boards": "board",
    "checklists": "checklist",
    "components": "component",
    "labels": "label",
    "teams": "team",
    "views": "view",
}
"""Modules and their kinds of things, likewise."""
_SQL = re.compile(r"\b(?:insert(?: or \w+)? into|replace into|update(?: or \w+)?|delete from)\s+([a-z_]+)\b")
_OPERATION = re.compile(r"[a-z_]+\.[a-z_]+")


@dataclass(frozen=True)
class File:
    """One source file. `name` is its path below the package."""

    name: str
    text: str

    @property
    def stem(self) -> str:
        return Path(self.name).stem

    @property
    def folder(self) -> str:
        return str(Path(self.name).parent)

    @property
    def module(self) -> str | None:
        """The module of the product that it belongs to."""
        parts = self.name.split("/")
        return parts[1] if parts[0] == "modules" and len(parts) > 2 else None

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @property
    def texts(self) -> Iterator[str]:
        """Its string constants, those of f-strings among them."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


class House:
    """The sources of one checkout."""

    def __init__(self, root: Path) -> None:
        """`root` holds the package `kbwork`."""
        package = root / "kbwork"
        self.files = [
            File(str(path.relative_to(package)), path.read_text(encoding="utf-8"))
            for path in sorted(package.rglob("*.py"))
            if str(path.relative_to(package)) not in GENERATED
        ]
        self.modules = sorted({file.module for file in self.files if file.module})

    @property
    def lines(self) -> int:
        return sum(file.text.count("\n") for file in self.files)

    @property
    def gerunds(self) -> list[str]:
        """Files that are called by what they do: the verb with `ing`."""
        return [file.name for file in self.files if file.stem.endswith("ing") and file.stem != "thing"]

    @property
    def crowded(self) -> dict[str, int]:
        """Folders with more modules than one sees at a glance."""
        found = Counter(file.folder for file in self.files if file.stem != "__init__")
        return {folder: count for folder, count in found.items() if count > MOST_FILES}

    @property
    def doubled(self) -> dict[str, list[str]]:
        """Public classes whose name stands for more than one."""
        homes = defaultdict(list)
        for file in self.files:
            for node in file.tree.body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    homes[node.name].append(file.name)
        return {name: found for name, found in homes.items() if len(found) > 1}

    @property
    def operations(self) -> dict[str, str]:
        """Operation -> the file that it stands in."""
        found = {}
        for file in self.files:
            for node in file.tree.body if file.module else ():
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    for op_id in filter(None, map(_declared, node.decorator_list)):
                        found[op_id] = file.name
        return found

    @property
    def misplaced(self) -> dict[str, str]:
        """Operations that stand in a file where their name does not lead."""
        return {op: name for op, name in self.operations.items() if not _leads(op, name)}

    @property
    def past_the_front(self) -> dict[str, list[str]]:
        """Imports of another module's insides: what its front does not name."""
        fronts = {module: self._listed(module, "__all__") for module in self.modules}
        found = defaultdict(list)
        for file in self.files:
            for target, name in _imported(file) if file.module else ():
                parts = target.split(".")
                if parts[:2] != ["kbwork", "modules"] or len(parts) < 3 or parts[2] == file.module:
                    continue
                if len(parts) > 3 or name not in fronts[parts[2]]:
                    found[file.name].append(f"{target}.{name}")
        return dict(found)

    def circle(self, *kinds: str) -> list[list[str]]:
        """Modules that know each other in a circle: by `import`, by `call` of an operation as text, by `write`."""
        edges: dict[str, set[str]] = {module: set() for module in self.modules}
        for kind in kinds:
            for one, other in getattr(self, f"_by_{kind}")():
                if one != other:
                    edges[one].add(other)
        return [group for group in _strong(edges) if len(group) > 1]

    def _by_import(self) -> Iterator[tuple[str, str]]:
        for file in self.files:
            for target, name in _imported(file) if file.module else ():
                parts = f"{target}.{name}".split(".")  # `from kbwork.modules import issues` names one, too
                if parts[:2] == ["kbwork", "modules"] and file.module and parts[2] in self.modules:
                    yield file.module, parts[2]

    def _by_call(self) -> Iterator[tuple[str, str]]:
        operations = self.operations
        for file in self.files:
            for node in ast.walk(file.tree) if file.module else ():
                if isinstance(node, ast.Call):
                    for text in node.args:
                        if (
                            isinstance(text, ast.Constant)
                            and text.value in operations
                            and ast.unparse(node.func).rpartition(".")[2] in {"run", "require", "call"}
                            and file.module
                        ):
                            yield file.module, str(text.value).partition(".")[0]

    def _by_write(self) -> Iterator[tuple[str, str]]:
        return ((str(file.module), owner) for file, _, owner in self._writes())

    def _writes(self) -> Iterator[tuple[File, str, str]]:
        """(file, table, the module that the table belongs to) of each write in a module."""
        owners = {table: module for module in self.modules for table in self._listed(module, "TABLES")}
        for file in self.files:
            for table in _written(file) if file.module else ():
                if table in owners:
                    yield file, table, owners[table]

    @property
    def undeclared_writes(self) -> dict[str, set[str]]:
        """Files of modules -> tables of others that they write and their front does not name in `WRITES`."""
        found = defaultdict(set)
        for file, table, owner in self._writes():
            module = str(file.module)
            if owner != module and table not in self._listed(module, "WRITES"):
                found[file.name].add(table)
        return dict(found)

    def _listed(self, module: str, what: str) -> set[str]:
        """The texts of a list in a module's front."""
        return _names(next(file for file in self.files if file.name == f"modules/{module}/__init__.py"), what)

    def spelt(self, words: re.Pattern[str], outside: str = "") -> list[str]:
        """Files that name something, but those of the module that it belongs to."""
        return [file.name for file in self.files if file.module != outside and words.search(file.text)]

    @property
    def of_every_field(self) -> list[str]:
        """Files that name all of some fields of issues."""
        return self._in_all(self.spelt(re.compile(rf"\b{field}\b")) for field in FIELDS)

    @property
    def of_every_kind(self) -> list[str]:
        """Files that name all of some kinds of things, outside the modules of those."""
        return self._in_all(self.spelt(_kind(name), outside=module) for module, name in KINDS.items())

    def _in_all(self, found: Iterable[list[str]]) -> list[str]:
        return sorted(set.intersection(*map(set, found)))


def _kind(name: str) -> re.Pattern[str]:
    """A kind of thing, in each way that code spells it."""
    return re.compile("|".join(rf"\b{word}[sS]?\b" for word in (name, name.capitalize(), name.upper())))


def _declared(decorator: ast.expr) -> str | None:
    """The operation that a decorator declares."""
    if isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Name) and decorator.args:
        first = decorator.args[0]
        if decorator.func.id in DECORATORS and isinstance(first, ast.Constant):
            return str(first.value)
    return None


def _leads(op: str, name: str) -> bool:
    """Whether a file's name, or a folder's on the way, says a word of the operation's name."""
    module, _, verb = op.partition(".")
    place = [part.removesuffix(".py") for part in name.split("/")[2:]]
    if place == ["ops"]:
        return True
    said = {_stem(word) for part in place for word in part.split("_")}
    asked = {_stem(word) for word in verb.split("_")}
    if any(_alike(one, other) for one in said for other in asked) or (asked & READS and "read" in said):
        return True
    return place[-1] == "ops" and _stem(module) in said


def _alike(one: str, other: str) -> bool:
    """Whether two words are the same, or one is the beginning of the other: `watch` and `watchers`."""
    return one == other or (
        min(len(one), len(other)) >= 4 and (one.startswith(other) or other.startswith(one))
    )


def _stem(word: str) -> str:
    """A word without the sign of the plural."""
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _imported(file: File) -> Iterator[tuple[str, str]]:
    """(module, name) of each import."""
    for node in ast.walk(file.tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield node.module, alias.name


def _names(file: File, what: str) -> set[str]:
    """The texts of a list at the top of a file."""
    for node in file.tree.body:
        if isinstance(node, ast.Assign) and any(ast.unparse(target) == what for target in node.targets):
            return {text.value for text in ast.walk(node.value) if isinstance(text, ast.Constant)}  # type: ignore[misc]  # they are texts
    return set()


def _written(file: File) -> Iterator[str]:
    """Tables that a file writes: in SQL, and by the transaction's own functions."""
    for text in file.texts:
        yield from _SQL.findall(text)
    for node in ast.walk(file.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            first = node.args[0]
            if node.func.attr in {"insert", "update", "delete"} and isinstance(first, ast.Constant):
                yield str(first.value)


def _strong(edges: dict[str, set[str]]) -> list[list[str]]:
    """The groups of a graph whose members all reach each other."""

    def reached(start: str) -> set[str]:
        seen, waiting = set[str](), [start]
        while waiting:
            for other in edges[waiting.pop()] - seen:
                seen.add(other)
                waiting.append(other)
        return seen

    reach = {one: reached(one) for one in edges}
    groups = {
        tuple(sorted(other for other in edges if other in reach[one] and one in reach[other])) or (one,)
        for one in edges
    }
    return [list(group) for group in sorted(groups)]


def _members(groups: Iterable[list[str]]) -> int:
    return sum(map(len, groups))


def main(root: Path) -> None:
    """Print the counts of a checkout."""
    house = House(root)
    found = house.operations
    rows = [
        ("foreign files in which every kind of thing is", len(house.of_every_kind)),
        ("foreign files in which one kind is (assets)", len(house.spelt(_kind("asset"), outside="assets"))),
        ("files in which every field of an issue is", len(house.of_every_field)),
        ("files in which one field is (estimate)", len(house.spelt(FIELD))),
        ("modules in circles by import", _members(house.circle("import"))),
        ("modules in circles by import and call", _members(house.circle("import", "call"))),
        (
            "modules in circles by import, call and SQL write",
            _members(house.circle("import", "call", "write")),
        ),
        ("tables of others written without saying so", sum(map(len, house.undeclared_writes.values()))),
        ("imports past a front", sum(map(len, house.past_the_front.values()))),
        ("gerund files", len(house.gerunds)),
        ("doubled public class names", len(house.doubled)),
        (f"folders with more than {MOST_FILES} modules", len(house.crowded)),
        (f"operations (of {len(found)}) found by their name", len(found) - len(house.misplaced)),
        ("lines of product code", house.lines),
    ]
    for name, count in rows:
        print(f"{name:52} {count:>7,}")  # noqa: T201 - it is what it is run for


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
