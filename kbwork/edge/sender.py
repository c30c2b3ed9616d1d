"""What takes the spool upstream: the oldest batch first, each until it arrived."""

import contextlib
import logging
import threading
from collections.abc import Callable, Mapping
from typing import Final

from kbwork.base.clock import monotonic
from kbwork.edge.spool import CountSpool, SpooledBatch
from kbwork.flags.wire import Lost, Wire

log = logging.getLogger("kbwork.edge")
_LOOK_S: Final = 0.5
_LONGEST_PAUSE_S: Final = 5.0
_LONGEST_PUT_OFF_S: Final = 60.0
_LAST_S: Final = 2.0
_NOT_NOW: Final = (408, 429)
_REFUSED: Final = (400, 401, 413)
"""What upstream itself says of a batch that it will never take. Any other status is of what stands before it: a proxy
that lets nobody in, or a service that is being exchanged."""
_PUT_OFF_S: Final = 86400.0
"""So long a batch is tried again that is answered so."""


class SpoolSender:
    """A thread that sends what waits, by the keys that there are."""

    def __init__(self, spool: CountSpool, wires: Callable[[], Mapping[str, Wire]]) -> None:
        """`wires` are the ways upstream, by the idents of the keys."""
        self._spool = spool
        self._wires = wires
        self._stopping = threading.Event()
        self._pause_s = _LOOK_S
        self._longest_pause_s = _LONGEST_PAUSE_S
        self._left: SpooledBatch | None = None
        """What did not arrive yet."""
        self._is_told = False
        self._thread = threading.Thread(target=self._run, name="kbwork-edge-counts", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Send what there is, within two seconds; what does not go waits on disk."""
        self._stopping.set()
        self._thread.join(_LAST_S)

    def _run(self) -> None:
        while not self._stopping.wait(self._pause_s):
            self._round(until=None)
        with contextlib.suppress(Exception):  # the process ends, and the spool stays
            self._round(until=monotonic() + _LAST_S)

    def _round(self, until: float | None) -> None:
        """Everything that is to go, until something does not."""
        try:
            while until is None or monotonic() < until:
                wires = self._wires()
                batch = self._left or self._spool.take(wires.keys(), now=until is not None)
                if batch is None:
                    break
                self._left = batch
                wire = wires.get(batch.ident)
                self._longest_pause_s = _LONGEST_PAUSE_S
                if wire is not None and not self._send(wire, batch):
                    self._pause_s = min(self._longest_pause_s, 2 * self._pause_s)
                    return
                self._left = None
        except Exception:  # the thread outlives a faulty batch
            log.exception("counts could not be sent")
            self._pause_s = _LONGEST_PAUSE_S
            return
        self._pause_s = _LOOK_S

    def _send(self, wire: Wire, batch: SpooledBatch) -> bool:
        """Whether it is done with, having arrived or not."""
        try:
            document = batch.document()
        except (OSError, ValueError) as error:
            self._spool.drop(batch, f"it cannot be read: {error}")
            return True
        try:
            answer = wire.send(document)
        except Lost as lost:
            return self._wait(str(lost))
        if 200 <= answer.status < 300:
            self._spool.sent(batch)
            self._is_told = False
            return True
        if answer.status >= 500 or answer.status in _NOT_NOW:
            return self._wait(f"upstream answers with the status {answer.status}")
        if answer.status in _REFUSED:
            self._spool.drop(batch, f"upstream refuses it with the status {answer.status}")
            return True
        return self._put_off(batch, answer.status)

    def _put_off(self, batch: SpooledBatch, status: int) -> bool:
        """Others go before it, for what is refused may be this one alone; a day later it is given up."""
        is_new = batch.put_off_at is None
        if self._spool.put_off(batch) > _PUT_OFF_S:
            self._spool.drop(batch, f"for a day it was answered with a status such as {status}")
            return True
        self._left, self._longest_pause_s = None, _LONGEST_PUT_OFF_S
        return is_new and self._wait(f"upstream, or what stands before it, answers with the status {status}")

    def _wait(self, why: str) -> bool:
        if not self._is_told:
            self._is_told = True
            log.warning("counts wait on disk: %s", why)
        return False
