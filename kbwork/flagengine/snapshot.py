"""A snapshot of an environment: immutable data, and the code that its flags become when they are first asked for."""

from typing import Any

from kbwork.flagengine.compile import Compiler, Decide
from kbwork.flagengine.contexts import Kinds, kinds_of
from kbwork.flagengine.evaluate import Data, Explained, explain
from kbwork.flagengine.json_values import clean, loads
from kbwork.flagengine.parts import is_there
from kbwork.flagengine.reasons import BAD_CONTEXT, NOT_FOUND, TYPES, WRONG_TYPE, Detail, Wanted


class Snapshot:
    """Flags and segments of one moment. Nothing in it changes; a change is a new snapshot.

    `data` has `flags` and `segments`, each an object by key, and where lists of keys are hashed `keySalt`. It is
    taken as it is: give it only what `parse` has read or cleaned, or use `of`.

    `before` is the snapshot that this one follows: flags that are the same objects there, and rest on nothing that is
    another, keep their code.
    """

    __slots__ = ("_data", "compiler", "data", "made")

    def __init__(self, data: dict[str, Any], before: "Snapshot | None" = None) -> None:
        self.data = data
        self._data = Data(data.get("flags"), data.get("segments"), data.get("keySalt"))
        self.compiler: Compiler = Compiler(self._data, before.compiler if before is not None else None)
        self.made: dict[str, Decide] = dict(before.made) if before is not None else {}
        for key in self.made.keys() - self.compiler.flags.keys():
            del self.made[key]

    @classmethod
    def of(cls, data: Any) -> "Snapshot":
        """Of data from anywhere, made fit first."""
        found = clean(data)
        return cls(found if type(found) is dict else {})

    @classmethod
    def loads(cls, text: str | bytes) -> "Snapshot":
        """Of JSON text. Raises ValueError where it is no JSON object."""
        found = loads(text)
        if type(found) is not dict:
            raise ValueError("a snapshot is a JSON object")
        return cls(found)

    def evaluate(self, key: str, context: object, default: Any = None, wanted: Wanted = "any") -> Detail:
        """The answer for one flag. `context` is a Context, or a mapping that is made ready here."""
        return finished(self.decided(key, kinds_of(context)), default, wanted)

    def decided(self, key: str, kinds: Kinds | None) -> Detail:
        """What the rules say of a context made ready, before default and type: the value is None for a default.

        For a flag that is compiled it is one of a few that this snapshot answers again and again.
        """
        decide = self.made.get(key)
        if decide is None:
            if not is_there(self._data.flags.get(key)):
                return NOT_FOUND
            decide = self.made[key] = self.compiler.flag(key)
        return BAD_CONTEXT if kinds is None else decide(kinds)

    def compiled(self, key: str) -> Decide | None:
        """The code of a flag that is sound; None for one that is walked through, or not asked for yet."""
        return self.made.get(key) if self.compiler.is_compiled(key) else None

    def explain(self, key: str, context: object) -> Explained:
        """The answer with every step that led to it; where the caller's default would be served the value is None."""
        return explain(self._data, key, kinds_of(context))

    @property
    def keys(self) -> list[str]:
        """The flags that are there, by key."""
        return sorted(key for key, flag in self._data.flags.items() if is_there(flag))


def finished(detail: Detail, default: Any, wanted: Wanted) -> Detail:
    """What was decided, as it is answered to a call with a default and a type."""
    if detail.variation is None:
        return detail.with_default(default)
    if wanted != "any" and type(detail.value) not in TYPES[wanted]:
        return WRONG_TYPE.with_default(default)
    return detail
