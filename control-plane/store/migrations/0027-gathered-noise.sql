-- The noise of agents in a folded run is gathered as the run goes on, so that its curves and its verdict read no more rows in its last
-- hour than in its first.

-- What gathered the interval; null: nothing yet. The last ones of a worker stay, since its load is a mean of 10 s.
alter table noise add column gathering uuid;

-- For the curves: the worst interval of any worker, in steps that become longer with the run. In percent, and milliseconds.
create table noise_steps (
  run_id uuid not null references test_runs on delete cascade,
  at timestamptz not null,
  loop_delay double precision,
  pacing_error double precision,
  skipped double precision,
  cpu double precision,
  steal double precision,
  drops double precision,
  primary key (run_id, at)
);

-- For the verdict: all intervals of a worker.
create table noise_sums (
  run_id uuid not null references test_runs on delete cascade,
  worker_id uuid not null,
  noise json not null,
  primary key (run_id, worker_id)
);
