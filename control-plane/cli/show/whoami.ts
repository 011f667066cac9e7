/** `carillon whoami` and `carillon workers`. */
import { plain } from '@carillon/proto/base/plain-text.ts';
import { type VersionOrder, versionOrder } from '../../contract/version-order.ts';
import { VERSION } from '../../version.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { type Io, painter, widthOf } from '../io.ts';
import { type Api, everyRow } from '../session/api.ts';
import { instant } from '../text/figures.ts';
import { table } from '../text/table.ts';

const ORDER_WORDS: Readonly<Record<VersionOrder, string | null>> = {
  SAME: null,
  OLDER: 'it does not know what is new in the control plane. Install its version.',
  NEWER: 'the control plane refuses what it does not know. Upgrade the control plane, or install its version.',
};

/** The organization of the key, and what the key can see. */
export async function whoamiCommand(io: Io, api: Api, json: boolean): Promise<ExitCode> {
  const projects = await everyRow(api.call, 'listProjects', {});
  const { organization, version } = await api.call('getWhoami', {});
  if (json) {
    io.out.write(`${JSON.stringify({ url: api.url, version, organization: organization.name, projects }, null, 2)}\n`);
    return EXIT.GOOD;
  }
  const paint = painter(io.out, io.env);
  io.out.write(`${paint('bold', api.url)}  ${plain(organization.name)}  control plane ${plain(version)}\n`);
  const words = ORDER_WORDS[versionOrder(VERSION, version)];
  if (words !== null) io.err.write(`This carillon has version ${VERSION}: ${words}\n`);
  const columns = [
    { title: 'project' },
    { title: 'name' },
    ...['tests', 'probes', 'registrars'].map((title) => ({ title, align: 'right' as const })),
  ];
  const rows = projects.map((p) => [p.slug, p.name, `${p.testCount}`, `${p.probeCount}`, `${p.registrarCount}`]);
  io.out.write(`${table(columns, rows, widthOf(io.out), paint).join('\n')}\n`);
  return EXIT.GOOD;
}

export async function workersCommand(io: Io, api: Api, json: boolean): Promise<ExitCode> {
  const workers = await everyRow(api.call, 'listWorkers', {});
  if (json) {
    io.out.write(`${JSON.stringify(workers, null, 2)}\n`);
    return EXIT.GOOD;
  }
  const paint = painter(io.out, io.env);
  const columns = [
    ...['worker', 'status', 'region'].map((title) => ({ title })),
    ...['in use', 'capacity'].map((title) => ({ title, align: 'right' as const })),
    ...['version', 'seen (UTC)'].map((title) => ({ title })),
  ];
  const rows = workers.map((w) => [
    w.name,
    w.status,
    w.region,
    `${w.endpoints}`,
    `${w.capacity}`,
    w.agent?.version ?? '-',
    instant(w.seenAt),
  ]);
  io.out.write(`${table(columns, rows, widthOf(io.out), paint).join('\n')}\n`);
  return EXIT.GOOD;
}
