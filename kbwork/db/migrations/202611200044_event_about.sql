-- What an event is of beside its subject is said by its kind, where it is told.
drop trigger event_about_part;
drop trigger event_about_field;
