-- The verdict says how much of a run was in the first minute of an agent's process.

-- 0: measured before this existed.
alter table noise add column cold_seconds real not null default 0;
