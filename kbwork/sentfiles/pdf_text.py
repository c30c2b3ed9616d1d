"""A program: a PDF from standard input, its text to standard output, page by page, within limits.

It imports nothing of kbwork, and is run as a process of its own: PDFs may be made to take all time and memory.
"""

import io
import sys

MOST_PAGES = 300
MOST_BYTES = 1_000_000
MOST_CPU_S = 8
MOST_MEMORY = 768 * 1024 * 1024


def limit() -> None:
    """Let the system end this process before it takes too much, where the system can."""
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:
        return
    for what, most in ((resource.RLIMIT_CPU, MOST_CPU_S), (resource.RLIMIT_AS, MOST_MEMORY)):
        resource.setrlimit(what, (most, most))


def main() -> None:
    """Write each page's text out as soon as it is read: what was read before a limit is kept."""
    from pypdf import PdfReader  # noqa: PLC0415 - this file is imported with the others of its folder

    left = MOST_BYTES
    for number, page in enumerate(PdfReader(io.BytesIO(sys.stdin.buffer.read())).pages):
        if number >= MOST_PAGES or left <= 0:
            return
        part = (page.extract_text() + "\n").encode(errors="ignore")[:left]
        left -= len(part)
        sys.stdout.buffer.write(part)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    limit()
    main()
