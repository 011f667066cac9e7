/**
 * `carillon-agent_VERSION_ARCH.deb` and `carillon_VERSION_ARCH.deb`: the single executables as Debian packages, the agent's with its
 * systemd unit and its policy. `carillon-control-plane_VERSION_ARCH.deb`: its bundle and Node.js, with its unit and its settings.
 * dpkg-deb of the same version makes the same bytes: fixed times, modes and owner.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AGENT_VERSION } from '../../agent/version.ts';
import { NOTICES } from './notices.ts';
import type { Architecture } from './single-executable.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const INSTALL = path.join(ROOT, 'agent', 'install');
const UNIT = 'carillon-agent.service';
const CONTROL_PLANE = 'carillon-control-plane';
const ITS_INSTALL = path.join(ROOT, 'control-plane', 'install');
const ITS_UNIT = `${CONTROL_PLANE}.service`;
const ITS_SETTINGS = '/etc/carillon/control-plane.env';

const DEBIAN: Readonly<Record<Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };

/** What goes to a host: path -> its text, or the file or folder that is copied, and its mode. */
type Contents = Readonly<Record<string, { readonly text: string } | { readonly from: string; readonly mode?: number }>>;

type DebianPackage = {
  readonly name: string;
  readonly description: readonly [title: string, ...lines: string[]];
  readonly contents: Contents;
  /** More fields of the control file, a line each. */
  readonly fields?: readonly string[];
  /** Files of DEBIAN beside `control`: their text. Those that begin with #! are executed. */
  readonly control: Readonly<Record<string, string>>;
};

const restarting = (unit: string): string => `if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  systemctl try-restart ${unit}
fi
`;
const ending = (unit: string): string => `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then systemctl disable --now ${unit}; fi
`;
const AFTER_REMOVAL = `#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
`;

/** The agent must not start before it is enrolled: its owner enables it. */
const AGENT_SCRIPTS = {
  conffiles: '/etc/carillon-agent/policy.yaml\n',
  postinst: `#!/bin/sh\nset -e\n${restarting(UNIT)}`,
  prerm: ending(UNIT),
  postrm: `${AFTER_REMOVAL}if [ "$1" = purge ]; then
  rm -rf /var/lib/carillon-agent /var/lib/private/carillon-agent /etc/carillon-agent
  rm -rf /var/cache/carillon-agent /var/cache/private/carillon-agent
fi
`,
};

/** The control plane must not start before its owner has seen its settings. They may hold passwords. */
const CONTROL_PLANE_SCRIPTS = {
  conffiles: `${ITS_SETTINGS}\n`,
  postinst: `#!/bin/sh
set -e
if [ "$1" = configure ] && [ -z "$2" ]; then
  if ! getent passwd carillon > /dev/null; then
    useradd --system --user-group --home-dir /var/lib/carillon --shell /usr/sbin/nologin carillon
  fi
  install -d -o carillon -g carillon /var/lib/carillon
  chgrp carillon ${ITS_SETTINGS}
  chmod 0640 ${ITS_SETTINGS}
fi
${restarting(ITS_UNIT)}`,
  prerm: ending(ITS_UNIT),
  postrm: `${AFTER_REMOVAL}if [ "$1" = purge ]; then
  if [ -d /var/lib/carillon ]; then echo "The database and its keys stay in /var/lib/carillon."; fi
fi
`,
};

/** @param executable of that architecture; `bundle`: the folder with the notices of what is in it */
export const buildAgentDeb = (executable: string, bundle: string, architecture: Architecture, into: string): string =>
  pack(
    {
      name: 'carillon-agent',
      description: [
        'Places and answers SIP calls for Carillon',
        'The agent of Carillon places real calls from this host, as the policy of its',
        'owner allows, and measures their media. A control plane elsewhere directs it.',
      ],
      contents: {
        'usr/bin/carillon-agent': { from: executable, mode: 0o755 },
        [`usr/lib/systemd/system/${UNIT}`]: {
          text: readFileSync(path.join(INSTALL, UNIT), 'utf8').replace('/usr/local/bin/', '/usr/bin/'),
        },
        'etc/carillon-agent/policy.yaml': { from: path.join(INSTALL, 'policy.yaml') },
        ...papers('carillon-agent', bundle),
      },
      control: AGENT_SCRIPTS,
    },
    architecture,
    into,
  );

/** Likewise for the command line. */
export const buildClientDeb = (executable: string, bundle: string, architecture: Architecture, into: string): string =>
  pack(
    {
      name: 'carillon',
      description: [
        'SIP load tests and probes from the command line',
        'A client of Carillon: it starts tests, waits for their results, and writes',
        'reports for pipelines.',
      ],
      contents: { 'usr/bin/carillon': { from: executable, mode: 0o755 }, ...papers('carillon', bundle) },
      control: {},
    },
    architecture,
    into,
  );

/** The database of its own is Debian's PostgreSQL. It is no dependency, because the database may be on another host. */
export const buildControlPlaneDeb = (bundle: string, node: string, architecture: Architecture, into: string): string =>
  pack(
    {
      name: CONTROL_PLANE,
      description: [
        'Carillon: SIP load tests and probes, the server',
        'The control plane of Carillon has the dashboard and the API, directs agents',
        'on any number of hosts, and keeps what they measured.',
      ],
      contents: {
        [`usr/bin/${CONTROL_PLANE}`]: { from: path.join(ITS_INSTALL, CONTROL_PLANE), mode: 0o755 },
        [`usr/lib/${CONTROL_PLANE}`]: { from: bundle },
        [`usr/lib/${CONTROL_PLANE}/node`]: { from: node, mode: 0o755 },
        [`usr/lib/systemd/system/${ITS_UNIT}`]: { from: path.join(ITS_INSTALL, ITS_UNIT) },
        [ITS_SETTINGS.slice(1)]: { from: path.join(ITS_INSTALL, path.basename(ITS_SETTINGS)) },
        ...papers(CONTROL_PLANE, bundle),
      },
      fields: ['Recommends: postgresql (>= 15)'],
      control: CONTROL_PLANE_SCRIPTS,
    },
    architecture,
    into,
  );

const papers = (name: string, bundle: string): Contents => ({
  [`usr/share/doc/${name}/copyright`]: { from: path.join(ROOT, 'LICENSE') },
  [`usr/share/doc/${name}/${NOTICES}`]: { from: path.join(bundle, NOTICES) },
});

function pack(of: DebianPackage, architecture: Architecture, into: string): string {
  const folder = path.join(into, `.deb-${of.name}-${architecture}`);
  rmSync(folder, { recursive: true, force: true });
  let bytes = 0;
  for (const [name, content] of Object.entries(of.contents)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    if ('text' in content) writeFileSync(file, content.text);
    else cpSync(content.from, file, { recursive: true });
    bytes += sizeOf(file);
  }
  mkdirSync(path.join(folder, 'DEBIAN'));
  const control = { control: controlOf(of, architecture, bytes), ...of.control };
  for (const [name, text] of Object.entries(control)) writeFileSync(path.join(folder, 'DEBIAN', name), text);
  // The modes must not depend on this user's umask.
  const isProgram = (name: string, text: string): boolean => text.startsWith('#!') && name !== 'control';
  const programs = [
    ...Object.entries(of.contents).flatMap(([name, content]) => ('mode' in content ? [name] : [])),
    ...Object.entries(control).flatMap(([name, text]) => (isProgram(name, text) ? [`DEBIAN/${name}`] : [])),
  ];
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', folder]);
  execFileSync('chmod', ['755', ...programs], { cwd: folder });
  const file = path.join(into, `${of.name}_${AGENT_VERSION}_${DEBIAN[architecture]}.deb`);
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '--build', folder, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SOURCE_DATE_EPOCH: String(commitSeconds()) },
  });
  rmSync(folder, { recursive: true, force: true });
  return file;
}

function sizeOf(file: string): number {
  const { size } = statSync(file);
  if (statSync(file).isFile()) return size;
  return readdirSync(file).reduce((sum, name) => sum + sizeOf(path.join(file, name)), 0);
}

/** glibc 2.28 is that of the oldest Linux that node 24 supports (Node.js, BUILDING.md). */
const controlOf = (of: DebianPackage, architecture: Architecture, bytes: number): string => {
  const [title, ...lines] = of.description;
  return [
    `Package: ${of.name}`,
    `Version: ${AGENT_VERSION}`,
    `Architecture: ${DEBIAN[architecture]}`,
    'Maintainer: The Carillon project',
    'Section: net',
    'Priority: optional',
    'Depends: libc6 (>= 2.28), libstdc++6',
    ...(of.fields ?? []),
    `Installed-Size: ${Math.ceil(bytes / 1024)}`,
    `Description: ${title}`,
    ...lines.map((line) => ` ${line}`),
    '',
  ].join('\n');
};

/** SOURCE_DATE_EPOCH (reproducible-builds.org), or the time of the commit. */
export const commitSeconds = (): number =>
  Number(
    process.env['SOURCE_DATE_EPOCH'] ??
      execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' }),
  );
