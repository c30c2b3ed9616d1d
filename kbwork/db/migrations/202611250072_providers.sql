-- Where people sign in elsewhere, and whom a provider knows by which name: a `subject` is one person for one issuer.
-- `factor` of a session: the provider that it began at says that a second factor was shown there, and is believed.
create table provider (
  id text primary key,
  kind text not null,
  label text not null,
  enabled integer not null,
  create_members integer not null,
  settings text not null,
  secret blob,
  created_at integer not null
) strict;

create table provider_link (
  provider text not null references provider (id),
  issuer text not null,
  subject text not null,
  member text not null references member (id),
  created_at integer not null,
  last_used_at integer,
  primary key (provider, issuer, subject)
) strict, without rowid;
create index provider_link_member on provider_link (member);

alter table session add column factor integer not null default 0;
