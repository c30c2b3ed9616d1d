"""The address that this server goes by, kept beside the data by who serves them: some proofs are good for it alone."""

from kbwork.base.dataclasses import dataclass
from kbwork.db.database import Database
from kbwork.db.tx import Read


@dataclass(frozen=True, slots=True)
class OwnAddress:
    """Scheme, host and port, without a slash at the end; empty where nothing is served."""

    origin: str
    fixed: bool
    """The operator named it: pages under other names of this machine do not count."""


class _Noted:
    """Where it is kept."""

    def __init__(self) -> None:
        self.address = OwnAddress("", fixed=False)


def note(database: Database, address: OwnAddress) -> None:
    """From now on the server goes by this address."""
    noted: _Noted = database.beside("own address", _Noted)
    noted.address = address


def own_address(tx: Read) -> OwnAddress:
    """The address of the server that these data are served by."""
    noted: _Noted = tx.beside("own address", _Noted)
    return noted.address
