-- How many of an instance's endpoints are at work at the same time, by the timetable: what it occupies of its worker. Null, of runs
-- that were planned before: all of them.
alter table sub_population_instances add column at_once integer check (at_once >= 0);
