-- Signalling: what connections took, what became of refreshes, and what became of calls at all workers of a group.

-- The connection that an endpoint's first request opened; null: it opened none, or its agent has not measured it.
alter table endpoints
  add column connect_ms real,
  add column tls_ms real,
  add column tls text;

-- Of its registration. Null: it had none, or its agent has not counted.
alter table endpoints
  add column refreshes integer,
  add column refresh_failures integer,
  add column refresh_lapses integer,
  add column refresh_recoveries integer;

-- What became of a group's calls, by Unix second, over all its workers: what the circuit breaker judges by.
create table call_tallies (
  run_id uuid not null references test_runs on delete cascade,
  group_id uuid not null,
  second bigint not null,
  calls integer not null,
  failures integer not null,
  blocked integer not null,
  primary key (run_id, group_id, second)
);

-- One row for each group whose calls are counted: whoever counts holds it. `opened_at`: the breaker has opened for good.
create table breakers (
  run_id uuid not null references test_runs on delete cascade,
  group_id uuid not null,
  opened_at timestamptz,
  primary key (run_id, group_id)
);
