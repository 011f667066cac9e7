/** From the folder of a release to a control plane with TLS and to agents: the commands that the pages hand out, on clean Debians. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Peer, until } from '../../peers/process.ts';
import { blockOf } from '../../site/blocks.ts';
import type { Debian } from '../debian.ts';
import type { Effort } from './effort.ts';

export const NAME = 'carillon.example';
export const URL_OF_ALL = `https://${NAME}`;
/** Nobody is there who could answer its questions. */
const APT = 'DEBIAN_FRONTEND=noninteractive apt install -y';
const AUTHORITY = 'ca.pem';
const RELEASES = 'docs/guide/releases.md';

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

const KEY = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes';

/** An authority of one's own, and the certificate of the control plane, both readable for its user. */
function makeCertificate(effort: Effort, debian: Debian): void {
  const openssl = (rest: string) => effort.type(debian, `cd /etc/carillon && openssl req -x509 ${KEY} ${rest}`);
  openssl(`-keyout ca.key -out ${AUTHORITY} -days 3650 -subj '/CN=Acme CA' -addext keyUsage=critical,keyCertSign`);
  openssl(
    `-keyout privkey.pem -out fullchain.pem -days 365 -CA ${AUTHORITY} -CAkey ca.key -subj /CN=${NAME} \
      -addext subjectAltName=DNS:${NAME} -addext basicConstraints=critical,CA:FALSE`,
  );
  effort.type(debian, `cd /etc/carillon && cat ${AUTHORITY} >> fullchain.pem`);
  effort.type(debian, 'chgrp carillon /etc/carillon/privkey.pem && chmod 640 /etc/carillon/privkey.pem');
}

/** What the page about servers has, with receivers of webhooks in the same network. */
const SETTINGS = `HOST=0.0.0.0
PORT=443
CARILLON_PUBLIC_URL=${URL_OF_ALL}
CARILLON_TLS_CERTIFICATE=/etc/carillon/fullchain.pem
CARILLON_TLS_KEY=/etc/carillon/privkey.pem
CARILLON_DATA_DIR=/var/lib/carillon/data
CARILLON_WEBHOOKS_ALLOW_PRIVATE=true
CARILLON_WEBHOOKS_ALLOW_HTTP=true
`;

/**
 * Its package, with the PostgreSQL that is in the cache of apt, its certificate and its settings.
 * @returns the link that creates the account of the owner
 */
export async function installControlPlane(effort: Effort, debian: Debian): Promise<string> {
  effort.type(debian, `cd release && ${APT} ./carillon-control-plane_*_amd64.deb`);
  makeCertificate(effort, debian);
  writeFileSync(path.join(debian.root, 'etc/carillon/control-plane.env'), SETTINGS);
  effort.counts({ fields: SETTINGS.trim().split('\n').length });
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
