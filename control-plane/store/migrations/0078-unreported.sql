-- Calls of which the far end did not report whether our audio arrived there: neither heard nor unheard. Earlier calls count
-- as they did.
alter table endpoints add column unreported boolean not null default false;
update test_runs set call_quality = (call_quality::jsonb || '{"unreported": 0}'::jsonb)::json
  where call_quality is not null and call_quality ->> 'unreported' is null;
