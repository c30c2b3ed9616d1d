-- The view that a project opens with. It refers to nothing: one that is gone, or that not everybody sees who sees the
-- project, is not shown, and the number of a view never comes again.
alter table project add column default_view integer;
