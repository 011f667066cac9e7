-- The run of a test that others are compared with.
alter table test_runs add column is_baseline boolean not null default false;
create unique index test_runs_baseline on test_runs (project_id, test_id) where is_baseline;
