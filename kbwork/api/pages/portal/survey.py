"""How it went: the page behind the link of the letter that asks, and behind a closed request."""

from kbwork.api.pages.form_errors import in_words
from kbwork.api.pages.portal.session import call_nobody, of_portal, show
from kbwork.api.pages.request import PageRequest
from kbwork.api.pages.response import PageResponse
from kbwork.base.errors import Problem
from kbwork.base.text import whole_number

SCORES = (("1", "Bad"), ("2", "Poor"), ("3", "Fair"), ("4", "Good"), ("5", "Very good"))


@of_portal
async def show_survey(visit: PageRequest) -> PageResponse:
    """A form: mail servers that follow a link to look at it rate nothing."""
    token, score = visit.query.text("token"), visit.query.text("score")
    return await show(visit, "survey.html", scores=SCORES, token=token, score=score, said="", done=False)


@of_portal
async def rate(visit: PageRequest) -> PageResponse:
    """What is refused is told on the form, with what was written."""
    fields = visit.form.only("token", "score", "comment")
    values = {"scores": SCORES, "token": fields["token"], "score": fields["score"], "said": fields["comment"]}
    try:
        asked = fields | {"token": fields["token"] or "none", "score": whole_number(fields["score"])}
        await call_nobody(visit, "desk.portal_survey", asked)
    except Problem as problem:
        told = in_words(problem)
        return await show(visit, "survey.html", status=problem.status, problem=told, done=False, **values)
    return await show(visit, "survey.html", done=True, **values)
