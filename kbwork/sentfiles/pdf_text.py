"""A program: a PDF from standard input, its text to standard output, page by page, within limits.

It is run as a process of its own: PDFs may be made to take all time and memory.
"""

import io
import sys

from pypdf import PdfReader

from kbwork.sentfiles.bounds import bound

MOST_PAGES = 300
MOST_BYTES = 1_000_000
MOST_CPU_S = 8
MOST_MEMORY = 768 * 1024 * 1024


def main(_argv: list[str]) -> int:
    """Write each page's text out as soon as it is read: what was read before a limit is kept."""
    bound(cpu_s=MOST_CPU_S, memory=MOST_MEMORY)
    left = MOST_BYTES
    for number, page in enumerate(PdfReader(io.BytesIO(sys.stdin.buffer.read())).pages):
        if number >= MOST_PAGES or left <= 0:
            break
        part = (page.extract_text() + "\n").encode(errors="ignore")[:left]
        left -= len(part)
        sys.stdout.buffer.write(part)
        sys.stdout.buffer.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
