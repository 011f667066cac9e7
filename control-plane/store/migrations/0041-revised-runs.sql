-- A share that was given up comes back with what it measured: late_at, if its run has ended by then; revised_at, when the figures were drawn again.
alter table test_runs add column late_at timestamptz, add column revised_at timestamptz;
