/**
 * The same G.711 streams by our media engine, by a plain C++ loop over epoll and by SIPp's rtp_stream, each to its own
 * receiver: cost per packet and regularity. Send-only streams take turns; bidirectional ones run at the same time if
 * the machine can carry them, because a shared machine changes more between turns than they differ. The ratio is that
 * of each pair. Standalone: node_modules/.bin/node scripts/bench/media/streams.ts [--rounds 3] [--seconds 6]
 * [--realtime] [streams …]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freeUdpPort, ownLoopback } from '../../peers/network/loopback.ts';
import { type Peer, startPeer, until } from '../../peers/process.ts';
import { startSipp } from '../../peers/sip/sipp.ts';
import { compileNative, type NativePrograms } from './native.ts';
import type { DriverOrder, DriverReport } from './stream-driver.ts';

export type Contender = 'carillon' | 'c++' | 'sipp';
type Direction = 'BOTH' | 'SEND';
export type StreamsBenchOptions = {
  readonly streams?: readonly number[];
  readonly rounds?: number;
  readonly seconds?: number;
  readonly realtime?: boolean;
  readonly contenders?: readonly (readonly [Contender, Direction])[];
};

/** Medians over the rounds. */
export type StreamsBenchRow = {
  readonly who: Contender;
  readonly direction: Direction;
  readonly streams: number;
  /** Of the whole process. Packets: sent and received. */
  readonly usPerPacket: number;
  /** Streams that a second of CPU would carry. */
  readonly streamsPerCpuSecond: number;
  /** To the reference, round by round: SIPp where it sends only, C++ (at the same time, see `heats`) where it does both; null for the reference. */
  readonly cpuRatio: number | null;
  /** Of its departures by the receiver's kernel: J of RFC 3550, mean over streams and the stream at the 99th percentile. */
  readonly jitterMeanUs: number;
  readonly jitterP99Us: number;
  /** A packet's distance from where 20 ms after its predecessor would be. */
  readonly deviationP99Us: number;
  /**
   * Reported jitter of the reference streams minus the known one: mean over streams, 99th percentile; null: not
   * reported.
   */
  readonly addedMeanUs: number | null;
  readonly addedP99Us: number | null;
  readonly skippedPercent: number | null;
  readonly lost: number | null;
};

type Round = Omit<StreamsBenchRow, 'who' | 'direction' | 'streams' | 'cpuRatio'>;
type RulerReport = {
  readonly streams: number;
  readonly received: number;
  readonly lost: number;
  readonly sent: number;
  readonly jitterMeanUs: number;
  readonly jitterP99Us: number;
  readonly deviationP99Us: number;
  readonly sentJitterUs: readonly number[];
};

/** A sender on its feet: its process, and the ports to which the ruler may send. */
type Running = { readonly pid: number; readonly ports: readonly number[]; end(): Promise<DriverReport | null> };

const ALL = [
  ['sipp', 'SEND'],
  ['carillon', 'SEND'],
  ['c++', 'SEND'],
  ['carillon', 'BOTH'],
  ['c++', 'BOTH'],
] as const satisfies StreamsBenchOptions['contenders'];
/** Until the JavaScript is fully compiled, on a busy machine: in the first seconds a packet costs a tenth more. */
const WARM_UP_MS = 12_000;
/**
 * Both contenders and their references: with twice as many a twelfth of our slots were late, and skipped packets cost
 * nothing.
 */
const TOGETHER_A_CORE = 250;

/** A sentence if the ruler cannot be compiled. */
export async function benchStreams(options: StreamsBenchOptions = {}): Promise<StreamsBenchRow[] | string> {
  const { streams: sizes = [500, 1000], rounds = 3, contenders = ALL } = options;
  const programs = compileNative();
  if (typeof programs === 'string') return programs;
  const rows: StreamsBenchRow[] = [];
  for (const streams of sizes) {
    const found = new Map<string, Round[]>();
    for (let round = 0; round < rounds; round++)
      for (const [direction, together] of heats(contenders, streams))
        for (const [who, result] of await measure(programs, together, direction, streams, options))
          found.set(`${who} ${direction}`, [...(found.get(`${who} ${direction}`) ?? []), result]);
    for (const [who, direction] of contenders) {
      const own = found.get(`${who} ${direction}`)!;
      const reference = found.get(direction === 'SEND' ? 'sipp SEND' : 'c++ BOTH');
      const ratios = reference?.map((other, round) => own[round]!.usPerPacket / other.usPerPacket);
      rows.push({
        who,
        direction,
        streams,
        ...medians(own),
        cpuRatio: ratios === undefined || own === reference ? null : median(ratios),
      });
    }
  }
  return rows;
}

/** Which of them run at the same time. */
function heats(
  contenders: NonNullable<StreamsBenchOptions['contenders']>,
  streams: number,
): (readonly [Direction, readonly Contender[]])[] {
  const inTurn = contenders.map(([who, direction]) => [direction, [who]] as const);
  const both = inTurn.flatMap(([direction, [who]]) => (direction === 'BOTH' ? [who] : []));
  if (both.length < 2 || streams > TOGETHER_A_CORE * availableParallelism()) return inTurn;
  return [...inTurn.filter(([direction]) => direction === 'SEND'), ['BOTH', both]];
}

async function measure(
  programs: NativePrograms,
  together: readonly Contender[],
  direction: Direction,
  streams: number,
  { seconds = 6, realtime = false }: StreamsBenchOptions,
): Promise<[Contender, Round][]> {
  const started: (readonly [Contender, Measured])[] = [];
  for (const who of together) started.push([who, await start(programs, who, direction, streams, realtime)]);
  await sleep(WARM_UP_MS);
  for (const [, measured] of started) measured.begin();
  await sleep(seconds * 1000);
  for (const [, measured] of started) measured.stop();
  const rounds: [Contender, Round][] = [];
  for (const [who, measured] of started) rounds.push([who, await measured.end()]);
  return rounds;
}

/** A contender in progress, and the ruler that is its peer. */
type Measured = {
  begin(): void;
  /** The figures are those until now. */
  stop(): void;
  end(): Promise<Round>;
};

async function start(
  programs: NativePrograms,
  who: Contender,
  direction: Direction,
  streams: number,
  realtime: boolean,
): Promise<Measured> {
  const address = ownLoopback().address(1);
  const peerPort = await freeUdpPort(address);
  const ruler = startPeer(programs.ruler, [address, String(peerPort)], { stdin: 'pipe' });
  const lines = createInterface({ input: ruler.child.stdout! })[Symbol.asyncIterator]();
  await lines.next();
  const tell = (line: string): void => void ruler.child.stdin!.write(`${line}\n`);
  const running =
    who === 'carillon'
      ? await ours({ streams, adapter: 'ffi', address, peerPort, direction, realtime })
      : who === 'c++'
        ? await plainLoop(programs, streams, address, peerPort, direction)
        : await sipp(streams, address, peerPort);
  if (direction === 'BOTH') tell(`send ${running.ports.join(' ')}`);
  preferThreads(running.pid);
  let cpu = 0;
  return {
    begin() {
      tell('begin');
      cpu = -cpuSeconds(running.pid);
    },
    stop() {
      cpu += cpuSeconds(running.pid);
      tell('end');
    },
    async end() {
      const heard = JSON.parse(String((await lines.next()).value)) as RulerReport;
      ruler.child.stdin!.end();
      await ruler.exited;
      return figures(who, direction, streams, cpu, heard, await running.end());
    },
  };
}

function figures(
  who: Contender,
  direction: Direction,
  streams: number,
  cpu: number,
  heard: RulerReport,
  report: DriverReport | null,
): Round {
  if (heard.streams < streams * 0.99) throw new Error(`${who}: the ruler heard ${heard.streams} of ${streams} streams`);
  const packets = heard.received + heard.sent;
  const added = direction === 'BOTH' ? report?.jitterUs.map((us, i) => Math.abs(us - heard.sentJitterUs[i]!)) : null;
  return {
    usPerPacket: (cpu * 1e6) / packets,
    streamsPerCpuSecond: heard.received / 50 / cpu,
    jitterMeanUs: heard.jitterMeanUs,
    jitterP99Us: heard.jitterP99Us,
    deviationP99Us: heard.deviationP99Us,
    addedMeanUs: added ? added.reduce((sum, us) => sum + us, 0) / streams : null,
    addedP99Us: added ? added.sort((a, b) => a - b)[Math.ceil(0.99 * streams) - 1]! : null,
    skippedPercent: report ? (report.skipped / report.planned) * 100 : null,
    lost: report ? report.lost + heard.lost : null,
  };
}

async function ours(order: DriverOrder): Promise<Running> {
  const child = fork(new URL('./stream-driver.ts', import.meta.url));
  child.send(order);
  const [ports] = (await once(child, 'message')) as [number[]];
  return {
    pid: child.pid!,
    ports,
    async end() {
      child.send('end');
      const [report] = (await once(child, 'message')) as [DriverReport];
      await once(child, 'exit');
      return report;
    },
  };
}

async function plainLoop(
  { plainLoop }: NativePrograms,
  streams: number,
  address: string,
  peerPort: number,
  direction: Direction,
): Promise<Running> {
  const firstPort = 16_384;
  const mode = direction === 'BOTH' ? 'both' : 'send';
  const peer = startPeer(plainLoop, [String(streams), address, String(firstPort), String(peerPort), mode], {
    stdin: 'pipe',
  });
  await until('the plain loop is ready', () => peer.output().includes('ready'));
  return {
    pid: peer.pid,
    ports: Array.from({ length: streams }, (_, i) => firstPort + 2 * i),
    end: () => gone(peer),
  };
}

/** SIPp's caller is measured; its callee only answers with the reference's address. */
async function sipp(streams: number, address: string, peerPort: number): Promise<Running> {
  const callee = await startSipp({
    address,
    scenario: { file: 'answer-with-ruler.xml' },
    args: ['-key', 'ruler_port', String(peerPort), '-l', String(streams)],
  });
  const caller = await startSipp({
    address,
    scenario: { file: 'streams.xml' },
    target: `${address}:${callee.port}`,
    files: { 'audio.ulaw': new Uint8Array(80_000).fill(0xd5) },
    args: ['-m', String(streams), '-l', String(streams), '-r', '500'],
  });
  await sleep((streams / 500) * 1000);
  return {
    pid: caller.pid,
    ports: [],
    async end() {
      await Promise.all([caller.end(), callee.end()]);
      return null;
    },
  };
}

async function gone(peer: Peer): Promise<null> {
  peer.child.stdin!.end();
  await peer.exited;
  return null;
}

/** With raised priority for all contenders; without permission they keep their own. */
function preferThreads(pid: number): void {
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      setPriority(Number(thread), -20);
    } catch {
      return;
    }
  }
}

/** User and system time of all threads of a process; proc(5): ticks of 10 ms. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const median = (list: readonly number[]): number => {
  const sorted = [...list].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
};

const medians = (rounds: readonly Round[]): Round =>
  Object.fromEntries(
    Object.keys(rounds[0]!).map((key) => {
      const values = rounds.map((round) => round[key as keyof Round]);
      return [key, values.includes(null) ? null : median(values as number[])];
    }),
  ) as Round;

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '6' },
      realtime: { type: 'boolean', default: false },
      only: { type: 'string' },
    },
  });
  const result = await benchStreams({
    streams: positionals.length > 0 ? positionals.map(Number) : [500, 1000],
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    realtime: values.realtime,
    ...(values.only && { contenders: ALL.filter(([who, direction]) => values.only!.includes(`${who}-${direction}`)) }),
  });
  if (typeof result === 'string') console.log(result);
  else console.table(result);
}
