-- What things were called before, so that texts that name them so go on finding them. Triggers beside each kind keep it.
create table former_name (
  kind text not null,
  id integer not null,
  name text not null,
  primary key (kind, id, name)
) strict, without rowid;
