create table project_status (
  id integer primary key autoincrement,
  project integer not null references project (id),
  health text not null check (health in ('on_track', 'at_risk', 'off_track', 'paused')),
  body text not null,
  author text not null,
  at integer not null,
  facts text not null
) strict;
create index project_status_project on project_status (project, at desc, id desc);

create table project_template (
  id integer primary key autoincrement,
  name text not null,
  name_key text not null unique,
  description text not null,
  content text not null,
  built_in integer not null,
  updated_at integer not null
) strict;

insert into project_template (name, name_key, description, content, built_in, updated_at) values
  ('Kanban', 'kanban', 'Work that flows: tasks and bugs, no sprints',
   '{"types": ["task", "bug", "subtask"], "modules": {"boards": true}, "blockers": "warn"}', 1, 0),
  ('Product team', 'product team', 'Epics and stories in sprints, with labels for kinds of work',
   '{"types": ["story", "epic", "task", "bug", "subtask"], "modules": {"boards": true, "sprints": true},'
   || ' "labels": [{"name": "tech debt"}, {"name": "needs design"}, {"name": "customer"}]}', 1, 0),
  ('Bug tracking', 'bug tracking', 'Reports that are triaged, with a template for what a report says',
   '{"types": ["bug", "task", "subtask"], "triage": true, "reporters_see": "all",'
   || ' "labels": [{"name": "regression"}, {"name": "cannot reproduce"}],'
   || ' "templates": [{"name": "Bug report", "type": "bug", "input": {"body":'
   || ' "## What happened\n\n{{body}}\n\n## What should have happened\n\n## How to see it again\n"}}]}', 1, 0);
