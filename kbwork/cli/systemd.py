"""`kbwork systemd install`: the unit that starts the server with the machine, shut in as far as it needs nothing."""

import os
import sys
from pathlib import Path

import click

from kbwork.cli.errors import CommandError

PLACE = Path("/etc/systemd/system/kbwork.service")
_STATE = Path("/var/lib/kbwork")
_HOMES = (Path("/home"), Path("/root"))
_UNIT = """\
[Unit]
Description=kbwork
After=network.target

[Service]
Type=notify
User={user}
ExecStart={program} serve --config {config}
StateDirectory=kbwork
StateDirectoryMode=0700
{write}UMask=0077
Restart=on-failure
RestartPreventExitStatus=2
LimitNOFILE=65536
TimeoutStartSec=infinity
TimeoutStopSec=15
KillMode=mixed
CapabilityBoundingSet=
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome={home}
ProtectProc=invisible
ProcSubset=pid
ProtectHostname=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
PrivateDevices=yes
PrivateTmp=yes
PrivateUsers=yes
LockPersonality=yes
MemoryDenyWriteExecute=yes
RemoveIPC=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
"""


@click.command(help="Install the unit by which systemd starts the server, or print it.")
@click.option("--print", "printed", is_flag=True, help="Print it, and change nothing.")
@click.option(
    "--config",
    "config_file",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("/etc/kbwork.toml"),
    show_default=True,
    help="The settings of the service.",
)
@click.option("--user", default="kbwork", show_default=True, help="Who runs it.")
@click.option(
    "--write",
    "folders",
    type=click.Path(path_type=Path),
    multiple=True,
    help="A folder beside the data that it may write to, such as that of the backups; may be given again.",
)
def install(config_file: Path, user: str, folders: tuple[Path, ...], *, printed: bool) -> None:
    """A unit that is there with another text stays. Exit code 2 where the settings cannot be used."""
    unit = _unit(config_file.absolute(), user, folders)
    if printed:
        click.echo(unit, nl=False)
        return
    try:
        if PLACE.exists() and PLACE.read_text(encoding="utf-8") != unit:
            raise CommandError(
                f"{PLACE} says something else: compare it with `kbwork systemd install --print`."
            )
        PLACE.write_text(unit, encoding="utf-8")
    except OSError as error:
        raise CommandError(
            f"{PLACE} cannot be written ({error.strerror}): run this as root, or --print it."
        ) from None
    click.echo(f"Wrote {PLACE}. Start it, now and with the machine: systemctl enable --now kbwork")


def _unit(config_file: Path, user: str, folders: tuple[Path, ...]) -> str:
    program = Path(sys.executable).with_name("kbwork")
    writable = [folder.absolute() for folder in (_data(config_file), *folders)]
    beside = [str(folder) for folder in writable if not folder.is_relative_to(_STATE)]
    return _UNIT.format(
        user=user,
        program=program,
        config=config_file,
        write=f"ReadWritePaths={' '.join(beside)}\n" if beside else "",
        home="read-only" if any(program.is_relative_to(home) for home in _HOMES) else "yes",
    )


def _data(config_file: Path) -> Path:
    """The data folder of the settings, which may be written later than the unit."""
    from kbwork.settings import SettingsError, load

    if not config_file.exists():
        return _STATE
    try:
        return Path(load(config_file, os.environ).server.data)
    except SettingsError as error:
        raise CommandError(str(error), exit_code=2) from None
