"""The words of mail."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent
from kbwork.core.ports.mail import Source

Security = Literal["starttls", "tls", "none"]
LetterState = Literal["queued", "sent", "failed", "held"]

MailSender = TypedDict(
    "MailSender",
    {
        "host": Annotated[str, Field(description="Name of the mail server; empty: none was saved.")],
        "port": Annotated[int, Field(description="Its port.")],
        "security": Annotated[
            Security,
            Field(description="How the connection is secured: `tls` goes with 465, `starttls` with 587."),
        ],
        "user": Annotated[str, Field(description="Who signs in there; empty: nobody does.")],
        "from": Annotated[str, Field(description="The address that mail comes from.")],
        "name": Annotated[str, Field(description="What the sender is called.")],
        "signature": Annotated[str, Field(description="What stands under every letter.")],
        "has_password": Annotated[
            bool, Field(description="Whether a password is kept, which is never shown.")
        ],
        "source": Annotated[
            Source,
            Field(
                description="By which server mail goes now: the one that the operator names in the `settings`, which"
                " goes first, the `saved` one, or `none`."
            ),
        ],
        "place": Annotated[str, Field(description="What that server is called; empty: no mail is sent.")],
        "said": Annotated[
            str | None,
            Field(description="What the mail server said to the test letter; null: none was sent."),
        ],
    },
)
MailSender.__doc__ = "The mail server as an admin saved it, and by which one mail goes."


class OutboxLetter(TypedDict):
    """One letter that went, waits, or did not go. What it says is never shown."""

    id: int
    """Its number."""
    to: str
    """The address that it goes to."""
    subject: str
    """What it is about; `(not shown)` where that is something that the caller does not see."""
    state: LetterState
    """`failed`: given up; `held`: written while no mail was sent, or for an address that is suppressed."""
    tries: int
    """How often it was tried."""
    error: str | None
    """Why it did not go; null: it did, or was not tried yet."""
    at: int
    """When it was written, in Unix seconds."""
    next_at: int | None
    """When it is tried next, in Unix seconds; null: no more."""


class MailRetried(TypedDict):
    ok: bool
    """Always true."""


class SuppressedAddress(TypedDict):
    """An address that mail came back from for good."""

    address: str
    """The address, in small letters."""
    reason: str
    """What was said."""
    at: int
    """Since when nothing is sent there, in Unix seconds."""


class MailTemplate(TypedDict):
    """What a kind of letter says to readers of a language."""

    key: str
    """The kind of letter."""
    about: str
    """To whom it is sent, and when."""
    locale: str
    """The language of the text."""
    subject: str
    """With `{{name}}` where a variable stands."""
    body: str
    """Plain text with the same."""
    built_in: bool
    """Whether nobody worded it otherwise."""
    variables: list[str]
    """The variables that may stand in it."""
    required: list[str]
    """Those of them that have to stand in the body."""


class MailTemplateSaved(DomainEvent):
    """A kind of letter is worded otherwise in a language, or as it is built in again."""

    kind = "mail.template_saved"
    audience = "admin"


Protocol = Literal["imap", "pop", "hook"]


class MailTarget(TypedDict, total=False):
    """What mail becomes: one of these."""

    desk: str
    """Key of a project: requests of its service desk, and answers to them."""
    project: str
    """Key of a project: issues there, and comments."""
    page_space: str
    """Key of a space: pages there."""


class Mailbox(TypedDict):
    """A mailbox that is read, or an address of this site that mail is posted to."""

    id: int
    """Its number."""
    name: str
    """What it is called."""
    protocol: Protocol
    """How it is read; `hook`: a mail service posts to it."""
    host: str
    """Name of the mail server; empty with `hook`."""
    port: int
    """Its port; 0 with `hook`."""
    security: Security
    """How the connection is secured."""
    user: str
    """Who signs in there."""
    has_password: bool
    """Whether a password is kept, which is never shown."""
    folder: str
    """The folder that is read, with `imap`."""
    hook_path: str | None
    """With `hook`, where it was just saved: the path of this site that mail is posted to; else null."""
    target: MailTarget
    """What mail becomes. It names `(gone)` what the caller does not see."""
    every_minutes: int
    """How often it is read."""
    delete_after: bool
    """Whether mail is deleted there once it was taken."""
    allow: list[str]
    """Addresses and domains that are heard; empty: all."""
    deny: list[str]
    """Addresses and domains that are not."""
    last_at: int | None
    """When it was last looked into, in Unix seconds; null: never."""
    last_error: str | None
    """What went wrong last; null: nothing since it last went well."""
    next_at: int | None
    """When it is read next, in Unix seconds; null: it is not, until it is saved again."""


class MailboxTested(TypedDict):
    ok: bool
    """Whether it can be read."""
    detail: str
    """What was found, or what to mend."""
    waiting: int
    """Mails that wait there."""


class MailIngested(TypedDict):
    result: Literal["created", "commented", "ignored", "refused"]
    """What became of the mail."""
    reply: str | None
    """In words; null: nothing to say."""
