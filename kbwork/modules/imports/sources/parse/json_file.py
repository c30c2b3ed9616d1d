"""A document of JSON that a tool wrote."""

import json
from pathlib import Path
from typing import Any

from kbwork.modules.imports.sources.refusal import SourceRefused

_MOST_BYTES = 1_000_000_000


def read(path: Path, tool: str) -> Any:
    """What the document holds; `tool` is what it should be of. Raises SourceRefused."""
    size = path.stat().st_size
    if size > _MOST_BYTES:
        raise SourceRefused(
            f"the file has {size:,} bytes; JSON is read up to {_MOST_BYTES:,}: bring it in in parts"
        )
    try:
        text = path.read_bytes().decode("utf-8-sig")
        if not text.strip():
            raise SourceRefused("the file is empty")
        # not with jiter: that one ends the process where memory does, instead of raising
        return json.loads(text, parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        raise SourceRefused(f"byte {error.start}: the file is not UTF-8: {error.reason}") from None
    except RecursionError:
        raise SourceRefused(f"the file is nested too deeply to be an export of {tool}") from None
    except ValueError as error:
        raise SourceRefused(f"the file is not JSON: {error}") from None


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number")
