-- What ended a call, in the far end's words; for how long its audio was to come, and did not; what callers got.
alter table endpoints
  -- Cause of a Reason header (RFC 3326), and what that header and Warning say.
  add column q850 smallint,
  add column reason_text text,
  add column warning text,
  add column retry_after_seconds integer,
  -- Null: no audio was asked for, or the agent did not measure it.
  add column awaited_ms real,
  add column absent_ms real,
  -- Somebody was not heard for a part of the call; the call ended before its time, and not by us.
  add column unheard boolean not null default false,
  add column dropped boolean not null default false;

alter table streams
  add column awaited_ms real,
  add column absent_ms real,
  -- Longest time without a packet while packets were asked for.
  add column longest_gap_ms real;

-- Facts of a call, written when it ends (proto/findings.ts): in the order of their weight.
create table findings (
  run_id uuid not null,
  endpoint_number integer not null,
  place smallint not null,
  kind text not null,
  -- Of the endpoint; null: of the whole call.
  stream smallint,
  at timestamptz,
  lasted_ms real,
  count bigint not null default 0,
  "of" bigint not null default 0,
  detail text not null default '',
  -- The group does not fail by it.
  tolerated boolean not null default false,
  primary key (run_id, endpoint_number, place)
);
create index findings_by_kind on findings (run_id, kind, endpoint_number);

-- As they are answered, once the run has ended.
alter table test_runs
  add column findings json,
  add column call_quality json,
  add column thresholds json,
  -- Null: not judged.
  add column passed boolean;
