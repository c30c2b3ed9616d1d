"""The pages and files of the site."""

import json
from importlib import resources

from starlette.types import Receive, Scope, Send

from kbwork.api.errors import not_found
from kbwork.api.rest import respond
from kbwork.contract import FOLDER
from kbwork.core.dispatch import Dispatcher
from kbwork.settings import Settings


class Web:
    """ASGI endpoint for everything beside the API."""

    def __init__(self, dispatcher: Dispatcher, settings: Settings) -> None:
        self._dispatcher = dispatcher
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/api/v1/openapi.json":
            await respond(send, 200, (FOLDER / "openapi.json").read_bytes(), {"Cache-Control": "no-cache"})
            return
        await not_found(scope, receive, send)


_ = (json, resources)
