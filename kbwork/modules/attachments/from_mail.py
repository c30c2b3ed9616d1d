"""Files that mails bring: which of them are taken, and what is said of the rest."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kbwork.base.errors import TooLarge
from kbwork.core import org_settings
from kbwork.core.mail import mail_files
from kbwork.core.mail.mail_files import MailFile
from kbwork.db.tx import Read
from kbwork.modules.attachments.content import files
from kbwork.modules.attachments.content.files import File

NOT_HERE = "such files are not taken here"
_TOO_MANY = f"a mail brings {mail_files.MOST} at most"


class MailedFiles(NamedTuple):
    """Files that may be kept, and of each other one its name and why."""

    files: tuple[File, ...] = ()
    refused: tuple[str, ...] = ()

    def but(self, file: File, why: str) -> "MailedFiles":
        """Without one of them."""
        rest = tuple(one for one in self.files if one is not file)
        return MailedFiles(rest, (*self.refused, refusal(file.name, why)))

    def told(self, text: str) -> str:
        """A text, and behind it which files were left where the mail lies."""
        if not self.refused:
            return text
        return f"{text}\n\nFiles of the mail that were not taken: {', '.join(self.refused)}".strip()


def refusal(name: str, why: str) -> str:
    return f"{name} ({why})"


def sniffed(mailed: Sequence[MailFile]) -> MailedFiles:
    """What these are, by their bytes: work for a thread. Pictures of signatures are left out without a word."""
    kept: list[File] = []
    refused: list[str] = []
    for one in mailed:
        name = files.name_of(one.name)
        if one.is_ornament:
            continue
        if one.data is None or len(kept) >= mail_files.MOST:
            refused.append(refusal(name, _TOO_MANY if one.data is not None else "it cannot be read"))
            continue
        try:
            kept.append(files.of_bytes(name, one.data, files.claimed(one.type)))
        except TooLarge:
            refused.append(refusal(name, f"larger than {files.MOST_DATA_BYTES // 1024**2} MB"))
    return MailedFiles(tuple(kept), tuple(refused[: mail_files.MOST]))


def posted(given: Iterable[mail_files.PostedFile]) -> MailedFiles:
    """The same of what a door was given."""
    return sniffed(mail_files.read(given))


def fitting(tx: Read, mailed: MailedFiles) -> MailedFiles:
    """Without those that the org does not take."""
    allowed = org_settings.get(tx, "org.allowed_files")
    for file in mailed.files:
        if not files.fits(file.name, file.type, allowed):
            mailed = mailed.but(file, NOT_HERE)
    return mailed
