"""What clients of both sorts are made of: a snapshot that is kept up to date, and evaluations that never fail."""

import copy
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from kbwork.flagengine import Detail, Snapshot
from kbwork.flagengine.compile import Decide
from kbwork.flagengine.contexts import Context, prepare
from kbwork.flagengine.reasons import EXCEPTION, Wanted, failed
from kbwork.flagengine.snapshot import finished
from kbwork.flags.follower import Follower, Served
from kbwork.flags.options import Options
from kbwork.flags.recorder import Recorder
from kbwork.flags.wire import Wire

_NOT_READY: Final = failed("CLIENT_NOT_READY")
_Bumps = dict[int, Callable[[], object]]


@dataclass(frozen=True, slots=True)
class _Flags:
    """What is served, and what was learnt of it: the code of flags, and what counts each of their answers."""

    snapshot: Snapshot
    version: int
    quick: dict[str, Decide] = field(default_factory=dict)
    bumps: dict[Wanted, _Bumps] = field(
        default_factory=lambda: {"boolean": {}, "string": {}, "number": {}, "any": {}}
    )
    """By the type that is asked for, and the identity of an answer of this type, which lives as long as the snapshot.
    An object or a list is not among them: it is copied first."""

    def version_of(self, key: str) -> int | None:
        """The version of a flag."""
        version = self._flag(key).get("version")
        return version if type(version) is int else None

    def tracked(self, key: str) -> frozenset[int] | None:
        """The rules of a flag whose evaluations are told one by one; None stands for all."""
        return _tracked(self._flag(key))

    def _flag(self, key: str) -> dict[str, Any]:
        flags = self.snapshot.data.get("flags")
        found = flags.get(key) if type(flags) is dict else None
        return found if type(found) is dict else {}


class Core:
    """One environment, as one key sees it. The arguments are those of `Options`.

    Typed calls take a flag's key, the default and the context (a mapping, or a Context that serves many calls). They
    answer the default, with a reason, where anything is wrong: no snapshot yet, no such flag, another type. They never
    raise, never wait, and may be called from any thread.
    """

    def __init__(self, **options: Any) -> None:
        found = Options(**options)
        self._log = found.log
        self._init_timeout_s = found.init_timeout_ms / 1000
        self._ready = threading.Event()
        self._flags: _Flags | None = None
        self._heard: list[Callable[[], None]] = []
        self._closed = False
        wire = Wire(found)
        self._recorder = Recorder(wire, found) if found.send_events else None
        self._follower = Follower(
            wire, found, changed=self._change, settled=self._ready.set, refused=self._refuse
        )
        self._follower.start()

    # -- evaluations --------------------------------------------------------------------------------

    def boolean(self, key: str, default: bool, context: object) -> bool:
        """The value of a boolean flag."""
        value: bool = self.boolean_detail(key, default, context).value
        return value

    def string(self, key: str, default: str, context: object) -> str:
        """The value of a text flag."""
        value: str = self.string_detail(key, default, context).value
        return value

    def number(self, key: str, default: float, context: object) -> float:
        """The value of a number flag."""
        value: float = self.number_detail(key, default, context).value
        return value

    def json(self, key: str, default: Any, context: object) -> Any:
        """The value of a flag of any kind; what is an object or a list is the caller's own copy."""
        return self.json_detail(key, default, context).value

    def boolean_detail(self, key: str, default: bool, context: object) -> Detail:
        """As `boolean`, with the variation and the reason."""
        return self._detail(key, default, context, "boolean")

    def string_detail(self, key: str, default: str, context: object) -> Detail:
        """As `string`, with the variation and the reason."""
        return self._detail(key, default, context, "string")

    def number_detail(self, key: str, default: float, context: object) -> Detail:
        """As `number`, with the variation and the reason."""
        return self._detail(key, default, context, "number")

    def json_detail(self, key: str, default: Any, context: object) -> Detail:
        """As `json`, with the variation and the reason."""
        return self._detail(key, default, context, "any")

    def _detail(self, key: str, default: Any, context: object, wanted: Wanted) -> Detail:
        """By what was learnt, where this very answer was given before; else by the snapshot."""
        flags = self._flags
        if flags is None:
            return _NOT_READY.with_default(default)
        try:
            kinds = context.kinds if type(context) is Context else prepare(context)
            decide = flags.quick.get(key)
            if decide is not None and kinds is not None:
                detail = decide(kinds)
                bump = flags.bumps[wanted].get(id(detail))
                if bump is not None:
                    bump()
                    return detail
            decided = flags.snapshot.decided(key, kinds)
            detail = finished(decided, default, wanted)
            known = flags.bumps[wanted] if detail is decided else None
            self._note(flags, key, detail, context, known)
        except Exception:  # the program that asks goes on, whatever the flag or the context is
            self._log.exception("a flag could not be evaluated")
            return EXCEPTION.with_default(default)
        if detail.variation is not None and isinstance(detail.value, dict | list):
            return replace(detail, value=copy.deepcopy(detail.value))
        return detail

    def _note(self, flags: _Flags, key: str, detail: Detail, context: object, bumps: _Bumps | None) -> None:
        """Count an answer, tell of it where the flag asks for that, and learn how to give and count it next time."""
        version = flags.version_of(key)
        if self._recorder is not None:
            self._recorder.count(key, version, detail)
        rules = flags.tracked(key)
        if rules != frozenset():
            if self._recorder is not None and (rules is None or detail.rule_index in rules):
                self._recorder.event(key, version, detail, context)
            return
        decide = flags.snapshot.compiled(key)
        if decide is None or bumps is None or isinstance(detail.value, dict | list):
            return
        bump = _uncounted if self._recorder is None else self._recorder.counter(key, version, detail)
        if bump is not None:
            flags.quick[key] = decide
            bumps.setdefault(id(detail), bump)

    # -- what is sent and heard ---------------------------------------------------------------------

    def track(self, name: str, context: object, data: Any = None) -> None:
        """Tell of something that happened. The service takes it and does not keep it."""
        self._tell("track", context, name=name, data=data)

    def identify(self, context: object) -> None:
        """Tell of a context. The service takes it and does not keep it."""
        self._tell("identify", context)

    def _tell(self, kind: str, context: object, **more: Any) -> None:
        if self._recorder is None:
            return
        try:
            self._recorder.other(kind, context, **more)
        except Exception:  # as for evaluations
            self._log.exception("an event could not be kept")

    def subscribe(self, heard: Callable[[], None]) -> Callable[[], None]:
        """Call this after each new snapshot, on a thread of the client; answers what ends it."""
        self._heard.append(heard)

        def end() -> None:
            if heard in self._heard:
                self._heard.remove(heard)

        return end

    @property
    def version(self) -> int | None:
        """The version of the environment that is served; None where there is no snapshot yet."""
        return None if self._flags is None else self._flags.version

    def flag_version(self, key: str) -> int | None:
        """The version of a flag's configuration that is served."""
        return None if self._flags is None else self._flags.version_of(key)

    def _change(self, served: Served) -> None:
        self._flags = _Flags(served.snapshot, served.version)
        if self._recorder is not None:
            self._recorder.retire()
        for heard in list(self._heard):
            try:
                heard()
            except Exception:  # whoever listens may fail; the flags are served all the same
                self._log.exception("a subscriber failed")

    def _refuse(self) -> None:
        self._ready.set()
        if self._recorder is not None:
            self._recorder.refuse()

    def _wait(self, timeout_ms: int | None) -> bool:
        self._ready.wait(self._init_timeout_s if timeout_ms is None else timeout_ms / 1000)
        return self._flags is not None

    def _flush(self, timeout_s: float | None) -> bool:
        return self._recorder is None or self._recorder.flush(timeout_s)

    def _close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._follower.close()
        if self._recorder is not None:
            self._recorder.close()


def _uncounted() -> None:
    """For clients that send no events."""


def _tracked(flag: dict[str, Any]) -> frozenset[int] | None:
    """The rules whose evaluations are told; None stands for all."""
    if flag.get("trackEvents") is True:
        return None
    rules = flag.get("rules")
    return frozenset(
        place
        for place, rule in enumerate(rules if type(rules) is list else ())
        if type(rule) is dict and rule.get("trackEvents") is True
    )
