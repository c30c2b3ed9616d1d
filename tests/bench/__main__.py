"""Benchmarks by name: `python -m tests.bench NAME [options]`. Each prints a table and, last, one line of JSON."""

import importlib
import sys

NAMES = (
    "agent",
    "analytics",
    "automation",
    "backups",
    "browsers",
    "cells",
    "dist",
    "drip",
    "edge",
    "feed",
    "flags",
    "flags_many",
    "flagsjs",
    "grow",
    "http",
    "kill",
    "ofrep",
    "outbox",
    "parquet",
    "patches",
    "pocketbase",
    "power",
    "programs",
    "replica",
    "restore",
    "search",
    "signin",
    "start",
    "streams",
    "sync",
    "wal",
    "web",
    "webhooks",
)


def main() -> int:
    if len(sys.argv) < 2 or sys.argv[1] not in NAMES:
        print(f"python -m tests.bench {{{'|'.join(NAMES)}}} [options]", file=sys.stderr)
        return 2
    importlib.import_module(f"tests.bench.{sys.argv[1]}").main(sys.argv[2:])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
