-- A run may have a canary: a probe that is executed before its load and while it is on. The settings, and each execution with its
-- result (domain/run/canary.ts); null: it has none.
alter table test_runs add column canary jsonb;
-- The run whose canary an execution of a probe was.
alter table probe_instances add column canary_of uuid;

-- A load that somebody ordered is no downtime, as maintenance is none.
create or replace function count_probe_verdicts() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.status <> 'UNKNOWN' and not old.in_maintenance and old.canary_of is null then
    perform add_probe_verdicts(old.probe_id, old.scheduled_at, old.status, -1);
  end if;
  if new.status <> 'UNKNOWN' and not new.in_maintenance and new.canary_of is null then
    perform add_probe_verdicts(new.probe_id, new.scheduled_at, new.status, 1);
  end if;
  return null;
end $$;
