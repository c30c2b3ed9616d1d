-- Addresses that change a flag when they are posted to: found by the digest of their token. `acting` is JSON.
create table flag_trigger (
  id integer primary key autoincrement,
  flag integer not null references flag (id),
  environment integer not null references flag_environment (id),
  action text not null check (action in ('on', 'off', 'variation')),
  variation integer,
  digest blob not null unique,
  acting text not null,
  created_by text not null,
  created_at integer not null,
  used_at integer,
  uses integer not null
) strict;
create index flag_trigger_flag on flag_trigger (flag, id);
create index flag_trigger_environment on flag_trigger (environment);
