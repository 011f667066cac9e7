-- Probes that are due, what their executions found, what is to be told.

alter table probes
  -- Its next tick; null: to be computed (it is new, or its schedule was changed).
  add column next_tick_at timestamptz,
  -- What probe.status_changed told last: not every change is told.
  add column told_status text not null default 'UNKNOWN' check (told_status in ('HEALTHY', 'DEGRADED', 'UNHEALTHY', 'UNKNOWN')),
  -- DEGRADED and UNHEALTHY executions since the last HEALTHY one.
  add column strikes integer not null default 0,
  -- Final SIP statuses that are what is expected of the target; null: a call that is answered, a request that is accepted.
  add column expected_status_codes integer[],
  -- autoPauseAfterHours counts from here where an incident is older: the probe was enabled again, or given that limit; null: never.
  add column patience_at timestamptz;
create index probes_due on probes (coalesce(next_tick_at, '-infinity'::timestamptz)) where enabled;

alter table probe_instances
  -- Null: a user asked for it.
  add column tick_at timestamptz,
  -- The run that another worker repeated before it could count as a strike; test_run_id is the repetition.
  add column repeated_run_id uuid,
  -- When it was graded; null: it is under way.
  add column graded_at timestamptz,
  -- Milliseconds of each step, as it is answered: contract/probe.ts.
  add column steps json;
-- One execution a tick, however many replicas find it due.
create unique index probe_instances_by_tick on probe_instances (probe_id, tick_at);

-- Ticks without an execution, in one row as far as they follow each other.
create table probe_skips (
  probe_id uuid not null references probes on delete cascade,
  tick_at timestamptz not null,
  last_tick_at timestamptz not null check (last_tick_at >= tick_at),
  ticks integer not null check (ticks > 0),
  reason text not null,
  primary key (probe_id, tick_at)
);
create index probe_skips_by_age on probe_skips (last_tick_at);

-- started_at: when the execution that opened it was graded.
alter table probe_incidents
  add column escalated_at timestamptz;

alter table test_runs
  -- The worker whose result this run repeats.
  add column avoid_worker_id uuid;
create index test_runs_old_executions on test_runs (ended_at) where probe_id is not null;
create index test_runs_open_by_probe on test_runs (probe_id) where ended_at is null and probe_id is not null;

-- What happened that somebody may want to be told, written in the transaction in which it happened. project_id null: it concerns
-- the organization.
create table announcements (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid references projects on delete cascade,
  kind text not null,
  body jsonb not null,
  at timestamptz not null
);
create index announcements_by_age on announcements (at);
