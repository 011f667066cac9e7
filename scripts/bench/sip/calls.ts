/**
 * Calls per CPU-second (user and system) of our SIP engine and of SIPp, each against a separate SIPp at the other end, on
 * loopback. A round measures both at the same time: absolute figures depend on the machine and its load, the ratio only on the
 * code. A call is INVITE, 180, 200, ACK, BYE, 200. Ours records every call; SIPp is measured with its defaults, and while it
 * records what we do. Rounds with failures or retransmissions are repeated. Debian's SIPp does not speak TLS: there the other
 * end is ours as well, unless SIPP names a SIPp with TLS. On a busy machine an open-loop load only loses calls: `--under-way`
 * limits the calls that SIPp has open, so that a stall slows both sides down. Run: npx node scripts/bench/sip/calls.ts
 * [--seconds 4] [--rounds 3] [--rates 1000,2000,4000] [--work CALLER,CALLEE] [--transports UDP,TCP,TLS] [--adapters ffi,dgram]
 * [--under-way 32] [--plain]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { provenLibc } from '../../../agent/net/datagrams/open-datagram-port.ts';
import { SIGNALLING_NODE_FLAGS } from '../../../agent/process/heap.ts';
import { type DriveOptions, type DriveResult, type DriverWork, drive, WARM_UP_RATE } from './driver.ts';
import {
  ADDRESS,
  ANY,
  cpuSecondsOf,
  patienceSeconds,
  prefer,
  type SippTransport,
  sippClient,
  sippServer,
  sippSpeaksTls,
} from './sipp.ts';

type Adapter = 'ffi' | 'dgram';

export type SipBenchOptions = {
  /** Seconds of load at each rate. */
  readonly seconds?: number;
  readonly rounds?: number;
  /** Calls a second. */
  readonly rates?: readonly number[];
  readonly work?: readonly DriverWork[];
  readonly transports?: readonly SippTransport[];
  readonly adapters?: readonly Adapter[];
  /** Calls that SIPp as caller has open at most. */
  readonly underWay?: number;
  /** Only with SIPp's defaults. */
  readonly plain?: boolean;
};

export type SipBenchRow = {
  readonly work: DriverWork;
  readonly transport: SippTransport;
  readonly rate: number;
  /** Ours: the I/O adapter. */
  readonly adapter: Adapter;
  /** Rounds that both ended without a failure or a retransmission. */
  readonly rounds: number;
  /** Medians over the rounds; NaN without one. */
  readonly sippPerCpuSecond: number;
  /** SIPp with its own trace of messages, response times and counts. */
  readonly sippTracedPerCpuSecond: number;
  readonly perCpuSecond: number;
  /** Our figure relative to SIPp's of the same round. */
  readonly ratio: number;
  readonly tracedRatio: number;
  readonly setupP99Ms: number;
};

/** For ours, until the relevant code is compiled; SIPp's client gets a second of its rate. */
const WARM_UP_CALLS = 30_000;
/** Of retransmissions, where SIPp waits for calls to end: processes that stalled for half a second. */
const MOST_AGAIN = 0.02;
/** A loaded machine spoils rounds; the number of attempts is limited. */
const MOST_ATTEMPTS = 2;

/** Needs `sipp` (apt-get install sip-tester); rejects where it cannot be started. */
export async function benchSip(options: SipBenchOptions = {}): Promise<{ rows: SipBenchRow[] }> {
  const { seconds = 4, rounds = 3, rates = [1000, 2000, 4000], work = ['CALLER', 'CALLEE'] } = options;
  const { transports = ['UDP'], adapters = usableAdapters(), underWay = ANY, plain = false } = options;
  const folder = await mkdtemp(join(tmpdir(), 'carillon-bench-'));
  const rows: SipBenchRow[] = [];
  try {
    for (const what of work)
      for (const transport of transports)
        for (const rate of rates)
          for (const adapter of adapters)
            rows.push(await row({ work: what, transport, rate, adapter, underWay }, seconds, rounds, folder, plain));
    return { rows };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Kind = Pick<SipBenchRow, 'work' | 'transport' | 'rate' | 'adapter'> & { readonly underWay: number };
type Side = { readonly perCpuSecond: number; readonly setupP99Ms: number };
type Pair = readonly [sipp: Side, ours: Side];

async function row(
  { underWay, ...what }: Kind,
  seconds: number,
  rounds: number,
  folder: string,
  onlyPlain: boolean,
): Promise<SipBenchRow> {
  const kind = { underWay, ...what };
  const plain: Pair[] = [];
  const traced: Pair[] = [];
  for (let attempt = 0; attempt < rounds * MOST_ATTEMPTS; attempt++) {
    if (plain.length < rounds) await pair(kind, seconds, folder, false, plain);
    if (!onlyPlain && traced.length < rounds) await pair(kind, seconds, folder, true, traced);
  }
  const ours = [...plain, ...traced].map(([, side]) => side);
  return {
    ...what,
    rounds: onlyPlain ? plain.length : Math.min(plain.length, traced.length),
    sippPerCpuSecond: median(plain.map(([sipp]) => sipp.perCpuSecond)),
    sippTracedPerCpuSecond: median(traced.map(([sipp]) => sipp.perCpuSecond)),
    perCpuSecond: median(ours.map((side) => side.perCpuSecond)),
    ratio: median(plain.map(([sipp, side]) => side.perCpuSecond / sipp.perCpuSecond)),
    tracedRatio: median(traced.map(([sipp, side]) => side.perCpuSecond / sipp.perCpuSecond)),
    setupP99Ms: median(ours.map((side) => side.setupP99Ms)),
  };
}

/** Both at the same time. */
async function pair(kind: Kind, seconds: number, folder: string, trace: boolean, pairs: Pair[]): Promise<void> {
  const cwd = await mkdtemp(join(folder, 'round-'));
  try {
    let begin = (): void => undefined;
    const isWarm = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const [sipp, ours] = await Promise.all([
      sippSide(kind, seconds, cwd, trace, isWarm),
      ourSide(kind, seconds, folder, begin).finally(begin),
    ]);
    if (sipp !== null && ours !== null) pairs.push([sipp, ours]);
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

const hasSipp = ({ transport }: Kind): boolean => transport !== 'TLS' || sippSpeaksTls();

/** SIPp's client against SIPp's server: the CPU of the end that we would replace; null without the transport. */
async function sippSide(
  kind: Kind,
  seconds: number,
  folder: string,
  trace: boolean,
  isWarm: Promise<void>,
): Promise<Side | null> {
  if (!hasSipp(kind)) return { perCpuSecond: Number.NaN, setupP99Ms: Number.NaN };
  const { work, transport, rate, underWay } = kind;
  const port = await freePort();
  const server = await sippServer(transport, port, folder, trace && work === 'CALLEE');
  try {
    await sleep(500);
    await sippClient(transport, port, rate, rate, folder, underWay);
    // It starts to count when we do.
    await isWarm;
    const before = cpuSecondsOf(server.pid!);
    const isTraced = trace && work === 'CALLER';
    const client = await sippClient(transport, port, rate, rate * seconds, folder, underWay, isTraced);
    if (!client.complete) return null;
    const cpuSeconds = work === 'CALLEE' ? cpuSecondsOf(server.pid!) - before : client.cpuSeconds;
    return { perCpuSecond: (rate * seconds) / cpuSeconds, setupP99Ms: Number.NaN };
  } finally {
    server.kill('SIGKILL');
  }
}

/** Our driver, as a separate process started like an agent, against the same. */
async function ourSide(kind: Kind, seconds: number, folder: string, onWarm: () => void): Promise<Side | null> {
  if (!hasSipp(kind)) return besideOurselves(kind, seconds);
  const { work, transport, rate, adapter, underWay } = kind;
  const port = await freePort();
  const server = work === 'CALLEE' ? null : await sippServer(transport, port, folder);
  await sleep(500);
  const options: DriveOptions = {
    ...{ work, transport, port, rate, adapter, patienceMs: patienceSeconds(underWay) * 1000 },
    warmUp: WARM_UP_CALLS,
    count: seconds * rate,
  };
  try {
    const call = async (): Promise<void> => {
      if (work !== 'CALLEE') return;
      await sippClient(transport, port, WARM_UP_RATE, options.warmUp, folder, underWay);
      onWarm();
      await sippClient(transport, port, rate, options.count, folder, underWay);
    };
    const result = await driveInChild(options, call, work === 'CALLER' ? onWarm : undefined);
    return sideOf(result, underWay === ANY ? 0 : MOST_AGAIN);
  } finally {
    server?.kill('SIGKILL');
  }
}

/** The other end is ours, too, in a separate process. */
async function besideOurselves({ work, transport, rate, adapter }: Kind, seconds: number): Promise<Side | null> {
  const common = { transport, port: await freePort(), rate, adapter, patienceMs: 15_000, warmUp: WARM_UP_CALLS };
  const options = { ...common, count: seconds * rate };
  let calling: Promise<DriveResult> | null = null;
  const called = await driveInChild({ ...options, work: 'CALLEE' }, () => {
    calling = driveInChild({ ...options, work: 'CALLER' }, () => undefined);
  });
  const placed = await (calling as Promise<DriveResult> | null);
  return work === 'CALLEE' ? sideOf(called) : placed && sideOf(placed);
}

const sideOf = (result: DriveResult, again = 0): Side | null =>
  result.failed > 0 || result.retransmissions > again * result.messages
    ? null
    : { perCpuSecond: result.ended / result.cpuSeconds, setupP99Ms: result.setupMs[1] };

async function driveInChild(
  options: DriveOptions,
  onReady: () => unknown,
  onWarm: () => void = () => undefined,
): Promise<DriveResult> {
  const child = spawn(
    process.execPath,
    [...process.execArgv, ...SIGNALLING_NODE_FLAGS, import.meta.filename, '--drive', JSON.stringify(options)],
    { stdio: ['ignore', 'pipe', 'inherit'], detached: true },
  );
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
    for (let end = output.indexOf('\n'); end >= 0 && output[0] !== '{'; end = output.indexOf('\n')) {
      const word = output.slice(0, end);
      output = output.slice(end + 1);
      if (word === 'warm') onWarm();
      else {
        prefer(child.pid!);
        onReady();
      }
    }
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`the driver ended with code ${code}`);
  return JSON.parse(output);
}

const usableAdapters = (): readonly Adapter[] => (typeof provenLibc() === 'string' ? ['dgram'] : ['ffi', 'dgram']);

function median(list: readonly number[]): number {
  const sorted = [...list].sort((a, b) => a - b);
  if (sorted.length === 0) return Number.NaN;
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, ADDRESS);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

function print(rows: readonly SipBenchRow[]): void {
  console.table(
    rows.map((r) => ({
      ...r,
      sippPerCpuSecond: Math.round(r.sippPerCpuSecond),
      sippTracedPerCpuSecond: Math.round(r.sippTracedPerCpuSecond),
      perCpuSecond: Math.round(r.perCpuSecond),
      ratio: r.ratio.toFixed(2),
      tracedRatio: r.tracedRatio.toFixed(2),
      setupP99Ms: r.setupP99Ms.toFixed(2),
    })),
  );
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      drive: { type: 'string' },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      rates: { type: 'string' },
      work: { type: 'string' },
      transports: { type: 'string' },
      adapters: { type: 'string' },
      'under-way': { type: 'string' },
      plain: { type: 'boolean', default: false },
    },
  });
  const list = <T extends string>(text: string | undefined): T[] | undefined => text?.split(',') as T[] | undefined;
  if (values.drive !== undefined) {
    const options: DriveOptions = {
      ...JSON.parse(values.drive),
      onReady: () => console.log('ready'),
      onWarm: () => console.log('warm'),
    };
    console.log(JSON.stringify(await drive(options)));
  } else {
    const [rates, work, transports] = [
      list(values.rates),
      list<DriverWork>(values.work),
      list<SippTransport>(values.transports),
    ];
    const adapters = list<Adapter>(values.adapters);
    const { rows } = await benchSip({
      ...(values.seconds === undefined ? {} : { seconds: Number(values.seconds) }),
      plain: values.plain,
      ...(values['under-way'] === undefined ? {} : { underWay: Number(values['under-way']) }),
      ...(values.rounds === undefined ? {} : { rounds: Number(values.rounds) }),
      ...(rates === undefined ? {} : { rates: rates.map(Number) }),
      ...(work === undefined ? {} : { work }),
      ...(transports === undefined ? {} : { transports }),
      ...(adapters === undefined ? {} : { adapters }),
    });
    print(rows);
  }
}
