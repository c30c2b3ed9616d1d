-- What clients that keep things of their own have to hear of. `thing_change` has the last commit that touched a thing,
-- one row each: `seq` is the number of its last event, or the next one where it told nothing. Of a `ref` of 0 there is
-- one: what was changed up to then is not known.
create table thing_change (
  kind text not null,
  ref integer not null,
  seq integer not null,
  primary key (kind, ref)
) strict, without rowid;
create index thing_change_seq on thing_change (kind, seq);

-- What an issue was that decided who saw it, before that became something else; or who saw it, since it was theirs.
create table issue_lost (
  id integer primary key,
  seq integer not null,
  issue integer not null,
  project integer,
  level text,
  reporter text,
  who text
) strict;
create index issue_lost_seq on issue_lost (seq);

insert into thing_change select 'issue', 0, value from counter where name = 'seq';
