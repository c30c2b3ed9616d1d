-- The mail server as an admin named it; that of the operator's settings goes before it. `password` is sealed.
create table mail_sender (
  id integer primary key check (id = 1),
  host text not null,
  port integer not null,
  security text not null check (security in ('starttls', 'tls', 'none')),
  user text not null,
  password blob,
  sender text not null,
  name text not null,
  signature text not null,
  updated_at integer not null
) strict;
-- Addresses that mail came back from for good, in small letters: nothing is sent there.
create table mail_suppressed (
  address text primary key,
  reason text not null,
  at integer not null
) strict, without rowid;
-- Texts of an admin's in the place of built-in ones.
create table mail_template (
  key text not null,
  locale text not null,
  subject text not null,
  body text not null,
  primary key (key, locale)
) strict, without rowid;
-- Where the server that mail goes by is named, and what it is called.
alter table mailer add column source text not null default 'none' check (source in ('settings', 'saved', 'none'));
alter table mailer add column place text not null default '';
create index mail_message on mail (message_id);
create index mail_address on mail (address) where state in ('queued', 'held');
