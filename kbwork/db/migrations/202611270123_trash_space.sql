-- The space of pages in which something was that lies in the trash.
alter table trash add column space integer;
