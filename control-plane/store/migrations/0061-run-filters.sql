-- What lists of runs are narrowed by.
alter table test_runs add column verdict text generated always as (validity ->> 'verdict') stored;
create index test_runs_of_tests on test_runs (project_id, submitted_at desc, id desc) where probe_id is null;
create index test_runs_labels on test_runs using gin (labels);
