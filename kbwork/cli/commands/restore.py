"""`kbwork restore`: put a backup back into a data folder that nobody serves."""

import sys
from pathlib import Path

import click

from kbwork.cli.errors import CommandError


@click.command(help="Put a backup back into a data folder; what is there goes into a safety copy first.")
@click.argument("archive", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--data",
    "folder",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The data folder, which need not be there.",
)
def restore(archive: Path, folder: Path) -> None:
    """Refuses an archive that is damaged, of a newer version or of another program before anything is touched."""
    from kbwork.base.clock import SystemClock, monotonic
    from kbwork.db.archives.origin import WORDS
    from kbwork.db.connection import Unusable
    from kbwork.restore import put_back

    started = monotonic()
    sealed = (folder / "master.key").exists()
    try:
        manifest, safety = put_back(archive, folder, SystemClock())
    except Unusable as error:
        raise CommandError(str(error), exit_code=error.exit_code) from None
    if manifest["origin"] != "here":
        print(f"{archive} is {WORDS[manifest['origin']]}", file=sys.stderr)
    if safety is not None:
        print(f"What was there is in {safety}", file=sys.stderr)
    for line in manifest["ended"]:
        print(line, file=sys.stderr)
    if not sealed:
        print(
            f"{folder} has a new master.key: stored secrets, such as two-factor sign-in, open with the old one alone."
            " Put that in its place before you start the server.",
            file=sys.stderr,
        )
    print(
        f"Restored into {folder}: {sum(manifest['counts'].values()):,} rows up to event {manifest['seq']:,} in"
        f" {monotonic() - started:.1f} s. Everybody signs in anew; start it with: kbwork serve --data {folder}"
    )
