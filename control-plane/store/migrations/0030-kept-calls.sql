-- Of which calls of a run agents keep detail: { oneIn, seed, ofCluster }; null: of all.
alter table test_runs add column keeping jsonb;
-- False: of this call there are figures, and no messages, events, samples and details of streams.
alter table endpoints add column kept boolean not null default true;
-- Calls whose detail is kept, of runs that do not keep it of all.
alter table run_counts add column kept bigint not null default 0;
