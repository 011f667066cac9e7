/** What an endpoint reports of its call: each interval between two instants, and the result of each cause. */
import { CAUSES, type Cause } from '@carillon/proto';
import t from 'tap';
import type { ConnectionOpened } from '../../../sip/engine.ts';
import type { SharePlan } from '../../plan.ts';
import { EndpointBinding } from '../account/binding.ts';
import { CallRecord } from './call-record.ts';

const TRAFFIC = { sentAgain: 0, cameAgain: 0, unacknowledged: 0, peerAddress: '' };
const outcomeOf = (record: CallRecord, role: SharePlan['role'] = 'CALLER', binding = new EndpointBinding()) =>
  record.outcome({
    plan: { number: 7 },
    role,
    binding,
    callId: 'c@h',
    traffic: TRAFFIC as never,
    media: { started: 0 },
  });

/** Instants of an ordinary call, in milliseconds after each other. */
function answered(): CallRecord {
  const record = new CallRecord();
  record.planned(1000);
  record.inviteSent(1003);
  record.provisional(183, 1010);
  record.provisional(180, 1200);
  record.answered(200, 'OK', 3000);
  record.mediaDue(3000);
  record.mediaEnded(9000, 3040);
  record.ended('LOCAL', 9000, 9005, undefined);
  return record;
}

const withFirstMediaAt = (record: CallRecord, firstPacketAtMs: number | null): CallRecord => {
  record.mediaEnded(9000, firstPacketAtMs);
  return record;
};

t.test('intervals of a caller start at its planned instant', async (t) => {
  t.match(outcomeOf(answered()), {
    endpoint: 7,
    outcome: 'SUCCESS',
    callResult: 'SUCCESS',
    cause: null,
    timeToTryingMs: 10,
    pddMs: 10,
    timeToRingingMs: 200,
    callSetupMs: 2000,
    ringDurationMs: 1800,
    timeToFirstMediaMs: 40,
    callDurationMs: 6000,
    inviteLateMs: 3,
    plannedAtMs: 1000,
  });
});

t.test('a callee has no planned instant: it measures what lies between its own events', async (t) => {
  const told = outcomeOf(answered(), 'CALLEE');
  const { timeToTryingMs, pddMs, timeToRingingMs, callSetupMs, inviteLateMs } = told;
  for (const ms of [timeToTryingMs, pddMs, timeToRingingMs, callSetupMs, inviteLateMs]) t.ok(Number.isNaN(ms));
  t.match(told, { ringDurationMs: 1800, timeToFirstMediaMs: 40, callDurationMs: 6000 });
});

t.test('media before the answer: the wait for the first of the call is none', async (t) => {
  const early = withFirstMediaAt(answered(), 1500);
  t.match(outcomeOf(early), { timeToEarlyMediaMs: 500, timeToFirstMediaMs: 0 });
  const never = withFirstMediaAt(answered(), null);
  t.ok(Number.isNaN(outcomeOf(never).timeToFirstMediaMs), 'none came');
  const refused = new CallRecord();
  refused.planned(1000);
  refused.inviteSent(1003);
  refused.mediaEnded(9000, 1500);
  const { timeToEarlyMediaMs, timeToFirstMediaMs } = outcomeOf(refused);
  t.equal(timeToEarlyMediaMs, 500, 'an announcement of a call that nobody answers');
  t.ok(Number.isNaN(timeToFirstMediaMs));
});

t.test('nothing happened: nothing is measured', async (t) => {
  const told = outcomeOf(new CallRecord());
  t.match(told, { outcome: 'CALL_FAILED', cause: 'STOPPED', callResult: null, failovers: 0, tls: '', refreshes: null });
  const measured = Object.entries(told).filter(([name, value]) => name.endsWith('Ms') && !Number.isNaN(value));
  t.same(measured, []);
});

t.test('each cause gives its outcome and result; the first one counts', async (t) => {
  for (const [cause, { outcome, result }] of Object.entries(CAUSES)) {
    const record = new CallRecord();
    record.inviteSent(1);
    record.fail(cause as Cause, 'first', 480);
    record.fail('BUSY', 'second', 486);
    t.match(outcomeOf(record), { cause, causeText: 'first', sipStatus: 480, outcome, callResult: result }, cause);
    const unplaced = new CallRecord();
    unplaced.fail(cause as Cause, 'first', 480);
    t.equal(outcomeOf(unplaced).callResult, null, 'a call that was not placed has no result');
  }
});

t.test('the result of an answered call, by cause', async (t) => {
  const rows: [cause: Cause, result: string][] = [
    ['STOPPED', 'SUCCESS'],
    ['NO_ANSWER', 'SUCCESS'],
    ['BUSY', 'REJECTED'],
    ['CALL_TIMEOUT', 'TIMEOUT'],
  ];
  for (const [cause, callResult] of rows) {
    const record = answered();
    record.fail(cause, '', 0);
    t.match(outcomeOf(record), { cause, outcome: 'CALL_FAILED', callResult }, cause);
  }
});

t.test('a task without a call, and a registration that failed', async (t) => {
  const done = new CallRecord();
  done.done();
  t.match(outcomeOf(done), { outcome: 'SUCCESS', cause: null, callResult: null });
  const binding = new EndpointBinding();
  binding.move('asked');
  binding.move('refused');
  t.match(outcomeOf(new CallRecord(), 'CALLER', binding), { outcome: 'REGISTRATION_FAILED', cause: 'STOPPED' });
});

t.test('DNS and the connection count until the INVITE is sent, and are not our lateness', async (t) => {
  const opened = (atMs: number, connectMs: number, tlsMs = Number.NaN): ConnectionOpened => ({
    ...{ transport: 'TLS', address: '192.0.2.1', port: 5061, tls: 'TLSv1.3 x' },
    ...{ atMs, connectMs, tlsMs },
  });
  const rows: [name: string, dnsMs: number | null, opened: ReturnType<typeof opened>[], waited: number][] = [
    ['neither', null, [], 0],
    ['a name', 20, [], 20],
    ['a connection', null, [opened(1000, 5)], 5],
    ['TLS', 20, [opened(1000, 5, 30)], 55],
    ['the first connection', 0, [opened(1000, 5), opened(1001, 9)], 5],
    ['one that was there before', 20, [opened(999, 5)], 20],
  ];
  for (const [name, dnsMs, connections, waited] of rows) {
    const record = new CallRecord();
    if (dnsMs !== null) record.located(dnsMs);
    for (const one of connections) record.opened(one);
    t.equal(record.waitedMs(1000), waited, name);
  }
  const late = new CallRecord();
  late.inviteSent(1);
  late.located(20);
  late.opened(opened(2, 5));
  const told = outcomeOf(late);
  t.ok(Number.isNaN(told.dnsMs) && Number.isNaN(told.connectMs), 'of a later request of the call');
  late.failedOver();
  late.failedOver();
  t.equal(outcomeOf(late).failovers, 2);
});
