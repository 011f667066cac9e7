-- The seconds of a folded run count its successful calls, so that a rule can end the run by their share.

-- Failed calls include those that failed before their INVITE, which `ended` does not count. 0: counted before this existed.
alter table call_seconds add column successful integer not null default 0;
