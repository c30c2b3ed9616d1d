-- Saved queries. `columns` is JSON. One on a project is for whoever sees the project, else it is its owner's, and
-- everybody's where it is shared.
create table view (
  id integer primary key autoincrement,
  name text not null,
  name_key text not null,
  tql text not null,
  layout text not null check (layout in ('list', 'board', 'table', 'calendar', 'timeline')),
  columns text not null,
  group_by text,
  sort text,
  project integer references project (id),
  owner text not null references member (id),
  shared integer not null check (shared in (0, 1)),
  icon text,
  external text,
  created_at integer not null,
  deleted_at integer
) strict;
create index view_owner on view (owner, id);
create index view_project on view (project, id) where project is not null;
create index view_shared on view (id) where shared = 1 and project is null and deleted_at is null;
create unique index view_external on view (owner, external) where external is not null and deleted_at is null;

-- Who gets a view by mail. `minute` of the receiver's day and `days` of the week (JSON) are of those by the clock.
-- `digest` and `told` (JSON: subject to title) are the result that they were told last.
create table view_subscription (
  view integer not null references view (id),
  member text not null references member (id),
  every text not null check (every in ('change', 'daily', 'weekly')),
  minute integer,
  days text not null,
  next_at integer not null,
  digest text,
  told text,
  told_at integer,
  primary key (view, member)
) strict, without rowid;
create index view_subscription_due on view_subscription (next_at);
create index view_subscription_member on view_subscription (member);

-- Outgoing mail. The texts go when it was sent; `next_at` is when it is tried next, and `held` is what was written while
-- the server sent none.
create table mail (
  id integer primary key autoincrement,
  member text references member (id),
  address text not null,
  subject text not null,
  text text not null,
  html text,
  message_id text not null,
  about text,
  unsubscribe text,
  state text not null check (state in ('queued', 'sent', 'failed', 'held')),
  tries integer not null,
  error text,
  at integer not null,
  next_at integer not null
) strict;
create index mail_due on mail (next_at, id) where state = 'queued';
create index mail_ended on mail (at) where state <> 'queued';
create index mail_member on mail (member) where member is not null;

-- What the running server told of itself: whether it sends mail, under which domain, and where its pages are.
create table mailer (
  name text primary key check (name = 'mail'),
  sends integer not null check (sends in (0, 1)),
  domain text not null,
  origin text not null
) strict, without rowid;
