"""What is noted of the text that readers see of a page, for lists over many pages."""

from kbwork.db.rows import PageRow
from kbwork.db.tx import Write
from kbwork.modules.pages.text import links, tasks


def keep(tx: Write, row: PageRow) -> None:
    """Note what a text names and the tasks in it. Undo leaves that; it is noted anew then."""
    links.keep(tx, row)
    tasks.keep(tx, row)
