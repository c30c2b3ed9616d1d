"""Stands for Litestream: `python fake_engine.py replicate -config FILE -no-expand-env` lays transactions in a folder.

It lays one more each time that the log is newer, tells in which environment it was started, and ends on SIGTERM.
`restore` answers the file `snapshot.db` that a test laid there.
"""

import json
import os
import shutil
import signal
import struct
import sys
import time
from pathlib import Path


def main() -> None:
    config = json.loads(Path(sys.argv[sys.argv.index("-config") + 1]).read_text())
    (database,) = config["dbs"]
    file, replica = Path(database["path"]), Path(database["replica"]["path"])
    if sys.argv[1] == "restore":
        shutil.copy(replica / "snapshot.db", sys.argv[sys.argv.index("-o") + 1])
        return
    told = file.with_name("fake-engine.jsonl")
    with told.open("a") as out:
        out.write(json.dumps({"pid": os.getpid(), "argv": sys.argv, "environ": dict(os.environ)}) + "\n")
    sys.stdout.write(json.dumps({"level": "ERROR", "msg": "the store", "error": "does not answer"}) + "\n")
    sys.stdout.flush()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    laid, number = 0.0, len(list((replica / "ltx" / "0").glob("*.ltx")))
    while True:
        log = Path(f"{file}-wal")
        changed = log.stat().st_mtime if log.exists() else 0.0
        if changed > laid:
            laid, number = changed, number + 1
            folder = replica / "ltx" / "0"
            folder.mkdir(parents=True, exist_ok=True)
            name = f"{number:016x}-{number:016x}.ltx"
            head = struct.pack(">4s12xQQQ", b"LTX1", number, number, int(changed * 1000) + 1)
            part = folder / f"{name}.part"
            part.write_bytes(head)
            part.rename(folder / name)
        time.sleep(0.02)


if __name__ == "__main__":
    main()
