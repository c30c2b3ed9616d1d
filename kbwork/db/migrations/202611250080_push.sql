-- Browsers that are pushed to. `sealed` holds the endpoint and its keys; `digest` finds it. `failures` counts those
-- since a push was taken last.
create table push_device (
  id integer primary key autoincrement,
  member text not null references member (id),
  digest blob not null unique,
  sealed blob not null,
  device text not null,
  added_at integer not null,
  failures integer not null default 0
) strict;
create index push_device_member on push_device (member);
-- By which push services know this server (VAPID): made once.
create table push_server (
  name text primary key check (name = 'vapid'),
  public text not null,
  sealed blob not null,
  made_at integer not null
) strict, without rowid;
