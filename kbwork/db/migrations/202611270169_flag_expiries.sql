-- When the next target of a flag in an environment ends by itself, in Unix milliseconds: found in its configuration.
create table flag_expiry (
  flag integer not null references flag (id),
  environment integer not null references flag_environment (id),
  at integer not null,
  primary key (flag, environment)
) strict, without rowid;
create index flag_expiry_due on flag_expiry (at);
create index flag_expiry_environment on flag_expiry (environment);
