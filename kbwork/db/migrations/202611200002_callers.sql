create table member (
  id text primary key,
  name text not null,
  handle text not null,
  email text,
  avatar text,
  role text not null check (role in ('owner', 'admin', 'member', 'guest')),
  state text not null check (state in ('invited', 'active', 'deactivated', 'erased')),
  title text,
  pronouns text,
  about text,
  zone text,
  locale text,
  status text,
  calendar integer,
  preferences text not null default '{}',
  guest_until integer,
  last_seen_at integer,
  created_at integer not null
) strict, without rowid;
create unique index member_handle on member (lower(handle));
create unique index member_email on member (lower(email)) where email is not null;
create index member_name on member (lower(name), id);
create index member_role on member (role) where state = 'active';
create index member_status_until on member (json_extract(status, '$.until')) where status is not null;
create index member_guest_until on member (guest_until) where guest_until is not null;

-- Their picture, apart from them: a list of members reads none. `member.avatar` is the digest of what is here.
create table avatar (
  member text primary key references member (id),
  type text not null,
  data blob not null
) strict, without rowid;

-- What proves that it is them. Apart from the member, so that no history or undo ever holds it.
create table credential (
  member text primary key references member (id),
  password text,
  totp blob,
  totp_pending blob,
  totp_step integer not null default 0,
  changed_at integer not null
) strict, without rowid;

create table recovery_code (
  member text not null references member (id),
  digest blob not null,
  used_at integer,
  primary key (member, digest)
) strict, without rowid;

create table session (
  id text primary key,
  digest blob not null unique,
  member text not null references member (id),
  kind text not null check (kind in ('browser', 'device', 'app')),
  client text not null,
  address text,
  elevated_until integer,
  created_at integer not null,
  last_seen_at integer not null,
  idle_until integer not null,
  expires_at integer not null
) strict, without rowid;
create index session_member on session (member);
create index session_expires on session (expires_at);
create index session_idle on session (idle_until);

create table key (
  id text primary key,
  digest blob not null unique,
  old_digest blob unique,
  old_until integer,
  name text not null,
  kind text not null check (kind in ('personal', 'agent')),
  agent text,
  owner text not null references member (id),
  last4 text not null,
  scopes text not null,
  projects text not null,
  networks text not null,
  created_at integer not null,
  expires_at integer,
  revoked_at integer,
  last_used_at integer,
  last_address text
) strict, without rowid;
create index key_owner on key (owner, created_at);
create index key_expires on key (expires_at) where expires_at is not null and revoked_at is null;

-- Calls of a key by month (YYYY-MM).
create table key_calls (
  key text not null,
  month text not null,
  calls integer not null,
  primary key (key, month)
) strict, without rowid;

create table agent (
  name text primary key,
  label text not null,
  owner text not null references member (id),
  created_at integer not null
) strict, without rowid;

create table team (
  id integer primary key autoincrement,
  name text not null,
  handle text not null,
  description text not null,
  icon text,
  parent integer references team (id),
  open integer not null,
  calendar integer,
  managed integer not null default 0,
  created_at integer not null
) strict;
create unique index team_name on team (lower(name));
create unique index team_handle on team (lower(handle));
create index team_parent on team (parent) where parent is not null;

create table team_member (
  team integer not null references team (id),
  member text not null references member (id),
  role text not null check (role in ('lead', 'member')),
  primary key (team, member)
) strict, without rowid;
create index team_member_member on team_member (member, team);

-- Who of a team is on call: levels as JSON, the moment at which the first turn began, and the zone of the hours.
create table rota (
  team integer primary key references team (id),
  levels text not null,
  zone text not null,
  escalate_minutes integer,
  since integer not null
) strict;

-- Somebody stands in on a level of a rota for a time; the later one wins.
create table rota_override (
  id integer primary key autoincrement,
  team integer not null references team (id),
  level integer not null,
  member text not null references member (id),
  from_at integer not null,
  to_at integer not null
) strict;
create index rota_override_team on rota_override (team, to_at);
create index rota_override_member on rota_override (member);

-- Failed sign-ins, counted by account and by address across restarts.
create table attempt (
  id integer primary key,
  account blob not null,
  address text,
  at integer not null
) strict;
create index attempt_account on attempt (account, at);
create index attempt_address on attempt (address, at);
create index attempt_at on attempt (at);

-- Browsers that an account has signed in from: they are never locked out.
create table known_device (
  member text not null references member (id),
  digest blob not null,
  at integer not null,
  primary key (member, digest)
) strict, without rowid;

-- Links, challenges and codes: hashed, single use, bound to one account and purpose.
create table challenge (
  digest blob primary key,
  purpose text not null,
  member text,
  data text not null,
  tries integer not null default 0,
  created_at integer not null,
  expires_at integer not null
) strict, without rowid;
create index challenge_expires on challenge (expires_at);

create table device_code (
  digest blob primary key,
  user_code text not null unique,
  client text not null,
  scopes text,
  state text not null check (state in ('pending', 'denied', 'approved', 'taken')),
  address text,
  polled_at integer,
  created_at integer not null,
  expires_at integer not null,
  approved_by text,
  key text,
  granted blob
) strict, without rowid;
create index device_code_expires on device_code (expires_at);

create table invite (
  id integer primary key autoincrement,
  digest blob unique,
  email text not null,
  role text not null,
  teams text not null,
  projects text not null,
  message text not null,
  state text not null check (state in ('pending', 'accepted', 'revoked', 'expired')),
  invited_by text not null,
  created_at integer not null,
  expires_at integer not null,
  accepted_by text
) strict;
create unique index invite_email on invite (lower(email)) where state = 'pending';
create index invite_by on invite (invited_by, id);
create index invite_expires on invite (expires_at) where state = 'pending';

-- The org's pictures: `app`, `app-dark`, `portal`, `portal-dark`.
create table logo (
  place text primary key,
  type text not null,
  digest text not null,
  data blob not null
) strict, without rowid;
