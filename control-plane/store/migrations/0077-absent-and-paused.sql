-- Loss is by sequence numbers alone. Beside it: time in which audio was due and none came, and time in which the far end
-- sent none, in packets and milliseconds. Before, both were among the lost and absent ones.
alter table streams
  add column absent bigint not null default 0,
  add column paused bigint not null default 0,
  add column paused_ms real;
alter table samples
  add column absent integer not null default 0,
  add column paused integer not null default 0;
alter table rollups
  add column absent bigint not null default 0,
  add column paused bigint not null default 0;
alter table endpoints add column paused_ms real;
