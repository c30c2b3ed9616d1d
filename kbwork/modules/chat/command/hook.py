"""The path that platforms post to."""

from kbwork.core.hooks import SignedHook
from kbwork.modules.chat.connection import queries

POSTED = SignedHook(
    home=__name__,
    beginning=queries.PATH,
    op="chat.ingest",
    number="connection",
    headers=(
        "authorization",
        "content-type",
        "x-signature-ed25519",
        "x-signature-timestamp",
        "x-slack-request-timestamp",
        "x-slack-signature",
    ),
)
