-- What an execution showed, in words; whether it fell into a maintenance window.
alter table probe_instances
  add column message text,
  add column cause text,
  add column party text,
  add column worker_name text,
  add column in_maintenance boolean not null default false;

-- When the present series of bad executions began; null: the last one that was graded was good. What the last one showed.
alter table probes
  add column failing_since timestamptz,
  add column last_message text;

alter table probe_incidents
  add column opened_by_run_id uuid,
  -- Of the last execution that struck; public_reason names nobody.
  add column reason text,
  add column public_reason text,
  add column acknowledged_at timestamptz,
  add column acknowledged_by uuid references users on delete set null,
  add column note text;

-- Between these instants probes of the project, or one of them, are executed and graded, and alarm nobody.
create table maintenance_windows (
  id uuid primary key,
  project_id uuid not null references projects on delete cascade,
  probe_id uuid references probes on delete cascade,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  note text not null default '',
  created_by uuid references users on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1
);
create index maintenance_windows_by_project on maintenance_windows (project_id, starts_at desc, id desc);
create index maintenance_windows_by_probe on maintenance_windows (probe_id) where probe_id is not null;

-- Maintenance is no downtime.
create or replace function count_probe_verdicts() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.status <> 'UNKNOWN' and not old.in_maintenance then
    perform add_probe_verdicts(old.probe_id, old.scheduled_at, old.status, -1);
  end if;
  if new.status <> 'UNKNOWN' and not new.in_maintenance then
    perform add_probe_verdicts(new.probe_id, new.scheduled_at, new.status, 1);
  end if;
  return null;
end $$;
