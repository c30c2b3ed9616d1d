-- The service desk of a project. What comes by mail comes to an address in which a token stands: `mail_token` is sealed,
-- so that it can be told again, and `mail_digest` finds the desk by it. `languages` is a JSON list.
create table desk (
  project integer primary key references project (id),
  name text not null,
  intro text not null,
  enabled integer not null check (enabled in (0, 1)),
  open_signup integer not null check (open_signup in (0, 1)),
  kb_space text,
  show_agents integer not null check (show_agents in (0, 1)),
  survey integer not null check (survey in (0, 1)),
  reopen_days integer,
  languages text not null,
  logo text,
  reply_to text,
  mail_token blob,
  mail_digest blob unique,
  created_at integer not null,
  updated_at integer not null
) strict;
-- People outside who ask for something; they are no members. `password` is null until one was set.
create table customer (
  id integer primary key autoincrement,
  name text not null,
  email text not null,
  email_key text not null unique,
  password text,
  locale text,
  notify integer not null check (notify in (0, 1)),
  blocked_at integer,
  created_at integer not null,
  last_seen_at integer
) strict;
create table customer_token (
  digest blob primary key,
  customer integer not null references customer (id),
  created_at integer not null,
  expires_at integer not null
) strict, without rowid;
create index customer_token_customer on customer_token (customer);
create index customer_token_ends on customer_token (expires_at);
-- A link that is mailed, and before that the wish for one, of which nobody is told whether it leads to a letter. `data` is
-- JSON: the name and the hash of the password of whoever signs up.
create table customer_link (
  digest blob primary key,
  purpose text not null check (purpose in ('asked signup', 'asked reset', 'signup', 'reset')),
  email text not null,
  customer integer references customer (id),
  data text not null,
  created_at integer not null,
  expires_at integer not null
) strict, without rowid;
create index customer_link_customer on customer_link (customer) where customer is not null;
create index customer_link_asked on customer_link (created_at) where purpose glob 'asked *';
create index customer_link_ends on customer_link (expires_at);
-- Who is who on a chat platform.
create table customer_chat (
  connection integer not null,
  chat_user text not null,
  customer integer not null references customer (id),
  primary key (connection, chat_user)
) strict, without rowid;
create index customer_chat_customer on customer_chat (customer);
-- What may be asked for at a desk. `fields` and `approvers` are JSON lists.
create table request_type (
  id integer primary key autoincrement,
  project integer not null references project (id),
  name text not null,
  name_key text not null,
  description text not null,
  icon text not null,
  family text not null,
  issue_type integer not null references issue_type (id),
  fields text not null,
  approvers text not null,
  template integer,
  position real not null,
  hidden integer not null check (hidden in (0, 1)),
  updated_at integer not null
) strict;
create unique index request_type_name on request_type (project, name_key);
create index request_type_issue_type on request_type (issue_type);
-- The issues that are requests: whose, of which type, and by which way they came.
create table customer_request (
  issue integer primary key references issue (id),
  customer integer not null references customer (id),
  type integer references request_type (id),
  channel text not null check (channel in ('portal', 'mail', 'chat', 'phone', 'walk_in')),
  created_at integer not null
) strict;
create index customer_request_customer on customer_request (customer);
create index customer_request_type on customer_request (type) where type is not null;
-- Whom a request is shown: whoever asked, and participants.
create table request_customer (
  issue integer not null references customer_request (issue),
  customer integer not null references customer (id),
  at integer not null,
  primary key (issue, customer)
) strict, without rowid;
create index request_customer_customer on request_customer (customer, issue);
-- What was said to the customers of a request, and by them: no other comment is ever shown to one.
create table request_comment (
  comment integer primary key references comment (id),
  issue integer not null
) strict;
create index request_comment_issue on request_comment (issue);
-- Mails that came in: the same is taken once, and whoever sends too many an hour is not heard.
create table desk_mail (
  id integer primary key autoincrement,
  project integer not null references project (id),
  sender blob not null,
  message blob,
  issue integer,
  result text not null check (result in ('created', 'commented', 'ignored')),
  at integer not null
) strict;
create index desk_mail_sender on desk_mail (sender, at);
create unique index desk_mail_message on desk_mail (project, message) where message is not null;
create index desk_mail_issue on desk_mail (issue) where issue is not null;
create index desk_mail_at on desk_mail (at);
-- Looks at articles of the portal, and whether they helped.
create table article_use (
  id integer primary key autoincrement,
  project integer not null references project (id),
  article text not null,
  title text not null,
  solved integer not null check (solved in (0, 1)),
  at integer not null
) strict;
create index article_use_project on article_use (project, at);
create index article_use_at on article_use (at);
-- Where a letter is answered to, where that is not its sender.
alter table mail add column reply_to text;
