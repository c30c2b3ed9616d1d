-- Projects, people, teams, labels, views, boards and flags are searched from now on: those that are there already are
-- indexed by a job.
insert into job (kind, state, args, progress, message, by, created_at, run_at, tries)
  select 'search.reindex', 'queued', json_object('kinds',
    json_array('project', 'member', 'team', 'label', 'view', 'board', 'flag'), 'at', 0), 0.0, 'Indexing', 'system',
    0, 0, 0 where exists (select 1 from member);
