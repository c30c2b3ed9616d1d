-- Sprints. `plan` is [issue, estimate] of all that was in it when it started, `result` [issue, done, estimate] of all
-- that was in it when it was completed; `carried` is where the rest went then. What is deleted goes when undo is over.
create table sprint (
  id integer primary key autoincrement,
  name text not null,
  name_key text not null,
  team integer,
  state text not null check (state in ('planned', 'active', 'done')),
  goal text not null,
  start_date text,
  end_date text,
  started_at integer,
  completed_at integer,
  capacity text not null,
  plan text,
  result text,
  carried integer,
  retro text,
  cadence integer,
  created_by text not null,
  created_at integer not null,
  deleted_at integer
) strict;
create unique index sprint_active on sprint (team) where state = 'active' and team is not null and deleted_at is null;
create index sprint_team on sprint (team) where team is not null;
create index sprint_cadence_made on sprint (cadence) where cadence is not null;
create index sprint_deleted on sprint (deleted_at) where deleted_at is not null;

create table sprint_project (
  sprint integer not null references sprint (id),
  project integer not null references project (id),
  primary key (sprint, project)
) strict, without rowid;
create index sprint_project_on on sprint_project (project);

-- Former sprints of issues: done ones that they left behind, and those that stay for the record.
create table sprint_past (
  issue integer not null references issue (id),
  sprint integer not null references sprint (id),
  primary key (issue, sprint)
) strict, without rowid;
create index sprint_past_of on sprint_past (sprint);

-- Who makes sprints by themselves: of a team or of a project, each once.
create table sprint_cadence (
  id integer primary key autoincrement,
  team integer,
  project integer references project (id),
  weeks integer not null,
  starts_on integer not null,
  ahead integer not null,
  auto_start integer not null,
  auto_complete integer not null,
  carry text not null check (carry in ('next', 'backlog')),
  made_by text not null,
  check ((team is null) <> (project is null))
) strict;
create unique index sprint_cadence_team on sprint_cadence (team) where team is not null;
create unique index sprint_cadence_project on sprint_cadence (project) where project is not null;
