-- Where SIP and media of a registrar's endpoints come from: an address of the agent's host; null: the agent's own.
alter table registrars
  add column source_address text;
