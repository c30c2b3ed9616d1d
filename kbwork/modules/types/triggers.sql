-- Texts that name it as it was called before go on finding it.
create trigger issue_type_renamed after update of name on issue_type when new.name <> old.name and old.name <> '' begin
  insert or ignore into former_name (kind, id, name) values ('issue_type', old.id, old.name);
end;
create trigger issue_type_forgotten after delete on issue_type begin
  delete from former_name where kind = 'issue_type' and id = old.id;
end;
