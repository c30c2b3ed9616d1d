-- The last day, in UTC, on which somebody opened a page: visits are forgotten sooner than a page counts as stale.
create table page_opened (
  page integer not null references page (id),
  day integer not null,
  primary key (page)
) strict, without rowid;
insert into page_opened (page, day) select page, max(day) from page_visit group by page;
