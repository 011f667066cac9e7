-- The outer face: budgets of keys.

-- A crash may forget a minute's count: it is not worth a write-ahead log.
create unlogged table rate_windows (
  key_id uuid not null,
  window_start timestamptz not null,
  requests integer not null,
  primary key (key_id, window_start)
);

alter table probes
  add column auto_paused_at timestamptz,
  add column auto_pause_reason text,
  add column last_skip_reason text,
  add column last_skip_at timestamptz;
create index probes_by_parent on probes (parent_probe_id);

-- One execution of a probe. status: what its run's figures were graded; UNKNOWN until then.
create table probe_instances (
  id uuid primary key,
  probe_id uuid not null references probes on delete cascade,
  test_run_id uuid not null references test_runs on delete cascade,
  status text not null default 'UNKNOWN' check (status in ('HEALTHY', 'DEGRADED', 'UNHEALTHY', 'UNKNOWN')),
  scheduled_at timestamptz not null,
  threshold_results json not null default '[]'
);
create index probe_instances_by_probe on probe_instances (probe_id, scheduled_at desc, id desc);
create index probe_instances_by_status on probe_instances (probe_id, status, scheduled_at desc, id desc);
create unique index probe_instances_by_run on probe_instances (test_run_id);

create table probe_incidents (
  id uuid primary key,
  probe_id uuid not null references probes on delete cascade,
  severity text not null check (severity in ('DEGRADED', 'DOWN')),
  started_at timestamptz not null,
  ended_at timestamptz check (ended_at >= started_at)
);
create index probe_incidents_by_probe on probe_incidents (probe_id, started_at desc);
-- A probe has one open incident at most.
create unique index probe_incidents_open on probe_incidents (probe_id) where ended_at is null;
