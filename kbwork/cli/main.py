"""The `kbwork` command. Nothing is imported before there is an answer to Ctrl-C."""

import sys


def run() -> None:
    """Ends the process with the exit code."""
    try:
        from kbwork.cli.command_line import main

        code = main(sys.argv[1:])
    except KeyboardInterrupt:
        sys.stderr.write("Stopped.\n")
        code = 130
    raise SystemExit(code)
