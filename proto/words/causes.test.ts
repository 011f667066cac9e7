/** Which party is at fault, for every row of the tables: causes, findings, Q.850 cause values. */
import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import {
  CAUSES,
  type Cause,
  causeOfInviteResponse,
  causeOfOptionsResponse,
  causeOfRegisterResponse,
  isCause,
  partyAtFault,
} from './causes.ts';
import { FAULT_KINDS, FINDING_KINDS, FINDINGS, findingSentence, isFault, PARTIES, partyOfFinding } from './findings.ts';
import { Q850, q850Name } from './q850.ts';

const EVERY = Object.keys(CAUSES) as Cause[];
const ENDS = ['CALLER', 'CALLEE'] as const;
/** Everything that a Reason header may contain (agent/sip/message/explanation.ts). */
const VALUES = [null, ...Array.from({ length: 128 }, (_, i) => i)];
/** Findings for which a Q.850 cause value may give details. */
const SPOKEN: readonly Cause[] = [
  'REGISTRATION_REJECTED',
  'NOT_FOUND',
  'UNAVAILABLE',
  'FORBIDDEN',
  'REQUEST_REJECTED',
  'SERVER_ERROR',
  'ENDED_EARLY',
];

t.test('one party, whatever the cause, the end and the value', async (t) => {
  for (const cause of EVERY)
    for (const end of ENDS)
      for (const q850 of VALUES) {
        const party = partyAtFault(cause, end, q850);
        if (!PARTIES.includes(party)) t.fail(`${cause} of the ${end}, ${q850}: ${party}`);
        if (SPOKEN.includes(cause)) continue;
        if (party !== partyAtFault(cause, end, null)) t.fail(`${cause}: a value of Q.850 says nothing of it`);
      }
  fc.assert(
    fc.property(fc.constantFrom(...EVERY), fc.constantFrom(...ENDS), fc.integer(), (cause, end, q850) => {
      const known = Q850[q850] !== undefined;
      return known || partyAtFault(cause, end, q850) === partyAtFault(cause, end, null);
    }),
  );
  t.ok(EVERY.every(isCause));
});

t.test('what the far end says of itself, seen from either end', async (t) => {
  const rows: [cause: Cause, q850: number | null, ofCaller: string, ofCallee: string][] = [
    ['ANSWER_UNUSABLE', null, 'callee', 'caller'],
    ['OFFER_UNUSABLE', null, 'callee', 'caller'],
    ['PROTOCOL_ERROR', null, 'callee', 'caller'],
    ['SERVER_ERROR', null, 'network', 'network'],
    ['SERVER_ERROR', 34, 'network', 'network'],
    ['SERVER_ERROR', 17, 'callee', 'caller'],
    ['SERVER_ERROR', 28, 'caller', 'callee'],
    ['SERVER_ERROR', 31, 'network', 'network'],
    ['UNAVAILABLE', null, 'callee', 'callee'],
    ['UNAVAILABLE', 20, 'callee', 'caller'],
    ['UNAVAILABLE', 38, 'network', 'network'],
    ['REQUEST_REJECTED', null, 'unknown', 'unknown'],
    ['REQUEST_REJECTED', 1, 'caller', 'callee'],
    ['FORBIDDEN', null, 'caller', 'caller'],
    ['FORBIDDEN', 21, 'callee', 'caller'],
    ['ENDED_EARLY', null, 'callee', 'caller'],
    ['ENDED_EARLY', 16, 'callee', 'caller'],
    ['ENDED_EARLY', 38, 'network', 'network'],
    ['ENDED_EARLY', 127, 'callee', 'caller'],
    ['BUSY', 34, 'callee', 'callee'],
    ['NOT_FOUND', 3, 'network', 'network'],
    ['NOT_FOUND', null, 'caller', 'caller'],
    ['REGISTRATION_REJECTED', null, 'network', 'network'],
    ['REGISTRATION_REJECTED', 21, 'network', 'network'],
    ['REGISTRATION_REJECTED', 50, 'caller', 'callee'],
  ];
  for (const [cause, q850, ofCaller, ofCallee] of rows)
    t.same(
      ENDS.map((end) => partyAtFault(cause, end, q850)),
      [ofCaller, ofCallee],
      `${cause}, ${q850}`,
    );
});

t.test('what never left is our own doing; what left and did not arrive is the network', async (t) => {
  const parties = (...causes: Cause[]) => [
    ...new Set(causes.flatMap((c) => ENDS.map((e) => partyAtFault(c, e, null)))),
  ];
  t.same(parties('NOT_SENT', 'REGISTRATION_NOT_SENT', 'NOT_STARTED', 'TARGET_NOT_ALLOWED', 'WORKER_LOST'), ['agent']);
  t.same(parties('REGISTRATION_UNREACHABLE', 'REGISTRATION_TIMEOUT', 'TRANSPORT_ERROR', 'CALL_TIMEOUT', 'DNS_FAILED'), [
    'network',
  ]);
  t.same(parties('NO_ANSWER'), ['callee']);
});

t.test('408 is no answer in time, wherever the time ran out (RFC 3261, 21.4.9)', async (t) => {
  t.same(
    [false, true].map((rang) => causeOfInviteResponse(408, rang)),
    ['CALL_TIMEOUT', 'NO_ANSWER'],
  );
  for (let status = 300; status < 700; status++) {
    const cause = causeOfInviteResponse(status);
    t.equal(CAUSES[cause].result, status === 408 ? 'TIMEOUT' : 'REJECTED', `${status}`);
    if (status !== 408) t.equal(causeOfInviteResponse(status, true), cause, `${status}: ringing changes nothing`);
    t.equal(CAUSES[causeOfRegisterResponse(status)].outcome, 'REGISTRATION_FAILED');
    const options = causeOfOptionsResponse(status);
    t.equal(
      options,
      status === 408 ? 'OPTIONS_TIMEOUT' : status >= 500 && status < 600 && status !== 501 ? 'OPTIONS_REFUSED' : null,
    );
  }
});

t.test('each fault is a cause: answered, and failed', async (t) => {
  for (const kind of FAULT_KINDS) {
    t.match(CAUSES[kind], { outcome: 'CALL_FAILED', result: 'SUCCESS', party: FINDINGS[kind].party }, kind);
    for (const end of ENDS) t.equal(partyAtFault(kind, end, null), partyOfFinding(kind, end), `${kind} of the ${end}`);
  }
  const ofMedia: readonly string[] = [...FAULT_KINDS, 'ICE_FAILED'];
  for (const cause of EVERY.filter((one) => !ofMedia.includes(one)))
    t.not(CAUSES[cause].result, 'SUCCESS', `${cause} is of signalling`);
  for (const kind of FINDING_KINDS.filter((one) => !isFault(one))) t.notOk(isCause(kind), `${kind} is a note`);
});

t.test('every sentence is one, whatever is not known', async (t) => {
  const number = fc.oneof(fc.constant(0), fc.constant(Number.NaN), fc.double({ min: 0, max: 1e9, noNaN: true }));
  const values = fc.record({ lastedMs: number, count: fc.nat(), of: fc.nat(), detail: fc.string({ maxLength: 120 }) });
  for (const kind of FINDING_KINDS)
    fc.assert(
      fc.property(values, (v) => {
        const sentence = findingSentence(kind, v);
        return sentence.length < 400 && !/undefined|null|NaN/.test(sentence.replaceAll(v.detail || 'NaN', ''));
      }),
      { numRuns: 30 },
    );
  t.notMatch(
    FINDING_KINDS.map((kind) => findingSentence(kind, { lastedMs: 1500, count: 3, of: 9, detail: 'x' })).join(),
    /undefined|null|NaN/,
  );
});

t.test('cause values of Q.850', async (t) => {
  for (const [value, { name }] of Object.entries(Q850)) {
    t.ok(Number(value) > 0 && Number(value) < 128, value);
    t.match(name, /^[A-Z].*[^.]$/, value);
    t.equal(q850Name(Number(value)), name);
  }
  t.equal(q850Name(126), 'Cause 126');
});
