-- Every measured row is of one run, and every statement about it names the run.

-- Counts of a run are like its other measured rows: no foreign key checks each of them, and they go with their run.
alter table run_counts drop constraint run_counts_run_id_fkey;

create or replace function forget_run() returns trigger language plpgsql as $$
begin
  delete from worker_commands where run_id = old.id;
  delete from endpoints where run_id = old.id;
  delete from findings where run_id = old.id;
  delete from run_events where run_id = old.id;
  delete from run_counts where run_id = old.id;
  delete from streams where run_id = old.id;
  delete from samples where run_id = old.id;
  delete from rollups where run_id = old.id;
  delete from sip_counts where run_id = old.id;
  delete from sip_messages where run_id = old.id;
  delete from sip_chunks where run_id = old.id;
  delete from noise where run_id = old.id;
  delete from start_noise where run_id = old.id;
  delete from rtp_headers where run_id = old.id;
  delete from mos_counts where run_id = old.id;
  return null;
end $$;

-- Each row is found by its key. For a list of numbers the planner could read all rows of the run instead, and the entries of deleted
-- ones, which stay in an index until it is vacuumed.
create function drop_open_calls(run uuid, instance uuid, numbers integer[]) returns setof endpoints language plpgsql as $$
declare
  one integer;
begin
  foreach one in array numbers loop
    return query delete from endpoints e
      where e.run_id = run and e.number = one and e.instance_id = instance and e.outcome is null returning e.*;
  end loop;
end $$;

create function drop_streams(run uuid, numbers integer[]) returns void language plpgsql as $$
declare
  one integer;
begin
  foreach one in array numbers loop
    delete from streams where run_id = run and endpoint_number = one;
  end loop;
end $$;
