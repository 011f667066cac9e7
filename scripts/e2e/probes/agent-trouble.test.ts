/**
 * Probes whose agent itself fails: frozen during calls (SIGSTOP, like a paused virtual machine), killed during calls, absent.
 * UNKNOWN, with a sentence that says so: no incident of the target opens, and no open one is resolved.
 */
import t from 'tap';
import { freeze } from '../../peers/freeze.ts';
import { openLab } from '../../peers/lab/lab.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { until } from '../../peers/process.ts';
import type { Behaviour, BehaviourChoice } from '../../peers/sip/behaving/behaviour.ts';
import { BAD_BEHAVIOURS, GOOD_BEHAVIOURS } from '../../peers/sip/behaving/behaviours.ts';
import { steady } from '../../peers/sip/behaving/plans.ts';
import { startBehavingPeer } from '../../peers/sip/behaving-peer.ts';
import { openProbeClient, type ProbeExecution, TELLS_TESTS } from './probe-client.ts';

const SECONDS = 6;
const FROZEN_MS = 2500;
const GRACE_SECONDS = 2;

const { promise: isFrozen, resolve: freezes } = Promise.withResolvers<void>();
const TARGETS = {
  echo: GOOD_BEHAVIOURS.echo,
  // In its first call, while the agent is stopped: it receives nothing.
  impatient: (call: number): Behaviour => ({
    sends: steady('TONE'),
    ...(call === 0 && { hangsUp: { when: isFrozen, reason: 'Q.850;cause=41;text="Temporary failure"' } }),
  }),
  gap: BAD_BEHAVIOURS.gap,
  'no-rtp': BAD_BEHAVIOURS['no-rtp'],
  // At first it is unknown there: a refusal, however busy the host is. Good as soon as it has an incident.
  mended: GOOD_BEHAVIOURS.echo,
} as const satisfies Record<string, BehaviourChoice>;
type User = keyof typeof TARGETS;
const USERS = Object.keys(TARGETS) as User[];

const net = ownLoopback();
const peer = await startBehavingPeer(net.address(100), TARGETS);
peer.behaviours.delete('mended');
t.teardown(() => peer.close());
const lab = await openLab(t, {
  net,
  graceSeconds: GRACE_SECONDS,
  controlPlaneEnv: TELLS_TESTS,
  provision: () => ({ tests: [] }),
});
const client = await openProbeClient(lab);
t.teardown(() => client.stop());
const probes = new Map<User, string>();
for (const user of USERS) probes.set(user, await client.create(user, peer.uri(user), SECONDS));
const idOf = (user: User): string => probes.get(user) as string;

type Seen = { readonly execution: ProbeExecution; readonly openIncidents: number };
type Round = ReadonlyMap<User, Seen>;
/** All probes at once; `then` runs when all of their calls are established, or immediately if there are none. */
async function round(then: () => Promise<unknown>, hasCalls = true): Promise<Round> {
  const before = peer.calls.length;
  const executions = Promise.all(USERS.map((user) => client.execute(idOf(user))));
  if (hasCalls)
    await until('all calls are up', () => {
      const calls = peer.calls.slice(before);
      return calls.length === USERS.length && calls.every(({ acknowledgedAtMs }) => !Number.isNaN(acknowledgedAtMs));
    });
  await then();
  const ended = await executions;
  const seen = USERS.map(async (user, i): Promise<[User, Seen]> => {
    const open = (await client.incidents(idOf(user))).filter(({ endedAt }) => endedAt === null);
    return [user, { execution: ended[i] as ProbeExecution, openIncidents: open.length }];
  });
  return new Map(await Promise.all(seen));
}

const dead = await client.execute(idOf('mended'));
await client.told(idOf('mended'), 'incident.opened');
peer.behaviours.set('mended', TARGETS.mended);

const agent = lab.agents[0]!;
const frozen = await round(() => freeze(agent.pid, FROZEN_MS, freezes));
const killed = await round(() => agent.stop('SIGKILL'));
const absent = await round(async () => undefined, false);
await lab.startAgent(0);
await lab.online(1);
const ofWorker = () => client.received.filter(({ type }) => type === 'worker.status_changed');
await until('it is told that the worker was gone', () => ofWorker().length === 2);
const back = new Map(
  await Promise.all(
    (['echo', 'mended'] as const).map(async (user) => [user, await client.executeUndisturbed(idOf(user))] as const),
  ),
);
await client.told(idOf('mended'), 'incident.resolved');

t.test('the far end hung up while the agent was stopped', async (t) => {
  t.equal(peer.callsOf('impatient').at(0)?.endedBy, 'PEER');
});

t.test('before: an incident of the target', async (t) => {
  t.match(dead, { status: 'UNHEALTHY', message: /^404 Not Found\. / });
});

const ROUNDS: readonly [what: string, round: Round, execution: object][] = [
  [
    `an agent that is frozen for ${FROZEN_MS} ms of its calls`,
    frozen,
    { message: /^Not judged, because the agent was disturbed\. (SUSPECT|VOID): on agent-1 .* From worker agent-1\.$/ },
  ],
  [
    'an agent that is killed in its calls',
    killed,
    {
      message: /^Not judged: Every worker of the run was lost\. .* From worker agent-1\.$/,
      cause: 'WORKER_LOST',
      party: 'agent',
    },
  ],
  [
    'no agent',
    absent,
    { message: /^Not judged: No worker is online in region local/, cause: null, party: null, workerName: null },
  ],
];
for (const [what, round, execution] of ROUNDS)
  t.test(what, async (t) => {
    for (const user of USERS)
      t.test(user, async (t) => {
        const seen = round.get(user) as Seen;
        t.comment(seen.execution.message ?? '');
        t.match(seen.execution, { status: 'UNKNOWN', ...execution });
        t.equal(seen.openIncidents, user === 'mended' ? 1 : 0, 'incidents');
      });
  });

t.test("a worker's failure is announced once, for the worker", async (t) => {
  const told = ofWorker().map(({ data }) => `${data.workerName} ${data.to}`);
  t.same(told.sort(), ['agent-1 OFFLINE', 'agent-1 ONLINE']);
});

t.test('an agent that is back judges', async (t) => {
  for (const user of ['echo', 'mended'] as const) t.match(back.get(user), { status: 'HEALTHY', cause: null });
  for (const user of USERS) {
    const alarms = client.alarms(idOf(user)).map(({ type }) => type);
    t.same(alarms, user === 'mended' ? ['incident.opened', 'incident.resolved'] : [], `alarms of ${user}`);
  }
  t.equal(client.unsigned(), 0);
});
