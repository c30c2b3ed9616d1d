-- The field by which the rows of each group of a view are grouped in turn.
alter table view add column subgroup_by text;
