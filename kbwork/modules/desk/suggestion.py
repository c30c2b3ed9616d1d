"""Help articles for whoever answers a request."""

from kbwork.base.model import Input
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read
from kbwork.core.references import IssueRef
from kbwork.db.tx import Read
from kbwork.modules import issues
from kbwork.modules.desk import access
from kbwork.modules.desk.model import ScoredArticle
from kbwork.modules.desk.portal import articles
from kbwork.modules.desk.requests import rows

MOST = 5
_MOST_CHARS = 2000


class DeskSuggestArticles(Input):
    key: IssueRef


@read(
    "desk.suggest_articles",
    scope="issues:read",
    words="which help article answers this ticket, suggest knowledge base articles to an agent, known answers",
    cached=False,
    threaded=True,
    example={"key": "WEB-6"},
)
def suggest_articles(tx: Read, args: DeskSuggestArticles) -> list[ScoredArticle]:
    """Suggest help articles of the desk that fit a request, the best first, five at most. For members of the project.

    `score` is how many of the words of title and text stand in it: one in a title counts for two more. A key without
    the scope pages:read is suggested none. An issue that is no request of a desk is 409.
    """
    issue = issues.get(tx, args.key)
    access.require_member(tx, issue["project"])
    desk = rows.asked_of(tx, issue).desk
    pages = articles.provider(tx)
    if pages is None or desk["kb_space"] is None or not visibility.reads(tx, "page"):
        return []
    asked = f"{issue['title']}\n{issue['body']}"[:_MOST_CHARS]
    return [
        ScoredArticle(page=one["id"], title=one["title"], excerpt=one["excerpt"], score=one["score"])
        for one in pages.search(tx, desk["kb_space"], asked, MOST)
    ]
