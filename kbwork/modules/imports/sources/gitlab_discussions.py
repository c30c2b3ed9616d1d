"""What is said on issues and merge requests of GitLab, in threads, and which issues are linked."""

from collections.abc import Callable, Iterator

from kbwork.modules.imports.sources.collector import RecordCollector
from kbwork.modules.imports.sources.github_archive import place_of
from kbwork.modules.imports.sources.gitlab_names import MOST_NUMBER, GitLabNames, person
from kbwork.modules.imports.sources.parse.document import SourceValue, flat

_MARKS = {"issue": "#", "merge_request": "!"}
_KINDS = {"Issue": "#", "MergeRequest": "!"}


class DiscussionReader:
    """Reads what is on issues and merge requests that are in the collector already."""

    def __init__(
        self, names: GitLabNames, text: Callable[[str, SourceValue], str], into: RecordCollector
    ) -> None:
        self._names = names
        self._text = text
        self._into = into
        self._counted: dict[str, tuple[int, str]] = {}
        """Issue -> how many comments GitLab counts on it that were not read yet, and where it says so."""
        self._twins: list[tuple[str, str, str]] = []
        """Place, issue, and the address of the one that it was closed for."""
        self._related: set[tuple[str, str, str]] = set()

    def counted(self, id: str, node: SourceValue) -> None:
        """Take down what an issue says of its comments, and of the one that it is the same as."""
        count = node.value.get("user_notes_count")
        if isinstance(count, int) and 0 < count <= MOST_NUMBER:
            self._counted[id] = (count, node.place)
        links = node.node_or("_links")
        twin = links.text_or("closed_as_duplicate_of") if links else None
        if twin:
            self._twins.append((node.place, id, twin))

    def read(self, parts: list[SourceValue]) -> None:
        for part in parts:
            for discussion in _each(part, "discussions"):
                self._thread(part, list(discussion.items("notes")), one=_is(discussion, "individual_note"))
            for note in _each(part, "notes"):
                self._thread(part, [note], one=True)
        for part in parts:
            for link in _each(part, "links"):
                self._link(part, link)
        for place, id, address in self._twins:
            other = self._names.at(address)
            self._relate(place, id, "duplicates", other or f"gitlab:{address}")
        for missing, place in self._counted.values():
            if missing > 0:
                self._into.lose("comments that issues count are not in the file", place, missing)

    # -- threads ------------------------------------------------------------------------------------------

    def _thread(self, part: SourceValue, notes: list[SourceValue], *, one: bool) -> None:
        """The first note begins it, the others are replies; what GitLab notes by itself is none."""
        first: str | None = None
        hidden = False
        for note in notes:
            if _is(note, "system"):
                self._into.lose("what GitLab notes by itself of changes is left out", note.place)
                continue
            issue = self._on(part, note)
            if issue is None:
                continue
            id = f"{issue}/note/{note.whole('id')}"
            if self._into.knows(id):
                self._into.lose("comments that are in the file twice are taken once", note.place)
                continue
            internal = _is(note, "internal") or _is(note, "confidential")
            # a reply that is hidden does not fit into a thread that is not
            parent = None if one or (internal and not hidden) else first
            self._comment(
                note, issue, id, parent=parent, internal=internal or (hidden and parent is not None)
            )
            if first is None:
                first, hidden = id, internal

    def _on(self, part: SourceValue, note: SourceValue) -> str | None:
        """What a note is on; None, and a loss, where that is not in the file."""
        issue = self._said(part, note)
        if issue is not None and self._into.knows_issue(issue):
            return issue
        self._into.lose("comments on issues that are not in the file are left out", note.place)
        return None

    def _said(self, part: SourceValue, note: SourceValue) -> str | None:
        for name, mark in _MARKS.items():
            if (number := part.whole_or(name, MOST_NUMBER)) is not None:
                return self._names.of(note, number, mark)
        mark = _KINDS.get(note.text_or("noteable_type") or "Issue", "")
        return self._names.of(note, note.whole("noteable_iid", MOST_NUMBER), mark) if mark else None

    def _comment(self, note: SourceValue, issue: str, id: str, *, parent: str | None, internal: bool) -> None:
        body = self._text(note.text_or("body") or "", note)
        at = note.node_or("position")
        if at is not None and parent is None:
            path = at.text_or("new_path") or at.text_or("old_path")
            where = place_of(path, at.whole_or("new_line") or at.whole_or("old_line"))
            body = f"{where}\n\n{body}" if where else body
        if parent is None and _is(note, "resolved"):
            self._into.lose("threads that are resolved are open here", note.place)
        if issue in self._counted:
            missing, place = self._counted[issue]
            self._counted[issue] = (missing - 1, place)
        self._into.comment(
            note.place,
            id=id,
            issue=issue,
            parent=parent,
            author=person(note, "author", self._into),
            body=body,
            created_at=note.time("created_at"),
            updated_at=note.time_or("updated_at"),
            internal=internal,
        )

    # -- links --------------------------------------------------------------------------------------------

    def _link(self, part: SourceValue, link: SourceValue) -> None:
        """Both ends tell of it: it is taken once, from the same end each time."""
        kind = link.text_or("link_type") or "relates_to"
        one = self._names.of(part, part.whole("issue", MOST_NUMBER), "#")
        other = self._names.issue(link)
        if kind == "is_blocked_by":
            one, other = other, one
        elif kind != "blocks":
            one, other = sorted((one, other))
        self._relate(link.place, one, "blocks" if "block" in kind else "relates", other)

    def _relate(self, place: str, one: str, kind: str, other: str) -> None:
        if (one, kind, other) not in self._related:
            self._related.add((one, kind, other))
            self._into.relation(place, one, kind, other)


def _each(part: SourceValue, name: str) -> Iterator[SourceValue]:
    if part.has(name):
        yield from flat(SourceValue(part.value[name], f"{part.place}.{name}".lstrip(".")))


def _is(node: SourceValue, name: str) -> bool:
    """Whether a member is there that says so."""
    return node.has(name) and node.value[name] is True
