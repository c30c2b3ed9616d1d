"""Labels: short names on issues and pages, of the org or of one project; a group makes its labels exclusive."""

from kbwork.modules.labels.model import PALETTE, Colour
from kbwork.modules.labels.ports import LabelledPages
from kbwork.modules.labels.queries import LABEL_SEEN, usable

USES = ("projects",)
TABLES = ("label", "issue_label", "label_count")
__all__ = ["LABEL_SEEN", "PALETTE", "TABLES", "USES", "Colour", "LabelledPages", "usable"]
