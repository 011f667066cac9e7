/**
 * The Debian packages of the control plane and of the agent on one Debian 12 without a checkout: installed by apt, the doctor, the first
 * start with its link and its pages, an agent that enrolls by the commands of the dashboard, a run, removed.
 */
import { chmodSync, copyFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundleControlPlane } from '../../package/control-plane-bundle.ts';
import { buildAgentDeb, buildControlPlaneDeb } from '../../package/deb.ts';
import { copyNode } from '../../package/single-executable.ts';
import { freePort } from '../../peers/network/loopback.ts';
import { until } from '../../peers/process.ts';
import { n } from '../table.ts';
import { copyOf, type Debian } from './debian.ts';
import { startInstallation } from './package-installation.ts';

const PROGRAM = 'carillon-control-plane';
const STATE = '/var/lib/carillon';
/** As the unit of the agent sets them. */
const AGENT = {
  CARILLON_AGENT_DIR: '/var/lib/carillon-agent',
  CARILLON_POLICY: '/etc/carillon-agent/policy.yaml',
  CARILLON_SIP_ADDRESS: '127.0.0.1',
  CARILLON_METRICS_PORT: '0',
};
const APT = { DEBIAN_FRONTEND: 'noninteractive' };

/** The row of both, as for the other packages. @param agent its executable, and the bundle in it */
export async function proveDebs(
  base: string,
  dir: string,
  agent: { readonly bundle: string; readonly executable: string },
): Promise<string[]> {
  const bundle = path.join(dir, 'control-plane');
  await bundleControlPlane(bundle);
  const debs = [
    buildControlPlaneDeb(bundle, copyNode('x64', dir), 'x64', dir),
    buildAgentDeb(agent.executable, agent.bundle, 'x64', dir),
  ];
  const debian = copyOf(base, path.join(dir, 'server'));
  try {
    for (const deb of debs) copyFileSync(deb, path.join(debian.root, 'root', path.basename(deb)));
    return [
      `Debian packages of control plane and agent`,
      n(debs.reduce((sum, deb) => sum + statSync(deb).size, 0) / 1e6, 1),
    ].concat(
      await install(
        debian,
        debs.map((deb) => path.basename(deb)),
      ),
    );
  } finally {
    debian.remove();
  }
}

async function install(debian: Debian, [server = '', agent = '']: readonly string[]): Promise<string[]> {
  // Nothing that is installed here starts a service.
  const policy = path.join(debian.root, 'usr/sbin/policy-rc.d');
  writeFileSync(policy, '#!/bin/sh\nexit 101\n');
  chmodSync(policy, 0o755);
  const apt = (line: string) => debian.says('sh', ['-c', `cd /root && apt-get -qq ${line}`], APT);
  apt('update');
  const bytes = debian.bytes();
  const [installing, asked] = [timer(), apt(`install -y ./${server}`)];
  const installed = [n((debian.bytes() - bytes) / 1e6, 1), installing()];
  const port = String(await freePort());
  expect(debian.says(PROGRAM, ['doctor'], { PORT: port }), /first start creates it with PostgreSQL \d+/, asked);
  await firstStart(debian, port);

  const file = path.join(debian.root, 'etc/carillon/provision.yaml');
  const installation = await startInstallation(async (provision) => {
    writeFileSync(file, provision);
    const started = debian.start(PROGRAM, ['start'], {
      PORT: port,
      CARILLON_PROVISION: '/etc/carillon/provision.yaml',
    });
    await until('it is up', () => /control plane is up/.test(started.output()), { idleMs: 120_000 });
    return { url: `http://127.0.0.1:${port}`, stop: () => started.stop() };
  });
  const running: (() => Promise<unknown>)[] = [installation.stop];
  try {
    const [, enroll = ''] = await installation.printed('Debian package');
    apt(`install -y ./${agent}`);
    const enrolling = timer();
    expect(debian.says('sh', ['-c', enroll], AGENT), /Enrolled as edge/);
    const enrolled = enrolling();
    const agentRuns = debian.start('carillon-agent', ['run'], AGENT);
    running.unshift(() => agentRuns.stop());
    const online = timer();
    const run = await installation.run();
    const ran = online();
    for (const stop of running.splice(0)) await stop();
    const removing = timer();
    apt('purge -y carillon-agent carillon-control-plane');
    return [...installed, enrolled, ran, run, removing(), leftBehind(debian)];
  } finally {
    for (const stop of running) await stop();
  }
}

/** As its owner sees it: the link for the first account, the dashboard, the pages. It is stopped again. */
async function firstStart(debian: Debian, port: string): Promise<void> {
  const started = debian.start(PROGRAM, [], { PORT: port });
  const link = await until('it prints the link', () => /http\S+\/set-up#\S+/.exec(started.output())?.[0], {
    idleMs: 120_000,
  });
  for (const url of [link, `http://127.0.0.1:${port}/docs/guide/get-started`]) {
    const { status } = await fetch(url, { headers: { accept: 'text/html' } });
    if (status !== 200) throw new Error(`${url}: ${status}`);
  }
  expect(debian.says(PROGRAM, ['doctor'], { PORT: port }), /all \d+ migrations are applied/);
  const code = await started.stop();
  if (code !== 0) throw new Error(`it ended with ${code}\n${started.output()}`);
}

/** @throws Error if anything but the state of the control plane is left */
function leftBehind(debian: Debian): string {
  const ours = [...debian.files()].filter((file) => /^\/(etc|usr|var)\/.*carillon/.test(file));
  const left = ours.filter(
    (file) =>
      file !== STATE &&
      !file.startsWith(`${STATE}/`) &&
      file !== '/etc/carillon' &&
      file !== '/etc/carillon/provision.yaml',
  );
  if (left.length > 0) throw new Error(`left behind: ${left.slice(0, 20).join(', ')}`);
  return STATE;
}

function expect(said: string, pattern: RegExp, before = ''): void {
  if (!pattern.test(said)) throw new Error(`${pattern} is not in:\n${before}${said}`);
}

/** Seconds since it was made. */
function timer(): () => string {
  const at = performance.now();
  return () => n((performance.now() - at) / 1000, 1);
}
