-- What pages need of all calls of a large run that has ended. It is drawn once, when the run settles or at the first read.
-- Figures of an earlier revision than the run's are drawn again.
create table kept_figures (
  run_id uuid not null references test_runs on delete cascade,
  name text not null,
  -- `revised_at` of the run when these were drawn.
  revised_at timestamptz,
  figures json,
  -- The numbers of its calls or endpoints in an order.
  numbers integer[],
  primary key (run_id, name)
);
