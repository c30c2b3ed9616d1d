"""The packages for Node that the server hands out, installed as a program would have them."""

import shutil
from pathlib import Path

import kbwork

_CLIENTS = Path(kbwork.__file__).parent / "web" / "clients"
_ARCHIVES = {"client": "kbwork-client", "flags": "flags"}


def install(name: str, folder: Path) -> None:
    """Lay `@kbwork/NAME` among the modules of the program in this folder."""
    ours = folder / "node_modules" / "@kbwork"
    ours.mkdir(parents=True)
    shutil.unpack_archive(_CLIENTS / f"{_ARCHIVES[name]}-{kbwork.__version__}.tgz", ours)
    (ours / "package").rename(ours / name)
