-- Rights that were given on one thing. `who` is a member, `team:<id>` or `role:<key>`.
create table access_grant (
  id integer primary key autoincrement,
  subject text not null,
  who text not null,
  level text not null check (level in ('view', 'comment', 'edit', 'manage')),
  expires_at integer,
  granted_by text not null,
  granted_at integer not null,
  unique (subject, who)
) strict;
create index access_grant_who on access_grant (who);
create index access_grant_expires on access_grant (expires_at) where expires_at is not null;
