-- Which two ends are of one call, where nothing in the INVITE says so: what is compared, and what it rests on.

alter table endpoints
  -- User parts by which the endpoint is called, or calls: its number, its user name. Of rows that were planned; null: nothing is compared.
  add column names text[],
  -- Of a callee: From of the INVITE that it got.
  add column caller_uri text,
  -- Of a callee whose peer_number was deduced when the run settled: what that rests on; null: its INVITE said it.
  add column pair_grounds text[];

-- Of findings that need both ends of a call: SIGNALLED, DEDUCED; null: one end tells it by itself.
alter table findings add column pairing text;
