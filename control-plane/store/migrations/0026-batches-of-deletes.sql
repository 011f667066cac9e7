-- Calls that are not kept are deleted in two statements for all of a batch: where their rows are, found by their keys, and the rows by
-- their places. A statement for each of them costs twice to four times as much. The settings leave the planner no other way: where it
-- knows little of a run, it would read all of its rows. They end with the function.
create or replace function drop_open_calls(run uuid, instance uuid, numbers integer[]) returns setof endpoints
  language plpgsql set enable_indexscan = on set enable_bitmapscan = off set enable_seqscan = off set jit = off as $$
declare
  places tid[] := array(
    select found.place from unnest(numbers) as call (number) cross join lateral (
      select e.ctid as place from endpoints e where e.run_id = run and e.number = call.number limit 1) found);
begin
  set local enable_indexscan = off;
  return query delete from endpoints e
    where e.run_id = run and e.ctid = any (places) and e.instance_id = instance and e.outcome is null returning e.*;
end $$;

-- No call has as many streams.
create or replace function drop_streams(run uuid, numbers integer[]) returns void
  language plpgsql set enable_indexscan = on set enable_bitmapscan = off set enable_seqscan = off set jit = off as $$
declare
  places tid[] := array(
    select found.place from unnest(numbers) as call (number) cross join lateral (
      select s.ctid as place from streams s where s.run_id = run and s.endpoint_number = call.number limit 100) found);
begin
  set local enable_indexscan = off;
  delete from streams s where s.run_id = run and s.ctid = any (places);
end $$;
