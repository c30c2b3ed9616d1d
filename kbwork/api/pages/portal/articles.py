"""Help articles: suggested before a request is made, and read."""

from urllib.parse import unquote

from kbwork.api.pages.portal.requests import formed
from kbwork.api.pages.portal.session import call_nobody, of_portal, show
from kbwork.api.pages.request import PageRequest
from kbwork.api.pages.response import PageResponse

PREFIX = "/portal/articles/"


@of_portal
async def show_search(visit: PageRequest) -> PageResponse:
    """The articles of a desk that fit a question."""
    project, text = visit.query.text("desk"), visit.query.text("q")
    found = await call_nobody(visit, "desk.portal_suggest", {"project": project, "text": text})
    return await show(visit, "articles.html", project=project, text=text, found=found)


@of_portal
async def show_article(visit: PageRequest) -> PageResponse:
    ident = unquote(visit.path.removeprefix(PREFIX))
    article = await call_nobody(visit, "desk.portal_article", {"id": ident or "none"})
    return await show(
        visit, "article.html", article=article, html=await formed(article["text"]), thanked=False
    )


@of_portal
async def solved(visit: PageRequest) -> PageResponse:
    """Whether an article was the answer."""
    ident, was = visit.form.text("article") or "none", visit.form.text("solved") == "yes"
    await call_nobody(visit, "desk.portal_solved", {"article": ident, "solved": was})
    return await show(visit, "thanks.html", was=was)
