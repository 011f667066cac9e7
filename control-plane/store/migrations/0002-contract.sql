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

-- Reading runs: where and when endpoints failed, what happened, what was said.

alter table endpoints
  -- Highest phase before it hung up or closed.
  add column reached smallint not null default 0,
  add column closed_at timestamptz;
update endpoints set reached =
  case when phase < 6 then phase when answered then 5 when rang then 3 when attempted then 2 else 0 end;
update endpoints e set closed_at = v.at from run_events v
  where v.run_id = e.run_id and v.endpoint_number = e.number and v.kind = 'PHASE' and v.detail = 'CLOSED';

alter table test_runs
  add column failure_clusters json,
  add column progress json;

-- In order of time, which is the order in which they are read.
alter table run_events drop constraint run_events_pkey, add primary key (run_id, at, seq);
create index run_events_by_endpoint on run_events (run_id, endpoint_number, at, seq);
create index sip_messages_by_time on sip_messages (run_id, at, endpoint_number, number);
-- A stranger's Call-ID may be longer than an index entry.
create index sip_messages_by_call on sip_messages (run_id, left(call_id, 255));

-- Rows of run_events and sip_messages, written by the statements that write those. instance_id: nil for the run's own.
create table run_counts (
  run_id uuid not null references test_runs on delete cascade,
  instance_id uuid not null,
  events bigint not null default 0,
  messages bigint not null default 0,
  primary key (run_id, instance_id)
);
insert into run_counts (run_id, instance_id, events, messages)
  select id, '00000000-0000-0000-0000-000000000000', (select count(*) from run_events where run_id = r.id),
    (select count(*) from sip_messages where run_id = r.id)
  from test_runs r;

-- What an organization has used of its plan in a calendar month (UTC): counted once, when a run ends.
create table usage_months (
  organization_id uuid not null references organizations on delete cascade,
  month text not null check (month ~ '^\d{4}-\d\d$'),
  endpoint_seconds bigint not null,
  runs integer not null,
  primary key (organization_id, month)
);
create index test_runs_open_by_organization on test_runs (organization_id) where ended_at is null;

-- How long the long lists are: to count them would be to read them. By statement, so that a cascade counts once.

create table test_run_totals (
  project_id uuid primary key references projects on delete cascade,
  runs bigint not null
);
create function count_test_runs() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into test_run_totals as t select project_id, count(*) from added group by 1 order by 1
    on conflict (project_id) do update set runs = t.runs + excluded.runs;
  else
    update test_run_totals t set runs = t.runs - g.n
    from (select project_id, count(*) as n from gone group by 1) g where t.project_id = g.project_id;
  end if;
  return null;
end $$;
create trigger test_runs_counted after insert on test_runs referencing new table as added
  for each statement execute function count_test_runs();
create trigger test_runs_uncounted after delete on test_runs referencing old table as gone
  for each statement execute function count_test_runs();
insert into test_run_totals select project_id, count(*) from test_runs group by 1;

create table probe_instance_totals (
  probe_id uuid not null references probes on delete cascade,
  status text not null,
  instances bigint not null,
  primary key (probe_id, status)
);
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

alter table probe_incidents add column resolved boolean not null generated always as (ended_at is not null) stored;
drop index probe_incidents_by_probe;
create index probe_incidents_by_probe on probe_incidents (probe_id, resolved, started_at desc, id desc);
create index probe_incidents_by_severity on probe_incidents (probe_id, severity, resolved, started_at desc, id desc);
create table probe_incident_totals (
  probe_id uuid not null references probes on delete cascade,
  severity text not null,
  resolved boolean not null,
  incidents bigint not null,
  primary key (probe_id, severity, resolved)
);
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

-- Writing configuration: which state a change was made from, uploads, requests that come twice.

alter table projects
  add column version integer not null default 1,
  -- Nobody sees it any more; its runs are deleted little by little, then it is.
  add column deleted_at timestamptz;
create index projects_deleted on projects (id) where deleted_at is not null;
alter table registrars add column version integer not null default 1;
alter table tests add column version integer not null default 1;
alter table probes add column version integer not null default 1;
alter table webhooks add column version integer not null default 1;

create table media_files (
  id uuid primary key,
  project_id uuid not null references projects on delete cascade,
  name text not null,
  sha256 bytea not null,
  size_bytes integer not null,
  duration_ms integer not null,
  sample_rate_hz integer not null,
  channels smallint not null,
  bits_per_sample smallint not null,
  content bytea not null,
  created_at timestamptz not null default now(),
  unique (project_id, name)
);
-- Samples do not compress: it would only take time.
alter table media_files alter column content set storage external;

-- What a POST with this Idempotency-Key was answered. request: SHA-256 of what it asked for.
create table idempotency_keys (
  key_id uuid not null references api_keys on delete cascade,
  key text not null,
  request bytea not null,
  answer json,
  created_at timestamptz not null default now(),
  primary key (key_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
