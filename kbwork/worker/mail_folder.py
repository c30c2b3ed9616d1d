"""A folder in the place of a mail server: each letter is written there as a file that mail programs open."""

from pathlib import Path

from kbwork.base import ids
from kbwork.core.mail.server import MailServerUnreachable, Refusal
from kbwork.db.rows import MailRow
from kbwork.worker.smtp import message

_DATA = "kbwork.db"


class MailFolder:
    """Opened, used for some letters, closed, like a connection."""

    def __init__(self, folder: str, sender: str) -> None:
        self._folder = Path(folder)
        self._sender = sender
        self.said = ""
        """Where the last letter was written."""

    def open(self) -> None:
        """Make the folder, for its owner alone. Raises MailServerUnreachable."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise MailServerUnreachable(f"mail.folder cannot be made: {error.strerror}") from None
        if (self._folder / _DATA).exists():
            raise MailServerUnreachable("mail.folder is the data folder: letters are written beside it.")

    def send(self, row: MailRow) -> Refusal | None:
        """Write a letter; the same one again takes the place of the file that it made."""
        named = self._folder / f"{row['at']}-{row['id']}.eml"
        beside = named.with_suffix(f".{ids.short(8)}")
        try:
            beside.write_bytes(message(row, self._sender))
            beside.chmod(0o600)
            beside.replace(named)
        except ValueError as error:
            return Refusal(f"It cannot be written as a message: {error}", final=True)
        except OSError as error:
            beside.unlink(missing_ok=True)
            return Refusal(f"mail.folder takes no file: {error.strerror}", over=True)
        self.said = f"written as {named}"
        return None

    def close(self) -> None:
        """Nothing is held."""

    def cut(self) -> None:
        """Nothing is waited for."""
