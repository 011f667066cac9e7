-- Tables that a load fills are analyzed every minute, and the cost grows with the columns: of 60 columns of endpoints
-- only these are compared in a condition. Without statistics the planner uses its defaults for the others.
do $$
declare
  of record;
begin
  for of in
    select a.attrelid::regclass as "table", a.attname as name
    from (values
      ('endpoints', '{run_id,number,id,instance_id,worker_id,endpoint_type,counts_as_call,phase,reached,outcome,cause,peer_number,planned_at,kept}'::text[]),
      ('sip_messages', '{run_id,endpoint_number,number,at,method,status}'),
      ('sip_chunks', '{run_id,endpoint_number,chunk}'),
      ('run_events', '{run_id,seq,at,endpoint_number,kind}'),
      ('streams', '{run_id,endpoint_number,stream}'),
      ('findings', '{run_id,endpoint_number,place,kind}')) as used ("table", columns)
    join pg_attribute a on a.attrelid = used."table"::regclass
    where a.attnum > 0 and not a.attisdropped and a.attname <> all (used.columns)
  loop
    execute format('alter table %s alter column %I set statistics 0', of."table", of.name);
  end loop;
end
$$;
