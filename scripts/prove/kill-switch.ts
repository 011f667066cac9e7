/**
 * The kill switch with 500 calls: REST (the dashboard's button is the same operation), `carillon-agent stop`, SIGTERM, and
 * `stop` without the control plane. SIPp counts the BYEs of its 400 calls and reports when it had them all, kamailio has the
 * 200 registrations of the other 100 and reports when none was left; tshark captured the last BYE and the last REGISTER of all
 * 500.
 */
import { chmod, mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLabDatabase } from '../peers/lab/database.ts';
import { Lab } from '../peers/lab/lab.ts';
import { callsAmongAgents, callsTo } from '../peers/lab/provision.ts';
import { freePort, ownLoopback } from '../peers/network/loopback.ts';
import { startPeer } from '../peers/process.ts';
import { startCapture } from '../peers/referees/tshark.ts';
import { type Kamailio, passwordOf, startKamailio } from '../peers/sip/kamailio.ts';
import { type Sipp, startSipp } from '../peers/sip/sipp.ts';

const TO_SIPP = 400;
const PAIRS = 100;
const LIMIT_MS = 5000;
const AGENT = path.resolve(import.meta.dirname, '..', '..', 'agent', 'main.ts');

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

/** Rejects if a call or a registration is left, or one of them ended later than within five seconds. */
export async function killSwitch(): Promise<void> {
  const net = ownLoopback();
  const dir = await mkdtemp('/tmp/carillon-kill-switch-');
  await chmod(dir, 0o711);
  const pbx = await startKamailio(net.address(60), 'registrar', 32);
  const answers = { builtIn: 'uas' };
  const sipp = await startSipp({ address: net.address(50), scenario: answers, args: ['-buff_size', '4194304'] });
  const accounts = Array.from({ length: 2 * PAIRS }, (_, i) => String(1000 + i));
  const quiet = { mediaTracks: [{ kind: 'AUDIO' as const, source: 'TONE' as const, direction: 'RECEIVE' as const }] };
  const shape = { durationSeconds: 120, buildup: 8, media: quiet };
  const lab = new Lab(dir, await openLabDatabase(path.join(dir, 'data'), 'given'), await freePort(), {
    net,
    agents: 1,
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
  });
  try {
    await lab.start();
    let failed = false;
    console.log(HEADS.join('  '));
    for (const way of WAYS) failed = !(await prove(way, lab, pbx, sipp, net.address)) || failed;
    if (failed) throw new Error(`something was left, or ended later than ${LIMIT_MS / 1000} s`);
  } finally {
    await Promise.allSettled([lab.stop(), pbx.stop(), sipp.stop('SIGKILL')]);
  }
}

const HEADS = [
  'way'.padEnd(25),
  'calls',
  'SIPp: BYEs',
  'all by ms',
  'kamailio: left',
  'none by ms',
  'tshark: calls with BYE',
  'last BYE ms',
  'last un-REGISTER ms',
] as const;

/** Of the built-in `uas`: its BYEs, without retransmissions. */
const byesOf = (messages: Readonly<Record<string, number>>): number =>
  Object.entries(messages).find(([name]) => /BYE_Recv$/.test(name))?.[1] ?? 0;

async function prove(
  way: Way,
  lab: Lab,
  pbx: Kamailio,
  sipp: Sipp,
  address: (host: number) => string,
): Promise<boolean> {
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
    way.name,
    `${TO_SIPP + PAIRS}`,
    `${byes} of ${TO_SIPP}`,
    allBy.toFixed(0),
    `${left} of ${registered}`,
    noneBy.toFixed(0),
    `${ids.size} of ${TO_SIPP + PAIRS}`,
    bye.toFixed(0),
    unregister.toFixed(0),
  ];
  console.log(
    cells.map((cell, i) => (i === 0 ? cell.padEnd(25) : cell.padStart((HEADS[i] as string).length))).join('  '),
  );
  if (way.ends === 'agent') {
    await lab.agents[0]?.exited;
    if (lab.controlPlane.child.exitCode === null && lab.controlPlane.child.signalCode === null) await lab.startAgent(0);
  }
  for (const id of runs) if (way.ends === 'run') await lab.ended(id);
  if (way !== WAYS.at(-1)) await lab.online(1);
  const isInTime = [allBy, noneBy, bye, unregister].every((ms) => ms <= LIMIT_MS);
  return isInTime && left === 0 && byes === TO_SIPP && ids.size === TO_SIPP + PAIRS && registered === 2 * PAIRS;
}
