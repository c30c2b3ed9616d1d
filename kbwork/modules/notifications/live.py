"""Streams tell somebody that their inbox changed: the other tabs look again."""

from kbwork.core.events.own_news import OwnNews
from kbwork.modules.notifications import entries

INBOX = OwnNews(
    home=__name__, kind="notifications", scope="notifications:read", table="inbox", number=entries.number
)
