"""Breaks bytes of a file again and again and reads it.

`python -m tests.modules.imports.sources.mutate FILE SOURCE TIMES`
"""

import random
import sys
from pathlib import Path

from tests.modules.imports.sources.read_source import ask


def main(file: Path, source: str, times: int) -> None:
    """Every reading gives records or one line; anything else ends this process with a trace."""
    whole = file.read_bytes()
    chance = random.Random(7)
    broken = file.with_name("broken")
    for _ in range(times):
        content = bytearray(whole)
        for _ in range(chance.choice((1, 4, 40))):
            content[chance.randrange(16, len(content))] = chance.randrange(256)
        broken.write_bytes(content)
        ask(source, broken)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
