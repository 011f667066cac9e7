/**
 * The first week of a newcomer on clean Debians and in a real browser: from the folder of a release to the alarm of a probe and a
 * second customer. A control plane and two agents are on hosts of their own; the browser, the carrier and the receiver of alarms
 * are in the office. It needs root, debootstrap and SIPp. `CARILLON_PROVE_DEBIAN` is a folder that debootstrap has made before;
 * `CARILLON_PROVE_PICTURES` gets a picture of each page.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { memoryFolder } from '../../../test-run/memory-folder.ts';
import type { ResultTable } from '../../table.ts';
import { bootstrap, copyOf, hasProgram } from '../debian.ts';
import { Effort } from './effort.ts';
import { goals, type Place } from './goals.ts';
import { bring, fillCache } from './install.ts';
import { startWire } from './wire.ts';

const ROOT = path.resolve(import.meta.dirname, '../../../..');
/** What a Debian has that somebody installed as a server, beyond the least. */
const INCLUDED = '--include=ca-certificates,openssh-client,openssl';
const NEEDED = ['debootstrap', 'sipp', 'openssl', 'nsenter', 'setpriv'] as const;

export async function firstWeek(): Promise<ResultTable> {
  const missing = NEEDED.filter((name) => !hasProgram(name));
  if (process.getuid?.() !== 0 || missing.length > 0)
    throw new Error(`this needs root, and: ${missing.length > 0 ? missing.join(', ') : NEEDED.join(', ')}`);
  const dir = mkdtempSync(path.join(memoryFolder() ?? tmpdir(), 'carillon-first-week-'));
  // The user of the control plane must be able to pass through the folder.
  chmodSync(dir, 0o711);
  const closers: (() => unknown)[] = [() => rmSync(dir, { recursive: true, force: true })];
  const effort = new Effort(process.env['CARILLON_PROVE_PICTURES']);
  try {
    await goals(effort, await prepare(dir, closers), closers);
    return effort.table();
  } catch (error) {
    console.log(
      effort
        .table()
        .rows.map((row) => row.join(' | '))
        .join('\n'),
    );
    throw error;
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

async function prepare(dir: string, closers: (() => unknown)[]): Promise<Place> {
  const key = path.join(dir, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  const release = path.join(dir, 'release');
  execFileSync(
    process.execPath,
    ['scripts/package/release.ts', release, 'x64', 'cli', 'control-plane', 'unit', 'deb'],
    {
      cwd: ROOT,
      env: { ...process.env, CARILLON_RELEASE_KEY: key },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const base = process.env['CARILLON_PROVE_DEBIAN'] ?? path.join(dir, 'debian');
  if (process.env['CARILLON_PROVE_DEBIAN'] === undefined) bootstrap(base, [INCLUDED]);
  const [office, ...others] = await startWire(['office', 'plane', 'agent-1', 'agent-2'], closers);
  const [plane, ...agents] = others.map((host) => {
    const debian = copyOf(base, path.join(dir, host.name), host.enter);
    bring(debian, globSync(`${release}/${host === others[0] ? '*' : '*_amd64.deb'}`), others[0]?.address ?? '');
    return debian;
  });
  if (!office || !others[0] || !plane) throw new Error('there is no host');
  fillCache(plane);
  return { dir, office, server: others[0].address, plane, agents, publicKey: readFileSync(`${key}.pub`, 'utf8') };
}
