-- The issue that a proposal is about, if it is about one: whoever keeps that issue is told that something of it changed.
alter table ai_proposal add column issue integer;
update ai_proposal set issue = cast(substr(subject, 7) as integer) where subject glob 'issue:[1-9]*';
