-- Signalling: load shapes, scenarios, transports.

-- Calls that the circuit breaker kept from being started.
alter table start_noise add column held_back integer not null default 0;

-- How calls were started, kept when the run ends.
alter table test_runs add column starts jsonb;

-- How endpoints speak TLS with a registrar; tls_verify null: as the agent's host does, without a certificate. PEM; the key is told to agents alone.
alter table registrars
  add column tls_verify text,
  add column tls_ca text,
  add column tls_certificate text,
  add column tls_key text;

-- Milliseconds from the planned instant to the first media packet, where that came before the answer.
alter table endpoints add column time_to_early_media_ms real;

-- Finding the servers of a name, and requests that went on to the next one (RFC 3263).
alter table endpoints
  add column dns_ms real,
  add column failovers integer not null default 0;
