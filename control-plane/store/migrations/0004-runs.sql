-- Runs, their shares, their endpoints and calls, what happened in them.

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
  submitted_at timestamptz not null default now(),
  queued_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  deadline_at timestamptz,
  -- The end of a run that is in progress: its event, its reason, and the deadline of its agents.
  ending_event text,
  ending_error jsonb,
  ending_deadline_at timestamptz,
  -- Messages, events, noise and rollups are kept as long as samples.
  details_deleted_at timestamptz,
  -- Figures are kept in the form of the contract. json keeps the order of names.
  summary json,
  call_timing json,
  sip_responses json,
  sip_requests json,
  validity json,
  failure_clusters json,
  progress json,
  -- The starts of calls, kept when the run ends.
  starts jsonb,
  -- This run repeats the result of another worker.
  avoid_worker_id uuid,
  -- Figures in the form of the contract, when the run has ended.
  findings json,
  call_quality json,
  thresholds json,
  -- Null means not judged.
  passed boolean,
  -- Changes that users made during the load: [{ fromSeconds, callsPerSecond }], seconds after the start.
  load_changes jsonb not null default '[]',
  -- A run with more planned calls than can be kept one by one is folded: calls are added to sums, and only some have rows.
  folded boolean not null default false,
  -- Agents keep the detail of these calls: { oneIn, seed, ofCluster }; null: of all calls.
  keeping jsonb,
  -- A share that was given up came back: `late_at` after the end of the run; `revised_at` when the figures were computed again.
  late_at timestamptz,
  revised_at timestamptz,
  -- Labels distinguish runs. Overrides replace values of the test; null: none.
  labels jsonb not null default '{}',
  overrides jsonb,
  -- Lists of runs filter by the verdict.
  verdict text generated always as (validity ->> 'verdict') stored,
  -- Other runs of the test are compared with the baseline.
  is_baseline boolean not null default false,
  -- The recordings of the run as they were when its calls were planned: [{ "mediaFileId", "name", "sha256" }].
  media jsonb not null default '[]'::jsonb,
  -- A canary is a probe that is executed before and during the load: its settings, and its executions with their results
  -- (domain/run/canary.ts); null: the run has none.
  canary jsonb,
  -- The run leaves this share of each worker's capacity free for probes. It is stored with the run, so that allocation does not
  -- depend on the purpose of the run.
  reserve_share double precision not null default 0.05
);
create index test_runs_list on test_runs (project_id, submitted_at desc, id desc);
create index test_runs_by_test on test_runs (test_id, submitted_at desc, id desc);
create index test_runs_open on test_runs (status) where ended_at is null;
create index test_runs_with_details on test_runs (ended_at) where details_deleted_at is null;
create index test_runs_open_by_organization on test_runs (organization_id) where ended_at is null;
create index test_runs_old_executions on test_runs (ended_at) where probe_id is not null;
create index test_runs_open_by_probe on test_runs (probe_id) where ended_at is null and probe_id is not null;
create index test_runs_of_tests on test_runs (project_id, submitted_at desc, id desc) where probe_id is null;
create index test_runs_labels on test_runs using gin (labels);
create unique index test_runs_baseline on test_runs (project_id, test_id) where is_baseline;

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

-- These tables have no foreign key, because each row would be checked. Their rows are deleted with their run.
create function forget_run() returns trigger language plpgsql as $$
begin
  delete from worker_commands where run_id = old.id;
  delete from endpoints where run_id = old.id;
  delete from findings where run_id = old.id;
  delete from run_events where run_id = old.id;
  delete from streams where run_id = old.id;
  delete from samples where run_id = old.id;
  delete from rollups where run_id = old.id;
  delete from sip_counts where run_id = old.id;
  delete from sip_messages where run_id = old.id;
  delete from sip_chunks where run_id = old.id;
  delete from noise where run_id = old.id;
  delete from start_noise where run_id = old.id;
  delete from rtp_headers where run_id = old.id;
  delete from mos_counts where run_id = old.id;
  return null;
end $$;
create trigger test_runs_forgotten after delete on test_runs for each row execute function forget_run();

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

create function announce_run_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('carillon_change', old.id::text);
  return null;
end $$;
create trigger test_runs_change after update on test_runs
  for each row when (old.ended_at is not null) execute function announce_run_change();
create trigger test_runs_gone after delete on test_runs
  for each row execute function announce_run_change();

-- Section 3 of the specification, as in domain/run/run-machine.ts.
create table run_transitions (
  from_status text not null,
  to_status text not null,
  primary key (from_status, to_status)
);
insert into run_transitions values
  ('PENDING', 'QUEUED'), ('PENDING', 'CANNOT_RUN_FOR_NOW'), ('PENDING', 'CANCELLED'),
  ('QUEUED', 'RUNNING'), ('QUEUED', 'CANNOT_RUN_FOR_NOW'), ('QUEUED', 'CANCELLED'),
  ('RUNNING', 'COMPLETED'), ('RUNNING', 'FAILED'), ('RUNNING', 'CANCELLED');

create table run_history (
  run_id uuid not null references test_runs on delete cascade,
  seq bigint generated always as identity,
  from_status text,
  to_status text not null,
  event text not null,
  at timestamptz not null default now(),
  primary key (run_id, seq)
);

-- Lengths of long lists: a count would read them whole. Triggers count by statement, so that a cascade counts once.
create table test_run_totals (
  project_id uuid primary key references projects on delete cascade,
  runs bigint not null
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
  -- The largest number of endpoints of this instance that are active at the same time: it occupies them on its worker.
  -- Null means all of them.
  at_once integer check (at_once >= 0),
  primary key (run_id, id)
);
create unique index instances_by_id on sub_population_instances (id);
create index instances_by_worker on sub_population_instances (worker_id) where status in ('ALLOCATED', 'READY', 'RUNNING');

-- The phase is an index into the order of the specification, and never falls. Null means not measured.
create table endpoints (
  run_id uuid not null,
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
  -- The highest phase before the endpoint hung up or closed.
  reached smallint not null default 0,
  closed_at timestamptz,
  -- Milliseconds from the planned instant to the first media packet, if it came before the answer.
  time_to_early_media_ms real,
  -- The time of the DNS lookup, and the number of requests that went to the next server (RFC 3263).
  dns_ms real,
  failovers integer not null default 0,
  -- The connection that the first request opened; null: it opened none, or the agent did not measure it.
  connect_ms real,
  tls_ms real,
  tls text,
  -- Counts of the registration; null: the endpoint had none, or the agent did not count.
  refreshes integer,
  refresh_failures integer,
  refresh_lapses integer,
  refresh_recoveries integer,
  -- Milliseconds to the final response to OPTIONS, in a probe of mode OPTIONS. Its status is final_status.
  options_rtt_ms real,
  -- The number of the endpoint that called this callee, by its INVITE; null: the INVITE did not say.
  peer_number integer,
  -- Times of the phases; null: not reached.
  called_at timestamptz,
  answered_at timestamptz,
  left_at timestamptz,
  -- The cause of a Reason header (RFC 3326).
  q850 smallint,
  -- The texts of Reason and Warning, and Retry-After.
  reason_text text,
  warning text,
  retry_after_seconds integer,
  -- The time in which audio was due; null: none was expected, or the agent did not measure it.
  awaited_ms real,
  -- The time in which audio was due and none came.
  absent_ms real,
  -- One party was not heard for a part of the call.
  unheard boolean not null default false,
  -- The call ended early, and not by us.
  dropped boolean not null default false,
  -- The time of ringing (proto/figures/call-figures.ts).
  ring_duration_ms real,
  -- False: the call has figures, but no messages, events, samples and details of streams.
  kept boolean not null default true,
  -- User parts that identify the endpoint as caller or callee: its number, its user name. Null: nothing is compared.
  names text[],
  -- The From of the INVITE that a callee received.
  caller_uri text,
  -- The grounds on which peer_number was deduced when the run settled; null: the INVITE said it.
  pair_grounds text[],
  -- The time in which the far end sent nothing.
  paused_ms real,
  -- The far end did not report whether our audio arrived: the call is neither heard nor unheard.
  unreported boolean not null default false,
  primary key (run_id, number)
);
-- The row of an endpoint begins narrow and ends wide, and no index has a column that changes. With room on its page it is rewritten there
-- without a change of the indexes (HOT).
alter table endpoints set (fillfactor = 40);
create index endpoints_peer on endpoints (run_id, peer_number) where peer_number is not null;
create unique index endpoints_by_id on endpoints (id, run_id);

-- Facts of a call (proto/findings.ts), written when it ends, in the order of their weight.
create table findings (
  run_id uuid not null,
  endpoint_number integer not null,
  place smallint not null,
  kind text not null,
  -- The stream of the endpoint; null: the finding is about the whole call.
  stream smallint,
  at timestamptz,
  lasted_ms real,
  count bigint not null default 0,
  "of" bigint not null default 0,
  detail text not null default '',
  -- The group tolerates this finding.
  tolerated boolean not null default false,
  -- SIGNALLED or DEDUCED for findings that need both ends of a call; null: one end is enough.
  pairing text,
  primary key (run_id, endpoint_number, place)
);
create index findings_by_kind on findings (run_id, kind, endpoint_number);

-- Results of a group's calls by Unix second over all workers: the circuit breaker judges by them.
create table call_tallies (
  run_id uuid not null references test_runs on delete cascade,
  group_id uuid not null,
  second bigint not null,
  calls integer not null,
  failures integer not null,
  blocked integer not null,
  primary key (run_id, group_id, second)
);

-- Sums of folded runs (domain/sums). Each instance has a row of its own, so that writers do not wait for each other.
create table call_sums (
  run_id uuid not null references test_runs on delete cascade,
  instance_id uuid not null,
  calls json,
  failures json,
  streams json,
  -- Calls that were given up with their worker are summed apart: if the worker comes back, its figures replace them.
  lost boolean not null default false,
  primary key (run_id, instance_id, lost)
);

-- The calls of each second. Set-up times are in buckets (domain/sums/spread.ts); each batch may add the same bucket again.
create table call_seconds (
  run_id uuid not null references test_runs on delete cascade,
  instance_id uuid not null,
  at timestamptz not null,
  started integer not null,
  answered integer not null,
  "left" integer not null,
  ended integer not null,
  failed integer not null,
  class_0 integer not null,
  class_2 integer not null,
  class_3 integer not null,
  class_4 integer not null,
  class_5 integer not null,
  class_6 integer not null,
  setup_buckets integer[] not null,
  setup_counts integer[] not null,
  lost boolean not null default false,
  primary key (run_id, instance_id, at, lost)
);

-- A row for each group with a circuit breaker. The replica that counts locks it. The breaker is open since `opened_at`.
create table breakers (
  run_id uuid not null references test_runs on delete cascade,
  group_id uuid not null,
  opened_at timestamptz,
  primary key (run_id, group_id)
);

create table run_events (
  run_id uuid not null,
  seq bigint generated always as identity,
  at timestamptz not null,
  endpoint_number integer,
  kind text not null,
  detail text not null,
  -- Events are read in the order of time.
  primary key (run_id, at, seq)
);
create index run_events_by_endpoint on run_events (run_id, endpoint_number, at, seq);

-- Numbers of rows in run_events and sip_messages, written by the same statements. The nil instance stands for the run itself.
create table run_counts (
  run_id uuid not null references test_runs on delete cascade,
  instance_id uuid not null,
  events bigint not null default 0,
  messages bigint not null default 0,
  -- Calls whose detail is kept, in runs that keep the detail of some calls.
  kept bigint not null default 0,
  primary key (run_id, instance_id)
);
