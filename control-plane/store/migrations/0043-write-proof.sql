-- Whether the database can be written is known by writing (store/write-proof.ts).
create table write_proof (
  only_row boolean primary key default true check (only_row),
  written_at timestamptz not null
) with (fillfactor = 50);
insert into write_proof (written_at) values (now());

-- Its rows are never committed: where there is room for them, there is room for others.
create table room_proof (filler text not null);
