-- Headers of the first RTP packets of chosen endpoints' streams, for the pcapng file: a row for what came together between one port and one
-- peer; arrays of equal length in the order of the packets, `header` theirs one after the other.
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

create function forget_rtp_headers() returns trigger language plpgsql as $$
begin
  delete from rtp_headers where run_id = old.id;
  return null;
end $$;
create trigger test_runs_rtp_headers_forgotten after delete on test_runs for each row execute function forget_rtp_headers();
