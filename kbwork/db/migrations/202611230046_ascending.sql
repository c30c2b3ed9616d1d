-- What is new is put at the end of these, where a page fills up before the next is begun. They are read backwards.
drop index issue_created;
drop index issue_updated;
drop index issue_project_updated;
create index issue_created on issue (created_at, id) where archived_at is null and deleted_at is null;
create index issue_updated on issue (updated_at, id) where archived_at is null and deleted_at is null;
create index issue_project_updated on issue (project, updated_at, id) where archived_at is null and deleted_at is null;
