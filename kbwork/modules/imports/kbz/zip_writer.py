"""The zip of a kbz file: members of lines, files under their checksums, and a manifest of it all."""

import contextlib
import hashlib
import json
import os
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kbwork import __version__
from kbwork.modules.imports.kbz import manifest
from kbwork.modules.imports.kbz.manifest import FILES, HOLDS, MANIFEST, PROGRAM


class ZipWriter:
    """Written beside its target, which is there when `close` has run and not before."""

    def __init__(self, to: Path) -> None:
        self._to = to
        self._part = to.with_name(f"{to.name}.part")
        self._out = os.fdopen(os.open(self._part, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600), "w+b")
        self._zip = zipfile.ZipFile(self._out, "w", zipfile.ZIP_DEFLATED, compresslevel=1)
        self._parts: dict[str, Any] = {}
        self._files: set[str] = set()

    def lines(self, name: str, lines: Iterable[Any]) -> None:
        """Write a member. Raises ValidationError for a line that is not of its shape."""
        digest, size, rows = hashlib.sha256(), 0, 0
        shape = manifest.adapter(name, manifest.current())
        with self._zip.open(name, "w", force_zip64=True) as member:
            for line in lines:
                shape.validate_python(line)
                text = json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
                member.write(text)
                digest.update(text)
                size += len(text)
                rows += 1
        self._parts[name] = {"bytes": size, "rows": rows, "sha256": digest.hexdigest()}

    def file(self, sha256: str, content: bytes) -> None:
        """Write the bytes of a file, once."""
        if sha256 not in self._files:
            self._files.add(sha256)
            self._zip.writestr(f"{FILES}{sha256}", content, zipfile.ZIP_STORED)

    def close(self, at: int, org: str, projects: list[str]) -> dict[str, Any]:
        """Write the manifest, and let the target be there."""
        said = {
            "format": manifest.current(),
            "program": PROGRAM,
            "holds": HOLDS,
            "version": __version__,
            "org": org,
            "at": at,
            "projects": projects,
            "parts": self._parts,
            "counts": {name.removesuffix(".jsonl"): part["rows"] for name, part in self._parts.items()}
            | {"files": len(self._files)},
        }
        self._zip.writestr(MANIFEST, json.dumps(said, indent=1))
        self._zip.close()
        self._out.flush()
        os.fsync(self._out.fileno())
        self._out.close()
        self._part.replace(self._to)
        return said

    def drop(self) -> None:
        """Nothing remains of what was not closed."""
        with contextlib.suppress(OSError, ValueError):  # a member that was cut, a disk that is full
            self._zip.close()
        with contextlib.suppress(OSError):
            self._out.close()
        self._part.unlink(missing_ok=True)
