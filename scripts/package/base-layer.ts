/**
 * The lowest layer of the images: the C and C++ libraries of Debian 12 that Node.js needs, a user and /tmp; no shell. The packages are
 * named with their checksums, as package-lock.json does, so that the layer has the same bytes wherever it is made. New versions:
 * `apt-cache show NAME` has the version and SHA256.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Architecture } from './single-executable.ts';

type Row = { readonly file: string; readonly sha256: Readonly<Record<Architecture, string>> };

/** Below `pool/main/`, without the architecture. */
const DEBS: readonly Row[] = [
  {
    file: 'b/base-files/base-files_12.4+deb12u15',
    sha256: {
      x64: '3eb1ea6d85488f488cc2a163b98ad640ef88cee4c79287cf14e361aaf6206f47',
      arm64: 'b1272fbdc197f7d5bd22c05b741a03840f8bec66ca68c8d797f567ff2c99d42d',
    },
  },
  {
    file: 'g/gcc-12/gcc-12-base_12.2.0-14+deb12u1',
    sha256: {
      x64: '1896a2aacf4ad681ff5eacc24a5b0ca4d5d9c9b9c9e4b6de5197bc1e116ea619',
      arm64: '674cf6cba6d432bd200c45fe866c1652c7a53523cc2e7a613e05bc4abf7b5440',
    },
  },
  {
    file: 'g/gcc-12/libgcc-s1_12.2.0-14+deb12u1',
    sha256: {
      x64: '3016e62cb4b7cd8038822870601f5ed131befe942774d0f745622cc77d8a88f7',
      arm64: '576926b283613db80168ddf76380a3bd877602778cf0d226caa7bfbfa71eacf3',
    },
  },
  {
    file: 'g/gcc-12/libstdc++6_12.2.0-14+deb12u1',
    sha256: {
      x64: '5cd3171216d4ab0fc911cfe9c35509bf2dd8f47761c43b7f6a4296701551a24d',
      arm64: '26e138c677a985775331373828a6c286c551ff397cb735d00e2383cb273d1cb2',
    },
  },
  {
    file: 'g/glibc/libc6_2.36-9+deb12u14',
    sha256: {
      x64: 'ba4f88f73dbc3ae9055f3c20f4523bfdbaf1ad13ff95e258924f77d20b4fbedf',
      arm64: '01f4330719fd4f65580e16ea5a0527f372fca750e8f588d26deaf09f2d3b1cf4',
    },
  },
];

/** The mirror has what is current; the archive has every version for ever. */
const SOURCES = ['http://deb.debian.org/debian', 'http://snapshot.debian.org/archive/debian/20261129T000000Z'];
const UNREAD = ['usr/share/man', 'usr/share/locale', 'usr/share/lintian', 'usr/share/doc-base', 'usr/share/info'];

/** The user of both images: the same number as in those of the Dockerfiles. */
export const USER = { name: 'carillon', id: 1000 };

/** Writes the files of the layer into `root`. @throws Error if a package cannot be downloaded, or is another than the one named here */
export async function layBase(root: string, architecture: Architecture): Promise<void> {
  mkdirSync(root, { recursive: true });
  for (const { file, sha256 } of DEBS) {
    const name = `${file}_${architecture === 'x64' ? 'amd64' : 'arm64'}.deb`;
    const deb = path.join(path.dirname(root), path.basename(name));
    writeFileSync(deb, await download(name, sha256[architecture]));
    execFileSync('dpkg-deb', ['--extract', deb, root]);
    rmSync(deb);
  }
  for (const folder of UNREAD) rmSync(path.join(root, folder), { recursive: true, force: true });
  const { name, id } = USER;
  const texts = {
    passwd: `root:x:0:0::/root:/none\n${name}:x:${id}:${id}::/tmp:/none\n`,
    group: `root:x:0:\n${name}:x:${id}:\n`,
    // Without it, names in /etc/hosts are not found where a name server answers.
    'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
  };
  for (const [file, text] of Object.entries(texts)) writeFileSync(path.join(root, 'etc', file), text);
}

async function download(name: string, sha256: string): Promise<Buffer> {
  const faults: string[] = [];
  for (const source of SOURCES) {
    const url = `${source}/pool/main/${name}`;
    try {
      const answer = await fetch(url);
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (createHash('sha256').update(bytes).digest('hex') === sha256) return bytes;
      faults.push(`${url}: ${answer.ok ? 'another checksum' : answer.status}`);
    } catch (error) {
      faults.push(`${url}: ${(error as Error).message}`);
    }
  }
  throw new Error(`A package of Debian for the images was not found:\n  ${faults.join('\n  ')}`);
}
