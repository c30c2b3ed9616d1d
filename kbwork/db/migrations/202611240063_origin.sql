-- What the program said of itself whose call told of it.
alter table events add column origin text;
