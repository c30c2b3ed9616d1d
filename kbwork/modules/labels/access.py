"""Who may change a label."""

from kbwork.base.errors import NotAllowed
from kbwork.db.tx import Read
from kbwork.modules.projects import access


def require_keeper(tx: Read, project: int | None) -> None:
    """Admins keep the org's labels, leads their project's while it is not archived. Raises NotAllowed or Conflict."""
    if project is None:
        if not tx.caller.admin or tx.caller.projects is not None:
            raise NotAllowed("The org's labels are kept by admins; leads may make labels of their project.")
        return
    if not access.at_least(tx, project, "lead"):
        raise NotAllowed("A project's labels are kept by its leads.")
    row = tx.stored("project", [project])
    assert row is not None
    access.require_open(row)
