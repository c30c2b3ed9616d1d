"""The contract as files, made by `kbwork contract`: read by doors, command line and clients."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
RELEASED = FOLDER / "released"
"""Contracts as they were released, by version: what stands there holds on."""
TYPESCRIPT = FOLDER.parents[1] / "static" / "client"
"""The TypeScript client, where this runs in a checkout: part of it is generated, too."""


def load(name: str) -> Any:
    """One of the generated JSON files, such as `cli.json`."""
    return json.loads((FOLDER / name).read_bytes())
