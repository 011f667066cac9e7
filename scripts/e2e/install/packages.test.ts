/**
 * The output of `npm run package` is a complete agent: both kinds take part in a run with everything that they contain (Opus,
 * video, SRTP).
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t from 'tap';
import { parse } from 'yaml';
import { readPolicy } from '../../../agent/policy/policy.ts';
import { bundleAgent, bundleClient } from '../../package/bundle.ts';
import { buildAgentDeb, buildClientDeb } from '../../package/deb.ts';
import { containerEngine } from '../../package/image.ts';
import { packClientForNpm, packForNpm } from '../../package/npm-package.ts';
import { buildClient, buildExecutable } from '../../package/single-executable.ts';
import { openLab } from '../../peers/lab/lab.ts';
import { callsAmongAgents } from '../../peers/lab/provision.ts';

const CALLS = 4;

/** The parts of selftest's report that this test reads. */
type Selftest = { failures: number; packets: number; host: { tooNoisy: string[] } };

const dir = await mkdtemp(path.join(tmpdir(), 'carillon-packages-'));
t.teardown(() => rm(dir, { recursive: true, force: true }));
const bundle = path.join(dir, 'bundle');
await bundleAgent(bundle);
const executable = buildExecutable(bundle, process.arch === 'arm64' ? 'arm64' : 'x64', dir);
const prefix = path.join(dir, 'prefix');
const install = [
  'install',
  '--global',
  '--prefix',
  prefix,
  '--no-audit',
  '--no-fund',
  '--prefer-offline',
  packForNpm(bundle, dir),
];
execFileSync('npm', install, { stdio: 'pipe' });
const installed = path.join(prefix, 'bin', 'carillon-agent');

const lab = await openLab(t, {
  agents: 2,
  agentPrograms: [
    [executable, 'run'],
    [installed, 'run'],
  ],
  agentEnv: { XDG_CACHE_HOME: path.join(dir, 'cache') },
  provision: () => ({
    tests: [
      callsAmongAgents(
        'all-of-it',
        {
          endpoints: CALLS,
          durationSeconds: 2,
          workers: ['agent-1'],
          media: {
            audioCodecs: ['OPUS'],
            videoCodecs: ['VP8'],
            encryption: 'DTLS',
            mediaTracks: [
              { kind: 'AUDIO', source: 'SPEECH' },
              { kind: 'VIDEO', source: 'PATTERN' },
            ],
          },
        },
        { workers: ['agent-2'] },
      ),
    ],
  }),
});

t.test('an executable without node calls a package of npm', async (t) => {
  const run = await lab.runToEnd('all-of-it');
  t.match(run, { status: 'COMPLETED', callTiming: { successCount: CALLS } }, JSON.stringify(run.error));
  t.equal(run.summary?.totalPacketsLost, 0);
});

t.test('its commands', async (t) => {
  const says = (program: string, ...args: string[]) =>
    execFileSync(program, args, { encoding: 'utf8', env: { HOME: dir } });
  t.equal(says(executable, '--version'), execFileSync(installed, ['--version'], { encoding: 'utf8' }));
  t.match(says(executable, 'policy', 'check', 'sip:1@10.1.2.3'), /^allowed/m);
  const selftest = ['selftest', '--json', '--seconds', '4', '--streams', '4'];
  const { stdout } = spawnSync(executable, selftest, { encoding: 'utf8', env: { HOME: dir } });
  const { failures, packets, host } = parse(stdout) as Selftest;
  t.ok(packets > 1000, `${packets} packets`);
  // As in selftest.test.ts: on a noisy host nothing is guaranteed.
  t.ok(failures === 0 || host.tooNoisy.length > 0, `its own figures are right: ${failures}, ${host.tooNoisy}`);
});

t.test('the command line, without node and as a package', async (t) => {
  const bundle = path.join(dir, 'cli');
  await bundleClient(bundle);
  const alone = buildClient(bundle, process.arch === 'arm64' ? 'arm64' : 'x64', dir);
  execFileSync('npm', [...install.slice(0, -1), packClientForNpm(bundle, dir)], { stdio: 'pipe' });
  const env = {
    PATH: process.env['PATH'],
    HOME: dir,
    CARILLON_URL: lab.controlPlane.url,
    CARILLON_API_KEY: lab.apiKey,
  };
  const says = (program: string, ...args: string[]) => spawnSync(program, args, { encoding: 'utf8', env, cwd: dir });
  for (const program of [alone, path.join(prefix, 'bin', 'carillon')]) {
    t.match(says(program, 'runs', '--json'), { status: 0, stdout: /"testName": "all-of-it"/ });
    t.match(says(program, 'completion', 'bash'), { status: 0, stdout: /complete -F __carillon_complete carillon/ });
    t.match(says(program, 'run', 'nothing'), { status: 1, stderr: /all-of-it/ });
    t.match(says(program, 'dev'), { status: 1, stderr: /checkout/ });
  }
});

t.test('Debian packages', async (t) => {
  const architecture = process.arch === 'arm64' ? 'arm64' : 'x64';
  const agentPackage = (umask: number): string => {
    const before = process.umask(umask);
    const deb = buildAgentDeb(executable, bundle, architecture, mkdtempSync(path.join(dir, 'deb-')));
    process.umask(before);
    return deb;
  };
  const agentDeb = agentPackage(0o022);
  t.ok(readFileSync(agentDeb).equals(readFileSync(agentPackage(0o077))), 'twice made, the same bytes');
  const client = path.join(dir, `carillon-linux-${architecture}`);
  const clientDeb = buildClientDeb(client, path.join(dir, 'cli'), architecture, dir);
  t.match(path.basename(agentDeb), /^carillon-agent_0\.1\.0_(amd64|arm64)\.deb$/);
  const listed = execFileSync('dpkg-deb', ['--contents', agentDeb], { encoding: 'utf8' }).trim().split('\n');
  for (const line of listed) t.match(line, /^(drwxr-xr-x|-rwxr-xr-x|-rw-r--r--) root\/root /, line);

  const root = path.join(dir, 'root');
  for (const deb of [agentDeb, clientDeb]) execFileSync('dpkg-deb', ['--extract', deb, root]);
  const env = { HOME: dir };
  for (const name of ['carillon-agent', 'carillon'])
    t.equal(execFileSync(path.join(root, 'usr', 'bin', name), ['--version'], { encoding: 'utf8', env }), '0.1.0\n');
  const unit = readFileSync(path.join(root, 'usr/lib/systemd/system/carillon-agent.service'), 'utf8');
  t.match(unit, /^ExecStart=\/usr\/bin\/carillon-agent run$/m);
  const policy = /CARILLON_POLICY=(\S+)/.exec(unit)?.[1] ?? '';
  t.same(await readPolicy(path.join(root, policy)), await readPolicy(null), 'its policy is there, and is the default');

  const control = path.join(dir, 'control');
  execFileSync('dpkg-deb', ['--control', agentDeb, control]);
  t.equal(
    readFileSync(path.join(control, 'conffiles'), 'utf8'),
    `${policy}\n`,
    'an upgrade keeps what its owner wrote',
  );
  for (const script of ['postinst', 'prerm', 'postrm']) execFileSync('sh', ['-n', path.join(control, script)]);
  t.match(execFileSync('dpkg-deb', ['--field', clientDeb, 'Package'], { encoding: 'utf8' }), /^carillon$/m);
});

t.test(
  'an image that nobody here can build is not passed over in silence',
  { skip: containerEngine() ?? false },
  async (t) => {
    const main = path.resolve(import.meta.dirname, '..', '..', 'package', 'main.ts');
    const { status, stderr } = spawnSync(process.execPath, [main, 'image'], { encoding: 'utf8' });
    t.equal(status, 1);
    t.match(stderr, /image was not made: neither docker nor podman answers/);
  },
);

t.test('nothing in it says where it was built', async (t) => {
  const bytes = readFileSync(executable);
  const root = path.resolve(import.meta.dirname, '..', '..', '..');
  for (const place of [dir, root]) t.equal(bytes.indexOf(place), -1, `the executable names ${place}`);
});

t.test('what it brings for the host', async (t) => {
  const folder = path.join(prefix, 'lib', 'node_modules', '@carillon-voip', 'agent');
  const verified = execFileSync('sh', ['-c', `systemd-analyze verify ${folder}/carillon-agent.service 2>&1 || true`], {
    encoding: 'utf8',
  });
  t.notMatch(verified, /Unknown|Failed to parse|Invalid/, 'systemd reads the unit');
});
