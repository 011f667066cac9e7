-- Organizations, who may see them, what they test with, and one run from end to end.
-- Tables that belong to a run carry run_id first in every key: they can be distributed by it unchanged (README, "Beyond one machine").

create table organizations (
  id uuid primary key,
  slug text not null unique,
  name text not null,
  plan text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table users (
  id uuid primary key,
  email text not null unique check (email = lower(email)),
  name text not null,
  password_hash text,
  suspended_at timestamptz,
  created_at timestamptz not null default now()
);

create table memberships (
  organization_id uuid not null references organizations on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('VIEWER', 'TESTER', 'EDITOR', 'ADMIN', 'OWNER')),
  all_projects boolean not null default true,
  primary key (organization_id, user_id)
);

create table api_keys (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  user_id uuid not null references users on delete cascade,
  name text not null,
  hash bytea not null unique,
  last_four text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  unique (organization_id, name)
);

create table projects (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  slug text not null,
  name text not null,
  description text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (organization_id, slug)
);

-- For memberships that do not reach all projects. role: null = the membership's.
create table project_members (
  project_id uuid not null references projects on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text check (role in ('VIEWER', 'TESTER', 'EDITOR', 'ADMIN', 'OWNER')),
  primary key (project_id, user_id)
);

create table registrars (
  id uuid primary key,
  project_id uuid not null references projects on delete cascade,
  slug text not null,
  name text not null,
  uri text not null,
  protocol text not null,
  dns boolean not null default false,
  outbound_proxy_uri text,
  is_cloud boolean not null default false,
  register boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (project_id, slug)
);

create table sip_accounts (
  id uuid primary key,
  registrar_id uuid not null references registrars on delete cascade,
  username text not null,
  password text not null,
  created_at timestamptz not null default now(),
  unique (registrar_id, username)
);

create table tests (
  id uuid primary key,
  project_id uuid not null references projects on delete cascade,
  slug text not null,
  name text not null,
  description text not null default '',
  endpoints integer not null,
  duration_seconds integer not null,
  buildup_seconds integer not null,
  config jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (project_id, slug)
);

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
  unique (project_id, slug)
);

create table probe_thresholds (
  id uuid primary key,
  probe_id uuid not null references probes on delete cascade,
  metric_key text not null,
  green_value double precision not null,
  orange_value double precision not null,
  enabled boolean not null,
  unique (probe_id, metric_key)
);

create table webhooks (
  id uuid primary key,
  project_id uuid not null references projects on delete cascade,
  url text not null,
  events text[] not null,
  secret text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (project_id, url)
);

-- organization_id null: PLATFORM, shared with every organization.
create table workers (
  id uuid primary key,
  organization_id uuid references organizations on delete cascade,
  name text not null,
  region text not null,
  capacity integer not null,
  public_key bytea unique,
  status text not null default 'OFFLINE' check (status in ('ONLINE', 'OFFLINE', 'ERROR', 'DRAINING')),
  -- The connection that the worker was last seen on, and when: a replica that dies cannot say goodbye for it.
  connection_id uuid,
  boot_id uuid,
  connected_at timestamptz,
  seen_at timestamptz,
  gone_at timestamptz,
  hello jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique nulls not distinct (organization_id, name)
);

create table join_tokens (
  id uuid primary key,
  worker_id uuid not null references workers on delete cascade,
  hash bytea not null unique,
  expires_at timestamptz,
  used_at timestamptz,
  created_at timestamptz not null default now()
);

-- How far each outbox of an agent has been committed: a batch moves it on by one, or is a repetition.
create table outboxes (
  worker_id uuid not null references workers on delete cascade,
  outbox_id uuid not null,
  last_batch bigint not null default 0,
  updated_at timestamptz not null default now(),
  primary key (worker_id, outbox_id)
);

-- Orders to agents, delivered by whichever replica holds the agent's socket, deleted once acknowledged (they carry passwords).
create table worker_commands (
  id bigint generated always as identity primary key,
  worker_id uuid not null references workers on delete cascade,
  run_id uuid not null,
  instance_id uuid,
  kind text not null,
  body jsonb not null,
  created_at timestamptz not null default now()
);
create index worker_commands_by_worker on worker_commands (worker_id, id);
create index worker_commands_by_run on worker_commands (run_id);

create table test_runs (
  id uuid primary key,
  project_id uuid not null references projects on delete cascade,
  organization_id uuid not null references organizations on delete cascade,
  test_id uuid not null,
  test_name text not null,
  status text not null,
  error jsonb,
  priority integer not null default 0,
  endpoints integer not null,
  duration_seconds integer not null,
  buildup_seconds integer not null,
  max_execution_seconds integer not null,
  config jsonb not null,
  probe_id uuid,
  started_by uuid,
  idempotency_key text,
  submitted_at timestamptz not null default now(),
  queued_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  deadline_at timestamptz,
  -- A run that is being brought to its end: with which event, why, and how long its agents may take.
  ending_event text,
  ending_error jsonb,
  ending_deadline_at timestamptz,
  -- Messages, events, noise and rollups are kept as long as samples are.
  details_deleted_at timestamptz,
  -- Figures as they are answered: json keeps the order of their names.
  summary json,
  call_timing json,
  sip_responses json,
  sip_requests json,
  validity json
);
create index test_runs_list on test_runs (project_id, submitted_at desc, id desc);
create index test_runs_by_test on test_runs (test_id, submitted_at desc, id desc);
create index test_runs_open on test_runs (status) where ended_at is null;
create index test_runs_with_details on test_runs (ended_at) where details_deleted_at is null;
create unique index test_runs_idempotency on test_runs (test_id, idempotency_key) where idempotency_key is not null;

-- Spec section 3, as in domain/run-machine.ts.
create table run_transitions (
  from_status text not null,
  to_status text not null,
  primary key (from_status, to_status)
);
insert into run_transitions values
  ('PENDING', 'QUEUED'), ('PENDING', 'CANNOT_RUN_FOR_NOW'), ('PENDING', 'CANCELLED'),
  ('QUEUED', 'RUNNING'), ('QUEUED', 'CANNOT_RUN_FOR_NOW'), ('QUEUED', 'CANCELLED'),
  ('RUNNING', 'COMPLETED'), ('RUNNING', 'FAILED'), ('RUNNING', 'CANCELLED');

create function refuse_backward_run() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.status <> 'PENDING' then
      raise exception 'a run begins PENDING, not %', new.status using errcode = 'check_violation';
    end if;
  elsif new.status is distinct from old.status
    and not exists (select from run_transitions where from_status = old.status and to_status = new.status) then
    raise exception 'a run cannot go from % to %', old.status, new.status using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger test_runs_forward before insert or update of status on test_runs
  for each row execute function refuse_backward_run();

create table run_history (
  run_id uuid not null references test_runs on delete cascade,
  seq bigint generated always as identity,
  from_status text,
  to_status text not null,
  event text not null,
  at timestamptz not null default now(),
  primary key (run_id, seq)
);

create table sub_population_instances (
  run_id uuid not null references test_runs on delete cascade,
  id uuid not null,
  sub_population_id uuid not null,
  group_id uuid not null,
  worker_id uuid not null references workers,
  role text not null check (role in ('CALLER', 'CALLEE')),
  endpoints integer not null,
  status text not null check (status in ('ALLOCATED', 'READY', 'RUNNING', 'DONE', 'REFUSED', 'LOST', 'RELEASED')),
  reason text,
  updated_at timestamptz not null default now(),
  primary key (run_id, id)
);
create unique index instances_by_id on sub_population_instances (id);
create index instances_by_worker on sub_population_instances (worker_id) where status in ('ALLOCATED', 'READY', 'RUNNING');

-- phase: index into the spec's order, it never falls. Times in milliseconds; null: not measured.
create table endpoints (
  run_id uuid not null references test_runs on delete cascade,
  number integer not null,
  id uuid not null,
  instance_id uuid not null,
  worker_id uuid not null,
  registrar_id uuid not null,
  endpoint_type text not null,
  callee_uri text not null,
  counts_as_call boolean not null,
  phase smallint not null default 0,
  outcome text,
  cause text,
  cause_text text,
  cause_status integer,
  attempted boolean not null default false,
  answered boolean not null default false,
  call_result text,
  final_status integer,
  final_reason text,
  rang boolean not null default false,
  call_id text,
  planned_at timestamptz,
  time_to_trying_ms real,
  time_to_ringing_ms real,
  pdd_ms real,
  call_setup_ms real,
  time_to_first_media_ms real,
  call_duration_ms real,
  register_rtt_ms real,
  invite_late_ms real,
  bye_rtt_ms real,
  ended_by text,
  primary key (run_id, number)
);
create unique index endpoints_by_id on endpoints (run_id, id);

create table run_events (
  run_id uuid not null,
  seq bigint generated always as identity,
  at timestamptz not null,
  endpoint_number integer,
  kind text not null,
  detail text not null,
  primary key (run_id, seq)
);

-- Whole-stream figures. Written once by the agent, or at the end from the samples of a lost one.
create table streams (
  run_id uuid not null,
  endpoint_number integer not null,
  stream smallint not null,
  codec text not null,
  remote text not null,
  local_port integer,
  ssrc_sent bigint,
  ssrc_received bigint,
  packets_sent bigint not null,
  octets_sent bigint not null,
  packets_received bigint not null,
  octets_received bigint not null,
  expected bigint not null,
  lost bigint not null,
  discarded bigint not null,
  duplicates bigint not null,
  reordered bigint not null,
  ssrc_changes integer not null,
  plc_events integer not null,
  plc_ms real not null,
  jitter_mean_ms real,
  jitter_max_ms real,
  rtt_mean_ms real,
  rtt_max_ms real,
  rtt_count integer not null,
  mos real,
  r_factor real,
  burst_ratio real,
  feedback boolean not null,
  remote_lost bigint,
  remote_jitter_ms real,
  nack_count integer not null,
  pli_count integer not null,
  fir_count integer not null,
  sends_skipped integer not null,
  primary key (run_id, endpoint_number, stream)
);

-- One interval of one stream; partitioned by day, retention drops partitions.
create table samples (
  run_id uuid not null,
  endpoint_number integer not null,
  stream smallint not null,
  at timestamptz not null,
  interval_ms real not null,
  packets_sent integer not null,
  packets_received integer not null,
  octets_received integer not null,
  expected integer not null,
  lost integer not null,
  discarded integer not null,
  duplicates integer not null,
  reordered integer not null,
  plc_events integer not null,
  jitter_ms real,
  jitter_max_ms real,
  rtt_ms real,
  mos real,
  r_factor real,
  remote_loss_fraction real,
  remote_jitter_ms real,
  primary key (run_id, endpoint_number, stream, at)
) partition by range (at);

-- Sums of a run's samples by second and instance, written by the statement that writes the samples.
create table rollups (
  run_id uuid not null,
  instance_id uuid not null,
  at timestamptz not null,
  streams integer not null,
  packets_sent bigint not null,
  packets_received bigint not null,
  expected bigint not null,
  lost bigint not null,
  discarded bigint not null,
  loss_count integer not null,
  loss_min real,
  loss_max real,
  mos_count integer not null,
  mos_sum double precision not null,
  mos_min real,
  mos_max real,
  r_sum double precision not null,
  r_min real,
  r_max real,
  jitter_count integer not null,
  jitter_sum double precision not null,
  jitter_min real,
  jitter_max real,
  rtt_count integer not null,
  rtt_sum double precision not null,
  rtt_min real,
  rtt_max real,
  remote_loss_count integer not null,
  remote_loss_sum double precision not null,
  remote_loss_min real,
  remote_loss_max real,
  remote_jitter_count integer not null,
  remote_jitter_sum double precision not null,
  remote_jitter_min real,
  remote_jitter_max real,
  primary key (run_id, instance_id, at)
);

-- status 0: a request. Retransmissions are apart.
create table sip_counts (
  run_id uuid not null,
  instance_id uuid not null,
  sent boolean not null,
  method text not null,
  status smallint not null,
  reason text not null,
  count bigint not null,
  retransmissions bigint not null,
  primary key (run_id, instance_id, sent, method, status, reason)
);

-- Where each message lies in its endpoint's chunks.
create table sip_messages (
  run_id uuid not null,
  endpoint_number integer not null,
  number integer not null,
  chunk integer not null,
  "offset" integer not null,
  length integer not null,
  at timestamptz not null,
  sent boolean not null,
  method text not null,
  status smallint not null,
  retransmission boolean not null,
  peer text not null,
  call_id text not null,
  primary key (run_id, endpoint_number, number)
);

-- Messages' text one after the other, zstd; chunk: number of its first message.
create table sip_chunks (
  run_id uuid not null,
  endpoint_number integer not null,
  chunk integer not null,
  text bytea not null,
  primary key (run_id, endpoint_number, chunk)
);

-- The agents' own noise, by interval and worker; histograms as [bucket, count, bucket, count …].
create table noise (
  run_id uuid not null,
  worker_id uuid not null,
  at timestamptz not null,
  seconds real not null,
  pacing_error integer[] not null,
  slots_planned integer not null,
  slots_skipped integer not null,
  loop_delay integer[] not null,
  thread_cpu real not null,
  steal real,
  receive_drops bigint not null,
  received bigint not null,
  clock_steps integer not null,
  stamps text not null,
  primary key (run_id, worker_id, at)
);

create table start_noise (
  run_id uuid not null,
  instance_id uuid not null,
  batch bigint not null,
  invite_late integer[] not null,
  planned integer not null,
  started integer not null,
  not_started integer not null,
  primary key (run_id, instance_id, batch)
);

-- Tables without a foreign key (each row would be checked) follow their run, and so a project's runs follow their project.
create function forget_run() returns trigger language plpgsql as $$
begin
  delete from worker_commands where run_id = old.id;
  delete from run_events where run_id = old.id;
  delete from streams where run_id = old.id;
  delete from samples where run_id = old.id;
  delete from rollups where run_id = old.id;
  delete from sip_counts where run_id = old.id;
  delete from sip_messages where run_id = old.id;
  delete from sip_chunks where run_id = old.id;
  delete from noise where run_id = old.id;
  delete from start_noise where run_id = old.id;
  return null;
end $$;
create trigger test_runs_forgotten after delete on test_runs for each row execute function forget_run();
