"""The Python library of this server as a wheel of its own: what evaluates and follows, and nothing of the server.

It is put together from the modules that run here, so it never differs from them; and it has no `kbwork/__init__.py`,
so that beside an installed kbwork it takes nothing from it.
"""

import base64
import hashlib
import io
import re
import zipfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import kbwork

NAME = f"kbwork_flags-{kbwork.__version__}-py3-none-any.whl"
_PACKAGES = ("flags", "flagengine")
_APART = "flagengine/patch"
"""What changes flags, which a client does not."""
_NEEDS = ("cryptography", "google-re2")
_INFO = f"kbwork_flags-{kbwork.__version__}.dist-info"
_ABOUT = """\
Feature flags of kbwork, evaluated where they are asked: `from kbwork.flags import Client`.

The manual of the server that handed this out says more, at /docs/flags-clients.
"""
_MADE_BY = "Wheel-Version: 1.0\nGenerator: kbwork\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""So that the same modules make the same bytes."""


def flag_wheel() -> bytes:
    """The wheel, by the name `NAME`."""
    told = dict(_files())
    told |= {
        f"{_INFO}/METADATA": _metadata().encode(),
        f"{_INFO}/WHEEL": _MADE_BY.encode(),
        f"{_INFO}/licenses/LICENSE": _license().encode(),
    }
    lines = [f"{name},sha256={_digest(content)},{len(content)}" for name, content in told.items()]
    told[f"{_INFO}/RECORD"] = "\n".join([*lines, f"{_INFO}/RECORD,,", ""]).encode()
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in told.items():
            entry = zipfile.ZipInfo(name, _LONG_AGO)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o100644 << 16
            archive.writestr(entry, content)
    return made.getvalue()


def _files() -> Iterator[tuple[str, bytes]]:
    root = Path(kbwork.__file__).parent
    for package in _PACKAGES:
        for path in sorted((root / package).rglob("*")):
            name = path.relative_to(root).as_posix()
            if (path.suffix == ".py" or path.name == "py.typed") and not name.startswith(f"{_APART}/"):
                yield f"kbwork/{name}", path.read_bytes()


def _metadata() -> str:
    """What it needs is bound as it is for the whole of kbwork."""
    lines = [
        "Metadata-Version: 2.4",
        "Name: kbwork-flags",
        f"Version: {kbwork.__version__}",
        "Summary: Feature flags of kbwork, evaluated where they are asked.",
        "License-Expression: Apache-2.0",
        "License-File: LICENSE",
        "Requires-Python: >=3.11",
    ]
    for line in _requirements():
        name = re.split(r"[^A-Za-z0-9._-]", line, maxsplit=1)[0]
        if name in _NEEDS and ";" not in line:
            lines.append(f"Requires-Dist: {line}")
        elif name == "openfeature-sdk" and line.endswith("extra == 'openfeature'"):
            lines += [f"Requires-Dist: {line}", "Provides-Extra: openfeature"]
    return "\n".join([*lines, "Description-Content-Type: text/markdown", "", _ABOUT])


def _requirements() -> list[str]:
    try:
        found = distribution("kbwork").requires
    except PackageNotFoundError:  # run from a checkout that is not installed
        found = None
    return found or list(_NEEDS)


def _license() -> str:
    try:
        return distribution("kbwork").read_text("licenses/LICENSE") or ""
    except PackageNotFoundError:
        return ""


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
