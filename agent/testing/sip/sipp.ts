/** SIPp as a peer: a process that is started on a free port of loopback and ended with the test. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freeSipPort } from '../../../scripts/peers/network/loopback.ts';
import { until } from '../../../scripts/peers/process.ts';

export type AgentSipp = {
  readonly port: number;
  /** Settles with the exit code: 0 if all calls went as the scenario requires. */
  readonly exit: Promise<number | null>;
  stop(): void;
};

/** The scenarios beside this file. */
export const scenario = (name: string): string[] => ['-sf', join(import.meta.dirname, 'sipp', `${name}.xml`)];

/** Null: SIPp is not installed (Debian: sip-tester). Settles when the port is in use. */
export async function startSipp(args: readonly string[], address = '127.0.0.1'): Promise<AgentSipp | null> {
  const port = await freeSipPort(address);
  const folder = mkdtempSync(join(tmpdir(), 'carillon-sipp-'));
  // Its watchdog would end it, including its calls, after a busy host has scheduled it late for a while.
  const rest = ['-nostdin', '-watchdog_interval', '0'];
  const child: ChildProcess = spawn('sipp', [...args, '-i', address, '-p', String(port), ...rest], {
    cwd: folder,
    stdio: 'ignore',
  });
  const started = await new Promise<boolean>((resolve) => {
    child.once('spawn', () => resolve(true));
    child.once('error', () => resolve(false));
  });
  if (!started) return null;
  const exit = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => {
      rmSync(folder, { recursive: true, force: true });
      resolve(code);
    });
  });
  const protocol = args.includes('t1') ? 'tcp' : 'udp';
  await until('SIPp has its port', () => child.exitCode !== null || isTaken(address, port, protocol), { everyMs: 10 });
  return { port, exit, stop: () => child.kill('SIGKILL') };
}

/**
 * From the kernel's list: a bind could take the port from SIPp at the wrong moment. With the address of IPv4: another test may
 * have the same port of another address.
 */
function isTaken(address: string, port: number, protocol: 'udp' | 'tcp'): boolean {
  const isSix = address.includes(':');
  const list = readFileSync(`/proc/net/${protocol}${isSix ? '6' : ''}`, 'latin1');
  const hex = (n: number, digits: number): string => n.toString(16).toUpperCase().padStart(digits, '0');
  const host = isSix
    ? ''
    : address
        .split('.')
        .map((byte) => hex(Number(byte), 2))
        .reverse()
        .join('');
  return list.includes(`${host}:${hex(port, 4)} 0`);
}
