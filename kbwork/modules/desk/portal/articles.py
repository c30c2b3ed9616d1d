"""Help articles on the portal, and how often they were the answer."""

from typing import Annotated

from pydantic import Field

from kbwork.base.errors import NotFound
from kbwork.base.model import Input, Ok, Text
from kbwork.core import org_settings
from kbwork.core.operations.declare import write
from kbwork.core.references import ProjectRef
from kbwork.db.rows import DeskRow
from kbwork.db.tx import Read, Write
from kbwork.modules.desk.articles import Articles, ArticleText
from kbwork.modules.desk.model import (
    DeskArticleSolved,
    PortalArticle,
    SuggestedArticle,
)
from kbwork.modules.desk.portal.open_desks import open_desks

MOST_SUGGESTED = 5
_COUNTED = "it is counted, and that is not taken back"
ArticleRef = Annotated[Text, Field(description="Id of the page, from desk.portal_suggest.", max_length=200)]


def provider(tx: Read) -> Articles | None:
    """The module that has pages, while it is on."""
    found: list[Articles] = tx.registry.of(Articles)
    return next((one for one in found if not org_settings.home_off(tx, one.home)), None)


def has_articles(tx: Read, desk: DeskRow) -> bool:
    """Whether a desk has help articles to suggest."""
    pages = provider(tx)
    return pages is not None and desk["kb_space"] is not None and pages.any(tx, desk["kb_space"])


class DeskPortalArticle(Input):
    id: ArticleRef


@write(
    "desk.portal_article",
    scope="desk:public",
    words="read a help article, knowledge base on the portal, faq",
    undo=_COUNTED,
    emits=[],
    example={"id": "p_1"},
)
def portal_article(tx: Write, args: DeskPortalArticle) -> PortalArticle:
    """Read a help article: a published page of the space of a desk that is open. Others are 404. Looks are counted."""
    desk, found = _article(tx, args.id)
    _count(tx, desk, found, solved=False)
    return PortalArticle(id=found["id"], title=found["title"], text=found["text"])


class DeskPortalSuggest(Input):
    project: ProjectRef
    text: Annotated[Text, Field(max_length=2000)]
    """What somebody is about to ask."""


@write(
    "desk.portal_suggest",
    scope="desk:public",
    words="suggest help articles, is there an answer already, deflect a ticket",
    undo="it changes nothing",
    emits=[],
    threaded=True,
    example={"project": "WEB", "text": "the cart is empty"},
)
def portal_suggest(tx: Read, args: DeskPortalSuggest) -> list[SuggestedArticle]:
    """Suggest help articles of a desk that is open, five at most. One that is not is 404."""
    key = args.project.strip().upper()
    desk = next((one for project, one in open_desks(tx) if project["key"] == key), None)
    if desk is None:
        raise NotFound(f"There is no open desk {args.project[:100]!r}; desk.portal_info shows them.")
    pages = provider(tx)
    if pages is None or desk["kb_space"] is None or not args.text.strip():
        return []
    found = pages.search(tx, desk["kb_space"], args.text, MOST_SUGGESTED)
    return [SuggestedArticle(id=one["id"], title=one["title"], excerpt=one["excerpt"]) for one in found]


class DeskPortalSolved(Input):
    article: ArticleRef
    text: Annotated[Text, Field(max_length=2000)] | None = None
    """What was being asked; it is not kept."""
    solved: bool
    """Whether the article was the answer."""


@write(
    "desk.portal_solved",
    scope="desk:public",
    words="this article helped, was this helpful, problem solved without a ticket",
    undo=_COUNTED,
    emits=[DeskArticleSolved],
    example={"article": "p_1", "solved": True},
)
def portal_solved(tx: Write, args: DeskPortalSolved) -> Ok:
    """Say whether a help article was the answer: desk.deflection_stats counts that it was. One that is none is 404."""
    desk, found = _article(tx, args.article)
    if args.solved:
        _count(tx, desk, found, solved=True)
        key = tx.value("select key from project where id = :id", id=desk["project"])
        payload = {"article": found["id"], "title": found["title"]}
        tx.emit(DeskArticleSolved(subject=f"project:{key}", payload=payload))
    return Ok(ok=True)


def _article(tx: Read, ident: str) -> tuple[DeskRow, ArticleText]:
    """(the desk that has it, the article). Raises NotFound."""
    pages = provider(tx)
    for _, desk in open_desks(tx):
        space = desk["kb_space"]
        if pages is not None and space is not None and (found := pages.get(tx, space, ident)) is not None:
            return desk, found
    raise NotFound(f"There is no help article {ident[:100]!r}.")


def _count(tx: Write, desk: DeskRow, found: ArticleText, *, solved: bool) -> None:
    tx.execute(
        "insert into article_use (project, article, title, solved, at)"
        " values (:project, :article, :title, :solved, :at)",
        project=desk["project"],
        article=found["id"],
        title=found["title"],
        solved=int(solved),
        at=tx.now,
    )
