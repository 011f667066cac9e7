-- Replicas keep what they have read of access and of ended runs, and listen for what changes it (store/memory.ts).
-- The payload is the id of an ended run, or empty: anything may have changed.
create function announce_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('carillon_change', '');
  return null;
end $$;

create trigger api_keys_change after update of hash, user_id, organization_id, expires_at, revoked_at or delete on api_keys
  for each statement execute function announce_change();
create trigger sessions_change after update of hash, user_id, organization_id, expires_at or delete on sessions
  for each statement execute function announce_change();
create trigger users_change after update of suspended_at or delete on users
  for each statement execute function announce_change();
create trigger memberships_change after insert or update or delete on memberships
  for each statement execute function announce_change();
create trigger project_members_change after insert or update or delete on project_members
  for each statement execute function announce_change();
-- Names stand in answers, too.
create trigger organizations_change after update of name, plan or delete on organizations
  for each statement execute function announce_change();
create trigger projects_change after update of organization_id, name, deleted_at or delete on projects
  for each statement execute function announce_change();
create trigger workers_change after update of name, organization_id or delete on workers
  for each statement execute function announce_change();
create trigger registrars_change after update or delete on registrars
  for each statement execute function announce_change();

create function announce_run_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('carillon_change', old.id::text);
  return null;
end $$;
create trigger test_runs_change after update on test_runs
  for each row when (old.ended_at is not null) execute function announce_run_change();
create trigger test_runs_gone after delete on test_runs
  for each row execute function announce_run_change();

-- An execution says how its run was graded; a repetition takes that word from the run before.
create function announce_grade() returns trigger language plpgsql as $$
begin
  perform pg_notify('carillon_change', old.test_run_id::text);
  if tg_op = 'UPDATE' and new.test_run_id <> old.test_run_id then
    perform pg_notify('carillon_change', new.test_run_id::text);
  end if;
  return null;
end $$;
create trigger probe_instances_change after update of status, test_run_id or delete on probe_instances
  for each row execute function announce_grade();
