-- Most issues are due on no day: they have no place in this one.
drop index issue_due;
create index issue_due on issue (due_date, project)
  where due_date is not null and category <> 'done' and archived_at is null and deleted_at is null;
