-- Writes that a client sent, so that the same again is not done again. `digest` stands for who sent it, by which client
-- and under which name, `call` for what it was; `subject` and `seq` say what it was about and its last event.
create table pushed_write (
  digest blob primary key,
  call blob not null,
  at integer not null,
  subject text,
  seq integer
) strict, without rowid;
create index pushed_write_at on pushed_write (at);
