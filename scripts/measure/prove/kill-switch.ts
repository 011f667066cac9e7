/**
 * The kill switch with 500 calls: REST (the dashboard's button is the same operation), `carillon-agent stop`, SIGTERM, and `stop`
 * without the control plane. SIPp counts the BYEs of its 400 calls and reports when it had received all. kamailio has the 200
 * registrations of the other 100 calls and reports when none was left. tshark captured the last BYE and the last REGISTER of all
 * 500.
 */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lab } from '../../peers/lab/lab.ts';
import { callsAmongAgents, callsTo } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { startPeer } from '../../peers/process.ts';
import { startCapture } from '../../peers/referees/tshark.ts';
import { type Kamailio, passwordOf, startKamailio } from '../../peers/sip/kamailio.ts';
import { type Sipp, startSipp } from '../../peers/sip/sipp.ts';
import { withInstallation } from '../installation.ts';
import { n, type ResultTable } from '../table.ts';

const TO_SIPP = 400;
const PAIRS = 100;
const LIMIT_MS = 5000;
const AGENT = path.resolve(import.meta.dirname, '..', '..', '..', 'agent', 'main.ts');

type Way = {
  readonly name: string;
  stop(lab: Lab, runs: readonly string[]): Promise<unknown>;
  readonly ends: 'run' | 'agent';
};

const command = (lab: Lab): Promise<unknown> =>
  startPeer(process.execPath, [AGENT, 'stop'], { env: { CARILLON_AGENT_DIR: path.join(lab.dir, 'agent-1') } }).exited;

const WAYS: readonly Way[] = [
  {
    name: 'REST, cancel',
    stop: (lab, runs) =>
      Promise.all(runs.map((testRunId) => lab.call('cancelTestRun', { projectId: lab.projectId, testRunId } as never))),
    ends: 'run',
  },
  { name: 'carillon-agent stop', stop: command, ends: 'agent' },
  { name: 'SIGTERM', stop: async (lab) => lab.agents[0]?.child.kill('SIGTERM'), ends: 'agent' },
  {
    name: 'stop, control plane gone',
    async stop(lab) {
      await lab.controlPlane.stop('SIGKILL');
      await sleep(1000);
      return command(lab);
    },
    ends: 'agent',
  },
];

const HEADS = [
  'order',
  'calls',
  'BYEs at SIPp',
  'all of them after ms',
  'registrations left at kamailio',
  'none left after ms',
  'calls with a BYE, by tshark',
  'last BYE after ms',
  'last un-REGISTER after ms',
];

/** Nothing may be left, and everything must have ended within five seconds. */
export async function killSwitch(): Promise<ResultTable> {
  const net = ownLoopback();
  const pbx = await startKamailio(net.address(60), 'registrar', { sharedMiB: 32 });
  const answers = { builtIn: 'uas' };
  const sipp = await startSipp({ address: net.address(50), scenario: answers, args: ['-buff_size', '4194304'] });
  const accounts = Array.from({ length: 2 * PAIRS }, (_, i) => String(1000 + i));
  const quiet = { mediaTracks: [{ kind: 'AUDIO' as const, source: 'TONE' as const, direction: 'RECEIVE' as const }] };
  const shape = { durationSeconds: 120, buildup: 8, media: quiet };
  const rows: (readonly string[])[] = [];
  const faults: string[] = [];
  try {
    await withInstallation(
      {
        net,
        policy: { maxCallsPerSecond: 200, targetNetworks: [net.network] },
        agentEnv: { CARILLON_CAPACITY: '1000' },
        provision: () => ({
          registrars: [
            {
              slug: 'pbx',
              name: 'pbx',
              uri: pbx.uri,
              sipAccounts: accounts.map((username) => ({ username, password: passwordOf(username) })),
            },
          ],
          tests: [
            callsTo(sipp.uri, 'to-sipp', { ...shape, endpoints: TO_SIPP }),
            callsAmongAgents('registered', { ...shape, endpoints: PAIRS, registrar: 'pbx' }),
          ],
        }),
      },
      async (lab) => {
        for (const way of WAYS) {
          const { cells, holds } = await prove(way, lab, pbx, sipp);
          rows.push(cells);
          if (!holds) faults.push(`${way.name}: something was left, or ended later than ${LIMIT_MS / 1000} s`);
        }
      },
    );
  } finally {
    await Promise.allSettled([pbx.stop(), sipp.stop('SIGKILL')]);
  }
  return { heads: HEADS, rows, faults };
}

/** The number of BYEs that SIPp's built-in `uas` has received, without retransmissions. */
const byesOf = (messages: Readonly<Record<string, number>>): number =>
  Object.entries(messages).find(([name]) => /BYE_Recv$/.test(name))?.[1] ?? 0;

async function prove(
  way: Way,
  lab: Lab,
  pbx: Kamailio,
  sipp: Sipp,
): Promise<{ readonly cells: readonly string[]; readonly holds: boolean }> {
  const { address } = lab.net;
  const runs = [await lab.begin('to-sipp'), await lab.begin('registered')];
  const up = (which: number, count: number) =>
    lab.reaches(runs[which] as string, 'has every call up', (run) => run.progress.phases.INCALL === count);
  await Promise.all([up(0, TO_SIPP), up(1, 2 * PAIRS)]);
  const registered = await pbx.contacts();
  const before = byesOf((await sipp.history()).at(-1)?.messages ?? {});
  const capture = await startCapture(`${address(50)}/32 or net ${address(60)}/32`, () => [sipp.port, pbx.port]);
  const asked = Date.now();
  const done = way.stop(lab, runs);
  let left = registered;
  while (left > 0 && Date.now() - asked < 2 * LIMIT_MS) {
    await sleep(100);
    left = await pbx.contacts();
  }
  const noneBy = Date.now() - asked;
  await done;
  const rows = await sipp.history();
  const byes = byesOf(rows.at(-1)?.messages ?? {}) - before;
  const allBy = (rows.find(({ messages }) => byesOf(messages) - before >= TO_SIPP)?.atMs ?? Number.NaN) - asked;
  const recording = await capture.stop();
  const sip = await recording.sip();
  await recording.remove();
  const last = (method: string): number =>
    Math.max(...sip.filter((m) => m.method === method && m.status === 0).map((m) => m.atMs)) - asked;
  const ids = new Set(sip.filter((m) => m.method === 'BYE' && m.status === 0).map((m) => m.callId));
  const [bye, unregister] = [last('BYE'), last('REGISTER')];
  const cells = [
    ...[way.name, n(TO_SIPP + PAIRS), `${byes} of ${TO_SIPP}`, n(allBy), `${left} of ${registered}`, n(noneBy)],
    ...[`${ids.size} of ${TO_SIPP + PAIRS}`, n(bye), n(unregister)],
  ];
  if (way.ends === 'agent') {
    await lab.agents[0]?.exited;
    if (lab.controlPlane.child.exitCode === null && lab.controlPlane.child.signalCode === null) await lab.startAgent(0);
  }
  for (const id of runs) if (way.ends === 'run') await lab.ended(id);
  if (way !== WAYS.at(-1)) await lab.online(1);
  const isInTime = [allBy, noneBy, bye, unregister].every((ms) => ms <= LIMIT_MS);
  const holds = isInTime && left === 0 && byes === TO_SIPP && ids.size === TO_SIPP + PAIRS && registered === 2 * PAIRS;
  return { cells, holds };
}
