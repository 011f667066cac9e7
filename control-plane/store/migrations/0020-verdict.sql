-- How late everything was that was due by the plan, INVITEs apart: [bucket, count, bucket, count …].
alter table start_noise add column action_late integer[] not null default '{}';

-- Verdicts of before say what those of today say; they were made of causes, too.
update test_runs set validity = (validity::jsonb || jsonb_build_object(
  'sentence', (validity->>'verdict') || ': ' || coalesce(validity->'reasons'->0->>'message', 'the agents did everything in time.'),
  'explanations', '[]'::jsonb,
  'reasons', (select coalesce(jsonb_agg(r || '{"touches": ""}'), '[]') from jsonb_array_elements(validity::jsonb->'reasons') r),
  'checks', (
    select coalesce(jsonb_agg(c || jsonb_build_object('kind',
      case when c->>'check' in ('threadCpu', 'steal') then 'CAUSE' else 'EFFECT' end)), '[]')
    from jsonb_array_elements(validity::jsonb->'checks') c)))::json
where validity is not null;
