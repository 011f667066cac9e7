/** An installation with as many runs, calls, probes, agents and customers as a large one has. */
import { Secret } from '@carillon/proto/base/secret.ts';
import { hashPassword, PASSWORD_COST } from '../../../control-plane/operations/people/password.ts';
import { Fleet } from '../../peers/lab/fleet.ts';
import type { Lab, RunDetail } from '../../peers/lab/lab.ts';
import { callsTo, callsToEach, type ProbeInput, type Target, type TestInput } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { until } from '../../peers/process.ts';
import { startSipp } from '../../peers/sip/sipp.ts';
import { withInstallation } from '../installation.ts';
import { BASE_ENDPOINTS, makeLargeRun, makeProbes, makeRuns, SIZES } from './large-data.ts';

export const OWNER = { email: 'owner@lab.example', password: 'violet-Tractor-93-lamp' };

/** `baseId`: a run of the same test as the largest, with a fortieth of its endpoints. */
export type LargeLab = { readonly lab: Lab; readonly runId: string; readonly baseId: string };

const SECONDS = 50;

/** A run of as many endpoints as the largest, by signalling only, which goes on while its page is read. */
export const LIVE_TEST = 'live-load';
const LIVE_RATE = 100;
const LIVE_SECONDS = 1200;

const probe = (slug: string, uri: string): ProbeInput => ({
  ...{ slug, name: slug, durationSeconds: 1, fixedIntervalSec: 300, enabled: false, alertStrikeRuns: 1 },
  test: { registrar: 'cloud', callee: { mode: 'EXTERNAL_URI', uri }, placement: { mode: 'REGION', region: 'local' } },
  thresholds: [{ metricKey: 'asr', greenValue: 99, orangeValue: 95 }],
});

/** Most calls are answered and heard; some are refused in two ways, some are answered by silence. */
async function startTargets() {
  const net = ownLoopback();
  const answers = await startSipp({ address: net.address(70), scenario: { builtIn: 'uas' }, args: ['-rtp_echo'] });
  const busy = await startSipp({ address: net.address(71), scenario: { file: 'busy.xml' } });
  const overloaded = await startSipp({ address: net.address(72), scenario: { file: 'overloaded.xml' } });
  const silent = await startSipp({ address: net.address(73), scenario: { builtIn: 'uas' } });
  const each = { 'front-door': answers, 'service-desk': busy, 'night-line': overloaded, 'voice-mail': silent };
  const shared = (endpoints: readonly number[]): Target[] =>
    Object.entries(each).map(([name, { uri }], i) => ({ name, uri, endpoints: endpoints[i] ?? 0 }));
  return { net, answers, busy, shared, end: () => Promise.all(Object.values(each).map((one) => one.end())) };
}

const SMALL = ['morning-check', 'after-release', 'trunk-failover'];

function testsOf(shared: (endpoints: readonly number[]) => Target[]): TestInput[] {
  const rate = (BASE_ENDPOINTS * SIZES.callsEach) / SECONDS;
  const large = {
    ...{ endpoints: 0, calls: SIZES.callsEach, durationSeconds: 2, buildup: SECONDS, breaker: null },
    load: { shape: 'RATE', callsPerSecond: rate },
  } as const;
  return [
    callsToEach(shared([100, 10, 8, 7]), 'evening-load', large),
    ...SMALL.map((slug) => callsToEach(shared([7, 1, 1, 1]), slug, { endpoints: 0, durationSeconds: 2, buildup: 1 })),
  ];
}

export async function withLargeInstallation<T>(act: (large: LargeLab) => Promise<T>): Promise<T> {
  const targets = await startTargets();
  const fleet = new Fleet(SIZES.workers, 'edge');
  const provision = () => ({
    tests: [
      ...testsOf(targets.shared),
      callsTo(targets.answers.uri, LIVE_TEST, {
        ...{ endpoints: SIZES.endpoints, calls: null, durationSeconds: 1, breaker: null, media: { mediaTracks: [] } },
        load: { shape: 'RATE', callsPerSecond: LIVE_RATE, calls: LIVE_RATE * LIVE_SECONDS },
      }),
    ],
    probes: [probe('probe-good', targets.answers.uri), probe('probe-bad', targets.busy.uri)],
  });
  const options = {
    ...{ net: targets.net, workersWithoutAgent: fleet.workers, provision, capacity: 2 * SIZES.endpoints },
    agentEnv: { CARILLON_CAPACITY: String(2 * SIZES.endpoints) },
    policy: { maxCallsPerSecond: 500, maxEndpoints: 2 * SIZES.endpoints, targetNetworks: ['127.0.0.0/8'] },
  };
  const made = withInstallation(options, async (lab) => {
    await fleet.open(lab.controlPlane.url, `${lab.dir}/fleet`);
    await until('all agents have enrolled', () => fleet.online === SIZES.workers);
    fleet.close();
    const base = await lab.runToEnd('evening-load');
    const small: RunDetail[] = [];
    for (const slug of SMALL) small.push(await lab.runToEnd(slug));
    const [good, bad] = [await executed(lab, 'probe-good'), await executed(lab, 'probe-bad')];
    const runId = await makeLargeRun(lab, base);
    await makeRuns(lab, small);
    await makeProbes(lab, good, bad);
    const hash = await hashPassword(new Secret(OWNER.password), PASSWORD_COST);
    await lab.query('update users set password_hash = $1 where email = $2', [hash, OWNER.email]);
    return act({ lab, runId, baseId: base.id });
  });
  return made.finally(targets.end);
}

async function executed(lab: Lab, name: string): Promise<RunDetail> {
  const { projectId } = lab;
  const { rows } = await lab.call('listProbes', { projectId });
  const probeId = rows.find((one) => one.name === name)?.id ?? '';
  const { testRunId } = await lab.call('runProbe', { projectId, probeId });
  const graded = async () =>
    (await lab.call('listProbeInstances', { projectId, probeId })).rows[0]?.completedAt !== null;
  await until('it is executed', graded, { everyMs: 500 });
  return lab.run(testRunId);
}
