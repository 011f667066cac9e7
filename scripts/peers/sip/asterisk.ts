/**
 * A real Asterisk with PJSIP. Debian 12 has none, so `CARILLON_TEST_ASTERISK` names the program, and what needs it is skipped where
 * there is none. Its modules are the program's own; everything that it writes is in a folder of the test.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Peer, startPeer, until } from '../process.ts';

export const ASTERISK = process.env['CARILLON_TEST_ASTERISK'];
/** What tap shows of a test that was skipped for it; false: it is there. */
export const WITHOUT_ASTERISK = ASTERISK === undefined && 'CARILLON_TEST_ASTERISK names no Asterisk';

export type Asterisk = {
  /** What its console says to a command. */
  ask(command: string): Promise<string>;
  stop(): Promise<void>;
};

const FOLDERS = ['run', 'log', 'spool', 'db'] as const;

/** @param files by name, as they would be in /etc/asterisk; of `asterisk.conf` what follows [directories] */
export async function startAsterisk(files: Readonly<Record<string, string>>): Promise<Asterisk> {
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-asterisk-'));
  const places = FOLDERS.map((name) => `ast${name}dir => ${path.join(dir, name)}`);
  const all = {
    'modules.conf': '[modules]\nautoload=yes',
    ...files,
    'asterisk.conf': ['[directories]', `astetcdir => ${dir}`, ...places, files['asterisk.conf'] ?? ''].join('\n'),
  };
  for (const name of FOLDERS) await mkdir(path.join(dir, name));
  for (const [name, text] of Object.entries(all)) await writeFile(path.join(dir, name), text);
  const program = (...args: string[]): Peer =>
    startPeer(ASTERISK ?? 'asterisk', ['-C', path.join(dir, 'asterisk.conf'), ...args]);
  const server = program('-f', '-n');
  const ask = async (command: string): Promise<string> => {
    const console = program('-r', '-x', command);
    await console.exited;
    return console.output();
  };
  const booted = async (): Promise<boolean> => (await ask('core waitfullybooted')).includes('fully booted');
  await until('Asterisk is up', booted, { of: [server] }).catch(async (error) => {
    await server.stop('SIGKILL');
    throw error;
  });
  return {
    ask,
    async stop() {
      await server.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
