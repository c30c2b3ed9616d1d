"""All files of the contract, and whether those in a folder are of today."""

import json
from pathlib import Path
from typing import Any

from kbwork.contract.render.cli import cli
from kbwork.contract.render.client import client
from kbwork.contract.render.lists import errors, events
from kbwork.contract.render.mcp import mcp
from kbwork.contract.render.openapi import openapi
from kbwork.core.operations.registry import Registry


def render(registry: Registry) -> dict[str, str]:
    """Name -> text. The same registry gives the same text."""
    return {
        "openapi.json": _text(openapi(registry)),
        "mcp.json": _text(mcp(registry)),
        "cli.json": _text(cli(registry)),
        "events.json": _text(events(registry)),
        "errors.json": _text(errors()),
        "kbwork_client.py": client(registry),
    }


def stale(folder: Path, files: dict[str, str]) -> list[str]:
    """The names of the files that are missing or differ."""
    return [name for name, text in files.items() if _held(folder / name) != text]


def write(folder: Path, files: dict[str, str]) -> list[str]:
    """Write what differs; answers the names."""
    changed = stale(folder, files)
    for name in changed:
        (folder / name).write_text(files[name], encoding="utf-8", newline="\n")
    return changed


def _held(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


def _text(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"
