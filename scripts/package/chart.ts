/** `carillon-chart-VERSION.tgz`: the Helm chart, as `helm package` makes it. The command line has the name `carillon-VERSION.tgz`. */
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { AGENT_VERSION } from '../../agent/version.ts';
import { tarOf } from './tar.ts';

const CHART = path.resolve(import.meta.dirname, '..', '..', 'integrations', 'kubernetes', 'carillon');

/** @returns the file */
export function packChart(into: string): string {
  const folder = path.join(into, 'chart');
  const name = path.basename(CHART);
  cpSync(CHART, path.join(folder, name), { recursive: true });
  const file = path.join(into, `carillon-chart-${AGENT_VERSION}.tgz`);
  writeFileSync(file, gzipSync(tarOf(folder, 0, name), { level: 9 }));
  rmSync(folder, { recursive: true });
  return file;
}
