"""What clients of both sorts are made of: a snapshot that is kept up to date, and evaluations that never fail."""

import copy
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final, Unpack

from kbwork.flagengine import Detail, Snapshot
from kbwork.flagengine.compile import Decide
from kbwork.flagengine.contexts import Context, Kinds, prepare
from kbwork.flagengine.reasons import EXCEPTION, Wanted, failed
from kbwork.flagengine.snapshot import finished
from kbwork.flags.feeds import ClientStatus, Feed, Served, Silence, SourceFeed
from kbwork.flags.follower import Follower
from kbwork.flags.forks import at_fork
from kbwork.flags.hooks import AskedFlag, EvaluationHook
from kbwork.flags.listeners import FlagListener, Listeners, ValueListener
from kbwork.flags.options import ClientOptions, Options
from kbwork.flags.pages import page_state
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

    def __init__(self, **options: Unpack[ClientOptions]) -> None:
        self._options = found = Options(**options)
        self._log = found.log
        self._hooks: tuple[EvaluationHook, ...] = tuple(found.hooks)
        self._init_timeout_s = found.init_timeout_ms / 1000
        self._flags: _Flags | None = None
        self._listeners = Listeners(self._log)
        self._page: tuple[Snapshot, str] | None = None
        self._closed = False
        self._ready = threading.Event()
        self._waking = threading.Lock()
        self._held: Served | None = None
        """Behind a fork, in the child: what was served, until somebody asks."""
        self._asleep = False
        self._wire = Wire(found) if found.has_key else None
        self._recorder = self._new_recorder()
        self._feed = self._new_feed()
        self._feed.start()
        at_fork(self, Core._forked)

    def _new_recorder(self) -> Recorder | None:
        found = self._options
        if self._wire is None or not found.send_events or not found.asks:
            return None
        return Recorder(self._wire, found)

    def _new_feed(self) -> Feed:
        found = self._options
        heard: dict[str, Any] = {"changed": self._change, "settled": self._settle}
        if found.source is not None:
            return SourceFeed(found.source, found, **heard)
        if self._wire is None:
            return SourceFeed(Silence(), found, **heard)
        return Follower(self._wire, found, **heard, refused=self._refuse)

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
        if self._hooks:
            return self._hooked(AskedFlag(key, default, context, wanted))
        flags = self._flags or self._woken()
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
            return self._decided(flags, AskedFlag(key, default, context, wanted), kinds)
        except Exception:  # the program that asks goes on, whatever the flag or the context is
            self._log.exception("a flag could not be evaluated")
            return EXCEPTION.with_default(default)

    def _decided(self, flags: _Flags, asked: AskedFlag, kinds: Kinds | None) -> Detail:
        decided = flags.snapshot.decided(asked.key, kinds)
        detail = finished(decided, asked.default, asked.wanted)
        known = flags.bumps[asked.wanted] if detail is decided else None
        self._note(flags, asked.key, detail, asked.context, known)
        if detail.variation is not None and isinstance(detail.value, dict | list):
            return replace(detail, value=copy.deepcopy(detail.value))
        return detail

    def _hooked(self, asked: AskedFlag) -> Detail:
        """The same, with what the program does before and after."""
        begun = [(hook, self._begun(hook, asked)) for hook in self._hooks]
        flags = self._flags or self._woken()
        try:
            if flags is None:
                detail = _NOT_READY.with_default(asked.default)
            else:
                context = asked.context
                kinds = context.kinds if type(context) is Context else prepare(context)
                detail = self._decided(flags, asked, kinds)
        except Exception:  # as above
            self._log.exception("a flag could not be evaluated")
            detail = EXCEPTION.with_default(asked.default)
        for hook, own in reversed(begun):
            try:
                hook.after_evaluation(asked, detail, own)
            except Exception:  # a hook may fail, the evaluation stands
                self._log.exception("a hook failed behind an evaluation")
        return detail

    def _begun(self, hook: EvaluationHook, asked: AskedFlag) -> Any:
        try:
            return hook.before_evaluation(asked)
        except Exception:  # likewise
            self._log.exception("a hook failed before an evaluation")
            return None

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
        self._woken()
        if self._recorder is None:
            return
        try:
            self._recorder.other(kind, context, **more)
        except Exception:  # as for evaluations
            self._log.exception("an event could not be kept")

    def subscribe(self, heard: Callable[[], None]) -> Callable[[], None]:
        """Call this after each new snapshot, on a thread of the client; answers what ends it."""
        return self._listeners.add(lambda _: heard())

    def listen(self, key: str, heard: Callable[[str], None]) -> Callable[[], None]:
        """Call this with the flag's key after a change of its rules, or of a flag or segment that it rests on; answers
        what ends it."""
        return self._listeners.add(FlagListener(key, self._snapshot, heard))

    def watch(self, key: str, context: object, heard: Callable[[Detail], None]) -> Callable[[], None]:
        """Call this with the answer when this context gets another value of a flag than before; answers what ends it.

        Nothing of it is counted.
        """
        return self._listeners.add(ValueListener(key, context, self._snapshot, heard))

    def all_flags_state(self) -> str | None:
        """What a page begins with: the `bootstrap` of the browser's client, as JSON that may stand in a script.

        It holds the flags that are available client-side, with lists of keys hashed; None where there is no snapshot.
        """
        snapshot = self._snapshot
        if snapshot is None:
            return None
        page = self._page
        if page is None or page[0] is not snapshot:
            self._page = page = (snapshot, page_state(snapshot))
        return page[1]

    @property
    def version(self) -> int | None:
        """The version of the environment that is served; None where there is no snapshot yet."""
        flags = self._flags or self._woken()
        return None if flags is None else flags.version

    @property
    def status(self) -> ClientStatus:
        """Whether the stream is open, how old what is served may be, and what went wrong last."""
        self._woken()
        return self._feed.status

    def flag_version(self, key: str) -> int | None:
        """The version of a flag's configuration that is served."""
        flags = self._flags or self._woken()
        return None if flags is None else flags.version_of(key)

    @property
    def _snapshot(self) -> Snapshot | None:
        flags = self._flags or self._woken()
        return None if flags is None else flags.snapshot

    def _change(self, served: Served) -> None:
        self._serve(served)
        self._listeners.tell(served.snapshot)

    def _serve(self, served: Served) -> None:
        if self._recorder is not None:
            self._recorder.retire()  # first: what is counted on the new flags counts on
        self._flags = _Flags(served.snapshot, served.version)

    def _settle(self) -> None:
        self._ready.set()

    def _refuse(self) -> None:
        self._ready.set()
        if self._recorder is not None:
            self._recorder.refuse()

    def _wait(self, timeout_ms: int | None) -> bool:
        self._woken()
        self._ready.wait(self._init_timeout_s if timeout_ms is None else timeout_ms / 1000)
        return self._flags is not None

    def _flush(self, timeout_s: float | None) -> bool:
        self._woken()
        return self._recorder is None or self._recorder.flush(timeout_s)

    def _close(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._asleep:  # its child never asked: there is nothing to end, and flags are answered as they are
            return
        self._feed.close()
        if self._recorder is not None:
            self._recorder.close()

    # -- forks --------------------------------------------------------------------------------------

    def _forked(self) -> None:
        """In the child: no thread of ours came along, and what another one held is held for ever.

        Threads begin when somebody asks, for many a child never does. What was counted is the parent's to send.
        """
        flags = self._flags
        if not self._asleep:
            self._held = None if flags is None else Served(flags.snapshot, flags.version)
        self._flags, self._asleep = None, True
        self._waking = threading.Lock()
        self._ready, before = threading.Event(), self._ready
        if before.is_set():
            self._ready.set()
        self._listeners.forget()
        self._recorder = None
        self._feed.forget()

    def _woken(self) -> _Flags | None:
        """What is served; where the program forked since, what makes that so again."""
        if self._asleep:
            with self._waking:
                if self._asleep:
                    self._wake()
        return self._flags

    def _wake(self) -> None:
        if not self._closed:
            self._recorder = self._new_recorder()
        if self._held is not None:
            self._serve(self._held)
        self._asleep = False
        if not self._closed:
            self._feed = self._feed.renewed()
            self._feed.start()


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
