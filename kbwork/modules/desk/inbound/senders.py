"""Who sends mail and messages: known, let in as new, or not heard."""

from kbwork.base.caller import of_customer
from kbwork.base.errors import Problem
from kbwork.core.access import impersonate
from kbwork.db.rows import CustomerRow, DeskRow
from kbwork.db.tx import Write
from kbwork.modules import issues
from kbwork.modules.attachments import from_mail
from kbwork.modules.desk.customers import accounts, quota
from kbwork.modules.desk.model import Intake
from kbwork.modules.desk.portal import requests as portal
from kbwork.modules.desk.requests import creation, files, rows

STRANGER = "Nobody is known here by this address: ask to be added."
TOO_MANY = "Too much came from you in the last hour."
FORGED = "It is not from whom it says."
SHUT_OUT = "You are not heard here."
_UNSAID = "(files without a text)"
_NO_FILES = from_mail.MailedFiles()


def ignored(key: str = "", reply: str = "") -> Intake:
    return Intake(key=key, reply=reply, result="ignored")


def note(tx: Write, desk: DeskRow, sender: bytes, message: bytes | None, found: Intake) -> Intake:
    """Keep that something came, and what became of it."""
    issue = issues.ident_of(tx, found["key"]) if found["key"] else None
    quota.note(tx, desk["project"], sender, quota.Sent(found["result"], issue, message))
    return found


def says(
    tx: Write, customer: CustomerRow, issue: int, body: str, mailed: from_mail.MailedFiles = _NO_FILES
) -> str | None:
    """A customer says something on a request that they are shown, and sends files; answers its key. None where it takes
    nothing, or is not theirs.
    """
    if tx.stored("request_customer", [issue, customer["id"]]) is None:
        return None
    with impersonate.instead(tx, of_customer(customer["id"], address=tx.caller.address)):
        try:
            with tx.attempt():
                request = rows.find(tx, customer["id"], f"issue:{issue}")
                portal.require_open(tx, request)
                taken = files.fitting(tx, issue, mailed)
                for file in taken.files:
                    files.hang_mailed(tx, issue, file)
                portal.say(tx, request, taken.told(body or _UNSAID))
        except Problem:  # it is in the trash, or archived: whoever writes asks anew
            return None
        return issues.key_of(tx, request.issue)


def asks(
    tx: Write,
    asking: creation.Asking,
    desk: DeskRow,
    text: tuple[str, str],
    mailed: from_mail.MailedFiles = _NO_FILES,
) -> int | str:
    """A customer asks for something, by title and body, and sends files; answers the number of the issue, or why it is
    not taken: nobody is there to whom a refusal could be sent.
    """
    title, body = text
    theirs = of_customer(asking.customer["id"], address=tx.caller.address)
    try:
        with tx.attempt():
            with impersonate.instead(tx, theirs):
                taken = files.fitting(tx, None, mailed)
            issue = creation.of_text(tx, asking, desk["project"], title, taken.told(body))
            with impersonate.instead(tx, theirs):
                for file in taken.files:
                    files.hang_mailed(tx, issue, file, said=False)
            return issue
    except Problem as problem:
        return problem.detail


def admit(tx: Write, desk: DeskRow, who: accounts.Outsider, how: str) -> CustomerRow | None:
    """A new customer, where the desk lets anybody become one."""
    return accounts.make(tx, who, password=None, how=how) if desk["open_signup"] else None
