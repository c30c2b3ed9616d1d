-- Ranks that grew long, and those of issues that are out of the order for now.
create index issue_rank_long on issue (project, id) where length(rank) > 24;
create index issue_rank_aside on issue (project, rank, id) where archived_at is not null or deleted_at is not null;

-- What ranks were before their neighbourhood was spread out, for a day: undo finds the place of an old rank by it.
-- `shift` is one number for each time, `seq` the last event before that.
create table issue_rank_shift (
  id integer primary key autoincrement,
  shift integer not null,
  project integer not null,
  seq integer not null,
  at integer not null,
  issue integer not null,
  was text not null,
  rank text not null
) strict;
create index issue_rank_shift_project on issue_rank_shift (project, id);
