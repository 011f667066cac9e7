-- A drained worker stays drained while its agent is away: whoever works on its host restarts it.

-- Since when an operator wants no new runs on it; null: it takes them.
alter table workers add column drained_at timestamptz;
update workers set drained_at = now() where status = 'DRAINING';
