-- How much the flag service is used, month by month: remote evaluations by request, and events that libraries uploaded.
create table flag_usage (
  month text primary key,
  evaluations integer not null,
  events integer not null
) strict, without rowid;
