"""The service desk: customers outside, what they may ask for, their portal, and requests by mail and chat."""

from kbwork.modules.desk.articles import Articles, ArticleText
from kbwork.modules.desk.inbound.email import take_mail
from kbwork.modules.desk.portal.open_desks import open_desks

USES = (
    "approvals",
    "auth",
    "comments",
    "fields",
    "issues",
    "members",
    "projects",
    "types",
    "workflows",
)
TABLES = (
    "article_use",
    "customer",
    "customer_chat",
    "customer_link",
    "customer_request",
    "customer_token",
    "desk",
    "desk_mail",
    "request_comment",
    "request_customer",
    "request_type",
)
__all__ = ["TABLES", "USES", "ArticleText", "Articles", "open_desks", "take_mail"]
