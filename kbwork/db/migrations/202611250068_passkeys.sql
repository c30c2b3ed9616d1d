-- What a person's device or password manager signs with here. `credential` is the name that it goes by there, `count`
-- how often it says that it signed; `transports` is how a browser reaches it.
create table passkey (
  id text primary key,
  member text not null references member (id),
  credential blob not null unique,
  public_key blob not null,
  name text not null,
  transports text not null,
  count integer not null,
  created_at integer not null,
  last_used_at integer
) strict, without rowid;
create index passkey_member on passkey (member, created_at, id);
