-- An incident keeps when its series of bad executions began, so that messages name one begin and one opening.

-- Null: the incident was opened before this was kept.
alter table probe_incidents add column first_failed_at timestamptz;
