"""`python -m kbwork` is the `kbwork` command."""

from kbwork.cli.main import run

if __name__ == "__main__":
    run()
