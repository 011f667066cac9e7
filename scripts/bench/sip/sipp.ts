/** SIPp in our benchmarks: its servers and clients as processes, and their CPU time. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { createIdentity } from '../../../agent/net/text/self-signed.ts';
import { NO_WATCHDOG } from '../../peers/sip/sipp.ts';

export const ADDRESS = '127.0.0.1';

export type SippTransport = 'UDP' | 'TCP' | 'TLS';

/** Another binary than the system's: Debian's is built without TLS, a custom one (cmake -DUSE_SSL=1) has it. */
const SIPP = process.env['SIPP'] ?? 'sipp';

export const sippSpeaksTls = (): boolean => /-TLS/.test(spawnSync(SIPP, ['-v'], { encoding: 'utf8' }).stdout ?? '');

const MODES = { UDP: 'u1', TCP: 't1', TLS: 'l1' } as const;

/** One connection for all calls, like ours. */
function transportOf(transport: SippTransport, cwd: string): string[] {
  const mode = ['-t', MODES[transport]];
  if (transport !== 'TLS') return mode;
  const { certificate, key } = createIdentity(ADDRESS);
  const [certificateFile, keyFile] = [join(cwd, 'certificate.pem'), join(cwd, 'key.pem')];
  writeFileSync(certificateFile, certificate);
  writeFileSync(keyFile, key.reveal());
  // By default SIPp requests TLS 1.0, which OpenSSL 3 refuses.
  return [...mode, '-tls_cert', certificateFile, '-tls_key', keyFile, '-tls_version', '1.2'];
}

/**
 * Priority over other work on the machine, for all contenders alike; without the permission they continue as they are. Linux
 * first divides processors among sessions (sched(7), autogroup): the process must have been spawned detached.
 */
export function prefer(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, '-20');
    for (const thread of readdirSync(`/proc/${pid}/task`)) setPriority(Number(thread), -20);
  } catch {
    return;
  }
}

/** User and system time of all threads of a process; proc(5): ticks of 10 ms. */
export function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Every message, the response times of every call, and message counts: what we record, into files of `cwd`. */
const TRACE = ['-trace_msg', '-trace_rtt', '-trace_counts', '-fd', '1'];
const traceOf = (trace: boolean): readonly string[] => (trace ? TRACE : []);

/** Rejects if SIPp is not available. It may need a moment to listen. */
export async function sippServer(
  transport: SippTransport,
  port: number,
  cwd: string,
  trace = false,
): Promise<ChildProcess> {
  const common = [
    '-i',
    ADDRESS,
    '-p',
    String(port),
    '-nostdin',
    '-buff_size',
    '4194304',
    ...NO_WATCHDOG,
    ...transportOf(transport, cwd),
  ];
  const server = spawn(SIPP, ['-sn', 'uas', ...common, ...traceOf(trace)], { cwd, stdio: 'ignore', detached: true });
  await new Promise<void>((resolve, reject) => {
    server.once('spawn', resolve);
    server.once('error', () => reject(new Error('sipp cannot be started: apt-get install sip-tester')));
  });
  prefer(server.pid!);
  return server;
}

/** The highest number of concurrent calls: practically no limit. */
export const ANY = 200_000;

/** How long to wait for the last call. With a limit on open calls, the load takes as long as the machine needs. */
export const patienceSeconds = (underWay: number): number => (underWay === ANY ? 20 : 900);

export type ClientResult = { readonly cpuSeconds: number; readonly complete: boolean };

/**
 * SIPp's client until its last call has ended, with at most `underWay` open calls; its CPU time as counted by the shell that
 * waited for it.
 */
export async function sippClient(
  transport: SippTransport,
  port: number,
  rate: number,
  count: number,
  cwd: string,
  underWay: number,
  trace = false,
): Promise<ClientResult> {
  const limitSeconds = Math.ceil(count / rate) + patienceSeconds(underWay);
  const common = ['-i', ADDRESS, '-r', String(rate), '-m', String(count), '-l', String(underWay), '-nostdin'];
  const rest = [
    '-buff_size',
    '4194304',
    '-timeout',
    `${limitSeconds}s`,
    ...NO_WATCHDOG,
    ...transportOf(transport, cwd),
    ...traceOf(trace),
  ];
  const command = [SIPP, '-sn', 'uac', `${ADDRESS}:${port}`, ...common, ...rest];
  const shell = spawn('sh', ['-c', '"$@" >sipp.out 2>&1; echo code $?; times', 'sh', ...command], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  prefer(shell.pid!);
  let output = '';
  shell.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await once(shell, 'close');
  const [codeLine, , childLine] = output.trim().split('\n');
  const cpuSeconds = (childLine ?? '').split(' ').reduce((sum, part) => sum + secondsOf(part), 0);
  return { cpuSeconds, complete: codeLine === 'code 0' };
}

/** `1m2.34s` */
function secondsOf(text: string): number {
  const [minutes, seconds] = text.replace('s', '').split('m');
  return Number(minutes) * 60 + Number(seconds);
}
