-- The keys that seal secrets, and proofs that the database can be written (store/secrets, store/write-proof.ts).

-- Keys that sealed something. The id is from the SHA-256 of the key.
create table sealing_keys (
  id bytea primary key,
  first_used_at timestamptz not null
);

-- A write to this row proves that the database can be written (store/write-proof.ts).
create table write_proof (
  only_row boolean primary key default true check (only_row),
  written_at timestamptz not null
) with (fillfactor = 50);
insert into write_proof (written_at) values (now());

-- Rows of this table are never committed. If there is room for them, there is room for others.
create table room_proof (
  filler text not null
);
