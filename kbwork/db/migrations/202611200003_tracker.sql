create table lane (
  id integer primary key autoincrement,
  key text not null unique,
  name text not null,
  category text not null check (category in ('todo', 'in_progress', 'done')),
  color text not null,
  outcome text check (outcome in ('completed', 'cancelled', 'duplicate')),
  wip integer,
  stops_sla integer not null,
  description text not null,
  position real not null
) strict;
create unique index lane_name on lane (lower(name));

create table workflow (
  id integer primary key autoincrement,
  name text not null,
  start integer not null references lane (id),
  lanes text not null,
  transitions text not null,
  builtin integer not null,
  draft text,
  updated_at integer not null
) strict;
create unique index workflow_name on workflow (lower(name));

create table issue_type (
  id integer primary key autoincrement,
  key text not null unique,
  name text not null,
  icon text not null,
  color text not null,
  level integer not null,
  workflow integer references workflow (id),
  template text,
  description text not null
) strict;
create unique index issue_type_name on issue_type (lower(name));

create table project (
  id integer primary key autoincrement,
  key text not null unique,
  name text not null,
  description text not null,
  kind text not null check (kind in ('software', 'business', 'desk', 'personal')),
  icon text,
  color text,
  lead text,
  visibility text not null check (visibility in ('org', 'members', 'private')),
  modules text not null,
  default_type integer not null references issue_type (id),
  default_assignee text not null,
  workflow integer not null references workflow (id),
  estimate_scale integer,
  calendar integer,
  budget text,
  start_date text,
  due_date text,
  labels text not null,
  triage integer not null,
  reporters_see text not null check (reporters_see in ('own', 'all')),
  blockers text not null check (blockers in ('warn', 'refuse')),
  auto_archive_days integer,
  auto_close_days integer,
  numbers integer not null default 0,
  archived_at integer,
  deleted_at integer,
  created_at integer not null,
  seq integer not null
) strict;
create index project_name on project (lower(name), id);

-- Every key a project ever had, the present one too: a key is never given out again.
create table project_key (
  key text primary key,
  project integer not null references project (id)
) strict, without rowid;
create index project_key_project on project_key (project);

create table project_type (
  project integer not null references project (id),
  type integer not null references issue_type (id),
  workflow integer references workflow (id),
  position integer not null,
  primary key (project, type)
) strict, without rowid;
create index project_type_type on project_type (type);

-- `who` is a member id or `team:<id>`.
create table project_member (
  project integer not null references project (id),
  who text not null,
  role text not null check (role in ('lead', 'member', 'reporter', 'viewer')),
  primary key (project, who)
) strict, without rowid;
create index project_member_who on project_member (who, project);

create table label (
  id integer primary key autoincrement,
  name text not null,
  name_key text not null,
  color text not null,
  project integer references project (id),
  family text,
  description text not null
) strict;
create unique index label_org on label (name_key) where project is null;
create unique index label_project on label (project, name_key) where project is not null;

create table issue (
  id integer primary key autoincrement,
  project integer not null references project (id),
  number integer not null,
  type integer not null references issue_type (id),
  title text not null,
  body text not null,
  body_doc text,
  lane integer not null references lane (id),
  category text not null,
  outcome text,
  priority text not null check (priority in ('urgent', 'high', 'medium', 'low', 'none')),
  reporter text not null,
  parent integer references issue (id),
  level_no integer not null,
  sprint integer,
  milestone integer,
  estimate real,
  start_date text,
  due_date text,
  rank text not null,
  level text,
  locked integer not null default 0,
  source text,
  external text,
  created_at integer not null,
  created_by text not null,
  updated_at integer not null,
  status_at integer not null,
  started_at integer,
  done_at integer,
  archived_at integer,
  deleted_at integer,
  seq integer not null,
  comments integer not null default 0,
  internal_comments integer not null default 0
) strict;
create unique index issue_number on issue (project, number);
create unique index issue_external on issue (project, external) where external is not null;
create index issue_rank on issue (project, rank, id) where archived_at is null and deleted_at is null;
create index issue_project_updated on issue (project, updated_at desc, id desc) where archived_at is null and deleted_at is null;
create index issue_updated on issue (updated_at desc, id desc) where archived_at is null and deleted_at is null;
create index issue_created on issue (created_at desc, id desc) where archived_at is null and deleted_at is null;
create index issue_lane on issue (project, lane, rank, id) where archived_at is null and deleted_at is null;
create index issue_due on issue (due_date, project) where category <> 'done' and archived_at is null and deleted_at is null;
create index issue_status_at on issue (category, status_at) where category <> 'done' and archived_at is null and deleted_at is null;
create index issue_parent on issue (parent) where parent is not null;
create index issue_sprint on issue (sprint) where sprint is not null;
create index issue_reporter on issue (reporter, id);
create index issue_type_uses on issue (type);
create index issue_lane_uses on issue (lane);
create index issue_level on issue (project, level) where level is not null;

-- An issue stands on the level of its type.
create trigger issue_type_level after update of level on issue_type begin
  update issue set level_no = new.level where type = new.id;
end;

-- A number a project once gave and that leads to an issue elsewhere now.
create table former_number (
  project integer not null references project (id),
  number integer not null,
  issue integer not null references issue (id),
  primary key (project, number)
) strict, without rowid;

-- Title and body as they were before each change.
create table issue_revision (
  issue integer not null references issue (id),
  revision integer not null,
  at integer not null,
  who text not null,
  via text,
  title text not null,
  body text not null,
  primary key (issue, revision)
) strict, without rowid;

create table issue_assignee (
  issue integer not null references issue (id),
  who text not null,
  position integer not null,
  primary key (issue, who)
) strict, without rowid;
create index issue_assignee_who on issue_assignee (who, issue);

create table issue_label (
  issue integer not null references issue (id),
  label integer not null references label (id),
  primary key (issue, label)
) strict, without rowid;
create index issue_label_label on issue_label (label, issue);

create table issue_watcher (
  issue integer not null references issue (id),
  who text not null,
  reason text not null,
  at integer not null,
  primary key (issue, who)
) strict, without rowid;
create index issue_watcher_who on issue_watcher (who, issue);

-- How many issues of a type stand in a project's lane: counts on screens come from here.
create table project_count (
  project integer not null,
  lane integer not null,
  type integer not null,
  issues integer not null,
  primary key (project, lane, type)
) strict, without rowid;
create trigger issue_counted after insert on issue when new.deleted_at is null begin
  insert into project_count values (new.project, new.lane, new.type, 1)
    on conflict do update set issues = issues + 1;
end;
create trigger issue_recounted after update of project, lane, type, deleted_at on issue begin
  update project_count set issues = issues - (old.deleted_at is null)
    where project = old.project and lane = old.lane and type = old.type;
  insert into project_count values (new.project, new.lane, new.type, new.deleted_at is null)
    on conflict do update set issues = issues + (new.deleted_at is null);
end;
create trigger issue_uncounted after delete on issue when old.deleted_at is null begin
  update project_count set issues = issues - 1
    where project = old.project and lane = old.lane and type = old.type;
end;

create table label_count (
  label integer not null,
  project integer not null,
  issues integer not null,
  primary key (label, project)
) strict, without rowid;
create trigger issue_label_counted after insert on issue_label begin
  insert into label_count select new.label, project, deleted_at is null from issue where id = new.issue
    on conflict do update set issues = issues + excluded.issues;
end;
create trigger issue_label_uncounted after delete on issue_label begin
  update label_count set issues = issues - (select deleted_at is null from issue where id = old.issue)
    where label = old.label and project = (select project from issue where id = old.issue);
end;
create trigger issue_labels_recounted after update of project, deleted_at on issue begin
  update label_count set issues = issues - (old.deleted_at is null)
    where project = old.project and label in (select label from issue_label where issue = new.id);
  insert into label_count select label, new.project, new.deleted_at is null from issue_label where issue = new.id
    on conflict do update set issues = issues + excluded.issues;
end;

create table comment (
  id integer primary key autoincrement,
  subject text not null,
  author text not null,
  body text not null,
  body_doc text,
  created_at integer not null,
  edited_at integer,
  internal integer not null,
  parent integer references comment (id),
  anchor text,
  resolved_at integer,
  resolved_by text,
  deleted_at integer,
  stub integer not null default 0,
  external text
) strict;
create index comment_subject on comment (subject, created_at, id);
create index comment_author on comment (author, id);
create index comment_parent on comment (parent) where parent is not null;
create unique index comment_external on comment (subject, external) where external is not null;

create table reaction (
  comment integer not null references comment (id),
  who text not null,
  emoji text not null,
  at integer not null,
  primary key (comment, emoji, who)
) strict, without rowid;

-- An issue's comments are counted on it, internal ones apart: guests are not told of them.
create trigger comment_counted after insert on comment
  when new.deleted_at is null and substr(new.subject, 1, 6) = 'issue:' begin
  update issue set comments = comments + (new.internal = 0), internal_comments = internal_comments + (new.internal = 1)
    where id = cast(substr(new.subject, 7) as integer);
end;
create trigger comment_recounted after update of deleted_at on comment
  when (new.deleted_at is null) <> (old.deleted_at is null) and substr(new.subject, 1, 6) = 'issue:' begin
  update issue set
    comments = comments + (new.internal = 0) * iif(new.deleted_at is null, 1, -1),
    internal_comments = internal_comments + (new.internal = 1) * iif(new.deleted_at is null, 1, -1)
    where id = cast(substr(new.subject, 7) as integer);
end;
