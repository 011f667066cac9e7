/**
 * The images as OCI archives: the same bytes twice, each blob has its digest, tar unpacks the layers in their order, and what they hold
 * runs as their user with nothing else. skopeo and umoci read them, where they are installed.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t from 'tap';
import { hasProgram } from '../../measure/prove/debian.ts';
import { bundleAgent } from '../../package/bundle.ts';
import { bundleControlPlane } from '../../package/control-plane-bundle.ts';
import { buildAgentImage, buildControlPlaneImage } from '../../package/oci.ts';
import { buildExecutable, copyNode } from '../../package/single-executable.ts';

type Blob = { readonly mediaType: string; readonly digest: string; readonly size: number };
type Config = {
  readonly config: { readonly User: string; readonly Entrypoint: string[]; readonly Env: string[] };
  readonly rootfs: { readonly diff_ids: string[] };
};

const ARCHITECTURE = process.arch === 'arm64' ? 'arm64' : 'x64';
const dir = await mkdtemp(path.join(tmpdir(), 'carillon-images-'));
t.teardown(() => rm(dir, { recursive: true, force: true }));
const [agentBundle, bundle] = [path.join(dir, 'agent'), path.join(dir, 'control-plane')];
await Promise.all([bundleAgent(agentBundle), bundleControlPlane(bundle)]);
const executable = buildExecutable(agentBundle, ARCHITECTURE, dir);

const sha256 = (file: string): string =>
  `sha256:${execFileSync('sha256sum', [file], { encoding: 'utf8' }).slice(0, 64)}`;

/** Unpacks it as an engine does. Checks each digest on the way. */
function unpack(t: Tap, archive: string): { root: string; config: Config['config'] } {
  const layout = `${archive}.layout`;
  const root = `${archive}.root`;
  for (const folder of [layout, root]) mkdirSync(folder);
  execFileSync('tar', ['-xf', archive, '-C', layout]);
  const json = (file: string): unknown => JSON.parse(readFileSync(path.join(layout, file), 'utf8'));
  const blobOf = ({ digest, size }: Blob): string => {
    const file = path.join('blobs', digest.replace(':', '/'));
    t.equal(sha256(path.join(layout, file)), digest);
    t.equal(readFileSync(path.join(layout, file)).length, size);
    return file;
  };
  t.match(json('oci-layout'), { imageLayoutVersion: '1.0.0' });
  const { manifests } = json('index.json') as { manifests: [Blob] };
  const { config, layers } = json(blobOf(manifests[0])) as { config: Blob; layers: Blob[] };
  const about = json(blobOf(config)) as Config;
  t.equal(about.rootfs.diff_ids.length, layers.length);
  for (const [i, layer] of layers.entries()) {
    const tar = path.join(dir, 'layer.tar');
    execFileSync('sh', ['-c', 'gzip -dc "$0" > "$1"', path.join(layout, blobOf(layer)), tar]);
    t.equal(sha256(tar), about.rootfs.diff_ids[i], 'the uncompressed layer');
    execFileSync('tar', ['-xpf', tar, '-C', root]);
  }
  return { root, config: about.config };
}
type Tap = Pick<typeof t, 'equal' | 'match'>;

/** Runs what the image runs, in its file system. Null: this user may not. */
function runs({ root, config }: ReturnType<typeof unpack>, ...args: string[]): string | null {
  if (process.getuid?.() !== 0) return null;
  const command = ['--userspec', config.User, root, ...config.Entrypoint, ...args];
  const env = Object.fromEntries(config.Env.map((line) => line.split('=') as [string, string]));
  const { stdout, stderr } = spawnSync('chroot', command, {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...env },
  });
  return stdout + stderr;
}

t.test('the agent, twice made', async (t) => {
  const make = async (name: string, umask: number): Promise<string> => {
    const into = path.join(dir, name);
    mkdirSync(into);
    const before = process.umask(umask);
    return buildAgentImage(executable, ARCHITECTURE, into).finally(() => process.umask(before));
  };
  const archive = await make('one', 0o022);
  t.match(path.basename(archive), /^carillon-agent-0\.1\.0-(amd64|arm64)\.oci\.tar$/);
  t.equal(sha256(await make('two', 0o077)), sha256(archive), 'the same bytes');
  const image = unpack(t, archive);
  t.match(runs(image, '--version') ?? '0.1.0\n', /^0\.1\.0\n$/);
  t.match(runs(image, 'policy', 'check', 'sip:1@10.1.2.3') ?? 'allowed', /^allowed/m);
  const state = execFileSync('stat', ['-c', '%u %a', path.join(image.root, 'var/lib/carillon-agent')], {
    encoding: 'utf8',
  });
  if (process.getuid?.() === 0) t.equal(state, '1000 755\n', 'its user can write its state');

  await t.test('skopeo', { skip: !hasProgram('skopeo') && 'it is not installed' }, async (t) => {
    const said = execFileSync('skopeo', ['inspect', '--config', `oci-archive:${archive}:0.1.0`], { encoding: 'utf8' });
    t.match(JSON.parse(said), { os: 'linux', config: { User: '1000:1000', Cmd: ['run'] } });
  });
  await t.test('umoci', { skip: !hasProgram('umoci') && 'it is not installed' }, async (t) => {
    execFileSync('umoci', ['unpack', '--rootless', '--image', `${archive}.layout:0.1.0`, path.join(dir, 'umoci')], {
      stdio: 'pipe',
    });
    t.ok(readFileSync(path.join(dir, 'umoci/rootfs/usr/bin/carillon-agent')).equals(readFileSync(executable)));
  });
});

t.test('the control plane', async (t) => {
  const into = path.join(dir, 'images');
  mkdirSync(into);
  const node = copyNode(ARCHITECTURE, into);
  const image = unpack(t, await buildControlPlaneImage(bundle, node, ARCHITECTURE, into));
  t.match(runs(image, 'version') ?? '0.1.0\n', /^0\.1\.0\n$/);
  t.match(runs(image, 'doctor') ?? 'DATABASE_URL', /DATABASE_URL/, 'its database is elsewhere');
});
