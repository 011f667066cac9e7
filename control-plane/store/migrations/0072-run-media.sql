-- Recordings that a run plays, as they were when its calls were planned: [{ "mediaFileId", "name", "sha256" }].
alter table test_runs add column media jsonb not null default '[]'::jsonb;
