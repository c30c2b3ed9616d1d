create table asset_type (
  id integer primary key autoincrement,
  key text not null,
  name text not null,
  name_key text not null,
  description text not null,
  icon text not null,
  position real not null,
  fields text not null,
  numbers integer not null
) strict;
create unique index asset_type_key on asset_type (key);
create unique index asset_type_name on asset_type (name_key);

create table asset (
  id integer primary key autoincrement,
  key text not null,
  type integer not null references asset_type (id),
  name text not null,
  owner text,
  status text not null check (status in ('active', 'maintenance', 'retired')),
  created_at integer not null,
  updated_at integer not null,
  created_by text not null
) strict;
create unique index asset_key on asset (key);
create index asset_type_name_of on asset (type, name, id);
create index asset_owner on asset (owner) where owner is not null;

-- One row for each field that has a value; `target` is the asset that a reference names.
create table asset_value (
  asset integer not null references asset (id),
  field text not null,
  value any not null,
  target integer references asset (id),
  primary key (asset, field)
) strict, without rowid;
create index asset_value_same on asset_value (field, value);
create index asset_value_target on asset_value (target) where target is not null;

create table asset_issue (
  asset integer not null references asset (id),
  issue integer not null references issue (id),
  role text not null,
  created_at integer not null,
  created_by text not null,
  primary key (asset, issue)
) strict, without rowid;
create index asset_issue_issue on asset_issue (issue, asset);
