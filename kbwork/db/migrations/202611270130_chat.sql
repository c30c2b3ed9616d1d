-- Chat platforms: a connection is one workspace, server or team there. `secret` and `bot_token` are sealed. `requests`
-- counts what was posted here in its name, refused or not.
create table chat_connection (
  id integer primary key autoincrement,
  name text not null,
  provider text not null check (provider in ('slack', 'teams', 'discord')),
  project integer not null references project (id),
  secret blob not null,
  bot_token blob,
  requests integer not null,
  last_event_at integer,
  last_error text,
  created_at integer not null,
  created_by text not null
) strict;
create index chat_connection_project on chat_connection (project);
-- Who is who there.
create table chat_account (
  id integer primary key autoincrement,
  connection integer not null references chat_connection (id),
  chat_user text not null,
  name text not null,
  member text not null references member (id),
  linked_at integer not null
) strict;
create unique index chat_account_user on chat_account (connection, chat_user);
create index chat_account_member on chat_account (member);
-- A code that was handed out in a chat, to be entered by a member within ten minutes.
create table chat_code (
  digest blob primary key,
  connection integer not null references chat_connection (id),
  chat_user text not null,
  name text not null,
  expires_at integer not null
) strict, without rowid;
create index chat_code_ends on chat_code (expires_at);
create unique index chat_code_user on chat_code (connection, chat_user);
-- What came lately: the same is taken once.
create table chat_taken (
  connection integer not null references chat_connection (id),
  digest blob not null,
  at integer not null,
  primary key (connection, digest)
) strict, without rowid;
create index chat_taken_at on chat_taken (at);
-- Which events a channel hears of, as `author` may hear of them with `scopes`; `names` says what the names in `tql` meant.
-- `url`, where the channel takes posts, is sealed. `since` is the event behind which it hears.
create table chat_subscription (
  id integer primary key autoincrement,
  connection integer not null references chat_connection (id),
  name text not null,
  events text not null,
  tql text not null,
  names text not null,
  origin text not null,
  url blob not null,
  author text not null references member (id),
  scopes text not null,
  since integer not null,
  sent integer not null,
  last_sent_at integer,
  created_at integer not null,
  created_by text not null
) strict;
create index chat_subscription_connection on chat_subscription (connection);
create index chat_subscription_author on chat_subscription (author);
-- What is to be sent there: an event to the channel of a subscription, or with `call` and `body` an answer that comes
-- later than its question.
create table chat_post (
  id integer primary key autoincrement,
  connection integer not null references chat_connection (id),
  subscription integer references chat_subscription (id),
  seq integer,
  call text,
  body text,
  tries integer not null,
  next_at integer not null,
  at integer not null
) strict;
create unique index chat_post_event on chat_post (subscription, seq) where subscription is not null;
create index chat_post_answer on chat_post (connection, id) where subscription is null;
insert into counter (name, value) select 'chat', value from counter where name = 'seq';
