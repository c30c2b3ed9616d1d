-- A change that took several transactions is taken back as one: its records name it.
alter table undo add column part_of text;
create index undo_part_of on undo (part_of, seq) where part_of is not null;
