-- Late issues of a project are counted without a look at them, but for those with a level: all that is asked is here.
create index issue_late on issue (project, due_date, level, category, archived_at, deleted_at)
  where due_date is not null and category <> 'done' and archived_at is null and deleted_at is null;
