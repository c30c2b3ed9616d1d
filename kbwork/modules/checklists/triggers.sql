-- An issue's items are counted on it, those that are done apart.
create trigger check_item_added after insert on check_item begin
  update issue set checks = checks + 1, checks_done = checks_done + (new.done_at is not null) where id = new.issue;
end;
create trigger check_item_changed after update of issue, done_at on check_item
  when new.issue <> old.issue or (new.done_at is null) <> (old.done_at is null) begin
  update issue set checks = checks - 1, checks_done = checks_done - (old.done_at is not null) where id = old.issue;
  update issue set checks = checks + 1, checks_done = checks_done + (new.done_at is not null) where id = new.issue;
end;
create trigger check_item_gone after delete on check_item begin
  update issue set checks = checks - 1, checks_done = checks_done - (old.done_at is not null) where id = old.issue;
end;
