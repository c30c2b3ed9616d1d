create table field (
  id integer primary key autoincrement,
  key text not null unique,
  name text not null,
  name_key text not null,
  kind text not null,
  home text not null check (home in ('issue', 'worklog', 'company', 'request')),
  description text not null,
  projects text not null,
  types text not null,
  preset text not null,
  formula text,
  min real,
  max real,
  pattern text,
  personal integer not null,
  deleted_at integer
) strict;

create table field_option (
  id integer primary key autoincrement,
  field integer not null references field (id),
  name text not null,
  name_key text not null,
  color text not null,
  archived integer not null,
  parent integer,
  position integer not null
) strict;
create index field_option_field on field_option (field, position);

create table field_layout (
  project integer not null references project (id),
  type integer not null references issue_type (id),
  on_create text not null,
  on_edit text not null,
  required text not null,
  rules text not null,
  primary key (project, type)
) strict, without rowid;

-- One row for each element; `value` keeps the form of its field's kind.
create table issue_value (
  issue integer not null references issue (id),
  field integer not null references field (id),
  position integer not null,
  value any not null,
  unit text,
  primary key (issue, field, position)
) strict, without rowid;
create index issue_value_field on issue_value (field, value, issue);

-- How many issues of a project have a value in a field, deleted ones left out; an issue counts once.
create table field_count (
  field integer not null,
  project integer not null,
  issues integer not null,
  primary key (field, project)
) strict, without rowid;
create trigger issue_value_counted after insert on issue_value
  when (select count(*) from issue_value where issue = new.issue and field = new.field) = 1 begin
  insert into field_count select new.field, project, deleted_at is null from issue where id = new.issue
    on conflict do update set issues = issues + excluded.issues;
end;
create trigger issue_value_uncounted after delete on issue_value
  when not exists (select 1 from issue_value where issue = old.issue and field = old.field) begin
  update field_count set issues = issues - (select deleted_at is null from issue where id = old.issue)
    where field = old.field and project = (select project from issue where id = old.issue);
end;
create trigger issue_values_recounted after update of project, deleted_at on issue begin
  update field_count set issues = issues - (old.deleted_at is null)
    where project = old.project and field in (select field from issue_value where issue = new.id);
  insert into field_count select distinct field, new.project, new.deleted_at is null from issue_value where issue = new.id
    on conflict do update set issues = issues + excluded.issues;
end;
