-- With what contexts are spread over the slices of a flag, the same in each environment that it comes to.
alter table flag add column salt text not null default '';

update flag set salt = coalesce(
  (select config ->> '$.salt' from flag_config where flag = flag.id order by environment limit 1),
  lower(hex(randomblob(8)))
);
