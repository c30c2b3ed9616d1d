"""Is an edge alive, is it ready, how is it doing: `/healthz`, `/readyz`, `/metrics`."""

import json
import logging
from typing import Final

from kbwork.api.health import PATHS, is_of_this_machine
from kbwork.api.http.endpoint import Rim
from kbwork.api.http.problems import wrong_method
from kbwork.api.http.request import AsgiRequest
from kbwork.api.http.response import response
from kbwork.api.http.site import Frame
from kbwork.api.metrics import Metrics
from kbwork.base.errors import NotAllowed, NotFound
from kbwork.edge.delivery import EdgeDelivery

_UNREADY: Final = ("empty", "stale")


class EdgeHealth(Rim):
    """An ASGI endpoint for the three paths, and for all where nothing lives."""

    log = logging.getLogger("kbwork.health")

    def __init__(self, site: Frame, metrics: Metrics, delivery: EdgeDelivery) -> None:
        super().__init__(site)
        self._metrics = metrics
        self._delivery = delivery
        metrics.watch("kbwork_edge", "The edge", lambda: delivery.figures)
        metrics.watch("kbwork_edge_spool", "Counts that wait", lambda: delivery.spool.figures)
        metrics.watch("kbwork_flag_streams", "Streams of flags", lambda: delivery.streams)

    async def answer(self, request: AsgiRequest) -> int:
        status, body, kind = self._answer(request)
        await request.answer(response(status, body, {"Cache-Control": "no-store"}, content_type=kind))
        return status

    def _answer(self, request: AsgiRequest) -> tuple[int, bytes, str]:
        """Status, body and its content type. A key that ended makes no edge unready: nothing mends that there."""
        path, head = request.path, request.head
        if path not in PATHS:
            raise NotFound(f"Nothing lives at {path}: an edge has /ofrep/, /sdk/v1/ and {', '.join(PATHS)}.")
        if head.method not in ("GET", "HEAD"):
            raise wrong_method(f"{path} takes GET.", "GET, HEAD")
        if path == "/metrics":
            if not is_of_this_machine(head, self._site.proxies):
                raise NotAllowed("The figures of an edge are told on its own machine.")
            from kbwork.api import prometheus  # noqa: PLC0415 - its package takes 12 ms, and few are watched

            return 200, prometheus.text(self._metrics), prometheus.CONTENT_TYPE
        shown = self._delivery.shown
        is_ready = all(one.state not in _UNREADY for one in shown)
        spooled = int(self._delivery.spool.figures["batches"])
        told = {
            "ok": is_ready or path == "/healthz",
            "keys": [one._asdict() for one in shown],
            "spooled": spooled,
        }
        return 200 if told["ok"] else 503, json.dumps(told).encode(), "application/json"
