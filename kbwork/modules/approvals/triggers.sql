-- Nobody is waited for any more once a request is decided.
create trigger approval_decided after update of state on approval when old.state = 'pending' and new.state <> 'pending' begin
  update approval_approver set waits = 0 where approval = new.id and waits;
end;
