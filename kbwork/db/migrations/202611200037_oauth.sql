-- Programs that registered themselves to be connected. `secret` is sealed; null for one that has none.
create table oauth_client (
  id text primary key,
  name text not null,
  redirect_uris text not null,
  method text not null check (method in ('none', 'client_secret_post', 'client_secret_basic')),
  secret blob,
  created_at integer not null,
  used_at integer
) strict, without rowid;
create index oauth_client_created on oauth_client (created_at, id) where used_at is null;
create index oauth_client_used on oauth_client (used_at) where used_at is not null;

-- What a member gave to a client: an agent of theirs with these scopes, in these modules (JSON; null is all).
create table oauth_grant (
  id integer primary key autoincrement,
  member text not null references member (id),
  client text not null,
  client_name text not null,
  agent text not null,
  scopes text not null,
  modules text,
  created_at integer not null,
  last_used_at integer,
  last_address text,
  revoked_at integer
) strict;
create index oauth_grant_member on oauth_grant (member, id);
create index oauth_grant_client on oauth_grant (client);
create index oauth_grant_ended on oauth_grant (revoked_at) where revoked_at is not null;

-- Consents that wait for their client: bound to it, its redirect URI and its PKCE challenge, used once.
create table oauth_code (
  digest blob primary key,
  client text not null,
  member text not null references member (id),
  redirect_uri text not null,
  challenge text not null,
  scopes text not null,
  modules text,
  expires_at integer not null,
  taken_by integer
) strict, without rowid;
create index oauth_code_expires on oauth_code (expires_at);
create index oauth_code_client on oauth_code (client);
create index oauth_code_member on oauth_code (member);

-- Tokens of grants, as SHA-256. A refresh token that was used stays for a while, to be known when it comes again.
create table oauth_token (
  digest blob primary key,
  grant_id integer not null references oauth_grant (id),
  kind text not null check (kind in ('access', 'refresh')),
  scopes text not null,
  made_at integer not null,
  expires_at integer not null,
  used_at integer
) strict, without rowid;
create index oauth_token_grant on oauth_token (grant_id);
create index oauth_token_idle on oauth_token (made_at) where kind = 'refresh' and used_at is null;
create index oauth_token_expires on oauth_token (expires_at);
