-- What agents measure beyond counts, and what a rating is on: 'nb', 'wb', 'fb' (G.107, G.107.1, G.107.2); null: not rated.

alter table streams
  add column scale text,
  -- Shown, and never added up: contract/stream-details.ts. Null: the agent did not say. As it is answered: half the size of jsonb.
  add column details json;
-- Until now it followed from the codec; streams drawn from samples have none, and were rated as G.711.
update streams set scale = case codec when 'G722' then 'wb' when 'OPUS' then 'fb' else 'nb' end where mos is not null;

-- Kept samples are of narrowband calls; a default that is there for this moment writes none of them again.
alter table samples add column scale text default 'nb';
alter table samples alter column scale drop default;

-- Ratings on different scales have sums of their own; '': not rated.
alter table rollups
  add column scale text not null default 'nb',
  drop constraint rollups_pkey,
  add primary key (run_id, instance_id, at, scale);
alter table rollups alter column scale drop default;

-- What a recording is that is video, as it is answered: contract/media-file.ts. Null: it is of sound.
alter table media_files
  add column video json,
  alter sample_rate_hz drop not null,
  alter channels drop not null,
  alter bits_per_sample drop not null;

-- Video has no emulated playout: what was not measured is null, not 0.
alter table streams
  alter discarded drop not null,
  alter plc_events drop not null,
  alter plc_ms drop not null;
