-- Unsent texts. Each time that one is saved it is a new row, so that its number says which text somebody saw. `data` is
-- JSON: what a form holds beside the text.
create table draft (
  seq integer primary key autoincrement,
  owner text not null references member (id),
  subject text not null,
  body text not null,
  data text not null,
  shared integer not null check (shared in (0, 1)),
  updated_at integer not null
) strict;
create unique index draft_of on draft (owner, subject);
create index draft_subject on draft (subject);
