/**
 * Calls through a server that creates two calls from each: which ends belong together is found, reported with its grounds, and
 * never wrong. The server records the truth.
 */
import t from 'tap';
import type { Output } from '../../../control-plane/contract/catalogue.ts';
import { type Lab, openLab, type RunDetail } from '../../peers/lab/lab.ts';
import {
  callsAmongAgents,
  callsTo,
  type MediaInput,
  type RegistrarInput,
  receives,
} from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { type B2buaRoute, startB2bua } from '../../peers/sip/b2bua.ts';

const AT_ONCE = 20;
const FEW = 3;
const [PCMU, PCMA, EVENT] = [0, 8, 101];
/**
 * What is shown instead of callers' numbers. Callees have accounts in hundreds from 2000 on, separate for each test; callers'
 * accounts are 1000 lower.
 */
const SHARED = '9999';

/** By the hundred of the called number. */
const ROUTES: Readonly<Record<string, (called: string, attempt: number) => B2buaRoute>> = {
  20: (called) => ({
    rings: [called],
    relay: { ownSsrc: true, transcodes: { caller: PCMU, callee: PCMA }, drops: EVENT },
  }),
  21: (called) => ({ rings: [called] }),
  22: (called) => ({ rings: [called], shows: SHARED }),
  23: (called, attempt) => ({ rings: [called], ...(attempt === 0 && { refuses: 486 }) }),
  // Another account answers: the called account rings, and is cancelled.
  24: (called) => ({ rings: [called === String(2400 + FEW - 1) ? '2400' : String(Number(called) + 1)] }),
  25: (called) => ({ rings: [called] }),
};

const net = ownLoopback();
const server = await startB2bua(
  net.address(60),
  (called, attempt) => ROUTES[called.slice(0, 2)]?.(called, attempt) ?? { rings: [], refuses: 404 },
);
t.teardown(() => server.close());

const SILENT: MediaInput = { mediaTracks: [] };
const numbers = (from: number, count: number): string[] => Array.from({ length: count }, (_, i) => String(from + i));
const registrar = (hundred: number, count: number): RegistrarInput => ({
  slug: `pbx-${hundred}`,
  name: `pbx-${hundred}`,
  uri: server.uri,
  sipAccounts: [...numbers(hundred - 1000, count), ...numbers(hundred, count)].map((username) => ({
    username,
    password: 'none',
  })),
});
const shape = (hundred: number, count: number, more: object = {}) => ({
  endpoints: count,
  durationSeconds: 2,
  registrar: `pbx-${hundred}`,
  sipAccounts: numbers(hundred - 1000, count),
  media: SILENT,
  ...more,
});
const callees = (hundred: number, count: number, more: object = {}) => ({
  sipAccounts: numbers(hundred, count),
  ...more,
});

/** Numbers that are accounts of the project, called by a caller that is not in its groups. */
const inTurn = callsTo(
  `sip:2500@${server.address}:${server.port}`,
  'in-turn',
  shape(2500, 2, { durationSeconds: 1, buildup: 6 }),
);
const waiting = receives('waiting', { ...shape(2500, 1), sipAccounts: ['2500'], calls: 2 });

const lab = await openLab(t, {
  net,
  agents: 2,
  provision: () => ({
    registrars: [
      registrar(2000, 1),
      ...[2100, 2200].map((h) => registrar(h, AT_ONCE)),
      ...[2300, 2400, 2500].map((h) => registrar(h, FEW)),
    ],
    tests: [
      callsAmongAgents(
        'one',
        shape(2000, 1, { durationSeconds: 4, media: { audioCodecs: ['PCMU'], dtmf: { digits: '12#' } } }),
        callees(2000, 1, { media: { audioCodecs: ['PCMA'] } }),
      ),
      callsAmongAgents('shown', shape(2100, AT_ONCE), callees(2100, AT_ONCE)),
      callsAmongAgents('withheld', shape(2200, AT_ONCE), callees(2200, AT_ONCE)),
      callsAmongAgents(
        'again',
        shape(2300, FEW, { calls: 2, load: { shape: 'CONCURRENCY', callsPerSecond: 5 } }),
        callees(2300, FEW),
      ),
      callsAmongAgents('forwarded', shape(2400, FEW), callees(2400, FEW)),
      { ...inTurn, groups: [...(inTurn.groups ?? []), ...(waiting.groups ?? [])] },
    ],
  }),
});

type Call = Output<'getTestRunEndpoint'>;

const inFull = (run: RunDetail, endpointId: string): Promise<Call> =>
  lab.call('getTestRunEndpoint', { projectId: lab.projectId, testRunId: run.id, endpointId });

async function callsOf(lab: Lab, run: RunDetail): Promise<Call[]> {
  const all: Call[] = [];
  for (const { id } of await lab.calls(run.id)) all.push(await inFull(run, id));
  return all;
}

/** The number of pairs according to the server; the number found; and the number of wrong ones. */
function compared(calls: readonly Call[]) {
  const byCallId = new Map(calls.map((call) => [call.callId, call]));
  const truth = new Map(
    server.answered.flatMap(({ callerCallId, calleeCallId }) => {
      const [caller, callee] = [byCallId.get(callerCallId), byCallId.get(calleeCallId)];
      return caller && callee ? [[caller.id, callee.id] as const, [callee.id, caller.id] as const] : [];
    }),
  );
  const peered = calls.filter(({ peer }) => peer !== null);
  const right = peered.filter(({ id, peer }) => truth.get(id) === peer?.endpointId);
  return { truth: truth.size / 2, found: right.length / 2, wrong: peered.length - right.length, peered };
}

t.test('one call: both ends, both legs, and what only both ends give away', async (t) => {
  const run = await lab.runWhole('one');
  t.match(run, { status: 'COMPLETED', callTiming: { totalCalls: 1, successCount: 1 } });
  const calls = await callsOf(lab, run);
  t.match(compared(calls), { truth: 1, found: 1, wrong: 0 });
  const [caller, callee] = ['CALLER', 'CALLEE'].map((type) => calls.find(({ endpointType }) => endpointType === type));
  t.match(caller?.peer, {
    endpointId: callee?.id,
    grounds: ['CALLED_NUMBER', 'CALLER_NUMBER', 'TIME'],
  });
  t.match(callee?.peer, { endpointId: caller?.id });
  t.equal(callee?.callerUri, `sip:1000@${server.address}`, 'as the far end saw it');
  t.same(
    (await lab.calls(run.id)).map(({ pairing }) => pairing),
    ['DEDUCED', 'DEDUCED'],
    'lists say it, too',
  );
  t.not(caller?.callId, callee?.callId, 'the server made two calls of it');
  const findings = caller?.findings.filter(({ pairing }) => pairing !== null) ?? [];
  t.match(findings.map(({ finding, pairing }) => `${finding} ${pairing}`).sort(), [
    'CODEC_ASYMMETRY DEDUCED',
    'DIGITS_LOST DEDUCED',
  ]);
  for (const { message } of findings) t.match(message, /was deduced/);
  const filter = { projectId: lab.projectId, testRunId: run.id, endpoint_id: caller?.id ?? '', per_page: 100 };
  const { rows } = await lab.call('listTestRunMessages', { ...filter, legs: 'BOTH' });
  t.same(new Set(rows.map((m) => m.endpointId)), new Set([caller?.id, callee?.id]), 'both legs in one list');
});

for (const [slug, grounds] of [
  ['shown', ['CALLED_NUMBER', 'CALLER_NUMBER', 'TIME']],
  ['withheld', ['CALLED_NUMBER', 'TIME']],
] as const)
  t.test(`${AT_ONCE} calls at once, callers' numbers ${slug}`, async (t) => {
    const run = await lab.runUndisturbed(slug);
    const calls = await callsOf(lab, run);
    const { truth, found, wrong, peered } = compared(calls);
    t.comment(`${found} of ${truth} pairs, ${wrong} wrong; verdict ${run.validity?.verdict}`);
    t.equal(wrong, 0);
    for (const { peer } of peered) t.same(peer?.grounds, grounds);
    // If only time matches, a stall of a busy host leaves doubt, and a pair is not reported.
    if (slug === 'shown' || run.validity?.verdict === 'VALID') t.equal(found, truth);
  });

t.test('refused, and once more: the second call has the other end', async (t) => {
  const run = await lab.runToEnd('again');
  const calls = await callsOf(lab, run);
  const { truth, found, wrong } = compared(calls);
  t.same({ truth, found, wrong }, { truth: FEW, found: FEW, wrong: 0 });
  const refused = calls.filter((call) => call.callTiming?.finalStatusCode === 486);
  t.equal(refused.length, FEW);
  for (const { peer } of refused) t.equal(peer, null);
});

t.test('forwarded to another account: nobody is taken for the other end who might not be', async (t) => {
  const run = await lab.runWhole('forwarded');
  t.match(run, { callTiming: { successCount: FEW } });
  const { truth, wrong, peered } = compared(await callsOf(lab, run));
  t.equal(truth, FEW, 'each was answered, by an account that was not called');
  t.equal(wrong, 0);
  t.ok(
    peered.every(({ peer }) => peer?.grounds.join() === 'SSRC'),
    'only what was heard would tell',
  );
});

t.test('two callers, one account, in turn', async (t) => {
  const run = await lab.runToEnd('in-turn');
  const { truth, found, wrong } = compared(await callsOf(lab, run));
  t.ok(truth >= 1, `${truth} calls were answered`);
  t.same({ found, wrong }, { found: truth, wrong: 0 });
});
