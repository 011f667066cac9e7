/**
 * Which calls a run accepts, and which it refuses before ringing: SIPp as a trunk, as another run's trunk, as a stranger, with
 * invalid offers.
 */
import t from 'tap';
import { openLab, type RunDetail } from '../../peers/lab/lab.ts';
import { type RegistrarInput, receives } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { until } from '../../peers/process.ts';
import { startSipp } from '../../peers/sip/sipp.ts';

const CALLS = 5;
const STRANGERS = 7;
const net = ownLoopback();
const [TRUNK, OTHER_TRUNK, STRANGER] = [net.address(100), net.address(101), net.address(102)];

const trunk = (slug: string, address: string): RegistrarInput => ({
  slug,
  name: slug,
  uri: `sip:${address}`,
  register: false,
});

/** Lines of an offer instead of c=. */
const OFFERS = [
  'a=no-connection',
  'c=IN',
  'c=IN IP4 media.example',
  'c=IN IP4 224.2.36.42/127',
  'c=IN IP4 255.255.255.255',
  'c=IN IP4 203.0.113.9',
] as const;

/** 183 with an answer, reliably, long before the 200. */
const EARLY = { reliableProvisional: 'SUPPORTED', provisional: 183, ringSeconds: 20 } as const;

const shape = { endpoints: CALLS, durationSeconds: 60, media: { mediaTracks: [] } };
const lab = await openLab(t, {
  net,
  provision: () => ({
    registrars: [trunk('trunk', TRUNK), trunk('other-trunk', OTHER_TRUNK)],
    tests: [
      receives('called', { ...shape, registrar: 'trunk' }),
      receives('rival', { ...shape, registrar: 'trunk' }),
      receives('elsewhere', { ...shape, registrar: 'other-trunk' }),
      receives('offers', { endpoints: OFFERS.length, durationSeconds: 60 }),
      receives('early', { endpoints: 1, durationSeconds: 60, media: { signalling: EARLY } }),
    ],
  }),
});

const target = (): string => `${net.address(11)}:${lab.agents[0]?.sipPort}`;

async function calls(address: string, scenario: Parameters<typeof startSipp>[0]['scenario'], ...args: string[]) {
  const sipp = await startSipp({ address, scenario, target: target(), args });
  await sipp.exited;
  return (await sipp.end()).totals;
}

const strangersOf = async (testRunId: string): Promise<string[]> =>
  (
    await lab.call('listTestRunEvents', { projectId: lab.projectId, testRunId, kind: 'STRANGER', per_page: 100 })
  ).rows.map(({ detail }) => detail);
const counted = (details: readonly string[]): number =>
  details.reduce((sum, detail) => sum + Number(/^(\d+) INVITEs/.exec(detail)?.[1] ?? 1), 0);
const received = (run: RunDetail): number => run.sipRequests.find(({ method }) => method === 'INVITE')?.received ?? 0;

async function unclaimed(): Promise<number> {
  const text = await (await fetch(`${lab.agents[0]?.metricsUrl}/metrics`)).text();
  return Number(/^carillon_agent_sip_unclaimed_total (\d+)/m.exec(text)?.[1]);
}

t.test(
  'each run takes the calls of its own trunk; a stranger is reported and counted, and changes no figure',
  async (t) => {
    const called = await lab.startRun('called');
    const elsewhere = await lab.startRun('elsewhere');

    const rival = await lab.ended(await lab.begin('rival'));
    t.equal(rival.status, 'CANNOT_RUN_FOR_NOW');
    t.match(JSON.stringify(rival.error), /calls from .* port 5060 are accepted by run/);

    const count = ['-m', String(STRANGERS), '-r', '20'];
    const strange = await calls(STRANGER, { file: 'turned-away.xml' }, ...count);
    t.match(strange, { SuccessfulCall: STRANGERS, FailedCall: 0 });
    await until('strangers are counted', async () => (await unclaimed()) === STRANGERS);

    const own = ['-m', String(CALLS), '-r', '10', '-d', '100'];
    t.match(await calls(OTHER_TRUNK, { builtIn: 'uac' }, ...own), { SuccessfulCall: CALLS, FailedCall: 0 });
    const other = await lab.ended(elsewhere);
    t.equal((await lab.run(called)).callTiming.totalCalls, 0, 'none of another’s calls');
    t.match(await calls(TRUNK, { builtIn: 'uac' }, ...own), { SuccessfulCall: CALLS, FailedCall: 0 });
    const run = await lab.ended(called);

    for (const one of [run, other]) {
      t.match(one.callTiming, { totalCalls: CALLS, successCount: CALLS, asr: 100 });
      t.equal(received(one), CALLS);
      t.notOk(one.sipResponses.some(({ statusCode }) => statusCode === 404));
      const told = await strangersOf(one.id);
      t.equal(counted(told), STRANGERS);
      t.match(told[0], new RegExp(`from ${STRANGER}:\\d+: calls are accepted from `));
    }
    t.equal(await unclaimed(), STRANGERS);
  },
);

t.test('an offer that media cannot be sent to: 488 with a Warning before it rings, and no answered call', async (t) => {
  const id = await lab.startRun('offers');
  const scenario = { file: 'unusable-offer.xml' };
  for (const line of OFFERS) {
    const totals = await calls(STRANGER, scenario, '-m', '1', '-key', 'connection', line);
    t.match(totals, { SuccessfulCall: 1, FailedCall: 0 }, line);
  }
  const run = await lab.ended(id);
  t.match(run.callTiming, { totalCalls: OFFERS.length, successCount: 0, asr: 0 });
  const causes = (await lab.endpoints(id)).map(({ failure }) => [failure?.cause, failure?.sipStatus]);
  t.same(causes.sort(), [...OFFERS.slice(1).map(() => ['OFFER_UNUSABLE', 488]), ['TARGET_NOT_ALLOWED', 488]].sort());
});

t.test(
  'an offer in PRACK that cannot be used: the PRACK is answered, the INVITE gets 488 with a Warning',
  async (t) => {
    const id = await lab.startRun('early');
    const totals = await calls(STRANGER, { file: 'prack-with-bad-offer.xml' }, '-m', '1');
    t.match(totals, { SuccessfulCall: 1, FailedCall: 0 });
    const run = await lab.ended(id);
    t.match(run, { status: 'COMPLETED', callTiming: { totalCalls: 1, successCount: 0, asr: 0 } });
    for (const { failure } of await lab.endpoints(id))
      t.match(failure, { sipStatus: 488, reason: /offered are G722\/8000, ours are PCMU/ });
  },
);
