/**
 * Runs `npm run release` in two clones of this commit, in different places, with packages installed by npm in each. Both must
 * have the same bytes, executables included. The first release is signed with a key of this proof and verified by sha256sum,
 * ssh-keygen and CycloneDX's own validator, which must refuse it after a change.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { blockOf } from '../../site/blocks.ts';
import { n, type ResultTable } from '../table.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');

/** The releases are built one after the other. Each has its own umask, time zone and folder. */
const PLACES = [
  { folder: 'one', umask: '022', env: { TZ: 'UTC', LANG: 'C.UTF-8' } },
  { folder: 'a/longer/place', umask: '077', env: { TZ: 'Asia/Tokyo', LANG: 'C' } },
] as const;

export async function release(): Promise<ResultTable> {
  const dir = mkdtempSync('/tmp/carillon-release-');
  const key = path.join(dir, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  try {
    const made = PLACES.map(({ folder, umask, env }) => {
      const at = performance.now();
      const clone = path.join(dir, folder);
      const sh = (line: string, cwd: string): string =>
        execFileSync('sh', ['-c', `umask ${umask} && ${line}`], {
          cwd,
          env: { ...process.env, ...env, CARILLON_RELEASE_KEY: key },
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'pipe'],
        });
      sh(`git clone --quiet "file://${ROOT}" "${clone}"`, dir);
      sh('npm run release', clone);
      const sums = readFileSync(path.join(clone, 'dist', 'release', 'SHA256SUMS'), 'utf8');
      return { sums, seconds: n((performance.now() - at) / 1000) };
    });
    const [first, second] = made.map(({ sums }) => sums);
    if (first !== second) throw new Error(`the second has other bytes:\n${first}\n${second}`);
    await verify(path.join(dir, PLACES[0].folder, 'dist', 'release'), readFileSync(`${key}.pub`, 'utf8'));
    const files = n(first?.trim().split('\n').length ?? 0);
    return {
      heads: ['clone', 'made in s', 'files with the same bytes'],
      rows: made.map(({ seconds }, i) => [PLACES[i]?.folder ?? '', seconds, files]),
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The commands of the page are run in the folder of the release. */
async function verify(folder: string, publicKey: string): Promise<void> {
  const sh = (line: string) => spawnSync('sh', ['-c', `${line} 2>&1`], { cwd: folder, encoding: 'utf8' });
  const page = 'docs/guide/releases.md';
  const [algorithm, bytes] = publicKey.split(' ');
  sh(
    blockOf(page, '> signers')
      .text.trim()
      .replace(/ssh-ed25519 \w+\.+/, `${algorithm} ${bytes}`),
  );
  const commands = blockOf(page, 'ssh-keygen -Y verify').text.trim().split('\n');
  for (const command of commands) {
    const { status, stdout } = sh(command);
    console.log(`$ ${command}\n${stdout}`);
    if (status !== 0) throw new Error(`${command}: exit code ${status}`);
  }
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot5);
  for (const file of globSync('*.cdx.json', { cwd: folder }).sort()) {
    const text = readFileSync(path.join(folder, file), 'utf8');
    const fault = await validator.validate(text);
    if (fault !== null) throw new Error(`${file}: ${JSON.stringify(fault)}`);
    console.log(`${file}: valid CycloneDX 1.5, ${JSON.parse(text).components.length} components`);
  }
  appendFileSync(path.join(folder, 'THIRD-PARTY-NOTICES.txt'), ' ');
  appendFileSync(path.join(folder, 'SHA256SUMS'), ' ');
  for (const command of commands) {
    const { status } = sh(command);
    if (status === 0) throw new Error(`${command} accepts files that were changed`);
    console.log(`after a change: exit code ${status} of ${command.split(' ')[0]}`);
  }
}
