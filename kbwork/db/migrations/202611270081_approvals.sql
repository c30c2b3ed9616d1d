-- Requests that somebody else agrees before an issue goes a way of its workflow. What the way asked for stands here as it
-- was then. `leaves` is the lane the issue stood in, `to_status` the key of the lane it is to go to; `watched` is JSON, a
-- digest of each field whose edit ends the request; `asker` is JSON: in whose name, and with what rights, it is moved.
create table approval (
  id integer primary key autoincrement,
  issue integer not null references issue (id),
  transition text not null,
  leaves integer not null,
  to_status text not null,
  needed integer not null check (needed > 0),
  self_approval integer not null check (self_approval in (0, 1)),
  watched text not null,
  note text not null,
  state text not null check (state in ('pending', 'approved', 'rejected', 'cancelled', 'done')),
  requested_by text not null,
  via text,
  asker text,
  created_at integer not null,
  decided_at integer
) strict;
create index approval_issue on approval (issue, id);
create unique index approval_open on approval (issue, to_status) where state in ('pending', 'approved');
create index approval_asked on approval (requested_by, id) where state in ('pending', 'approved');
-- Who is asked, teams and fields as the people they stood for; `waits` while the request is pending.
create table approval_approver (
  approval integer not null references approval (id),
  who text not null,
  position integer not null,
  waits integer not null check (waits in (0, 1)),
  primary key (approval, who)
) strict, without rowid;
create index approval_approver_waiting on approval_approver (who, approval) where waits;
create index approval_approver_who on approval_approver (who);
create table approval_vote (
  approval integer not null references approval (id),
  who text not null,
  approve integer not null check (approve in (0, 1)),
  note text not null,
  at integer not null,
  primary key (approval, who)
) strict, without rowid;
create index approval_vote_who on approval_vote (who);
