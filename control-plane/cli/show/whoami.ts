/** `carillon whoami` and `carillon workers`. */
import { plain } from '@carillon/proto/base/plain-text.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { type Io, painter, widthOf } from '../io.ts';
import { type Api, everyRow } from '../session/api.ts';
import { tellVersions } from '../session/versions.ts';
import { instant } from '../text/figures.ts';
import { table } from '../text/table.ts';

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
  tellVersions(io, version);
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
