"""The world as it is without the SQL of the product's fields."""

from collections.abc import Iterable

from kbwork.db.tx import Read
from kbwork.modules.tql.items.world import DbWorld
from kbwork.tql.evaluator.conditions import Evaluator
from kbwork.tql.items import Item
from tests.modules.tql.oracle.assets import AssetLoader
from tests.modules.tql.oracle.issues import IssueLoader
from tests.modules.tql.oracle.loaders import ItemLoader, ItemLoaders
from tests.modules.tql.oracle.other_sources import (
    AttachmentLoader,
    CheckLoader,
    CommentLoader,
    MemberLoader,
    ProjectLoader,
    TeamLoader,
    VersionLoader,
)

_LOADERS: dict[str, type[ItemLoader]] = {
    "assets": AssetLoader,
    "attachments": AttachmentLoader,
    "checks": CheckLoader,
    "comments": CommentLoader,
    "issues": IssueLoader,
    "members": MemberLoader,
    "projects": ProjectLoader,
    "teams": TeamLoader,
    "versions": VersionLoader,
}


class OracleWorld(DbWorld):
    def __init__(self, tx: Read) -> None:
        super().__init__(tx)
        self.library = ItemLoaders(tx, _LOADERS)

    def all(self, source: str) -> Iterable[Item]:
        return self.library.shelf(source).all()

    def evaluator(self, as_of: int | None = None) -> Evaluator:
        return Evaluator(self, as_of)
