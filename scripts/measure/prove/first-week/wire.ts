/**
 * Hosts on one wire: each has processes, mounts and a network of its own, by Linux namespaces. Nothing of them reaches the network
 * of this host, and all of them end with this process, even if it is killed. It needs root.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type Peer, startPeer, until } from '../../../peers/process.ts';

export type WiredHost = {
  readonly name: string;
  readonly address: string;
  /** Its first process, by the number on this host. */
  readonly pid: string;
  /** What stands before a program so that it runs there, with the files of this host. */
  readonly enter: readonly string[];
};

const NETWORK = '10.86.0';

/** The first host is the office: its bridge is the wire. @param closers those that end the hosts are added */
export async function startWire(names: readonly string[], closers: (() => unknown)[]): Promise<readonly WiredHost[]> {
  const hosts: WiredHost[] = [];
  for (const [i, name] of names.entries()) {
    const host = await startHost(name, `${NETWORK}.${i + 1}`, closers);
    hosts.push(host);
    const at = (...args: string[]) => execFileSync('env', [...host.enter, 'ip', ...args], { stdio: 'pipe' });
    const link = i === 0 ? 'wire' : 'eth0';
    if (i === 0) at('link', 'add', link, 'type', 'bridge');
    else plug(hosts[0] as WiredHost, host, `to-${name}`);
    at('address', 'add', `${host.address}/24`, 'dev', link);
    for (const one of ['lo', link]) at('link', 'set', one, 'up');
    if (i > 0) at('route', 'add', 'default', 'via', `${NETWORK}.1`);
  }
  return hosts;
}

/** A link from the bridge of the office to the host, where it is eth0. */
function plug(office: WiredHost, host: WiredHost, name: string): void {
  // The number of a process is that of this host, so only the network is entered.
  const ip = (...args: string[]) =>
    execFileSync('nsenter', ['--target', office.pid, '--net', 'ip', ...args], { stdio: 'pipe' });
  ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', host.pid);
  ip('link', 'set', name, 'master', 'wire', 'up');
}

async function startHost(name: string, address: string, closers: (() => unknown)[]): Promise<WiredHost> {
  // Its first process ends all others of the host when it ends, and it ends with this process.
  const life = ['--pdeathsig', 'KILL', 'unshare', '--net', '--pid', '--mount', '--fork', '--kill-child', 'sleep'];
  const holder = startPeer('setpriv', [...life, 'infinity']);
  closers.push(() => holder.stop('SIGKILL'));
  const pid = await until('the host is up', () => firstOf(holder), { everyMs: 20, of: [holder] });
  return { name, address, pid, enter: ['nsenter', '--target', pid, '--net', '--pid', '--mount', '--'] };
}

/** Its first process, once the namespaces are there. */
function firstOf({ pid }: Peer): string | undefined {
  const [child = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  return child !== '' && readFileSync(`/proc/${child}/comm`, 'utf8').trim() === 'sleep' ? child : undefined;
}

/** A program with the network of that host and the files of this one. It ends with this process. */
export const startOn = ({ pid }: WiredHost, program: string, ...args: string[]): Peer =>
  startPeer('setpriv', ['--pdeathsig', 'KILL', 'nsenter', '--target', pid, '--net', program, ...args], {
    env: { TERM: 'dumb' },
  });
