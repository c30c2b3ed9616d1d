-- What people starred. `issue` is the number in `subject`, where that is an issue: lists of issues show it.
create table star (
  id integer primary key autoincrement,
  member text not null references member (id),
  subject text not null,
  issue integer,
  folder text,
  label text,
  position integer not null,
  created_at integer not null
) strict;
create unique index star_of on star (member, subject);
create index star_subject on star (subject);
create index star_issue on star (issue, member) where issue is not null;
