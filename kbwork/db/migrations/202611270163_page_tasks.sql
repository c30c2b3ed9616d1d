-- The lines with a box to tick in the texts that readers see of pages: noted when a text is written, whoever writes it.
create table page_task (
  page integer not null references page (id),
  line integer not null,
  text text not null,
  assignee text,
  due_date text,
  done integer not null,
  primary key (page, line)
) strict, without rowid;
create index page_task_assignee on page_task (assignee, due_date) where assignee is not null;
create index page_task_due on page_task (due_date) where due_date is not null;
