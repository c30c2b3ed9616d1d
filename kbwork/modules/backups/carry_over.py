"""What a restore carries over: whoever was shut out stays out, what opened nothing any more opens nothing again, and no
number of an event, or version of what flag clients hold, is given twice.

A secret is changed because somebody else may have it. So of keys, invitations, passwords and second factors that both
have, what holds now goes on to hold: a restore that brought an old one back would open the door again, and shut it to
whoever has the new one.
"""

import json
from collections import defaultdict
from typing import Any

from kbwork.base.dataclasses import dataclass, field, replace
from kbwork.core.jobs.kinds import enqueue
from kbwork.core.ports import mail
from kbwork.db.rows import CredentialRow, JobRow, RecoveryCodeRow
from kbwork.db.tx import Read, Row, Write, json_array
from kbwork.modules.backups import carried_flags, remembered
from kbwork.modules.backups.carried_flags import CarriedFlags
from kbwork.modules.backups.model import BackupRestored

_PUT_BACK = "A backup was put back: save the mailbox to have it read again."
RESTORE = "backups.restore"
"""The kind of job that puts a backup in the place of the data."""
_OF_KEY = ("digest", "old_digest", "old_until", "last4", "scopes", "networks", "expires_at")
_OF_WEBHOOK = ("secret", "old_secret", "old_until")
_OF_PROVIDER = ("enabled", "secret", "key_last4", "key_label", "key_at")
_OF_CHATS = {
    "chat_connection": ("id", "created_at", "secret", "bot_token"),
    "chat_account": ("connection", "chat_user", "member"),
    "chat_subscription": ("id", "created_at", "url"),
}
_OF_MAIL = ("mail_sender", "mail_suppressed", "mailbox", "mailbox_mail")
_OF_MAILBOX = ("host", "port", "security", "user", "password", "token", "digest", "next_at", "last_error")
_ASKING = "ai.run"
"""The kind of job that waits for a model."""
_OF_INVITE = ("digest", "role", "invited_by", "expires_at")
_ENDED = "select id from member where state = :state order by id"
ERASE = "members.erase"
LEAP = 1_000_000
AHEAD = (
    "update counter set value = value + :leap where name = 'seq'",
    "update flag_environment set version = version + :leap",
)
"""Where nobody knows which numbers were given by data that are lost, those of the data that come go on far behind."""


@dataclass(frozen=True, slots=True)
class CarriedOver:
    """What the data that go have and the backup may not: who and what was shut out, and the job that restores."""

    revoked_keys: list[str] = field(default_factory=list)
    deactivated: list[str] = field(default_factory=list)
    erased: list[str] = field(default_factory=list)
    revoked_invites: list[int] = field(default_factory=list)
    keys: list[Row] = field(default_factory=list)
    """What opens each key that lives, and how far; the same of invitations that wait."""
    invites: list[Row] = field(default_factory=list)
    credentials: list[CredentialRow] = field(default_factory=list)
    recovery_codes: list[RecoveryCodeRow] = field(default_factory=list)
    flags: CarriedFlags | None = None
    """None where there were no data before."""
    webhooks: list[Row] | None = None
    """Those that are on, with what they sign by; None where there were no data before."""
    customers: list[Row] = field(default_factory=list)
    """Of each customer of a desk the password that holds, and whether they are blocked."""
    chats: dict[str, list[Row]] | None = None
    """Connections with chats, who is who there, and where channels are; None where there were no data before."""
    mail: dict[str, list[Row]] | None = None
    """The mail server, mailboxes, what was taken of them, and where nothing is sent: rows of these tables; None where
    there were no data before."""
    rules: list[int] | None = None
    """Those that are on; None where there were no data before."""
    ai: dict[str, list[Row]] | None = None
    """What AI may do, by which keys, and what was used of it: rows of these tables; None where there were no data
    before."""
    seq: int = 0
    job: JobRow | None = None
    """How that job's row is to stand in the data that come."""


def since(tx: Read, job: JobRow | None = None) -> CarriedOver:
    """Read off the data that are about to go, with what an earlier restore remembers beside them."""
    kept = remembered.read(tx)
    found = CarriedOver(
        revoked_keys=tx.column("select id from key where revoked_at is not null order by id"),
        deactivated=tx.column(_ENDED, state="deactivated"),
        erased=tx.column(_ENDED, state="erased"),
        revoked_invites=tx.column("select id from invite where state <> 'pending' order by id"),
        keys=tx.all(f"select id, {', '.join(_OF_KEY)} from key where revoked_at is null order by id"),
        invites=tx.all(f"select id, {', '.join(_OF_INVITE)} from invite where state = 'pending' order by id"),
        credentials=tx.all("select * from credential order by member", CredentialRow),
        recovery_codes=tx.all("select * from recovery_code order by member, digest", RecoveryCodeRow),
        flags=carried_flags.since(tx, kept),
        webhooks=tx.all(
            f"select id, created_at, {', '.join(_OF_WEBHOOK)} from webhook where enabled order by id"
        ),
        customers=tx.all(
            "select id, email_key, password, password_desks, blocked_at from customer order by id"
        ),
        chats={
            table: tx.all(f"select {', '.join(columns)} from {table}") for table, columns in _OF_CHATS.items()
        },
        mail={table: tx.all(f"select * from {table}") for table in _OF_MAIL},
        rules=tx.column("select id from rule where enabled order by id"),
        ai={table: tx.all(f"select * from {table}") for table in ("ai_policy", "ai_provider", "ai_usage")},
        seq=tx.value("select value from counter where name = 'seq'"),
        job=job,
    )
    both: dict[str, Any] = {kind: [*getattr(found, kind), *kept[kind]] for kind in remembered.PLACES}
    return replace(found, **both)


def leapt(held: CarriedOver) -> CarriedOver:
    """The same of data behind which others may have been written that nobody has: whoever follows may hold theirs."""
    flags = held.flags
    if flags is not None:
        ahead = [row | {"version": row["version"] + LEAP} for row in flags.environments]
        flags = replace(flags, environments=ahead)
    return replace(held, seq=held.seq + LEAP, flags=flags)


def settle(tx: Write, held: CarriedOver, told: dict[str, Any]) -> None:
    """Void what opens the restored data, shut out again who was, and tell of it.

    `told` is what the event says, and gets `ended`: a line for each thing of the backup that is not to come about.
    """
    for table in (
        "session",
        "device_code",
        "challenge",
        "customer_link",
        "customer_token",
        "oauth_code",
        "oauth_token",
        "idempotency",
    ):
        tx.execute(f"delete from {table}")
    tx.execute("update oauth_grant set revoked_at = :now where revoked_at is null", now=tx.now)
    tx.execute(
        "update key set revoked_at = :now where revoked_at is null and id in (select value from json_each(:ids))",
        now=tx.now,
        ids=json_array(held.revoked_keys),
    )
    tx.execute(
        "update member set state = 'deactivated' where state in ('invited', 'active')"
        " and id in (select value from json_each(:ids))",
        ids=json_array([*held.deactivated, *held.erased]),
    )
    tx.execute(
        "update invite set state = 'revoked' where state = 'pending' and id in (select value from json_each(:ids))",
        ids=json_array(held.revoked_invites),
    )
    _carry_secrets(tx, held)
    _carry_customers(tx, held)
    told["ended"] = carried_flags.carry(tx, held.flags)
    owner = tx.value(
        "select id from member where role = 'owner' and state = 'active' order by created_at limit 1"
    )
    for member in held.erased:
        if tx.value("select state from member where id = :id", id=member) not in (None, "erased"):
            enqueue(tx, ERASE, {"member": member, "by": owner}, by="system", message="Erasing again")
    mail.hold(tx)
    tx.execute("update notification set mail_at = null, push_at = null")  # it may have gone out long ago
    _carry_webhooks(tx, held)
    _carry_chats(tx, held.chats)
    _carry_mail(tx, held.mail)
    _carry_desks(tx)
    _carry_rules(tx, held)
    _carry_ai(tx, held.ai)
    _carry_pages(tx)
    if held.flags is not None:
        known = {kind: getattr(held, kind) for kind in remembered.PLACES}
        remembered.keep(tx, known | carried_flags.things(held.flags))
        remembered.number_behind(tx, held.flags.given)
    _carry_job(tx, held.job, told)
    tx.emit(BackupRestored(subject="org:1", payload=told))


def _carry_secrets(tx: Write, held: CarriedOver) -> None:
    """Write what holds now over what the backup has of the same key, invitation or member."""
    for table, rows, columns in (("key", held.keys, _OF_KEY), ("invite", held.invites, _OF_INVITE)):
        alive = "revoked_at is null" if table == "key" else "state = 'pending'"
        for row in rows:
            put = ", ".join(f"{column} = :{column}" for column in columns)
            tx.execute(f"update {table} set {put} where id = :id and {alive}", **row)
    codes = defaultdict(list)
    for code in held.recovery_codes:
        codes[code["member"]].append(code)
    for credential in held.credentials:
        _carry_credential(tx, credential, codes[credential["member"]])


def _carry_customers(tx: Write, held: CarriedOver) -> None:
    """Passwords that hold now go on to hold, and who is blocked is not let in again."""
    for row in held.customers:
        tx.execute(
            "update customer set password = :password, password_desks = :password_desks,"
            " blocked_at = coalesce(:blocked_at, blocked_at)"
            " where id = :id and email_key = :email_key",
            **row,
        )


def _carry_desks(tx: Write) -> None:
    """What was due by now went out before the backup was put back, or may have: nobody gets it twice."""
    tx.execute(
        "update later_reply set failed = :why where failed is null and at <= :now",
        why="A backup was put back: look whether it went out.",
        now=tx.now,
    )
    tx.execute("update desk set survey_since = :now where survey_since is not null", now=tx.now)


def _carry_webhooks(tx: Write, held: CarriedOver) -> None:
    """Nothing is sent that may have gone out long ago, nor to where nothing was sent any more."""
    tx.execute(
        "update webhook_delivery set state = 'dropped', next_at = null, error = :error where state = 'queued'",
        error="A backup was put back: it may have gone out long ago.",
    )
    tx.execute(
        "update counter set value = (select value from counter where name = 'seq') where name = 'webhooks'"
    )
    if held.webhooks is None:
        return
    tx.execute(
        "update webhook set enabled = 0 where id not in (select value from json_each(:ids))",
        ids=json_array(row["id"] for row in held.webhooks),
    )
    for row in held.webhooks:
        put = ", ".join(f"{column} = :{column}" for column in _OF_WEBHOOK)
        tx.execute(f"update webhook set {put} where id = :id and created_at = :created_at", **row)


def _carry_chats(tx: Write, held: dict[str, list[Row]] | None) -> None:
    """Nothing is posted that channels may have heard long ago, nor to one that hears no more; and nobody speaks by a
    secret that was changed or deleted, or by an account that is linked no more."""
    tx.execute("delete from chat_post where id > 0")
    tx.execute("delete from chat_code")
    tx.execute(
        "update counter set value = (select value from counter where name = 'seq') where name = 'chat'"
    )
    if held is None:
        return
    place = "id || ' ' || created_at not in (select value from json_each(:known))"
    known = {
        table: json_array(f"{row['id']} {row['created_at']}" for row in held[table])
        for table in ("chat_connection", "chat_subscription")
    }
    # What was never sealed is opened by nothing: the secret is set anew, as with another master key.
    tx.execute(
        f"update chat_connection set secret = zeroblob(28), bot_token = null where {place}",
        known=known["chat_connection"],
    )
    tx.execute(f"update chat_subscription set events = '[]' where {place}", known=known["chat_subscription"])
    tx.execute(
        "delete from chat_account where connection || ' ' || member || ' ' || chat_user"
        " not in (select value from json_each(:known))"
        " or connection in (select id from chat_connection where secret = zeroblob(28))",
        known=json_array(
            f"{row['connection']} {row['member']} {row['chat_user']}" for row in held["chat_account"]
        ),
    )
    for row in held["chat_connection"]:
        tx.execute(
            "update chat_connection set secret = :secret, bot_token = :bot_token"
            " where id = :id and created_at = :created_at",
            **row,
        )
    for row in held["chat_subscription"]:
        tx.execute(
            "update chat_subscription set url = :url where id = :id and created_at = :created_at", **row
        )


def _carry_mail(tx: Write, held: dict[str, list[Row]] | None) -> None:
    """No mailbox is read that was not read before, nor mail taken twice; mail goes by the server that it went by, and
    not to where it came back from. The outbox is held."""
    known = [] if held is None else held["mailbox"]
    tx.execute(
        "update mailbox set next_at = null, digest = null, token = null, last_error = :error"
        " where id || ' ' || created_at not in (select value from json_each(:known))",
        error=_PUT_BACK,
        known=json_array(f"{row['id']} {row['created_at']}" for row in known),
    )
    if held is None:
        return
    tx.execute("delete from mail_sender where id = 1")
    for row in held["mail_sender"]:
        tx.execute(_inserted("mail_sender", row), **row)
    for row in held["mail_suppressed"]:
        tx.execute(f"{_inserted('mail_suppressed', row)} on conflict do nothing", **row)
    put = ", ".join(f"{column} = :{column}" for column in _OF_MAILBOX)
    for row in known:
        named = {name: row[name] for name in ("id", "created_at", *_OF_MAILBOX)}
        tx.execute(f"update mailbox set {put} where id = :id and created_at = :created_at", **named)
    read = {row["id"] for row in known} & set(
        tx.column("select id from mailbox where last_error is not :e", e=_PUT_BACK)
    )
    for row in held["mailbox_mail"]:
        if row["mailbox"] in read:
            given = {name: value for name, value in row.items() if name != "id"} | {"subject": None}
            tx.execute(f"{_inserted('mailbox_mail', given)} on conflict do nothing", **given)


def _inserted(table: str, row: Row) -> str:
    return f"insert into {table} ({', '.join(row)}) values ({', '.join(f':{name}' for name in row)})"


def _carry_rules(tx: Write, held: CarriedOver) -> None:
    """Nothing is run that may have run long ago, no rule that was off or gone, and none for a time that has passed."""
    tx.execute("delete from rule_run where id > 0")
    tx.execute(
        "update counter set value = (select value from counter where name = 'seq') where name = 'automation'"
    )
    tx.execute("update rule set next_run_at = null where enabled")
    if held.rules is not None:
        tx.execute(
            "update rule set enabled = 0 where id not in (select value from json_each(:ids))",
            ids=json_array(held.rules),
        )


def _carry_ai(tx: Write, held: dict[str, list[Row]] | None) -> None:
    """No model is asked that may have been asked long ago, by no key that was changed or revoked, and for nothing that
    was excluded since."""
    tx.execute("delete from ai_call where id > 0")
    tx.execute("delete from ai_run where id > 0")
    tx.execute(
        "update job set state = 'failed', error = 'The data were restored meanwhile.', lease_until = null,"
        " ended_at = :now where kind = :kind and state in ('queued', 'running')",
        now=tx.now,
        kind=_ASKING,
    )
    if held is None:
        return
    tx.execute(
        "update ai_provider set enabled = 0, secret = null, key_last4 = null, key_label = null, key_at = null"
        " where id || ' ' || base_url not in (select value from json_each(:places))",
        places=json_array(f"{row['id']} {row['base_url']}" for row in held["ai_provider"]),
    )
    put = ", ".join(f"{column} = :{column}" for column in _OF_PROVIDER)
    for row in held["ai_provider"]:
        known = {name: row[name] for name in ("id", "base_url", *_OF_PROVIDER)}
        tx.execute(f"update ai_provider set {put} where id = :id and base_url = :base_url", **known)
    _carry_policy(tx, held["ai_policy"][0])
    for row in held["ai_usage"]:
        tx.execute(
            "insert into ai_usage (day, actor, feature, provider, model, calls, errors, input_tokens, output_tokens)"
            " values (:day, :actor, :feature, :provider, :model, :calls, :errors, :input_tokens, :output_tokens)"
            " on conflict do update set calls = :calls, errors = :errors, input_tokens = :input_tokens,"
            " output_tokens = :output_tokens",
            **row,
        )


def _carry_pages(tx: Write) -> None:
    """What several write in holds what came since for some of them: they are told, and begin anew with the draft."""
    for table in ("page_sync_update", "page_sync"):
        tx.execute(f"delete from {table}")


def _carry_policy(tx: Write, held: Row) -> None:
    """What either of both leaves out stays out."""
    both = dict.fromkeys(
        [*json.loads(tx.value("select excluded from ai_policy")), *json.loads(held["excluded"])]
    )
    tx.execute(
        "update ai_policy set enabled = min(enabled, :enabled), org_keys = min(org_keys, :org_keys),"
        " browser_keys = min(browser_keys, :browser_keys),"
        " automation_apply = min(automation_apply, :automation_apply), excluded = :both,"
        " member_daily_tokens = :member_daily_tokens, monthly_tokens = :monthly_tokens where id = 1",
        both=json_array(both),
        **{name: value for name, value in held.items() if name not in ("id", "excluded")},
    )


def _carry_credential(tx: Write, row: CredentialRow, codes: list[RecoveryCodeRow]) -> None:
    """Password, second factor and recovery codes of one member, together; the backup's where it is the newer one, as
    the copy is that was laid aside by a restore. A code that was used stays used."""
    member = row["member"]
    if tx.value("select 1 from member where id = :member", member=member) is None:
        return
    there = tx.value("select changed_at from credential where member = :member", member=member)
    if there is not None and there > row["changed_at"]:
        return
    for table in ("recovery_code", "credential", "known_device"):
        tx.execute(f"delete from {table} where member = :member", member=member)
    for table, found in (("credential", row), *(("recovery_code", code) for code in codes)):
        columns = ", ".join(found)
        tx.execute(
            f"insert into {table} ({columns}) values ({', '.join(f':{name}' for name in found)})", **found
        )


def _carry_job(tx: Write, job: JobRow | None, told: dict[str, Any]) -> None:
    """Restores that were under way when the backup was taken are over; the one that is goes on under its number, and
    says in the end what was told of it.

    A job of the backup that has that number takes the next free one.
    """
    tx.execute(
        "update job set state = 'failed', error = 'The data were restored meanwhile.', lease_until = null,"
        " ended_at = :now where kind = :kind and state in ('queued', 'running')",
        now=tx.now,
        kind=RESTORE,
    )
    if job is None:
        return
    if tx.stored("job", [job["id"]]) is not None:
        free = max(tx.value("select seq from sqlite_sequence where name = 'job'"), job["id"]) + 1
        tx.execute("update import set job = :free where job = :id", free=free, id=job["id"])
        tx.execute("update job set id = :free where id = :id", free=free, id=job["id"])
    tx.insert("job", **job | {"args": json.dumps({**json.loads(job["args"]), "told": told})})
