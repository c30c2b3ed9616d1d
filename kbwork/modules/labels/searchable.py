"""Labels are searched: by their names and what is said of them."""

from kbwork.core.ports.search import Searchable
from kbwork.modules.labels.queries import LABEL_SEEN

SEARCHABLE = Searchable(
    texts="select id as ref, name as title, description as body from label",
    rows="label l left join project p on p.id = l.project",
    ref="l.id",
    seen=LABEL_SEEN,
    title="l.name",
    body="l.description",
    path="'/labels/' || l.id",
    at="coalesce(p.created_at, (select cast(value as integer) from setting where name = 'org.created_at'))",
    author="null",
    heading="l.name",
    project="l.project",
    project_key="p.key",
    archived="p.archived_at is not null",
)
