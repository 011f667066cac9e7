/**
 * Builds both images from their Dockerfiles without a daemon, starts them under strict restrictions (read-only, no capabilities,
 * no new privileges, not root), and makes a run through them. It needs root, debootstrap, buildah, podman and runc.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createClient } from '../../../control-plane/client.ts';
import { newApiKey } from '../../peers/lab/carillon.ts';
import { startDebianPostgres } from '../../peers/lab/debian-postgres.ts';
import { callsAmongAgents, labOrganization, provisionText } from '../../peers/lab/provision.ts';
import { freePort } from '../../peers/network/loopback.ts';
import { type Peer, startPeer, until } from '../../peers/process.ts';
import { n, type ResultTable } from '../table.ts';
import { bootstrap, copyOf, hasProgram, installNode } from './debian.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');
const BASE_IMAGE = 'docker.io/library/node:24-bookworm-slim';
const NODE_USER = 1000;
const CALLS = 4;
const NEEDED = ['debootstrap', 'buildah', 'podman', 'runc'] as const;
/** The restrictions of the compose file and of Kubernetes; the images need none of these rights. */
const CONFINED = ['--read-only', '--cap-drop', 'all', '--security-opt', 'no-new-privileges', '--tmpfs', '/tmp'];
/** A host that may not raise its own limits cannot start a container with higher ones. */
const LIMITS = ['--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096'];

type Image = { readonly name: string; readonly dockerfile: string };
const IMAGES: readonly Image[] = [
  { name: 'carillon/control-plane', dockerfile: 'control-plane/Dockerfile' },
  { name: 'carillon/agent', dockerfile: 'agent/Dockerfile' },
];

export async function containers(): Promise<ResultTable> {
  const missing = NEEDED.filter((name) => !hasProgram(name));
  if (process.getuid?.() !== 0 || missing.length > 0)
    throw new Error(`this needs root, and: apt-get install --no-install-recommends ${NEEDED.join(' ')}`);
  const dir = mkdtempSync('/tmp/carillon-images-');
  chmodSync(dir, 0o711);
  const engine = engineIn(dir);
  try {
    engine.importBase();
    const built = IMAGES.map((image) => engine.build(image));
    console.log(await runThroughThem(engine, dir));
    return { heads: ['image', 'MB', 'MB above its base', 'user', 'built in s'], rows: built };
  } finally {
    engine.removeAll();
    rmSync(dir, { recursive: true, force: true });
  }
}

type Engine = ReturnType<typeof engineIn>;

/** buildah and podman with a separate store in `dir`. */
function engineIn(dir: string) {
  const store = ['--root', path.join(dir, 'store'), '--runroot', path.join(dir, 'run'), '--storage-driver', 'vfs'];
  const buildah = (...args: string[]): string =>
    execFileSync('buildah', [...store, ...args], { cwd: ROOT, encoding: 'utf8', stdio: 'pipe', maxBuffer: 1e8 }).trim();
  const podman = [...store, '--runtime', 'runc', '--cgroup-manager', 'cgroupfs'];
  const ask = (...args: string[]): string =>
    execFileSync('podman', [...podman, ...args], { encoding: 'utf8', stdio: 'pipe' }).trim();
  const npmrc = path.join(dir, 'npmrc');
  // These are the authorities that this host trusts, for npm.
  writeFileSync(npmrc, 'cafile=/etc/ssl/certs/ca-certificates.crt\n');
  return {
    /** A Debian with Node.js and the user `node`, under the name of the image that the Dockerfiles begin with. */
    importBase() {
      const given = process.env['CARILLON_PROVE_DEBIAN'];
      const base = given ?? path.join(dir, 'debian');
      if (given === undefined) bootstrap(base, ['--include=ca-certificates']);
      const debian = copyOf(base, path.join(dir, 'base'));
      try {
        installNode(debian.root);
        debian.says('useradd', ['--create-home', '--uid', String(NODE_USER), '--user-group', 'node']);
      } finally {
        execFileSync('umount', [path.join(debian.root, 'proc')]);
      }
      const container = buildah('from', 'scratch');
      buildah('add', '--quiet', container, debian.root, '/');
      buildah('config', '--env', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', container);
      buildah('commit', '--quiet', '--rm', container, BASE_IMAGE);
    },
    build({ name, dockerfile }: Image) {
      const at = performance.now();
      const volume = `${npmrc}:/root/.npmrc:ro`;
      const how = ['--isolation', 'chroot', '--pull-never', '--network', 'host', '--format', 'docker'];
      buildah('bud', '--quiet', ...how, '--volume', volume, '-f', dockerfile, '-t', name, '.');
      const [size, user] = ask('image', 'inspect', '--format', '{{.Size}} {{.Config.User}}', name).split(' ');
      const baseSize = ask('image', 'inspect', '--format', '{{.Size}}', BASE_IMAGE);
      const megabytes = (bytes: string | undefined) => n(Number(bytes) / 1e6);
      const above = String(Number(size) - Number(baseSize));
      return [name, megabytes(size), megabytes(above), user ?? '', n((performance.now() - at) / 1000)];
    },
    start(image: string, name: string, env: Readonly<Record<string, string>>, more: readonly string[] = []): Peer {
      const variables = Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
      const args = ['run', '--rm', '--name', name, '--network', 'host', ...CONFINED, ...LIMITS, ...variables, ...more];
      return startPeer('podman', [...podman, ...args, image]);
    },
    ask,
    removeAll() {
      for (const remove of [() => ask('rm', '--all', '--force'), () => buildah('rmi', '--all', '--force')])
        try {
          remove();
        } catch (error) {
          console.error((error as Error).message);
        }
    },
  };
}

async function runThroughThem(engine: Engine, dir: string): Promise<string> {
  const postgres = await startDebianPostgres();
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const apiKey = newApiKey();
  const tokens = ['a join token of agent-1', 'a join token of agent-2'];
  const text = provisionText(
    labOrganization({
      apiKey,
      workers: tokens.map((joinToken, i) => ({ name: `agent-${i + 1}`, region: 'local', capacity: 100, joinToken })),
      tests: [callsAmongAgents('calls', { endpoints: CALLS, durationSeconds: 3 })],
    }),
  );
  const provision = path.join(dir, 'provision.yaml');
  writeFileSync(provision, text, { mode: 0o644 });
  const started: { readonly name: string; readonly peer: Peer }[] = [];
  const start = (...args: Parameters<Engine['start']>): void => {
    started.push({ name: args[1], peer: engine.start(...args) });
  };
  try {
    const environment = { DATABASE_URL: postgres.url, PORT: port, CARILLON_PROVISION: '/etc/carillon/provision.yaml' };
    const volumes = ['--volume', `${provision}:/etc/carillon/provision.yaml:ro`, '--volume', '/var/lib/carillon'];
    start('carillon/control-plane', 'control-plane', environment, volumes);
    const isReady = async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok;
    await until('the control plane is ready', isReady).catch((error: Error) => {
      throw new Error(`${error.message}\n${started[0]?.peer.output()}`);
    });
    for (const [i, token] of tokens.entries())
      start('carillon/agent', `agent-${i + 1}`, {
        CARILLON_URL: `ws://127.0.0.1:${port}/agent/v1`,
        CARILLON_JOIN_TOKEN: token,
        CARILLON_SIP_ADDRESS: '127.0.0.1',
        CARILLON_METRICS_PORT: String(await freePort()),
      });
    const call = createClient(`${url}/api/v1`, apiKey);
    const projectId = (await call('listProjects', {})).rows[0]?.id as string;
    const testId = (await call('listTests', { projectId })).rows[0]?.id as string;
    const areOnline = async () =>
      /carillon_workers\{status="ONLINE"\} 2/.test(await (await fetch(`${url}/metrics`)).text());
    await until('both agents are online', areOnline);
    const { testRunId } = await call('runTest', { projectId, testId });
    const ended = async () => {
      const now = await call('getTestRun', { projectId, testRunId });
      return now.endedAt === null ? undefined : now;
    };
    const run = await until('the run ends', ended);
    const status = engine.ask('exec', 'control-plane', 'cat', '/proc/1/status');
    const page = await (await fetch(url)).text();
    const good = run.status === 'COMPLETED' && run.callQuality.successful === CALLS && /<div id="root"/.test(page);
    if (!good) throw new Error(`the run: ${JSON.stringify(run.callTiming)}; the dashboard: ${page.slice(0, 200)}`);
    const privileges = /CapEff:\s*\d+|NoNewPrivs:\s*\d|Uid:\s*\d+/g;
    const health = started.map(({ name }) => {
      engine.ask('healthcheck', 'run', name);
      return `${name} healthy`;
    });
    const codes: string[] = [];
    for (const { name, peer } of started.toReversed()) {
      engine.ask('stop', '--time', '20', name);
      codes.push(`${name} ${await peer.exited}`);
    }
    return [
      `run: ${run.status}, ${run.callQuality.successful} of ${CALLS} calls good, MOS ${run.summary.avgMos}`,
      `privileges: ${status.match(privileges)?.join(', ').replaceAll('\t', ' ')}`,
      `health: ${health.join(', ')}`,
      `exit codes after SIGTERM: ${codes.join(', ')}`,
    ].join('\n');
  } finally {
    for (const { peer } of started) await peer.stop();
    await postgres.stop();
  }
}
