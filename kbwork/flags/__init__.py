"""The client library for feature flags: `from kbwork.flags import Client, Context`.

    with Client(sdk_key="srv_...", base_url="https://work.example") as flags:
        flags.ready()
        if flags.boolean("new-checkout", False, {"key": "user-17"}):
            ...

Flags are evaluated here, from a snapshot that follows the service; no call waits for the network, and none raises. It
rests on `kbwork.flagengine` alone: importing it brings nothing of the server.
"""

from kbwork.flagengine import Context, Detail
from kbwork.flags.aio import AsyncClient
from kbwork.flags.client import Client
from kbwork.flags.feeds import ClientStatus
from kbwork.flags.hooks import AskedFlag, EvaluationHook
from kbwork.flags.sources import FileData, TestData

__all__ = [
    "AskedFlag",
    "AsyncClient",
    "Client",
    "ClientStatus",
    "Context",
    "Detail",
    "EvaluationHook",
    "FileData",
    "TestData",
]
