-- Pages whose owner was told that the check of them is over, with the time that was told of.
create table page_lapse (
  page integer not null references page (id),
  until integer not null,
  primary key (page)
) strict, without rowid;
create index page_verified on page (verified_until) where verified_until is not null;
