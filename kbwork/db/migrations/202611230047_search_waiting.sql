-- Texts that go into the index of words at the end of their transaction, all together.
create table search_waiting (
  id integer primary key,
  title text not null,
  body text not null
) strict;
