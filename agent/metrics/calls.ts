/** Metrics of endpoints, their calls and registrations, and of SIP messages. */
import { FAULT_KINDS, FINDING_KINDS } from '@carillon/proto';
import type { OutcomeFact, ShareFacts } from '../run/report/facts.ts';
import { PhaseCount } from '../run/report/phase-count.ts';
import type { AgentRegistry } from './registry.ts';

const ROUND_TRIP = [0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10];
const CONNECT = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10];

export function callMetrics(registry: AgentRegistry) {
  const calls = registry.counter('calls_total', 'Attempted calls, by result.', ['result']);
  const answered = registry.counter('calls_answered_total', 'Answered calls, including those with faults.');
  const findings = registry.counter(
    'findings_total',
    'Calls with this finding, whether or not their group tolerates it.',
    ['finding'],
  );
  const endpoints = registry.counter('endpoints_closed_total', 'Endpoints that closed, by outcome and cause.', [
    'outcome',
    'cause',
  ]);
  const callSetup = registry.histogram('call_setup_seconds', 'INVITE to 200 OK.', [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30]);
  const optionsRtt = registry.histogram(
    'options_seconds',
    'OPTIONS to its final response, authentication included.',
    ROUND_TRIP,
  );
  const connect = registry.histogram(
    'sip_connect_seconds',
    'Opening a TCP connection for SIP, of endpoints that opened one.',
    CONNECT,
  );
  const handshake = registry.histogram('sip_tls_handshake_seconds', 'The TLS handshake on such a connection.', CONNECT);
  // A series that starts with its first event has no rate for that event.
  for (const result of ['SUCCESS', 'TIMEOUT', 'REJECTED', 'ERROR']) calls.inc({ result }, 0);
  for (const finding of FINDING_KINDS) findings.inc({ finding }, 0);
  for (const cause of FAULT_KINDS) endpoints.inc({ outcome: 'CALL_FAILED', cause }, 0);
  const onRegistration = registrationMetrics(registry);
  return {
    onOutcome(o: OutcomeFact): void {
      endpoints.inc({ outcome: o.outcome, cause: o.cause ?? 'NONE' });
      if (o.callResult !== null) calls.inc({ result: o.callResult });
      if (o.attempted && o.finalStatus >= 200 && o.finalStatus < 300) answered.inc();
      for (const finding of new Set(o.findings.map(({ kind }) => kind))) findings.inc({ finding });
      if (!Number.isNaN(o.callSetupMs)) callSetup.observe(o.callSetupMs / 1000);
      if (!Number.isNaN(o.connectMs)) connect.observe(o.connectMs / 1000);
      if (!Number.isNaN(o.tlsMs)) handshake.observe(o.tlsMs / 1000);
      if (!Number.isNaN(o.optionsRttMs)) optionsRtt.observe(o.optionsRttMs / 1000);
      onRegistration(o);
    },
    onSip: messageMetrics(registry),
  };
}

function registrationMetrics(registry: AgentRegistry): (o: OutcomeFact) => void {
  const registerRtt = registry.histogram(
    'register_seconds',
    'REGISTER to 200 OK, authentication included.',
    ROUND_TRIP,
  );
  const registrations = registry.counter(
    'registrations_total',
    'Registrations of endpoints that have closed: made, failed.',
    ['result'],
  );
  const refreshes = registry.counter(
    'registration_refreshes_total',
    'Refreshes of registrations of closed endpoints: succeeded, failed, recovered after a failure, expired.',
    ['result'],
  );
  for (const result of ['made', 'failed']) registrations.inc({ result }, 0);
  return (o) => {
    if (o.outcome === 'REGISTRATION_FAILED') registrations.inc({ result: 'failed' });
    if (!Number.isNaN(o.registerRttMs)) {
      registrations.inc({ result: 'made' });
      registerRtt.observe(o.registerRttMs / 1000);
    }
    if (o.refreshes === null) return;
    refreshes.inc({ result: 'made' }, o.refreshes.granted);
    refreshes.inc({ result: 'failed' }, o.refreshes.failed);
    refreshes.inc({ result: 'lapsed' }, o.refreshes.lapsed);
    refreshes.inc({ result: 'recovered' }, o.refreshes.recovered);
  };
}

function messageMetrics(registry: AgentRegistry): (facts: ShareFacts) => void {
  const phases = new PhaseCount();
  const messages = registry.counter('sip_messages_total', 'SIP messages, retransmissions apart.', [
    'direction',
    'method',
    'status',
  ]);
  const again = registry.counter('sip_retransmissions_total', 'SIP messages sent or received again.', [
    'direction',
    'method',
  ]);
  registry.readGauges('endpoints', 'Endpoints that have not closed, by phase.', 'phase', () => phases.counts());
  return (facts) => {
    phases.add(facts);
    for (const c of facts.sipCounts) {
      const direction = c.sent ? 'sent' : 'received';
      if (c.count > 0) messages.inc({ direction, method: c.method, status: c.status || 'request' }, c.count);
      if (c.retransmissions > 0) again.inc({ direction, method: c.method }, c.retransmissions);
    }
  };
}
