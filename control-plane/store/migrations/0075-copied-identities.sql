-- Two agents with one key: a process that another one has replaced, and that comes back while the other is there.
-- former_boots: the processes that were replaced, the latest last; a restarted agent never comes back as an earlier one.
-- copied_at: when that was last seen; null: never.
alter table workers add column former_boots uuid[] not null default '{}';
alter table workers add column copied_at timestamptz;
