-- Mailboxes that are read. `password` and `token` are sealed, `digest` finds one by its token. What it is for: a project
-- by its number (`desk` where its service desk takes the mail), or a space. `allow` and `deny` are JSON lists.
create table mailbox (
  id integer primary key autoincrement,
  name text not null,
  protocol text not null check (protocol in ('imap', 'pop', 'hook')),
  host text not null,
  port integer not null,
  security text not null check (security in ('starttls', 'tls', 'none')),
  user text not null,
  password blob,
  folder text not null,
  token blob,
  digest blob unique,
  target text not null check (target in ('desk', 'project', 'page_space')),
  project integer references project (id),
  space integer references space (id),
  every_minutes integer not null,
  delete_after integer not null check (delete_after in (0, 1)),
  allow text not null,
  deny text not null,
  next_at integer,
  last_at integer,
  last_error text,
  created_at integer not null,
  created_by text not null
) strict;
create index mailbox_due on mailbox (next_at) where next_at is not null;
create index mailbox_project on mailbox (project) where project is not null;
create index mailbox_space on mailbox (space) where space is not null;
-- Mails that were seen there. `uid` is what the far end calls one, `message` the digest of its Message-ID. One that was
-- begun three times and never ended is left alone; `settled` is whether the far end was told that it is read.
create table mailbox_mail (
  id integer primary key autoincrement,
  mailbox integer not null references mailbox (id),
  uid text not null,
  message blob,
  sender blob,
  subject text,
  result text not null check (result in ('begun', 'created', 'commented', 'ignored', 'refused', 'failed')),
  why text,
  tries integer not null,
  settled integer not null check (settled in (0, 1)),
  at integer not null
) strict;
create unique index mailbox_mail_uid on mailbox_mail (mailbox, uid);
create index mailbox_mail_message on mailbox_mail (mailbox, message) where message is not null;
create index mailbox_mail_sender on mailbox_mail (sender, at) where sender is not null;
create index mailbox_mail_open on mailbox_mail (mailbox, id) where settled = 0;
create index mailbox_mail_at on mailbox_mail (at);
create index mailbox_mail_subject on mailbox_mail (subject) where subject is not null;
