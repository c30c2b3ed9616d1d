-- Uploads that come in pieces: so many bytes of one are on disk whatever happens; null: all.
alter table upload add column arrived integer;
create index upload_member on upload (member);
