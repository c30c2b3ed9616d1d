"""Comments, members, teams, projects, versions, files and check items for the evaluator."""

from kbwork.db.tx import json_array
from kbwork.modules import members
from kbwork.modules.members import MEMBER_SEEN
from kbwork.modules.projects import ISSUE_SEEN, access
from tests.modules.tql.oracle.loaders import ItemLoader, LoadedItem, beside, column, lists

_COMMENT_SEEN = (
    "c.deleted_at is null and (c.internal = 0 or not :kb_guest) and substr(c.subject, 1, 6) = 'issue:'"
    f" and exists (select 1 from issue i where i.id = cast(substr(c.subject, 7) as integer) and {ISSUE_SEEN})"
)
"""Its world has comments on issues alone."""
_FILE_SEEN = (
    "f.deleted_at is null and case substr(f.subject, 1, instr(f.subject, ':') - 1)"
    " when 'issue' then exists (select 1 from issue i where i.id = cast(substr(f.subject, 7) as integer)"
    f" and {ISSUE_SEEN})"
    " when 'comment' then exists (select 1 from comment c where c.id = cast(substr(f.subject, 9) as integer)"
    f" and {_COMMENT_SEEN})"
    " when 'project' then exists (select 1 from project_key k where k.key = substr(f.subject, 9)"
    " and k.project in (select value from json_each(:kb_projects)))"
    " when 'org' then 1 else 0 end"
)
_IN = "in (select value from json_each(:ids))"


def _issue(comment: LoadedItem) -> str:
    return comment.shelf.library.shelf("issues").take([comment.row["issue"]])[0].id


class CommentLoader(ItemLoader):
    """Comments on issues that the caller sees."""

    sql = (
        "select c.*, cast(substr(c.subject, 7) as integer) as issue from comment c"
        f" where c.id {_IN} and {_COMMENT_SEEN}"
    )
    every = f"select c.id from comment c where {_COMMENT_SEEN} order by c.id"
    getters = {  # noqa: RUF012 - a table of the class, which nobody changes
        "id": column("id"),
        "text": column("body"),
        "author": column("author"),
        "created": column("created_at"),
        "internal": lambda one: bool(one.row["internal"]),
        "resolved": lambda one: one.row["resolved_at"] is not None,
        "on": _issue,
        "issue": _issue,
        "unread": lambda one: (
            one.row["author"] != one.shelf.tx.caller.member
            and (one.side("mark") or 0) < one.row["created_at"]
        ),
    }
    followers = {  # noqa: RUF012 - likewise
        "author": ("members", column("author")),
        "issue": ("issues", column("issue")),
    }
    loaders = {  # noqa: RUF012 - likewise
        "mark": lambda shelf, ids: {
            row["id"]: row["value"]
            for row in shelf.rows(
                "select c.id, m.at as value from comment c join mark m on m.subject = c.subject and m.member = :me"
                f" where c.id {_IN}",
                ids=json_array(ids),
                me=shelf.tx.caller.member or "",
            )
        }
    }


class MemberLoader(ItemLoader):
    """The people of the org that the caller sees."""

    sql = f"select m.* from member m where m.id {_IN} and {MEMBER_SEEN}"
    every = f"select m.id from member m where {MEMBER_SEEN} order by m.id"
    getters = {  # noqa: RUF012 - likewise
        **{name: column(name) for name in ("name", "handle", "title", "role", "state", "zone")},
        "created": column("created_at"),
        "email": lambda one: one.row["email"] if _tells_mail(one) else None,
        "text": lambda one: tuple(filter(None, (one.row["name"], one.row["handle"], one.row["title"]))),
        "team": lambda one: tuple(str(team) for team in one.side("teams") or ()),
    }
    followers = {"team": ("teams", lambda one: one.side("teams") or ())}  # noqa: RUF012 - likewise
    loaders = {  # noqa: RUF012 - likewise
        "teams": lambda shelf, ids: lists(
            shelf.rows(
                "select tm.member as id, t.id as value from team_member tm join team t on t.id = tm.team"
                f" where tm.member {_IN} and {members.TEAM_SEEN} order by tm.member, t.name, t.id",
                ids=json_array(ids),
            )
        )
    }


def _tells_mail(one: LoadedItem) -> bool:
    caller = one.shelf.tx.caller
    return not caller.guest or one.at == caller.member


class TeamLoader(ItemLoader):
    """The teams that the caller sees."""

    sql = f"select t.* from team t where t.id {_IN} and {members.TEAM_SEEN}"
    every = f"select t.id from team t where {members.TEAM_SEEN} order by t.id"
    getters = {  # noqa: RUF012 - likewise
        "name": column("name"),
        "handle": column("handle"),
        "parent": lambda one: next(
            (team.id for team in one.shelf.take([one.row["parent"]]) if one.row["parent"] is not None), None
        ),
    }
    followers = {"parent": ("teams", column("parent"))}  # noqa: RUF012 - likewise


class ProjectLoader(ItemLoader):
    """The projects that the caller sees."""

    sql = f"select p.* from project p where p.id {_IN} and {access.SEEN}"
    every = f"select p.id from project p where {access.SEEN} order by p.id"
    getters = {  # noqa: RUF012 - likewise
        "key": lambda one: one.id,
        **{name: column(name) for name in ("name", "kind", "visibility", "lead", "archived_at")},
        "text": lambda one: (one.row["name"], one.row["description"]),
        "start": column("start_date"),
        "due": column("due_date"),
        "created": column("created_at"),
        "label": beside("label"),
        "archived": lambda one: one.row["archived_at"] is not None,
    }
    followers = {"lead": ("members", column("lead"))}  # noqa: RUF012 - likewise
    loaders = {  # noqa: RUF012 - likewise
        "label": lambda shelf, ids: lists(
            shelf.rows(
                "select p.id, cast(l.id as text) as value from project p, json_each(p.labels) said"
                f" join label l on l.name_key = folded(said.value) where p.id {_IN} order by p.id, l.name_key, l.id",
                ids=json_array(ids),
            )
        )
    }


class VersionLoader(ItemLoader):
    """What issues were called and said before each change."""

    sql = (
        "select v.issue || '/' || v.revision as id, v.at, v.who, v.title from json_each(:ids) one join issue_revision v"
        " on v.issue = cast(substr(one.value, 1, instr(one.value, '/') - 1) as integer)"
        " and v.revision = cast(substr(one.value, instr(one.value, '/') + 1) as integer)"
        f" join issue i on i.id = v.issue where {ISSUE_SEEN}"
    )
    getters = {  # noqa: RUF012 - likewise
        "author": column("who"),
        "created": column("at"),
        "title": column("title"),
    }
    followers = {"author": ("members", column("who"))}  # noqa: RUF012 - likewise


class AttachmentLoader(ItemLoader):
    """Files on what the caller sees."""

    sql = f"select f.* from attachment f where f.id {_IN} and {_FILE_SEEN}"
    every = f"select f.id from attachment f where {_FILE_SEEN} order by f.id"
    getters = {  # noqa: RUF012 - likewise
        "id": column("id"),
        "name": column("name"),
        "size": column("size"),
        "kind": lambda one: one.row["content_type"].partition("/")[0],
        "author": column("created_by"),
        "created": column("created_at"),
        "text": lambda one: tuple(filter(None, (one.row["name"], one.side("text")))),
    }
    followers = {"author": ("members", column("created_by"))}  # noqa: RUF012 - likewise
    loaders = {  # noqa: RUF012 - likewise
        "text": lambda shelf, ids: {
            row["id"]: row["text"]
            for row in shelf.rows(
                f"select attachment as id, text from attachment_text where attachment {_IN}",
                ids=json_array(ids),
            )
        }
    }


class CheckLoader(ItemLoader):
    """Check items of issues that the caller sees."""

    sql = f"select k.* from check_item k join issue i on i.id = k.issue where k.id {_IN} and {ISSUE_SEEN}"
    getters = {  # noqa: RUF012 - likewise
        "text": column("text"),
        "assignee": column("assignee"),
        "due": column("due_date"),
        "done_at": column("done_at"),
        "done": lambda one: one.row["done_at"] is not None,
    }
    followers = {"assignee": ("members", column("assignee"))}  # noqa: RUF012 - likewise
