/**
 * The output of `npm run release`, read by independent programs: sha256sum, ssh-keygen, tar, CycloneDX's own validator. Built
 * twice, in different places and under different umasks, it has the same bytes. Executables: `npm run prove -- release`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import t from 'tap';
import { billOfMaterials } from '../../package/bom.ts';
import { bundleClient } from '../../package/bundle.ts';
import { NOTICES } from '../../package/notices.ts';
import { blockOf } from '../../site/blocks.ts';

type Licensed = { license?: { id: string }; expression?: string };
type Bom = { components: { 'bom-ref': string; licenses: Licensed[]; hashes: object[] }[] };

const PROGRAM = path.resolve(import.meta.dirname, '..', '..', 'package', 'release.ts');
/** Licenses that require a notice, or nothing. */
const PERMISSIVE = [
  ...['MIT', 'MIT-0', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0', 'Unlicense'],
  '(MIT OR CC0-1.0)',
];

const dir = mkdtempSync(path.join(tmpdir(), 'carillon-release-'));
t.teardown(() => rmSync(dir, { recursive: true, force: true }));
const key = path.join(dir, 'key');
execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
const release = (folder: string, umask: string, env: Record<string, string>): string => {
  const into = path.join(dir, folder);
  const line = `umask ${umask} && exec "$0" "$@"`;
  const args = ['-c', line, process.execPath, PROGRAM, into, 'npm', 'unit', 'chart'];
  execFileSync('sh', args, { cwd: dir, env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] });
  return into;
};
const first = release('first', '022', { CARILLON_RELEASE_KEY: key, TZ: 'UTC' });
const read = (name: string): string => readFileSync(path.join(first, name), 'utf8');
const sums = read('SHA256SUMS');
const boms = sums.match(/\S+\.cdx\.json/g) ?? [];

t.test('twice made, the same bytes', async (t) => {
  const second = release('elsewhere/second', '077', { TZ: 'Asia/Tokyo' });
  t.equal(readFileSync(path.join(second, 'SHA256SUMS'), 'utf8'), sums);
});

t.test('the chart is that of the repository, in a folder of its name', async (t) => {
  const into = mkdtempSync(path.join(dir, 'chart-'));
  execFileSync('tar', ['-xzf', path.join(first, 'carillon-chart-0.1.0.tgz'), '-C', into]);
  const chart = path.resolve(import.meta.dirname, '..', '..', '..', 'integrations', 'kubernetes', 'carillon');
  execFileSync('diff', ['-r', chart, path.join(into, 'carillon')]);
  t.match(readFileSync(path.join(into, 'carillon', 'Chart.yaml'), 'utf8'), /^version: 0\.1\.0$/m);
});

t.test('bills of materials are valid, and name licenses that may be shipped', async (t) => {
  t.equal(boms.length, 2, 'the agent, the image');
  const shipped = await bundleClient(path.join(dir, 'client'));
  const client = {
    name: 'carillon',
    version: '0.1.0',
    workspace: '@carillon/control-plane',
  } as const;
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot5);
  for (const text of [...boms.map(read), billOfMaterials(client, shipped, new Date(0))]) {
    t.equal(await validator.validate(text), null);
    const { components } = JSON.parse(text) as Bom;
    t.ok(components.length > 5, `${components.length} components`);
    for (const { 'bom-ref': ref, licenses, hashes } of components) {
      t.ok(
        PERMISSIVE.includes(licenses[0]?.license?.id ?? licenses[0]?.expression ?? ''),
        `${ref}: ${JSON.stringify(licenses)}`,
      );
      t.equal(hashes.length, 1, ref);
    }
  }
  t.type(await validator.validate('{"bomFormat":"CycloneDX"}'), Object, 'the validator refuses what is none');
});

t.test('licenses go with what is shipped', async (t) => {
  const all = read(NOTICES);
  for (const name of boms)
    for (const { 'bom-ref': ref } of (JSON.parse(read(name)) as Bom).components) t.match(all, `${ref} (`);
  const packed = execFileSync('tar', ['-xzOf', path.join(first, 'carillon-agent-0.1.0.tgz'), `package/${NOTICES}`]);
  t.match(packed.toString(), /koffi@[\s\S]*ws@/);
});

t.test('an operator verifies it with what Debian has', async (t) => {
  const page = 'docs/guide/releases.md';
  const sh = (line: string) => spawnSync('sh', ['-c', line], { cwd: first }).status;
  const [, algorithm, publicKey] = /^(\S+) (\S+)/.exec(readFileSync(`${key}.pub`, 'utf8')) ?? [];
  sh(blockOf(page, '> signers').text.replace(/ssh-ed25519 \w+\.+/, `${algorithm} ${publicKey}`));
  const [verifying = '', checking = ''] = blockOf(page, 'ssh-keygen -Y verify').text.split('\n');
  const verify = () => sh(verifying);
  const check = () => sh(checking);
  t.equal(verify(), 0);
  t.equal(check(), 0);
  appendFileSync(path.join(first, NOTICES), ' ');
  t.not(check(), 0, 'a file that was changed');
  appendFileSync(path.join(first, 'SHA256SUMS'), ' ');
  t.not(verify(), 0, 'sums that were changed');
});
