/** From the folder of a release to a control plane with TLS and to agents: the commands that the pages hand out, on clean Debians. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Peer, until } from '../../../peers/process.ts';
import { blockOf } from '../../../site/blocks.ts';
import type { Debian } from '../debian.ts';
import type { Effort } from './effort.ts';

export const NAME = 'carillon.example';
export const URL_OF_ALL = `https://${NAME}`;
/** Nobody is there who could answer its questions. */
const APT = 'DEBIAN_FRONTEND=noninteractive apt install -y';
const AUTHORITY = 'ca.pem';
const RELEASES = 'docs/guide/releases.md';
const SERVER = 'docs/guide/server.md';

/** These files of the release come to the host, as by a download, and it knows the name of the control plane. */
export function bring(debian: Debian, files: readonly string[], controlPlane: string): void {
  const folder = path.join(debian.root, 'root/release');
  mkdirSync(folder);
  for (const file of files) copyFileSync(file, path.join(folder, path.basename(file)));
  appendFileSync(path.join(debian.root, 'etc/hosts'), `${controlPlane} ${NAME}\n`);
}

/** What the package of the control plane recommends, downloaded by way of this host's network, since its own leads nowhere. */
export function fillCache({ root }: Debian): void {
  const apt = (...args: string[]) => execFileSync('chroot', [root, 'apt-get', '-qq', ...args], { stdio: 'pipe' });
  apt('update');
  apt('install', '--yes', '--download-only', 'postgresql');
}

/** The commands of the page, with the public key of this release. */
export function verify(effort: Effort, debian: Debian, publicKey: string): void {
  const [algorithm, bytes] = publicKey.split(' ');
  const signers = blockOf(RELEASES, '> signers').text.trim();
  const commands = [
    signers.replace(/ssh-ed25519 \w+\.+/, `${algorithm} ${bytes}`),
    ...blockOf(RELEASES, 'ssh-keygen -Y verify').text.trim().split('\n'),
  ];
  const said = commands.map((line) => effort.type(debian, `cd release && ${line}`)).join('');
  if (!/Good "file" signature for release/.test(said) || /FAILED/.test(said)) throw new Error(said);
}

/** Those of the page, and receivers of webhooks in the same network. */
const settings = (): string =>
  `${blockOf(SERVER, 'CARILLON_TLS_CERTIFICATE').text}CARILLON_WEBHOOKS_ALLOW_PRIVATE=true\nCARILLON_WEBHOOKS_ALLOW_HTTP=true\n`;

/**
 * Its package, with the PostgreSQL that is in the cache of apt, its certificate and its settings.
 * @returns the link that creates the account of the owner
 */
export async function installControlPlane(effort: Effort, debian: Debian): Promise<string> {
  const install = blockOf(SERVER, 'apt install').text.trim();
  effort.type(debian, `cd release && ${install.replace('apt install', APT)}`);
  for (const line of blockOf(SERVER, 'openssl req').text.trim().split('\n').slice(1))
    effort.type(debian, `cd /etc/carillon && ${line}`);
  writeFileSync(path.join(debian.root, 'etc/carillon/control-plane.env'), settings());
  effort.counts({ fields: settings().trim().split('\n').length });
  effort.type(debian, 'carillon-control-plane doctor');
  const service = startUnit(effort, debian, 'carillon-control-plane');
  const link = () => /(http\S+\/set-up#\S+)/.exec(service.output())?.[1];
  return until('the link is printed', link, { of: [service], idleMs: 120_000 });
}

/** @param commands those of the dialog, for the Debian package */
export function installAgent(effort: Effort, debian: Debian, plane: Debian, commands: string): void {
  copyFileSync(path.join(plane.root, 'etc/carillon', AUTHORITY), path.join(debian.root, 'root', AUTHORITY));
  for (const line of commands.split('\n').filter((one) => !one.startsWith('systemctl')))
    effort.type(debian, / enroll /.test(line) ? `${line} --ca /root/${AUTHORITY}` : `cd release && ${line}`);
  startUnit(effort, debian, 'carillon-agent');
}

/** There is no systemd in a folder, so what the unit says is started by hand: one command, as with systemd. */
function startUnit(effort: Effort, debian: Debian, name: string): Peer {
  effort.counts({ commands: 1 });
  const unit = readFileSync(path.join(debian.root, `usr/lib/systemd/system/${name}.service`), 'utf8');
  const said = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
  const environment = said('Environment');
  return debian.start('sh', ['-c', `${environment && `export ${environment};`} exec ${said('ExecStart')}`]);
}

/** With a key from the dashboard: the newest run. */
export function useCommandLine(effort: Effort, debian: Debian, key: string): void {
  const type = (line: string) => effort.type(debian, `export NODE_EXTRA_CA_CERTS=/root/${AUTHORITY}; ${line}`);
  type(`cd release && ${APT} ./carillon_*_amd64.deb`);
  type(`echo ${key} | carillon login --url ${URL_OF_ALL} --key-stdin`);
  const said = type('carillon show last');
  if (!/Evening load|Hotline/.test(said)) throw new Error(said);
}
