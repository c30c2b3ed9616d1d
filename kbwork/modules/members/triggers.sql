-- What is searched of people: their names, their handles, and what they say of themselves. Addresses are not: not
-- everybody may read them.
create trigger member_searched after insert on member when new.state in ('active', 'deactivated') begin
  insert into search_entry (kind, ref, title, body)
    values ('member', new.id, new.name, '@' || new.handle || coalesce(char(10) || new.title, '') || coalesce(char(10) || new.about, ''));
end;
create trigger member_searched_anew after update of name, handle, title, about, state on member
  when (new.name, new.handle, new.title, new.about, new.state) is not (old.name, old.handle, old.title, old.about, old.state) begin
  delete from search_entry where kind = 'member' and ref = +old.id and new.state not in ('active', 'deactivated');
  insert into search_entry (kind, ref, title, body)
    select 'member', new.id, new.name, '@' || new.handle || coalesce(char(10) || new.title, '') || coalesce(char(10) || new.about, '')
    where new.state in ('active', 'deactivated');
end;
create trigger member_unsearched after delete on member begin
  delete from search_entry where kind = 'member' and ref = +old.id;
end;
