-- When another process of this agent took over: what runs have measured since then is in doubt if the replaced one comes back.
alter table workers add column replaced_at timestamptz;
