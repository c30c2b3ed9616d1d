"""All files of the contract."""

import json
from typing import Any

from kbwork.contract.render.cli import cli
from kbwork.contract.render.client import client
from kbwork.contract.render.lists import errors, events
from kbwork.contract.render.mcp import mcp
from kbwork.contract.render.openapi import openapi
from kbwork.contract.render.tql import tql
from kbwork.core.operations.registry import Registry


def render(registry: Registry) -> dict[str, str]:
    """Name -> text. The same registry gives the same text. Raises Misdeclared for an example that does not fit."""
    registry.check_examples()
    return {
        "openapi.json": _text(openapi(registry)),
        "mcp.json": _text(mcp(registry)),
        "cli.json": _text(cli(registry)),
        "events.json": _text(events(registry)),
        "errors.json": _text(errors()),
        "tql.json": _text(tql(registry)),
        "kbwork_client.py": client(registry),
    }


def _text(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"
