-- What is searched of a team: its name, its handle and what is said of it.
create trigger team_searched after insert on team begin
  insert into search_entry (kind, ref, title, body)
    values ('team', new.id, new.name, '@' || new.handle || char(10) || new.description);
end;
create trigger team_searched_anew after update of name, handle, description on team
  when (new.name, new.handle, new.description) <> (old.name, old.handle, old.description) begin
  insert into search_entry (kind, ref, title, body)
    values ('team', new.id, new.name, '@' || new.handle || char(10) || new.description);
end;
create trigger team_unsearched after delete on team begin
  delete from search_entry where kind = 'team' and ref = +old.id;
end;
