/**
 * The same G.711 streams by our media engine and by a peer at the same time, each to its own receiver (native/ruler.cc). It
 * measures the cost of a packet, and how regularly packets are sent. The peer is SIPp's rtp_stream for streams that only send,
 * and a plain C++ loop over epoll (native/plain-loop.cc) for streams that send and measure. The ratio is the median of the ratios
 * of the rounds.
 */
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { availableParallelism, setPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { freeUdpPort, ownLoopback } from '../../peers/network/loopback.ts';
import { cpuSeconds, type Peer, startPeer, until } from '../../peers/process.ts';
import { startSipp } from '../../peers/sip/sipp.ts';
import { median, n, orDash, quantileOf, type ResultTable, times } from '../table.ts';
import type { DriverOrder, DriverReport } from './stream-driver.ts';

type Sender = 'carillon' | 'SIPp' | 'C++';
type Direction = DriverOrder['direction'];

const PAIRS: readonly (readonly [Direction, peer: Sender])[] = [
  ['SEND', 'SIPp'],
  ['BOTH', 'C++'],
];
/** With twice as many streams, a twelfth of our packets are late beside the peer, and packets that are skipped cost nothing. */
const STREAMS_A_CORE = 250;
const ROUNDS = 3;
const SECONDS = 6;
/** The time until the JavaScript is fully compiled on a busy machine. In the first seconds a packet costs a tenth more. */
const WARM_UP_MS = 12_000;

/** Jitter is that of departures by the receiver's kernel: J of RFC 3550, for the mean stream and for the 99th percentile. */
type Round = {
  readonly usPerPacket: number;
  readonly streamsPerCpuSecond: number;
  readonly jitterMeanUs: number;
  readonly jitterP99Us: number;
  /** The reported jitter of the ruler's streams minus the known jitter; null: not reported. */
  readonly addedMeanUs: number | null;
  readonly addedP99Us: number | null;
  readonly skippedPercent: number | null;
  readonly lost: number | null;
};

type RulerReport = {
  readonly streams: number;
  readonly received: number;
  readonly lost: number;
  readonly sent: number;
  readonly jitterMeanUs: number;
  readonly jitterP99Us: number;
  readonly sentJitterUs: readonly number[];
};

/** A sender in progress: its process, and the ports to which the ruler may send. */
type Running = { readonly pid: number; readonly ports: readonly number[]; end(): Promise<DriverReport | null> };
type Place = { readonly address: string; readonly peerPort: number; readonly streams: number };

export async function measureStreams(): Promise<ResultTable> {
  const folder = mkdtempSync(path.join(tmpdir(), 'carillon-native-'));
  try {
    const programs = { ruler: compiled('ruler', folder), plainLoop: compiled('plain-loop', folder) };
    const streams = STREAMS_A_CORE * availableParallelism();
    const rows: string[][] = [];
    for (const [direction, peer] of PAIRS) {
      const rounds: (readonly [ours: Round, its: Round])[] = [];
      for (let round = 0; round < ROUNDS; round++) rounds.push(await pair(programs, direction, peer, streams));
      const ratio = median(rounds.map(([ours, its]) => ours.usPerPacket / its.usPerPacket));
      const what = [n(streams), direction === 'SEND' ? 'send' : 'send and measure'];
      rows.push([...what, 'Carillon', times(ratio), ...cells(rounds.map(([ours]) => ours))]);
      rows.push([...what, peer, '', ...cells(rounds.map(([, its]) => its))]);
    }
    return {
      heads: [
        ...['streams', 'they', 'by', 'CPU of the peer', 'µs of CPU a packet', 'streams per CPU-second'],
        ...['departure jitter, µs: mean, p99 stream', 'jitter that it adds, µs: mean, p99 stream'],
        ...['packets not sent in time, %', 'lost'],
      ],
      rows,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function cells(rounds: readonly Round[]): string[] {
  const of = (key: keyof Round): number | null => {
    const values = rounds.map((round) => round[key]);
    return values.includes(null) ? null : median(values as number[]);
  };
  const added = of('addedMeanUs') === null ? '—' : `${orDash(of('addedMeanUs'), 1)}, ${orDash(of('addedP99Us'), 1)}`;
  return [
    ...[orDash(of('usPerPacket'), 2), orDash(of('streamsPerCpuSecond'))],
    ...[`${orDash(of('jitterMeanUs'))}, ${orDash(of('jitterP99Us'))}`, added],
    ...[orDash(of('skippedPercent'), 2), orDash(of('lost'))],
  ];
}

type Programs = { readonly ruler: string; readonly plainLoop: string };

/** @throws Error if g++ is missing, or refuses the program */
function compiled(name: string, folder: string): string {
  const program = path.join(folder, name);
  const source = path.join(import.meta.dirname, 'native', `${name}.cc`);
  const { status, stderr, error } = spawnSync('g++', ['-O2', '-pthread', '-o', program, source], { encoding: 'utf8' });
  if (error) throw new Error('This needs g++: apt-get install g++');
  if (status !== 0) throw new Error(`g++ ${source}:\n${stderr}`);
  return program;
}

/** One round, in which both send at the same time. */
async function pair(
  programs: Programs,
  direction: Direction,
  peer: Sender,
  streams: number,
): Promise<readonly [ours: Round, its: Round]> {
  const started: Measured[] = [];
  for (const who of ['carillon', peer] as const) started.push(await start(programs, who, direction, streams));
  await sleep(WARM_UP_MS);
  for (const one of started) await one.begin();
  await sleep(SECONDS * 1000);
  for (const one of started) await one.stop();
  const rounds: Round[] = [];
  for (const one of started) rounds.push(await one.end());
  return rounds as [Round, Round];
}

type Measured = {
  begin(): Promise<void>;
  /** The figures end at this time. */
  stop(): Promise<void>;
  end(): Promise<Round>;
};

async function start(programs: Programs, who: Sender, direction: Direction, streams: number): Promise<Measured> {
  const address = ownLoopback().address(1);
  const peerPort = await freeUdpPort(address);
  const ruler = startPeer(programs.ruler, [address, String(peerPort)], { stdin: 'pipe' });
  const lines = createInterface({ input: ruler.child.stdout! })[Symbol.asyncIterator]();
  await lines.next();
  const order = (line: string): void => void ruler.child.stdin!.write(`${line}\n`);
  const place = { address, peerPort, streams };
  const running =
    who === 'carillon'
      ? await ours({ ...place, direction })
      : who === 'C++'
        ? await plainLoop(programs, place, direction)
        : await sipp(place);
  if (direction === 'BOTH') order(`send ${running.ports.join(' ')}`);
  prefer(running.pid);
  let cpu = 0;
  return {
    async begin() {
      order('begin');
      cpu = -(await cpuSeconds(running.pid));
    },
    async stop() {
      cpu += await cpuSeconds(running.pid);
      order('end');
    },
    async end() {
      const heard = JSON.parse(String((await lines.next()).value)) as RulerReport;
      ruler.child.stdin!.end();
      await ruler.exited;
      if (heard.streams < streams * 0.99)
        throw new Error(`${who}: the ruler heard ${heard.streams} of ${streams} streams`);
      return roundOf(direction, cpu, heard, await running.end());
    },
  };
}

function roundOf(direction: Direction, cpu: number, heard: RulerReport, report: DriverReport | null): Round {
  const added = direction === 'BOTH' ? report?.jitterUs.map((us, i) => Math.abs(us - heard.sentJitterUs[i]!)) : null;
  return {
    usPerPacket: (cpu * 1e6) / (heard.received + heard.sent),
    streamsPerCpuSecond: heard.received / 50 / cpu,
    jitterMeanUs: heard.jitterMeanUs,
    jitterP99Us: heard.jitterP99Us,
    addedMeanUs: added ? added.reduce((sum, us) => sum + us, 0) / added.length : null,
    addedP99Us: added ? quantileOf(added, 0.99) : null,
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

async function plainLoop(programs: Programs, { address, peerPort, streams }: Place, to: Direction): Promise<Running> {
  const firstPort = 16_384;
  const args = [String(streams), address, String(firstPort), String(peerPort), to === 'BOTH' ? 'both' : 'send'];
  const peer: Peer = startPeer(programs.plainLoop, args, { stdin: 'pipe' });
  await until('the plain loop is ready', () => peer.output().includes('ready'));
  return {
    pid: peer.pid,
    ports: Array.from({ length: streams }, (_, i) => firstPort + 2 * i),
    async end() {
      peer.child.stdin!.end();
      await peer.exited;
      return null;
    },
  };
}

/** Only SIPp's caller is measured. Its callee only answers with the ruler's address. */
async function sipp({ address, peerPort, streams }: Place): Promise<Running> {
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

/** Raises the priority of all threads of both senders in the same way. Without permission they keep their own. */
function prefer(pid: number): void {
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      setPriority(Number(thread), -20);
    } catch {
      return;
    }
  }
}
