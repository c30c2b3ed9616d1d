"""Which MCP tools a caller is shown, and which calls ask to be confirmed."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.contract import load
from kbwork.core.operations.declare import Operation
from kbwork.core.operations.registry import Registry

ALWAYS = frozenset({"api.batch", "tql.run", "search.query", "subjects.resolve", "issues.export_text"})
"""They carry most of an agent's work, so no choice of modules hides them."""
SEARCH = "tools_search"
_MANY_CUTS = 256
Told = Callable[[], list[dict[str, Any]]]
"""Answers the tools as the contract has them."""


def written() -> list[dict[str, Any]]:
    """As `kbwork contract` wrote them: schemas made anew take 0.4 s, and 7 MB for the validators of all inputs."""
    found: list[dict[str, Any]] = load("mcp.json")["tools"]
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Tool:
    """One operation as clients of MCP see it."""

    op: Operation
    wire: dict[str, Any]
    """As the contract has it."""

    @property
    def name(self) -> str:
        """`module_verb`."""
        return str(self.wire["name"])

    @property
    def schema(self) -> dict[str, Any]:
        """JSON Schema of the arguments: the operation's, and `confirm` where the call may ask for it."""
        found: dict[str, Any] = self.wire["inputSchema"]
        return found

    @property
    def confirms(self) -> bool:
        return "confirm" in self.schema.get("properties", {})


class Tools:
    """Every tool of a registry, with what its clients are told of each."""

    def __init__(self, registry: Registry, told: Iterable[dict[str, Any]]) -> None:
        ops = {f"{op.module}_{op.verb}": op for op in registry.operations.values()}
        self.by_name = {wire["name"]: Tool(ops[wire["name"]], wire) for wire in told if wire["name"] in ops}
        self._by_op = {tool.op.id: tool for tool in self.by_name.values()}
        self._cuts: dict[tuple[frozenset[str], ...], tuple[Tool, ...]] = {}

    def shown(
        self, scopes: frozenset[str], modules: frozenset[str] | None, off: frozenset[str]
    ) -> tuple[Tool, ...]:
        """What a caller with these scopes is shown of `modules` (None: all), without those switched off."""
        place = (scopes, off) if modules is None else (scopes, off, modules)
        found = self._cuts.get(place)
        if found is None:
            if len(self._cuts) >= _MANY_CUTS:
                self._cuts.clear()
            found = tuple(
                t for t in self.by_name.values() if t.op.module not in off and _is_for(t, scopes, modules)
            )
            self._cuts[place] = found
        return found

    def takes_away(
        self, tool: Tool, arguments: Mapping[str, Any], carried: Iterable[str] = ()
    ) -> list[Operation]:
        """The operations by which this call takes something away; empty where it need not be confirmed. `carried` are
        those that it runs and does not name."""
        if tool.op.cls == "destructive":
            return [tool.op]
        if not tool.confirms:
            return []
        found = [tool.op] if _deletes(arguments) else []
        for op_id, inner in (*_carried(arguments), *((op_id, {}) for op_id in carried)):
            other = self._by_op.get(op_id)
            if other is not None and other is not tool:
                found += self.takes_away(other, inner)
        return found


def _is_for(tool: Tool, scopes: frozenset[str], modules: frozenset[str] | None) -> bool:
    op = tool.op
    if op.public:
        return modules is not None and op.module in modules
    if not scopes.intersection(op.scopes):
        return False
    return modules is None or op.module in modules or op.id in ALWAYS


def _deletes(value: Any) -> bool:
    """Whether `delete` is set in the arguments or in an object directly inside."""
    return isinstance(value, Mapping) and (
        value.get("delete") is True
        or any(isinstance(inner, Mapping) and inner.get("delete") is True for inner in value.values())
    )


def _carried(arguments: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The calls that a call carries, such as the `ops` of a batch: lists of {`op`, `input`}."""
    for value in arguments.values():
        for part in value if isinstance(value, list) else ():
            if isinstance(part, Mapping) and isinstance(part.get("op"), str):
                inner = part.get("input")
                yield part["op"], inner if isinstance(inner, Mapping) else {}
