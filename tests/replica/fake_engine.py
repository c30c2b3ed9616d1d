"""Stands for Litestream: `python fake_engine.py replicate -config FILE -no-expand-env` lays transactions in a folder.

It lays one more each time that the log is newer, with a copy of the data beside as `snapshot.db`, tells in which
environment it was started, and lays what there is when it is to end. `restore` answers that copy, and with `-f` goes
on to; where a file `unfit` lies in the place it fails, a file `wrong` there is what it answers, and where a file `slow`
lies it writes its number there and answers nothing. A file `astray` beside the data has it say once that it does not
find a page. A bucket is a folder that `FAKE_STORE` names; while there is a file `fault` in it nothing is laid.
"""

import json
import os
import shutil
import signal
import struct
import sys
import time
from pathlib import Path
from typing import Any

import apsw

_PAUSE_S = 0.02
_LOST = "write ltx from db: read database page 1160: EOF"


def main() -> None:
    config = json.loads(Path(sys.argv[sys.argv.index("-config") + 1]).read_text())
    (database,) = config["dbs"]
    replica, level = _place(database["replica"])
    if sys.argv[1] == "restore":
        _restore(replica, replica / level, Path(sys.argv[sys.argv.index("-o") + 1]))
        return
    file = Path(database["path"])
    told = file.with_name("fake-engine.jsonl")
    with told.open("a") as out:
        out.write(json.dumps({"pid": os.getpid(), "argv": sys.argv, "environ": dict(os.environ)}) + "\n")
    sys.stdout.write(json.dumps({"level": "ERROR", "msg": "the store", "error": "does not answer"}) + "\n")
    if (astray := file.with_name("astray")).exists():
        astray.unlink()
        lost = {"level": "ERROR", "msg": "sync error", "error": f"sync: {_LOST}"}
        sys.stdout.write(json.dumps(lost) + "\n")
    sys.stdout.flush()
    ending: list[int] = []
    signal.signal(signal.SIGTERM, lambda *_: ending.append(1))
    laid = 0.0
    while True:
        ends = bool(ending)
        laid = _lay(file, replica, replica / level, laid)
        if ends:
            return
        time.sleep(_PAUSE_S)


def _place(replica: dict[str, Any]) -> tuple[Path, str]:
    """Where transactions are laid, and in which folder of it."""
    if replica["type"] == "file":
        return Path(replica["path"]), "ltx/0"
    return Path(os.environ["FAKE_STORE"]) / replica["bucket"] / replica["path"], "0000"


def _lay(file: Path, replica: Path, folder: Path, laid: float) -> float:
    """One more transaction, where the log is newer; answers how new it was."""
    log = Path(f"{file}-wal")
    changed = log.stat().st_mtime if log.exists() else 0.0
    if changed <= laid or (Path(os.environ.get("FAKE_STORE", "/nowhere")) / "fault").exists():
        return laid
    number = _newest(folder) + 1
    folder.mkdir(parents=True, exist_ok=True)
    aside = replica / "snapshot.part"
    aside.unlink(missing_ok=True)
    source, copy = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY), apsw.Connection(str(aside))
    with copy.backup("main", source, "main") as backup:
        backup.step()
    copy.close()
    source.close()
    aside.rename(replica / "snapshot.db")
    name = f"{number:016x}-{number:016x}.ltx"
    part = folder / f"{name}.part"
    part.write_bytes(struct.pack(">4s12xQQQ", b"LTX1", number, number, int(changed * 1000) + 1))
    part.rename(folder / name)
    return changed


def _restore(replica: Path, folder: Path, out: Path) -> None:
    if (replica.parent / "unfit").exists():
        sys.exit("it is not fit")
    if (slow := replica.parent / "slow").exists():
        slow.write_text(str(os.getpid()))
        time.sleep(600)
    wrong, have = replica.parent / "wrong", 0
    while True:
        newest = _newest(folder)
        if newest > have or not have:
            shutil.copy(
                wrong if wrong.exists() else replica / "snapshot.db", out.with_name(f"{out.name}.tmp")
            )
            out.with_name(f"{out.name}.tmp").rename(out)
            have = newest
            if "-f" in sys.argv:
                out.with_name(f"{out.name}-txid").write_text(f"{have:016x}\n")
        if "-f" not in sys.argv:
            return
        time.sleep(_PAUSE_S)


def _newest(folder: Path) -> int:
    return max((int(one.name[:16], 16) for one in folder.glob("*.ltx")), default=0)


if __name__ == "__main__":
    main()
