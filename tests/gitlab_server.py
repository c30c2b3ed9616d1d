"""GitLab at the far end: its REST interface (v4) over one project of a subgroup."""

from email.message import Message
from typing import Any

from tests.far_server import Answer, FarServer

TOKEN = "glpat-canary0123456789secret"
PATH = "acme/web/shop"
AT = "2020-01-0{}T00:00:00.000Z"
__all__ = ["AT", "PATH", "TOKEN", "Answer", "GitLabServer"]


def user(name: str) -> dict[str, Any]:
    """Somebody, as GitLab shows people."""
    return {"id": 1, "username": name, "name": name.title(), "state": "active", "web_url": "https://x"}


def note(id: int, body: str, **more: Any) -> dict[str, Any]:
    """A comment of a thread."""
    return {
        "id": id,
        "type": None,
        "body": body,
        "author": user("cy"),
        "created_at": AT.format(2),
        "updated_at": AT.format(2),
        "system": False,
        "noteable_type": "Issue",
        "project_id": 7,
        "resolvable": False,
        "confidential": False,
        "internal": False,
    } | more


def thread(*notes: dict[str, Any], alone: bool = False) -> dict[str, Any]:
    return {"id": f"d{notes[0]['id']}", "individual_note": alone, "notes": list(notes)}


class GitLabServer(FarServer):
    """Lists of one thing are empty unless they are filled. `old`: it pages issues by numbers alone."""

    def __init__(self, *, private: bool = False, old: bool = False) -> None:
        super().__init__("/api/v4/projects/acme%2Fweb%2Fshop", "PRIVATE-TOKEN", private=private)
        self.lists = {"issues": [], "labels": [], "milestones": [], "merge_requests": []}
        self.old = old
        self.base = self.server

    def issue(self, iid: int, *threads: dict[str, Any], **more: Any) -> None:
        """Add an issue with what is said on it."""
        self.lists["issues"].append(self.shown(iid, "issues", "#", threads) | more)
        self.lists[f"issues/{iid}/discussions"] = list(threads)
        self.lists[f"issues/{iid}/links"] = []

    def merge_request(self, iid: int, *threads: dict[str, Any], **more: Any) -> None:
        branches: dict[str, Any] = {
            "source_branch": "fix",
            "target_branch": "main",
            "merged_at": None,
            "reviewers": [],
        }
        shown = self.shown(iid, "merge_requests", "!", threads)
        self.lists["merge_requests"].append(shown | branches | more)
        self.lists[f"merge_requests/{iid}/discussions"] = list(threads)

    def link(self, one: int, other: int, kind: str = "relates_to") -> None:
        """Link two issues, as each of them shows it."""
        back = {"blocks": "is_blocked_by"}.get(kind, kind)
        for at, to, said in ((one, other, kind), (other, one, back)):
            whole = next(issue for issue in self.lists["issues"] if issue["iid"] == to)
            self.lists[f"issues/{at}/links"].append(whole | {"link_type": said, "issue_link_id": 1})

    def shown(self, iid: int, kind: str, mark: str, threads: Any) -> dict[str, Any]:
        """An issue or merge request as lists show it."""
        said = [one for each in threads for one in each["notes"] if not one["system"]]
        return {
            "id": 1000 + iid,
            "iid": iid,
            "project_id": 7,
            "title": f"{'Issue' if mark == '#' else 'Merge'} {iid}",
            "description": None,
            "state": "opened",
            "created_at": AT.format(1),
            "updated_at": AT.format(2),
            "closed_at": None,
            "labels": [],
            "milestone": None,
            "assignees": [],
            "author": user("cy"),
            "user_notes_count": len(said),
            "upvotes": 0,
            "downvotes": 0,
            "web_url": f"https://gitlab.example.com/{PATH}/-/{kind}/{iid}",
            "references": {"short": f"{mark}{iid}", "full": f"{PATH}{mark}{iid}"},
            "confidential": False,
            "discussion_locked": None,
            "time_stats": {"time_estimate": 0, "total_time_spent": 0},
            "_links": {"self": f"https://gitlab.example.com/api/v4/projects/7/{kind}/{iid}"},
        }

    def about(self) -> dict[str, Any]:
        return {
            "id": 7,
            "name": "Shop",
            "path_with_namespace": PATH,
            "description": "Where people buy",
            "web_url": f"https://gitlab.example.com/{PATH}",
            "runners_token": "GR1348941canary",
        }

    def refusal(self, path: str, headers: Message, query: str) -> Answer | None:
        token = headers.get("PRIVATE-TOKEN")
        signed_in = path.endswith(("/discussions", "/links"))
        if (token is not None and token != TOKEN) or (token is None and signed_in):
            return Answer(401, body=b'{"message": "401 Unauthorized"}')
        if path.startswith("/api") or (self.private and token is None):
            return Answer(404, body=b'{"message": "404 Project Not Found"}')
        if self.old and "pagination=keyset" in query:
            body = b'{"error": "Keyset pagination is not yet available for this type of request"}'
            return Answer(405, body=body)
        if path and path.lstrip("/") not in self.lists:
            return Answer(404, body=b'{"message": "404 Not found"}')
        return None
