-- Probes, their executions, incidents and maintenance.

create table probes (
  id uuid primary key,
  project_id uuid not null references projects on delete cascade,
  slug text not null,
  name text not null,
  description text not null default '',
  mode text not null check (mode in ('CALL', 'REGISTER', 'OPTIONS')),
  status text not null default 'UNKNOWN' check (status in ('HEALTHY', 'DEGRADED', 'UNHEALTHY', 'UNKNOWN')),
  enabled boolean not null,
  schedule_type text not null check (schedule_type in ('FIXED_INTERVAL', 'CRON')),
  fixed_interval_sec integer,
  cron_expression text,
  time_of_day_start_utc text,
  time_of_day_end_utc text,
  timezone text not null,
  duration_seconds integer not null,
  alert_strike_runs integer not null,
  escalate_after_minutes integer not null,
  auto_pause_after_hours integer,
  parent_probe_id uuid references probes on delete set null,
  config jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  auto_paused_at timestamptz,
  auto_pause_reason text,
  last_skip_reason text,
  last_skip_at timestamptz,
  version integer not null default 1,
  -- The next tick; null: to be computed, because the probe is new or its schedule was changed.
  next_tick_at timestamptz,
  -- The status of the last probe.status_changed: not every change is announced.
  told_status text not null default 'UNKNOWN' check (told_status in ('HEALTHY', 'DEGRADED', 'UNHEALTHY', 'UNKNOWN')),
  -- DEGRADED and UNHEALTHY executions since the last HEALTHY one.
  strikes integer not null default 0,
  -- The final SIP statuses that are expected; null: an answered call, an accepted request.
  expected_status_codes integer[],
  -- autoPauseAfterHours counts from this time, if an incident is older: the probe was enabled again, or got this limit.
  patience_at timestamptz,
  -- The present series of bad executions began at this time; null: the last graded execution was good. Its message.
  failing_since timestamptz,
  last_message text,
  unique (project_id, slug)
);
create index probes_by_parent on probes (parent_probe_id);
create index probes_due on probes (coalesce(next_tick_at, '-infinity'::timestamptz)) where enabled;

create table probe_thresholds (
  id uuid primary key,
  probe_id uuid not null references probes on delete cascade,
  metric_key text not null,
  green_value double precision not null,
  orange_value double precision not null,
  enabled boolean not null,
  unique (probe_id, metric_key)
);

-- Graded executions of a probe in a day or an hour (UTC). They outlive the executions. UNKNOWN is not counted.
create table probe_verdicts (
  probe_id uuid not null references probes on delete cascade,
  grain text not null check (grain in ('DAY', 'HOUR')),
  at timestamptz not null,
  healthy integer not null default 0,
  degraded integer not null default 0,
  unhealthy integer not null default 0,
  primary key (probe_id, grain, at)
);
create index probe_verdicts_hours on probe_verdicts (at) where grain = 'HOUR';

-- An execution of a probe. Its status is the grade of its run, and UNKNOWN until it is graded.
create table probe_instances (
  id uuid primary key,
  probe_id uuid not null references probes on delete cascade,
  test_run_id uuid not null references test_runs on delete cascade,
  status text not null default 'UNKNOWN' check (status in ('HEALTHY', 'DEGRADED', 'UNHEALTHY', 'UNKNOWN')),
  scheduled_at timestamptz not null,
  threshold_results json not null default '[]',
  -- Null means that a user started the execution.
  tick_at timestamptz,
  -- Another worker repeated this run before it could count as a strike; test_run_id is the repetition.
  repeated_run_id uuid,
  -- Null means that the execution is in progress.
  graded_at timestamptz,
  -- Milliseconds of each step in the form of the contract (contract/probe.ts).
  steps json,
  -- The result in words, and whether it was in a maintenance window.
  message text,
  cause text,
  party text,
  worker_name text,
  in_maintenance boolean not null default false,
  -- This execution was the canary of that run.
  canary_of uuid
);
create index probe_instances_by_probe on probe_instances (probe_id, scheduled_at desc, id desc);
create index probe_instances_by_status on probe_instances (probe_id, status, scheduled_at desc, id desc);
create unique index probe_instances_by_run on probe_instances (test_run_id);
-- A tick has one execution, even if several replicas find it due.
create unique index probe_instances_by_tick on probe_instances (probe_id, tick_at);

create function count_probe_instances() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into probe_instance_totals as t select probe_id, status, count(*) from added group by 1, 2 order by 1, 2
    on conflict (probe_id, status) do update set instances = t.instances + excluded.instances;
  end if;
  if tg_op <> 'INSERT' then
    update probe_instance_totals t set instances = t.instances - g.n
    from (select probe_id, status, count(*) as n from gone group by 1, 2) g
    where t.probe_id = g.probe_id and t.status = g.status;
  end if;
  return null;
end $$;
create trigger probe_instances_counted after insert on probe_instances referencing new table as added
  for each statement execute function count_probe_instances();
create trigger probe_instances_recounted after update on probe_instances referencing new table as added old table as gone
  for each statement execute function count_probe_instances();
create trigger probe_instances_uncounted after delete on probe_instances referencing old table as gone
  for each statement execute function count_probe_instances();

create function add_probe_verdicts(probe uuid, scheduled timestamptz, status text, n integer) returns void language sql as $$
  insert into probe_verdicts as v (probe_id, grain, at, healthy, degraded, unhealthy)
  select probe, upper(g), date_trunc(g, scheduled, 'UTC'),
    case status when 'HEALTHY' then n else 0 end,
    case status when 'DEGRADED' then n else 0 end,
    case status when 'UNHEALTHY' then n else 0 end
  from unnest(array['day', 'hour']) g
  on conflict (probe_id, grain, at) do update set
    healthy = v.healthy + excluded.healthy, degraded = v.degraded + excluded.degraded, unhealthy = v.unhealthy + excluded.unhealthy
$$;

-- Neither an ordered load nor maintenance is downtime.
create function count_probe_verdicts() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.status <> 'UNKNOWN' and not old.in_maintenance and old.canary_of is null then
    perform add_probe_verdicts(old.probe_id, old.scheduled_at, old.status, -1);
  end if;
  if new.status <> 'UNKNOWN' and not new.in_maintenance and new.canary_of is null then
    perform add_probe_verdicts(new.probe_id, new.scheduled_at, new.status, 1);
  end if;
  return null;
end $$;
create trigger probe_verdicts_first after insert on probe_instances
  for each row when (new.status <> 'UNKNOWN') execute function count_probe_verdicts();
create trigger probe_verdicts_again after update on probe_instances
  for each row when (new.status <> old.status) execute function count_probe_verdicts();

-- An execution has the grade of its run. A repetition takes the grade away from the run before.
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

create table probe_instance_totals (
  probe_id uuid not null references probes on delete cascade,
  status text not null,
  instances bigint not null,
  primary key (probe_id, status)
);

-- Ticks without an execution. Consecutive ticks share a row.
create table probe_skips (
  probe_id uuid not null references probes on delete cascade,
  tick_at timestamptz not null,
  last_tick_at timestamptz not null check (last_tick_at >= tick_at),
  ticks integer not null check (ticks > 0),
  reason text not null,
  primary key (probe_id, tick_at)
);
create index probe_skips_by_age on probe_skips (last_tick_at);

create table probe_incidents (
  id uuid primary key,
  probe_id uuid not null references probes on delete cascade,
  severity text not null check (severity in ('DEGRADED', 'DOWN')),
  -- The grading of the execution that opened the incident.
  started_at timestamptz not null,
  ended_at timestamptz check (ended_at >= started_at),
  resolved boolean not null generated always as (ended_at is not null) stored,
  escalated_at timestamptz,
  opened_by_run_id uuid,
  -- The reason of the last bad execution; public_reason names nobody.
  reason text,
  public_reason text,
  acknowledged_at timestamptz,
  acknowledged_by uuid references users on delete set null,
  note text
);
-- A probe has one open incident at most.
create unique index probe_incidents_open on probe_incidents (probe_id) where ended_at is null;
create index probe_incidents_by_probe on probe_incidents (probe_id, resolved, started_at desc, id desc);
create index probe_incidents_by_severity on probe_incidents (probe_id, severity, resolved, started_at desc, id desc);

create function count_probe_incidents() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into probe_incident_totals as t
    select probe_id, severity, resolved, count(*) from added group by 1, 2, 3 order by 1, 2, 3
    on conflict (probe_id, severity, resolved) do update set incidents = t.incidents + excluded.incidents;
  end if;
  if tg_op <> 'INSERT' then
    update probe_incident_totals t set incidents = t.incidents - g.n
    from (select probe_id, severity, resolved, count(*) as n from gone group by 1, 2, 3) g
    where t.probe_id = g.probe_id and t.severity = g.severity and t.resolved = g.resolved;
  end if;
  return null;
end $$;
create trigger probe_incidents_counted after insert on probe_incidents referencing new table as added
  for each statement execute function count_probe_incidents();
create trigger probe_incidents_recounted after update on probe_incidents referencing new table as added old table as gone
  for each statement execute function count_probe_incidents();
create trigger probe_incidents_uncounted after delete on probe_incidents referencing old table as gone
  for each statement execute function count_probe_incidents();

create table probe_incident_totals (
  probe_id uuid not null references probes on delete cascade,
  severity text not null,
  resolved boolean not null,
  incidents bigint not null,
  primary key (probe_id, severity, resolved)
);

-- Between these instants the probes of the project, or one of them, are executed and graded without an alarm.
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
