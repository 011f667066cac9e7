/**
 * Calls per CPU-second (user and system) of our SIP engine and of SIPp's own client, against the same `sipp -sn uas` on
 * loopback in the same run: the absolute figures belong to the machine, the ratio to the code. A call is INVITE, 180,
 * 200, ACK, BYE, 200. Run: npx node scripts/bench/sip.ts [--seconds 10] [--rates 1000,2000,4000] [--adapters ffi,dgram]
 */
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { provenLibc } from '../../agent/net/open-datagram-port.ts';
import { type DriveResult, drive } from './sip-driver.ts';

export type SipBenchOptions = {
  /** Seconds of load at each rate. */
  readonly seconds?: number;
  /** Calls a second. */
  readonly rates?: readonly number[];
  readonly adapters?: readonly ('ffi' | 'dgram')[];
};

export type SipBenchRow = {
  readonly engine: string;
  readonly rate: number;
  readonly calls: number;
  readonly failed: number;
  readonly cpuSeconds: number;
  readonly callsPerCpuSecond: number;
  /** To SIPp's client at the same rate; 1 for SIPp itself. */
  readonly ratio: number;
  /** Messages that went out more than once; null where the peer does not tell. */
  readonly retransmissions: number | null;
};

const ADDRESS = '127.0.0.1';

/** Needs `sipp` (apt-get install sip-tester); rejects where it cannot be started. */
export async function benchSip(options: SipBenchOptions = {}): Promise<{ rows: SipBenchRow[] }> {
  const { seconds = 10, rates = [1000, 2000, 4000], adapters = usableAdapters() } = options;
  const folder = await mkdtemp(join(tmpdir(), 'carillon-bench-'));
  const port = await freePort();
  const server = spawn('sipp', ['-sn', 'uas', '-i', ADDRESS, '-p', String(port), '-nostdin', '-buff_size', '4194304'], {
    cwd: folder,
    stdio: 'ignore',
  });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('spawn', resolve);
      server.once('error', () => reject(new Error('sipp cannot be started: apt-get install sip-tester')));
    });
    await answers(port);
    const rows: SipBenchRow[] = [];
    for (const rate of rates) {
      const calls = rate * seconds;
      const peer = await sippClient(folder, port, rate, calls);
      rows.push(peer);
      for (const adapter of adapters) {
        const { ended, failed, cpuSeconds, retransmissions } = await driveInChild(port, rate, calls, adapter);
        const callsPerCpuSecond = Math.round(ended / cpuSeconds);
        const ratio = callsPerCpuSecond / peer.callsPerCpuSecond;
        rows.push({
          engine: `core, ${adapter}`,
          rate,
          calls,
          failed,
          cpuSeconds,
          callsPerCpuSecond,
          ratio,
          retransmissions,
        });
      }
    }
    return { rows };
  } finally {
    server.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
}

const usableAdapters = (): readonly ('ffi' | 'dgram')[] =>
  typeof provenLibc() === 'string' ? ['dgram'] : ['ffi', 'dgram'];

/** A process of its own: what the caller of the benchmark does must not count. */
function driveInChild(port: number, rate: number, calls: number, adapter: string): Promise<DriveResult> {
  const child = spawn(
    process.execPath,
    [...process.execArgv, import.meta.filename, '--drive', JSON.stringify([port, rate, calls, adapter])],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(JSON.parse(output));
      else reject(new Error(`the driver ended with code ${code}`));
    });
  });
}

/** SIPp's own client; its CPU time as the shell that waited for it counts it. */
function sippClient(folder: string, port: number, rate: number, calls: number): Promise<SipBenchRow> {
  const command = `sipp -sn uac ${ADDRESS}:${port} -i ${ADDRESS} -r ${rate} -m ${calls} -l 200000 -nostdin -buff_size 4194304 >sipp.out 2>&1; echo code $?; times`;
  const shell = spawn('sh', ['-c', command], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let output = '';
    shell.stdout.on('data', (chunk) => {
      output += chunk;
    });
    shell.once('error', reject);
    shell.once('close', () => {
      const [codeLine, , childLine] = output.trim().split('\n');
      const cpuSeconds = (childLine ?? '').split(' ').reduce((sum, part) => sum + secondsOf(part), 0);
      const failed = codeLine === 'code 0' ? 0 : calls;
      const callsPerCpuSecond = Math.round((calls - failed) / cpuSeconds);
      resolve({
        engine: 'SIPp uac',
        rate,
        calls,
        failed,
        cpuSeconds,
        callsPerCpuSecond,
        ratio: 1,
        retransmissions: null,
      });
    });
  });
}

/** `1m2.34s` */
function secondsOf(text: string): number {
  const [minutes, seconds] = text.replace('s', '').split('m');
  return Number(minutes) * 60 + Number(seconds);
}

async function freePort(): Promise<number> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, ADDRESS, resolve));
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return port;
}

/** Waits until the port takes a call. */
async function answers(port: number): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (Date.now() < deadline) {
    const { ended } = await drive({ port, rate: 10, calls: 1, adapter: 'dgram', patienceMs: 1000 });
    if (ended === 1) return;
  }
  throw new Error('sipp -sn uas does not answer within 10 s');
}

function print(rows: readonly SipBenchRow[]): void {
  console.table(
    rows.map(({ cpuSeconds, ratio, ...row }) => ({
      ...row,
      cpuSeconds: cpuSeconds.toFixed(2),
      ratio: ratio.toFixed(2),
    })),
    ['engine', 'rate', 'calls', 'failed', 'retransmissions', 'cpuSeconds', 'callsPerCpuSecond', 'ratio'],
  );
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      drive: { type: 'string' },
      seconds: { type: 'string' },
      rates: { type: 'string' },
      adapters: { type: 'string' },
    },
  });
  if (values.drive !== undefined) {
    const [port, rate, calls, adapter] = JSON.parse(values.drive);
    // Two seconds unmeasured: a load test runs for minutes, compiling its code is not what it costs.
    await drive({ port, rate, calls: 2 * rate, adapter, patienceMs: 10_000 });
    console.log(JSON.stringify(await drive({ port, rate, calls, adapter, patienceMs: 40_000 })));
  } else {
    const { rows } = await benchSip({
      ...(values.seconds === undefined ? {} : { seconds: Number(values.seconds) }),
      ...(values.rates === undefined ? {} : { rates: values.rates.split(',').map(Number) }),
      ...(values.adapters === undefined ? {} : { adapters: values.adapters.split(',') as ('ffi' | 'dgram')[] }),
    });
    print(rows);
  }
}
