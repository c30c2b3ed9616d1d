"""Bring texts of other trackers' languages over."""

from typing import Annotated, Literal

from pydantic import Field

from kbwork.base.errors import AiOff, TqlSyntax
from kbwork.base.model import Input
from kbwork.core.operations.declare import read
from kbwork.db.tx import Read
from kbwork.modules.tql import query_parser
from kbwork.modules.tql.model import TqlTranslated
from kbwork.modules.tql.sources import sources
from kbwork.modules.tql.translate import jql, search_syntaxes
from kbwork.tql.errors import TqlError
from kbwork.tql.normal_form import normal
from kbwork.tql.parser.query import parse

_READERS = {
    "jql": jql.translated,
    "youtrack": search_syntaxes.from_youtrack,
    "github": search_syntaxes.from_github,
}


class TqlTranslate(Input):
    text: Annotated[str, Field(max_length=20_000)]
    """The query in the other language."""
    language: Literal["jql", "youtrack", "github", "plain"]
    """`plain`: everyday words, which need an AI provider."""


@read(
    "tql.translate",
    scope="search:read",
    words=("convert jql, translate a jira filter, from github search, youtrack query, query in plain words"),
    example={
        "text": "assignee = currentUser() and resolution = Unresolved order by updated",
        "language": "jql",
    },
)
def translate(tx: Read, args: TqlTranslate) -> TqlTranslated:
    """Translate a text of Jira, YouTrack or GitHub. Names stay as they are: `tql.check` says which are not here.

    `notes` tell what could not be carried over. Plain words without an AI provider are 403 `ai-off`; a text that
    cannot be read even so is 422 `tql-syntax`.
    """
    if args.language == "plain":
        raise AiOff("Plain words are read by an AI provider, and none is set up.")
    found = _READERS[args.language](args.text)
    try:
        return TqlTranslated(tql=normal(parse(found.text, sources(tx).language.asked)), notes=found.notes)
    except TqlError as wrong:
        problem = query_parser.problem(wrong)
        assert isinstance(problem, TqlSyntax)
        problem.detail = f"It came out as {found.text[:500]!r}, which cannot be read: {problem.detail}"
        raise problem from None
