"""GitHub at the far end: its REST interface over one repository."""

from email.message import Message
from typing import Any

from tests.far_server import Answer, FarServer

TOKEN = "ghp_canary0123456789secret"
AT = "2020-01-0{}T00:00:00Z"
__all__ = ["AT", "TOKEN", "Answer", "GitHubServer"]


class GitHubServer(FarServer):
    def __init__(self, *, private: bool = False) -> None:
        super().__init__("/api/v3/repos/acme/shop", "Authorization", private=private)
        self.lists = {"issues": [], "labels": [], "issues/comments": [], "pulls/comments": []}
        self.base = f"{self.server}/api/v3"

    def issue(self, number: int, **more: Any) -> None:
        """Add an issue with a comment."""
        about = {"url": f"{self.base}/repos/acme/shop/issues/{number}"}
        user = {"user": {"login": "cy"}}
        times = {"created_at": AT.format(1), "updated_at": AT.format(2), "closed_at": None}
        self.lists["issues"].append(
            {"number": number, "title": f"Issue {number}", "body": "", "state": "open", "comments": 1}
            | {"html_url": f"https://github.com/acme/shop/issues/{number}", "labels": [], "assignees": []}
            | {"repository_url": f"{self.base}/repos/acme/shop"}
            | about
            | user
            | times
            | more
        )
        self.lists["issues/comments"].append(
            {"id": number * 100, "issue_url": about["url"], "body": f"Said of {number}"} | user | times
        )

    def about(self) -> dict[str, Any]:
        return {"full_name": "acme/shop"}

    def refusal(self, path: str, headers: Message, query: str) -> Answer | None:
        token = headers.get("Authorization")
        if token is not None and token != f"Bearer {TOKEN}":
            return Answer(401, body=b'{"message": "Bad credentials"}')
        if path.startswith("/api") or (self.private and token is None):
            return Answer(404, body=b'{"message": "Not Found"}')
        return None
