create trigger undo_about_gone after delete on undo begin
  delete from undo_about where record = old.seq;
end;
