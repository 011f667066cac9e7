/**
 * Cost of a call for the whole product, from the first one on: control plane with PostgreSQL and one agent, started as
 * in the README, against `sipp -sn uas`; at the same time `sipp -sn uac` makes as many calls at the same rate to its
 * own `sipp -sn uas`. node_modules/.bin/node scripts/bench/product/call-price.ts [--rates 200,1000] [--seconds 10]
 * [--slots N] [--signalling] [--statements] [--threads] [--profiles FOLDER]
 */
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { RUN } from '../../../control-plane/domain/run/run-machine.ts';
import { openLabDatabase } from '../../peers/lab/database.ts';
import { Lab } from '../../peers/lab/lab.ts';
import { callsTo, type MediaInput } from '../../peers/lab/provision.ts';
import { freePort, freeUdpPort, ownLoopback } from '../../peers/network/loopback.ts';
import { type Peer, startPeer, until } from '../../peers/process.ts';
import { NO_WATCHDOG } from '../../peers/sip/sipp.ts';
import { cpuSecondsOfTree, memoryMiB, processTree, threadSeconds, titleOf } from './process-tree.ts';
import { costliest, countStatements, largestTables } from './statements.ts';

type CallPriceOptions = {
  readonly callsPerSecond: number;
  readonly calls: number;
  /** Endpoints with several calls; absent: one call each. */
  readonly slots?: number | undefined;
  /** No media track. */
  readonly signalling?: boolean;
  /** Print which statements took how long; counting them costs the database something. */
  readonly statements?: boolean;
  /** Print which threads of the agent and the control plane and which processes of PostgreSQL took how long. */
  readonly threads?: boolean;
  /** Folder for CPU profiles of control plane and agent. */
  readonly profiles?: string | undefined;
};

/** Microseconds of CPU and bytes are those a call that was placed; CPU is of whole process trees, from RUNNING to the run's end. */
export type CallPriceRow = {
  readonly callsPerSecond: number;
  readonly calls: number;
  readonly placed: number;
  readonly answered: number;
  readonly agentUs: number;
  readonly sippUs: number;
  readonly ratio: number;
  /** Including PostgreSQL; and PostgreSQL's part. */
  readonly controlPlaneUs: number;
  readonly postgresUs: number;
  /** Control plane and PostgreSQL from the order to RUNNING. */
  readonly beforehandUs: number;
  /** Idle, microseconds a second. */
  readonly idleAgentUs: number;
  readonly idleControlPlaneUs: number;
  readonly verdict: string;
  /** From the end of the last call to COMPLETED. */
  readonly secondsToEnd: number;
  /** MiB before the run and after it. */
  readonly agentMiB: readonly [number, number];
  readonly controlPlaneMiB: readonly [number, number];
  readonly postgresMiB: readonly [number, number];
  /** By which the database has grown, and of the write-ahead log. */
  readonly databaseBytes: number;
  readonly logBytes: number;
};

const TEST = 'call-price';
const CALL_SECONDS = 1;
const SETTLE_MS = 3000;
/** A change is logged before it is committed. */
const COMMIT_MS = 200;
const ENDED = RUN.finals.join('|');
const IDLE_SECONDS = 5;
const OUR_TARGET = 70;
const ITS_TARGET = 71;
const SIPP_CLIENT = 72;

/** SIPp receives but sends nothing. */
const MEDIA: MediaInput = {
  mediaTracks: [{ kind: 'AUDIO', source: 'SILENCE', direction: 'RECEIVE' }],
  expectations: { toleratedFindings: ['NO_MEDIA'] },
};
const NO_MEDIA: MediaInput = { mediaTracks: [] };

/** Starts a separate installation and ends it. Rejects if the run fails. */
async function callPrice(options: CallPriceOptions): Promise<CallPriceRow> {
  const { callsPerSecond, calls, slots, signalling = false, statements = false, profiles } = options;
  const profiled = profiles === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles}` };
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-price-'));
  // The embedded database's user has to come through.
  await chmod(dir, 0o711);
  const net = ownLoopback();
  const capacity = 2 * (slots ?? calls);
  const server = await sippServer(net.address(OUR_TARGET));
  const itsServer = await sippServer(net.address(ITS_TARGET));
  const lab = new Lab(dir, await openLabDatabase(path.join(dir, 'data'), 'embedded'), await freePort(), {
    net,
    capacity,
    agentEnv: { CARILLON_CAPACITY: String(capacity), ...profiled },
    controlPlaneEnv: profiled,
    policy: { maxCallsPerSecond: 2 * callsPerSecond, maxEndpoints: capacity, targetNetworks: ['127.0.0.0/8'] },
    provision: () => ({
      tests: [
        callsTo(`sip:callee@${server.address}`, TEST, {
          endpoints: slots ?? calls,
          calls: slots === undefined ? 1 : null,
          durationSeconds: CALL_SECONDS,
          media: signalling ? NO_MEDIA : MEDIA,
          load: { shape: 'RATE', callsPerSecond, ...(slots !== undefined && { calls }) },
        }),
      ],
    }),
  });
  try {
    await lab.start();
    if (statements) await countStatements(lab);
    const row = await measure(lab, options, itsServer.address);
    if (statements) {
      console.table(await costliest(lab, calls));
      console.table(await largestTables(lab, calls));
    }
    return row;
  } finally {
    await lab.stop();
    await Promise.all([server, itsServer].map((one) => one.stop('SIGKILL')));
  }
}

type Server = Peer & { readonly address: string };

async function sippServer(host: string): Promise<Server> {
  const port = await freeUdpPort(host);
  const at = ['-i', host, '-p', String(port), '-mi', host];
  const rest = ['-nostdin', '-buff_size', '4194304', ...NO_WATCHDOG];
  const peer = startPeer('sipp', ['-sn', 'uas', ...at, ...rest], { env: { TERM: 'dumb' } });
  return { ...peer, address: `${host}:${port}` };
}

/** A shell that waits for SIPp, and so has its CPU time, until it is stopped. */
async function sippClient(host: string, target: string, { callsPerSecond, calls }: CallPriceOptions): Promise<Peer> {
  const load = [
    '-r',
    String(callsPerSecond),
    '-m',
    String(calls),
    '-l',
    String(calls),
    '-d',
    String(CALL_SECONDS * 1000),
  ];
  const at = ['-i', host, '-p', String(await freeUdpPort(host)), '-mi', host];
  const rest = ['-nostdin', '-buff_size', '4194304', ...NO_WATCHDOG];
  const command = ['sipp', '-sn', 'uac', target, ...load, ...at, ...rest];
  return startPeer('sh', ['-c', '"$@" >/dev/null 2>&1; echo SIPp ended: $?; read line', 'sh', ...command], {
    env: { TERM: 'dumb' },
    stdin: 'pipe',
  });
}

/** The control plane's process, and those of its PostgreSQL. */
export function halves(lab: Lab): { controlPlane: number[]; postgres: number[] } {
  const [own, ...others] = processTree(lab.controlPlane.pid);
  const postmaster = others.find(({ command }) => command === 'postgres');
  if (!own || !postmaster) throw new Error('the control plane has no PostgreSQL of its own');
  return { controlPlane: [own.pid], postgres: processTree(postmaster.pid).map(({ pid }) => pid) };
}

/** CPU seconds by thread of the agent and the control plane, and by process of PostgreSQL. */
function partSeconds(lab: Lab): Map<string, number> {
  const { controlPlane, postgres } = halves(lab);
  const [postmaster = 0] = postgres;
  const threadsOf = (who: string, pid: number) =>
    [...threadSeconds(pid)].map(([thread, seconds]) => [`${who}, ${thread}`, seconds] as const);
  return new Map([
    ...threadsOf('agent', (lab.agents[0] as Peer).pid),
    ...controlPlane.flatMap((pid) => threadsOf('control plane', pid)),
    ...processTree(postmaster).map(
      ({ pid, cpuSeconds }) => [`PostgreSQL, ${titleOf(pid)} ${pid}`, cpuSeconds] as const,
    ),
  ]);
}

type Reading = { readonly agent: number; readonly controlPlane: number; readonly postgres: number };

function cpu(lab: Lab): Reading {
  const [postmaster = 0] = halves(lab).postgres;
  const agent = cpuSecondsOfTree((lab.agents[0] as Peer).pid);
  return { agent, controlPlane: cpuSecondsOfTree(lab.controlPlane.pid), postgres: cpuSecondsOfTree(postmaster) };
}

function memory(lab: Lab): Reading {
  const { controlPlane, postgres } = halves(lab);
  return {
    agent: memoryMiB([(lab.agents[0] as Peer).pid]),
    controlPlane: memoryMiB(controlPlane),
    postgres: memoryMiB(postgres),
  };
}

export async function databaseSize(lab: Lab): Promise<{ bytes: number; log: number }> {
  const [row] = await lab.query<{ bytes: number; log: number }>(
    `select pg_database_size(current_database())::float8 as bytes, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as log`,
  );
  return row as { bytes: number; log: number };
}

/** From the end of the last call to the run's. */
export async function secondsToEnd(lab: Lab, id: string): Promise<number> {
  const [last] = await lab.query<{ seconds: number }>(
    `select extract(epoch from r.ended_at - max(e.closed_at))::float8 as seconds
    from test_runs r join endpoints e on e.run_id = r.id where r.id = $1 group by r.ended_at`,
    [id],
  );
  return last?.seconds ?? Number.NaN;
}

/** `target`: SIPp's own. */
async function measure(lab: Lab, options: CallPriceOptions, target: string): Promise<CallPriceRow> {
  const { callsPerSecond, calls } = options;
  await sleep(SETTLE_MS);
  const idleFrom = cpu(lab);
  await sleep(IDLE_SECONDS * 1000);
  const [ordered, memoryBefore, sizeBefore] = [cpu(lab), memory(lab), await databaseSize(lab)];
  const id = await lab.begin(TEST);
  // From the log: REST would compute the figures of the current run, and a statement needs a connection; both cost CPU.
  const reached = (to: string) =>
    lab.controlPlane
      .output()
      .split('\n')
      .some((line) => line.includes(`"runId":"${id}"`) && new RegExp(`"to":"(${to})"`).test(line));
  await until('the run begins', () => reached(`RUNNING|${ENDED}`));
  const before = cpu(lab);
  const threadsBefore = partSeconds(lab);
  const client = await sippClient(lab.net.address(SIPP_CLIENT), target, options);
  // Polling disturbs the measurement: do not poll before the run can have ended.
  await sleep((calls / callsPerSecond + CALL_SECONDS) * 1000);
  await until('the run ends', () => reached(ENDED), { everyMs: 500, idleMs: 300_000 });
  await sleep(COMMIT_MS);
  await until('SIPp ends', () => client.output().includes('SIPp ended'));
  const after = cpu(lab);
  const threadsAfter = partSeconds(lab);
  const sippSeconds = cpuSecondsOfTree(client.pid);
  await client.stop('SIGKILL');
  // 1: some of its own calls failed; their cost is the same.
  if (!/SIPp ended: [01]$/m.test(client.output())) throw new Error(`SIPp as caller: ${client.output()}`);
  const memoryAfter = memory(lab);
  const sizeAfter = await databaseSize(lab);
  const run = await lab.run(id);
  if (run.status !== 'COMPLETED') throw new Error(`the run is ${run.status}: ${JSON.stringify(run.error)}`);
  const placed = run.callTiming?.totalCalls ?? 0;
  const us = (from: Reading, to: Reading, what: keyof Reading) => ((to[what] - from[what]) / placed) * 1e6;
  const idleUs = (what: keyof Reading) => ((ordered[what] - idleFrom[what]) / IDLE_SECONDS) * 1e6;
  if (options.threads)
    console.table(
      [...threadsAfter]
        .map(([part, seconds]) => ({
          part,
          usPerCall: Math.round(((seconds - (threadsBefore.get(part) ?? 0)) / placed) * 1e6),
        }))
        .filter(({ usPerCall }) => usPerCall > 0),
    );
  const sippUs = (sippSeconds / calls) * 1e6;
  const agentUs = us(before, after, 'agent');
  return {
    callsPerSecond,
    calls,
    placed,
    answered: run.callTiming?.successCount ?? 0,
    agentUs,
    sippUs,
    ratio: agentUs / sippUs,
    controlPlaneUs: us(before, after, 'controlPlane'),
    postgresUs: us(before, after, 'postgres'),
    beforehandUs: us(ordered, before, 'controlPlane'),
    idleAgentUs: idleUs('agent'),
    idleControlPlaneUs: idleUs('controlPlane'),
    verdict: run.validity?.sentence ?? 'not told',
    secondsToEnd: await secondsToEnd(lab, id),
    agentMiB: [memoryBefore.agent, memoryAfter.agent],
    controlPlaneMiB: [memoryBefore.controlPlane, memoryAfter.controlPlane],
    postgresMiB: [memoryBefore.postgres, memoryAfter.postgres],
    databaseBytes: (sizeAfter.bytes - sizeBefore.bytes) / placed,
    logBytes: (sizeAfter.log - sizeBefore.log) / placed,
  };
}

/** More would have no port pair for their media: 8,192. */
const MOST_CALLS = 7000;
const RATES = [200, 500, 1000, 2000];

/** One run each, ten seconds long if there are enough calls. */
export async function benchCallPrice(rates: readonly number[] = RATES): Promise<CallPriceRow[]> {
  const rows: CallPriceRow[] = [];
  for (const callsPerSecond of rates)
    rows.push(await callPrice({ callsPerSecond, calls: Math.min(10 * callsPerSecond, MOST_CALLS) }));
  return rows;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      rates: { type: 'string', default: '200,500,1000,2000' },
      seconds: { type: 'string', default: '10' },
      calls: { type: 'string' },
      slots: { type: 'string' },
      signalling: { type: 'boolean', default: false },
      statements: { type: 'boolean', default: false },
      threads: { type: 'boolean', default: false },
      profiles: { type: 'string' },
    },
  });
  for (const rate of values.rates.split(',').map(Number)) {
    const calls = values.calls === undefined ? rate * Number(values.seconds) : Number(values.calls);
    const slots = values.slots === undefined ? undefined : Number(values.slots);
    console.log(await callPrice({ ...values, callsPerSecond: rate, calls, slots }));
  }
}
