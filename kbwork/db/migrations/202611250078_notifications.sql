-- The inbox: what somebody should hear of, one row for each of them and thing. `who` is a member or `agent:<name>`, and
-- `member` whose sight counts. `events` is JSON, newest first: what of it is not read yet. Nothing that happened before
-- this file was begun is told.
create table notification (
  id integer primary key autoincrement,
  who text not null,
  member text not null references member (id),
  subject text not null,
  reason text not null,
  state text not null check (state in ('unread', 'read', 'archived')),
  snoozed_until integer,
  events text not null,
  at integer not null,
  mail_at integer,
  push_at integer
) strict;
create unique index notification_of on notification (who, subject);
create index notification_newest on notification (who, at, id);
create index notification_subject on notification (subject);
create index notification_member on notification (member);
create index notification_mail on notification (mail_at) where mail_at is not null;
create index notification_push on notification (push_at) where push_at is not null;
create index notification_snoozed on notification (snoozed_until) where snoozed_until is not null;
create index notification_kept on notification (at);
-- Counts the changes of an inbox, so that who looks at it elsewhere learns of them.
create table inbox (
  who text primary key,
  number integer not null
) strict, without rowid;
-- What somebody will not hear of. `project` is the number in `subject`, where that is a project.
create table notification_mute (
  who text not null,
  subject text not null,
  project integer,
  until integer,
  at integer not null,
  primary key (who, subject)
) strict, without rowid;
create index notification_mute_subject on notification_mute (subject);
-- How somebody wants to hear. `channels`, `quiet` and `due_before` are JSON; null stands for what is usual.
create table notification_setting (
  member text primary key references member (id),
  channels text not null,
  digest text not null check (digest in ('off', 'daily', 'weekly')),
  digest_minute integer not null,
  quiet text,
  due_before text not null,
  delay_minutes integer not null
) strict, without rowid;
-- Projects of which somebody hears as if they watched each issue.
create table notification_project (
  member text not null references member (id),
  project integer not null references project (id),
  primary key (member, project)
) strict, without rowid;
create index notification_project_of on notification_project (project);
-- What was told of due dates: `ahead` days before, or -1 when it had passed.
create table notification_due (
  issue integer not null,
  member text not null,
  due_date text not null,
  ahead integer not null,
  primary key (issue, member, due_date, ahead)
) strict, without rowid;
create index notification_due_day on notification_due (due_date);
create index notification_due_member on notification_due (member);
insert into counter (name, value) select 'notifications', value from counter where name = 'seq';
