/** Lines of a report: every call is in exactly one, and calls that ended in the same way are one. */
import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import { alike, type EndedRow } from './alike.ts';
import { endpoints } from './failed.ts';

const failure = (sipStatus: number | null, q850: number | null) => ({
  ...{ cause: 'REJECTED', party: 'network' as const, sipStatus, reason: 'No', q850, q850Name: null },
  ...{ reasonText: null, warning: null, retryAfterSeconds: null, sentence: `It was refused with ${sipStatus}.` },
});
const made = (number: number, of: Partial<EndedRow>): EndedRow => ({
  ...{ id: `id-${number}`, number, endpointType: 'CALLER', phase: 'CLOSED', outcome: 'CALL_FAILED', failure: null },
  ...{ findings: [], media: null, callId: `call-${number}@a`, plannedAt: null, inviteAt: null, callTiming: null },
  ...{ calleeUri: `sip:${number}@b`, kept: true, pairing: null },
  ...{ worker: { id: 'w', name: 'berlin-1', ownership: 'USER_OWNED' }, registrar: { id: 'r', name: 'R', uri: '' } },
  ...of,
});
const calls = fc
  .array(fc.record({ good: fc.boolean(), status: fc.constantFrom(486, 503, null), q850: fc.constantFrom(34, null) }), {
    minLength: 1,
    maxLength: 80,
  })
  .map((all) =>
    all.map(({ good, status, q850 }, n) => made(n, good ? { outcome: 'SUCCESS' } : { failure: failure(status, q850) })),
  );

t.test('every call is in one line, and equal endings are one line', async (t) => {
  fc.assert(
    fc.property(calls, (all) => {
      const lines = alike(all);
      t.same(
        lines.flat().toSorted((a, b) => a.number - b.number),
        all,
      );
      const firsts = lines.map(([first]) => first.number);
      t.same(
        firsts,
        firsts.toSorted((a, b) => a - b),
        'in the order of their first calls',
      );
      const kinds = new Set(all.map(({ outcome, failure: f }) => `${outcome} ${f?.sipStatus} ${f?.q850}`)).size;
      t.equal(lines.length, kinds);
    }),
    { numRuns: 50 },
  );
});

t.test('a line says how many calls it has, and leads to each', async (t) => {
  fc.assert(
    fc.property(calls, (all) => {
      const { text } = endpoints('Calls', all);
      const anchors = [...text.matchAll(/ id="(\w+)"/g)].map(([, id]) => id);
      t.same(anchors.toSorted(), all.map((e) => `e${e.number}`).toSorted());
      const counted = [...text.matchAll(/(\d+) alike/g)].reduce((sum, [, n]) => sum + Number(n), 0);
      t.equal(counted + (text.match(/<tr id/g)?.length ?? 0) - (text.match(/alike/g)?.length ?? 0), all.length);
    }),
    { numRuns: 50 },
  );
});

t.test('fifty equal failures', async (t) => {
  const all = Array.from({ length: 50 }, (_, n) => made(n, { failure: failure(503, 34) }));
  const words = endpoints('Calls', all)
    .text.replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
  t.match(
    words,
    /#0 50 alike: #1 , #2 , .*#11 and 38 more Caller sip:0@ b and 49 others call-0@ a call-1@ a call-2@ a 47 more Call-IDs Call failed It was refused with 503\. network – – berlin-1/,
  );
  t.equal(words.match(/refused/g)?.length, 1);
});

t.test('good calls', async (t) => {
  const sets = [120, 80, 400];
  const good = (n: number, of: Partial<EndedRow> = {}) => made(n, { outcome: 'SUCCESS', ...of });
  const timed = sets.map((callSetupMs, n) => good(n, { callTiming: { callSetupMs } as EndedRow['callTiming'] }));
  const found = { finding: 'ECHO', severity: 'WARNING', tolerated: false, message: 'It echoes.' };
  const withFinding = good(3, { findings: [found] as unknown as EndedRow['findings'] });
  const words = endpoints('Calls', [...timed, withFinding]).text.replaceAll(/<[^>]*>/g, ' ');
  t.match(words, /80 to 400/, 'are one line with the lowest and the highest figure');
  t.equal(words.match(/Success/g)?.length, 2, 'beside those with findings');
  t.match(words, /It echoes\./);
});
