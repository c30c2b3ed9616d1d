"""The service desk: customers outside, what they may ask for, their portal, and requests by mail and chat."""

from kbwork.modules.desk.articles import Articles, ArticleText
from kbwork.modules.desk.inbound.email import take_mail
from kbwork.modules.desk.portal.open_desks import open_desks

USES = (
    "approvals",
    "attachments",
    "auth",
    "comments",
    "fields",
    "issues",
    "members",
    "projects",
    "tql",
    "types",
    "views",
    "workflows",
)
TABLES = (
    "article_use",
    "canned_reply",
    "customer",
    "customer_chat",
    "customer_link",
    "customer_request",
    "customer_token",
    "desk",
    "desk_mail",
    "later_reply",
    "queue",
    "request_comment",
    "request_customer",
    "request_file",
    "request_rating",
    "request_type",
)
__all__ = ["TABLES", "USES", "ArticleText", "Articles", "open_desks", "take_mail"]
