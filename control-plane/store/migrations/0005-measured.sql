-- What agents measured: streams, samples, SIP messages, RTP headers, noise.

-- Figures of whole streams. The agent writes them once; those of a lost agent are computed from samples.
create table streams (
  run_id uuid not null,
  endpoint_number integer not null,
  stream smallint not null,
  codec text not null,
  remote text not null,
  local_port integer,
  ssrc_sent bigint,
  ssrc_received bigint,
  packets_sent bigint not null,
  octets_sent bigint not null,
  packets_received bigint not null,
  octets_received bigint not null,
  expected bigint not null,
  lost bigint not null,
  discarded bigint,
  duplicates bigint not null,
  reordered bigint not null,
  ssrc_changes integer not null,
  plc_events integer,
  plc_ms real,
  jitter_mean_ms real,
  jitter_max_ms real,
  rtt_mean_ms real,
  rtt_max_ms real,
  rtt_count integer not null,
  mos real,
  r_factor real,
  burst_ratio real,
  feedback boolean not null,
  remote_lost bigint,
  remote_jitter_ms real,
  nack_count integer not null,
  pli_count integer not null,
  fir_count integer not null,
  sends_skipped integer not null,
  scale text,
  -- Details that are shown, and never added up (contract/stream-details.ts), as json: half the size of jsonb. Null: not reported.
  details json,
  awaited_ms real,
  absent_ms real,
  -- The longest time without a packet while packets were due.
  longest_gap_ms real,
  -- Loss is by sequence numbers alone. `absent` is audio that was due and did not come; `paused` is a pause of the far end.
  absent bigint not null default 0,
  paused bigint not null default 0,
  paused_ms real,
  primary key (run_id, endpoint_number, stream)
);

-- A row is one interval of one stream. The table is partitioned by day, because retention drops partitions.
create table samples (
  run_id uuid not null,
  endpoint_number integer not null,
  stream smallint not null,
  at timestamptz not null,
  interval_ms real not null,
  packets_sent integer not null,
  packets_received integer not null,
  octets_received integer not null,
  expected integer not null,
  lost integer not null,
  discarded integer not null,
  duplicates integer not null,
  reordered integer not null,
  plc_events integer not null,
  jitter_ms real,
  jitter_max_ms real,
  rtt_ms real,
  mos real,
  r_factor real,
  remote_loss_fraction real,
  remote_jitter_ms real,
  scale text,
  absent integer not null default 0,
  paused integer not null default 0,
  primary key (run_id, endpoint_number, stream, at)
) partition by range (at);

-- Sums of samples by second and instance, written by the statement that writes the samples.
create table rollups (
  run_id uuid not null,
  instance_id uuid not null,
  at timestamptz not null,
  streams integer not null,
  packets_sent bigint not null,
  packets_received bigint not null,
  expected bigint not null,
  lost bigint not null,
  discarded bigint not null,
  loss_count integer not null,
  loss_min real,
  loss_max real,
  mos_count integer not null,
  mos_sum double precision not null,
  mos_min real,
  mos_max real,
  r_sum double precision not null,
  r_min real,
  r_max real,
  jitter_count integer not null,
  jitter_sum double precision not null,
  jitter_min real,
  jitter_max real,
  rtt_count integer not null,
  rtt_sum double precision not null,
  rtt_min real,
  rtt_max real,
  remote_loss_count integer not null,
  remote_loss_sum double precision not null,
  remote_loss_min real,
  remote_loss_max real,
  remote_jitter_count integer not null,
  remote_jitter_sum double precision not null,
  remote_jitter_min real,
  remote_jitter_max real,
  -- Each scale of ratings has sums of its own; '' stands for not rated.
  scale text not null,
  absent bigint not null default 0,
  paused bigint not null default 0,
  primary key (run_id, instance_id, at, scale)
);

-- Rated intervals by second and by a twentieth of a MOS point: percentiles of many seconds come from these counts.
create table mos_counts (
  run_id uuid not null,
  instance_id uuid not null,
  at timestamptz not null,
  scale text not null,
  bucket smallint not null,
  count integer not null,
  primary key (run_id, instance_id, at, scale, bucket)
);

-- Status 0 stands for a request. Retransmissions are counted apart.
create table sip_counts (
  run_id uuid not null,
  instance_id uuid not null,
  sent boolean not null,
  method text not null,
  status smallint not null,
  reason text not null,
  count bigint not null,
  retransmissions bigint not null,
  primary key (run_id, instance_id, sent, method, status, reason)
);

-- The place of each message in the chunks of its endpoint.
create table sip_messages (
  run_id uuid not null,
  endpoint_number integer not null,
  number integer not null,
  chunk integer not null,
  "offset" integer not null,
  length integer not null,
  at timestamptz not null,
  sent boolean not null,
  method text not null,
  status smallint not null,
  retransmission boolean not null,
  peer text not null,
  call_id text not null,
  -- The transport and the local port of the message; null: not reported.
  transport text,
  local_port integer,
  -- A chunk may have messages of several endpoints: it is found by endpoint and number of its first message. Null: that endpoint is
  -- the message's own.
  chunk_endpoint integer,
  -- The first of the messages of a call that came together has the index entry of the Call-ID; the others are found by their endpoint.
  first_of_call boolean not null default true,
  primary key (run_id, endpoint_number, number)
);
create index sip_messages_by_time on sip_messages (run_id, at, endpoint_number, number);
-- A Call-ID may be longer than an index entry.
create index sip_messages_by_call on sip_messages (run_id, left(call_id, 255)) where first_of_call;

-- Texts of messages one after the other, compressed with zstd. `chunk` is the number of the first message.
create table sip_chunks (
  run_id uuid not null,
  endpoint_number integer not null,
  chunk integer not null,
  text bytea not null,
  local_address text,
  primary key (run_id, endpoint_number, chunk)
);

-- Headers of the first RTP packets of some endpoints, for the pcapng file. A row has the packets of one report between one port and one
-- peer: arrays of equal length in the order of the packets, and in `header` all headers one after the other.
create table rtp_headers (
  run_id uuid not null,
  began_at timestamptz not null,
  endpoint_number integer not null,
  stream smallint not null,
  local_port integer not null,
  peer text not null,
  local_address text not null,
  packets integer not null,
  header bytea not null,
  header_bytes smallint[] not null,
  packet_bytes integer[] not null,
  sent boolean[] not null,
  unix_micros bigint[] not null,
  primary key (run_id, began_at, endpoint_number, stream, local_port, peer)
);

-- The noise of the agents by interval and worker. Histograms are [bucket, count, bucket, count …].
create table noise (
  run_id uuid not null,
  worker_id uuid not null,
  at timestamptz not null,
  seconds real not null,
  pacing_error integer[] not null,
  slots_planned integer not null,
  slots_skipped integer not null,
  loop_delay integer[] not null,
  thread_cpu real not null,
  steal real,
  receive_drops bigint not null,
  received bigint not null,
  clock_steps integer not null,
  stamps text not null,
  -- Percentiles of the histograms of this interval.
  loop_delay_p99_ms real,
  pacing_error_p99_ms real,
  primary key (run_id, worker_id, at)
);

create table start_noise (
  run_id uuid not null,
  instance_id uuid not null,
  batch bigint not null,
  invite_late integer[] not null,
  planned integer not null,
  started integer not null,
  not_started integer not null,
  -- Calls that the circuit breaker prevented.
  held_back integer not null default 0,
  -- The lateness of all planned actions except INVITEs: [bucket, count, bucket, count …].
  action_late integer[] not null default '{}',
  -- Calls that were due while every endpoint was in a call.
  no_free_endpoint integer not null default 0,
  -- The counts of starts go until this time; null: not reported.
  at timestamptz,
  primary key (run_id, instance_id, batch)
);

-- Tables that a load fills are analyzed every minute, and the cost grows with the columns. Only these columns are compared in a
-- condition. For the others the planner uses its defaults.
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
