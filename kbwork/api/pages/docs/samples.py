"""One call as each client makes it: what the reference shows beside an operation."""

import json
import keyword
import shlex
from typing import Any

Example = dict[str, Any]


def samples(op_id: str, example: Example, *, confirm: bool) -> dict[str, str]:
    """Name of the client -> what to copy. `confirm`: over MCP it has to be confirmed."""
    return {
        "curl": _curl(op_id, example),
        "Python": _python(op_id, example),
        "TypeScript": _typescript(op_id, example),
        "Command line": _command(op_id, example),
        "MCP": _mcp(op_id, example, confirm=confirm),
    }


def _curl(op_id: str, example: Example) -> str:
    return " \\\n  ".join(
        (
            f'curl "$KBWORK_URL/api/v1/{op_id}"',
            '-H "Authorization: Bearer $KBWORK_KEY"',
            '-H "Content-Type: application/json"',
            f"-d {shlex.quote(json.dumps(example, ensure_ascii=False))}",
        )
    )


def _python(op_id: str, example: Example) -> str:
    module, _, verb = op_id.partition(".")
    arguments = [f"{_name(name)}={value!r}" for name, value in example.items()]
    call = f"Kbwork().{module}.{_name(verb)}"
    one_line = f"{call}({', '.join(arguments)})"
    if len(one_line) > 60 and arguments:
        one_line = f"{call}(\n    " + ",\n    ".join(arguments) + ",\n)"
    return f"from kbwork import Kbwork\n\n{one_line}"


def _typescript(op_id: str, example: Example) -> str:
    call = f"const answer = await kb.{op_id}({_object(example)});"
    return f'import {{ kbwork }} from "@kbwork/client";\n\nconst kb = kbwork({{ url, key }});\n{call}'


def _object(example: Example) -> str:
    """As it is written by hand: on one line where it fits, names without quotes where they need none."""
    fields = [f"{_named(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in example.items()]
    if not fields:
        return ""
    one_line = f"{{ {', '.join(fields)} }}"
    return one_line if len(one_line) <= 60 else "{\n  " + ",\n  ".join(fields) + ",\n}"


def _named(name: str) -> str:
    return name if name.isascii() and name.isidentifier() else json.dumps(name)


def _command(op_id: str, example: Example) -> str:
    module, _, verb = op_id.partition(".")
    words = []
    for name, value in example.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        words.append(f"--{name.replace('_', '-')} {shlex.quote(text)}")
    line = " ".join((f"kbwork {module} {verb}", *words))
    return line if len(line) <= 60 else " \\\n  ".join((f"kbwork {module} {verb}", *words))


def _mcp(op_id: str, example: Example, *, confirm: bool) -> str:
    arguments = {**example, "confirm": True} if confirm else example
    call = {"name": op_id.replace(".", "_"), "arguments": arguments}
    return json.dumps(call, ensure_ascii=False, indent=2)


def _name(name: str) -> str:
    """A word that Python keeps for itself gets an underscore."""
    return name + "_" if keyword.iskeyword(name) else name
