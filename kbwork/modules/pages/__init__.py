"""Pages: documents in spaces, as trees, with versions, drafts and links between them."""

from kbwork.modules.pages.articles import Article, article, articles, page_text

USES = (
    "access",
    "attachments",
    "comments",
    "desk",
    "issues",
    "labels",
    "members",
    "spaces",
    "trash",
    "uploads",
)
TABLES = (
    "page",
    "page_label",
    "page_lapse",
    "page_limit",
    "page_link",
    "page_opened",
    "page_slug",
    "page_sync",
    "page_sync_update",
    "page_task",
    "page_template",
    "page_version",
    "page_visit",
    "page_watcher",
)
__all__ = ["TABLES", "USES", "Article", "article", "articles", "page_text"]
