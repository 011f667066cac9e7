-- A run over time: when calls were started, answered and left; how ratings were spread; how noisy agents were.

-- By their phases, as they come in. Null: not reached, or reported before these were kept.
alter table endpoints
  add column called_at timestamptz,
  add column answered_at timestamptz,
  add column left_at timestamptz;

-- Of one interval: percentiles of the histograms beside them.
alter table noise
  add column loop_delay_p99_ms real,
  add column pacing_error_p99_ms real;

-- Intervals of streams that were rated, by second and twentieth of a MOS point: percentiles of many seconds come from their sums.
create table mos_counts (
  run_id uuid not null,
  instance_id uuid not null,
  at timestamptz not null,
  scale text not null,
  bucket smallint not null,
  count integer not null,
  primary key (run_id, instance_id, at, scale, bucket)
);
create function forget_mos_counts() returns trigger language plpgsql as $$
begin
  delete from mos_counts where run_id = old.id;
  return null;
end $$;
create trigger mos_counts_forgotten after delete on test_runs for each row execute function forget_mos_counts();
