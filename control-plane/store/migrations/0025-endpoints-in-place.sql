-- An endpoint's row is planned narrow and ends wide, and no index has what changes: with room on its page it is rewritten there, and no
-- index is told (HOT). Each row was checked against its run when it was planned, and again with each second change in a transaction: like
-- the other tables of a run it is forgotten with it.
alter table endpoints set (fillfactor = 40), drop constraint endpoints_run_id_fkey;
create function forget_endpoints() returns trigger language plpgsql as $$
begin
  delete from endpoints where run_id = old.id;
  return null;
end $$;
create trigger test_runs_endpoints_forgotten after delete on test_runs for each row execute function forget_endpoints();
