-- Days and ends that queries look for among all issues, done ones too.
create index issue_due_any on issue (due_date) where due_date is not null and deleted_at is null;
create index issue_done on issue (done_at) where done_at is not null and deleted_at is null;
