-- Names of lanes, types and workflows are unique without case in any script: `name_key` holds the folded name.
alter table lane add column name_key text not null default '';
update lane set name_key = folded(name);
drop index lane_name;
create unique index lane_name on lane (name_key);

alter table issue_type add column name_key text not null default '';
update issue_type set name_key = folded(name);
drop index issue_type_name;
create unique index issue_type_name on issue_type (name_key);

alter table issue_type drop column template;
alter table issue_type add column template integer;

-- A draft is no graph in force: it stands beside the workflow that it is to become, or alone until it is put in force.
alter table workflow drop column draft;
alter table workflow add column draft integer not null default 0;
alter table workflow add column draft_of integer references workflow (id);
alter table workflow add column name_key text not null default '';
update workflow set name_key = folded(name);
drop index workflow_name;
create unique index workflow_name on workflow (name_key) where draft_of is null;
create unique index workflow_draft on workflow (draft_of) where draft_of is not null;

-- Which types and projects name a workflow.
create index issue_type_workflow on issue_type (workflow) where workflow is not null;
create index project_workflow on project (workflow);
create index project_type_workflow on project_type (workflow) where workflow is not null;
