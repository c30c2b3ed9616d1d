create table check_item (
  id integer primary key autoincrement,
  issue integer not null references issue (id),
  position integer not null,
  text text not null,
  assignee text,
  due_date text,
  done_at integer,
  done_by text,
  promoted integer,
  created_at integer not null,
  created_by text not null
) strict;
create index check_item_issue on check_item (issue, position, id);
create index check_item_assignee on check_item (assignee) where assignee is not null;

alter table issue add column checks integer not null default 0;
alter table issue add column checks_done integer not null default 0;
create trigger check_item_added after insert on check_item begin
  update issue set checks = checks + 1, checks_done = checks_done + (new.done_at is not null) where id = new.issue;
end;
create trigger check_item_gone after delete on check_item begin
  update issue set checks = checks - 1, checks_done = checks_done - (old.done_at is not null) where id = old.issue;
end;
create trigger check_item_changed after update of issue, done_at on check_item
  when new.issue <> old.issue or (new.done_at is null) <> (old.done_at is null) begin
  update issue set checks = checks - 1, checks_done = checks_done - (old.done_at is not null) where id = old.issue;
  update issue set checks = checks + 1, checks_done = checks_done + (new.done_at is not null) where id = new.issue;
end;

create table checklist_template (
  id integer primary key autoincrement,
  name text not null,
  name_key text not null,
  type integer not null references issue_type (id),
  items text not null,
  auto integer not null,
  updated_at integer not null
) strict;
create unique index checklist_template_name on checklist_template (name_key);
create index checklist_template_type on checklist_template (type);
