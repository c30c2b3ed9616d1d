create table component (
  id integer primary key autoincrement,
  project integer not null references project (id),
  name text not null,
  name_key text not null,
  description text not null,
  lead text,
  assign text not null check (assign in ('lead', 'project', 'nobody')),
  archived integer not null
) strict;
create unique index component_name on component (project, name_key);
create index component_lead on component (lead) where lead is not null;

create table issue_component (
  issue integer not null references issue (id),
  component integer not null references component (id),
  primary key (issue, component)
) strict, without rowid;
create index issue_component_component on issue_component (component, issue);

create table component_count (
  component integer not null,
  project integer not null,
  issues integer not null,
  primary key (component, project)
) strict, without rowid;
create trigger issue_component_counted after insert on issue_component begin
  insert into component_count select new.component, project, deleted_at is null from issue where id = new.issue
    on conflict do update set issues = issues + excluded.issues;
end;
create trigger issue_component_uncounted after delete on issue_component begin
  update component_count set issues = issues - (select deleted_at is null from issue where id = old.issue)
    where component = old.component and project = (select project from issue where id = old.issue);
end;
create trigger issue_components_recounted after update of project, deleted_at on issue begin
  update component_count set issues = issues - (old.deleted_at is null)
    where project = old.project and component in (select component from issue_component where issue = new.id);
  insert into component_count
    select component, new.project, new.deleted_at is null from issue_component where issue = new.id
    on conflict do update set issues = issues + excluded.issues;
end;
