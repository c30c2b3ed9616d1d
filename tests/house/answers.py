"""What the examples of operations answer, as the contract shows it: `kbwork/contract/answers.json`.

It is written by running the examples, twice in worlds that are alike: what differs is chance or a secret, and stands in
the file as its name in angle brackets. Long lists and texts are cut. Write it with
KBWORK_ANSWERS=write pytest -n0 tests/house/test_every_operation.py -k examples && kbwork contract
"""

import base64
import json
import os
import re
from collections.abc import Iterator
from typing import Any

from kbwork.contract import FOLDER
from tests.conftest import World

FILE = FOLDER / "answers.json"
WRITES = os.environ.get("KBWORK_ANSWERS") == "write"
_MOST = 2
_MOST_CHARS = 300
_OTHER = ("ms", "access", "bytes", "storage_bytes")
"""Numbers that are others each time: how long something took, how large it is on disk, a digest of who sees what."""
_CHANCE = re.compile(r"[ksu]_[a-z0-9]{16,}|[0-9a-f]{32}|[A-Za-z0-9+/_-]{40,}={0,2}")
"""Ids and digests of what all worlds of one run have, and bytes as text."""
_DRAWN = 1 << 48
"""Whole numbers from here on are drawn by chance: this one stands for them."""
_CHANCE_NAMES = ("last4", "push_key", "sha256")


def told(world: World, answer: Any) -> Any:
    """An answer without what another world of the same kind has otherwise, cut."""
    text = json.dumps(answer, ensure_ascii=False).replace(world.url, "https://work.example.org")
    for handle, person in world.people.items():
        known = f"m_{handle:0<12}"
        text = text.replace(person.id, known).replace(_base64(person.id), _base64(known))
    return _short(json.loads(text))


def shown(one: Any, other: Any, name: str = "") -> Any:
    """An answer as it is kept, from those of two worlds."""
    if isinstance(one, dict) and isinstance(other, dict):
        return {key: shown(value, other.get(key), key) for key, value in one.items()}
    if isinstance(one, list) and isinstance(other, list):
        return [shown(value, again, name) for value, again in zip(one, other, strict=False)]
    return f"<{name}>" if isinstance(one, str) and one != other else one


def keep(module: str, found: dict[str, Any]) -> None:
    """Put those of a module into the file, which has all operations by name."""
    before = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    others = {op: answer for op, answer in before.items() if op.partition(".")[0] != module}
    text = json.dumps(dict(sorted((others | found).items())), ensure_ascii=False, indent=1)
    FILE.write_text(f"{text}\n", encoding="utf-8", newline="\n")


def faults(kept: Any, answer: Any, place: str = "") -> Iterator[str]:
    """Where an answer is another one than is kept."""
    name = place.rpartition(".")[2].partition("[")[0]
    if isinstance(kept, dict) and isinstance(answer, dict) and kept.keys() == answer.keys():
        for key, value in kept.items():
            yield from faults(value, answer[key], f"{place}.{key}")
    elif isinstance(kept, list) and isinstance(answer, list) and len(kept) == len(answer):
        for number, (value, now) in enumerate(zip(kept, answer, strict=True)):
            yield from faults(value, now, f"{place}[{number}]")
    elif kept not in (answer, f"<{name}>") and name not in _OTHER:
        yield f"{place}: {kept!r} is {answer!r} now"


def _base64(ident: str) -> str:
    """As passkeys have the id of a member."""
    return base64.urlsafe_b64encode(ident.encode()).rstrip(b"=").decode()


def _short(answer: Any, name: str = "") -> Any:
    if isinstance(answer, dict):
        return {key: _short(value, key) for key, value in answer.items()}
    if isinstance(answer, list):
        return [_short(value, name) for value in answer[:_MOST]]
    if isinstance(answer, str) and (name in _CHANCE_NAMES or _CHANCE.fullmatch(answer)):
        return f"<{name}>"
    if isinstance(answer, int):
        return min(answer, _DRAWN) if name not in _OTHER else answer
    if isinstance(answer, str) and len(answer) > _MOST_CHARS:
        return answer[: _MOST_CHARS - 1] + "…"
    return answer
