import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { AGENT_VERSION } from '../../agent/version.ts';
import { layBase, USER } from './base-layer.ts';
import { commitSeconds } from './deb.ts';
import type { Architecture } from './single-executable.ts';
import { tarOf } from './tar.ts';

const OCI: Readonly<Record<Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };
const MEDIA = 'application/vnd.oci.image';

type Image = {
  readonly name: string;
  /** A folder that the program's user owns. */
  readonly state: string;
  /** As in the Image Configuration of OCI. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Writes the program's files below a folder. */
  lay(root: string): void;
};

/** The image of the agent, from its executable for that architecture. Returns the file. @throws Error as `layBase` does */
export const buildAgentImage = (executable: string, architecture: Architecture, into: string): Promise<string> =>
  build(
    {
      name: 'carillon-agent',
      state: 'var/lib/carillon-agent',
      config: {
        Env: [
          'HOME=/var/lib/carillon-agent',
          'CARILLON_AGENT_DIR=/var/lib/carillon-agent',
          'CARILLON_METRICS_HOST=0.0.0.0',
        ],
        Entrypoint: ['/usr/bin/carillon-agent'],
        Cmd: ['run'],
        ExposedPorts: { '9464/tcp': {} },
        Volumes: { '/var/lib/carillon-agent': {} },
      },
      lay: (root) => copy(executable, path.join(root, 'usr/bin/carillon-agent'), 0o755),
    },
    architecture,
    into,
  );

/** The image of the control plane, from its bundle and Node.js for that architecture. The database is elsewhere: DATABASE_URL. */
export const buildControlPlaneImage = (
  bundle: string,
  node: string,
  architecture: Architecture,
  into: string,
): Promise<string> => {
  const lib = 'usr/lib/carillon-control-plane';
  return build(
    {
      name: 'carillon-control-plane',
      state: 'var/lib/carillon',
      config: {
        Env: [
          ...['HOST=0.0.0.0', 'PORT=8080', 'CARILLON_DATA_DIR=/tmp/carillon'],
          'CARILLON_SEALING_KEYS_FILE=/var/lib/carillon/sealing-keys',
        ],
        Entrypoint: [`/${lib}/node`, `/${lib}/carillon-control-plane.js`],
        Cmd: ['start'],
        ExposedPorts: { '8080/tcp': {} },
        Volumes: { '/var/lib/carillon': {} },
      },
      lay: (root) => {
        copy(bundle, path.join(root, lib));
        copy(node, path.join(root, lib, 'node'), 0o755);
      },
    },
    architecture,
    into,
  );
};

async function build(of: Image, architecture: Architecture, into: string): Promise<string> {
  const work = path.join(into, `.oci-${of.name}-${architecture}`);
  rmSync(work, { recursive: true, force: true });
  const root = (layer: string): string => path.join(work, layer);
  await layBase(root('base'), architecture);
  of.lay(root('program'));
  mkdirSync(path.join(root('state'), of.state), { recursive: true });
  const image = path.join(work, 'image');
  mkdirSync(path.join(image, 'blobs/sha256'), { recursive: true });
  const blob = (mediaType: string, bytes: Buffer) => {
    const digest = sha256(bytes);
    writeFileSync(path.join(image, 'blobs/sha256', digest), bytes);
    return { mediaType: `${MEDIA}.${mediaType}`, digest: `sha256:${digest}`, size: bytes.length };
  };
  const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
  const created = new Date(commitSeconds() * 1000).toISOString();
  const tars = [tarOf(root('base'), 0), tarOf(root('program'), 0), tarOf(root('state'), USER.id, of.state)];
  const platform = { architecture: OCI[architecture], os: 'linux' };
  const config = blob(
    'config.v1+json',
    json({
      created,
      ...platform,
      config: { User: `${USER.id}:${USER.id}`, WorkingDir: '/', ...of.config },
      rootfs: { type: 'layers', diff_ids: tars.map((tar) => `sha256:${sha256(tar)}`) },
      history: tars.map(() => ({ created, created_by: 'npm run release' })),
    }),
  );
  const layers = tars.map((tar) => blob('layer.v1.tar+gzip', gzipSync(tar, { level: 9 })));
  const mediaType = `${MEDIA}.manifest.v1+json`;
  const manifest = blob('manifest.v1+json', json({ schemaVersion: 2, mediaType, config, layers }));
  const annotations = { 'org.opencontainers.image.ref.name': AGENT_VERSION };
  const index = {
    schemaVersion: 2,
    mediaType: `${MEDIA}.index.v1+json`,
    manifests: [{ ...manifest, platform, annotations }],
  };
  writeFileSync(path.join(image, 'index.json'), json(index));
  writeFileSync(path.join(image, 'oci-layout'), json({ imageLayoutVersion: '1.0.0' }));
  const file = path.join(into, `${of.name}-${AGENT_VERSION}-${OCI[architecture]}.oci.tar`);
  writeFileSync(file, tarOf(image, 0));
  rmSync(work, { recursive: true, force: true });
  return file;
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

function copy(from: string, to: string, mode?: number): void {
  mkdirSync(path.dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true });
  if (mode !== undefined) chmodSync(to, mode);
}
