/** A real Prometheus that scrapes every second, with rules, on a free port. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stringify } from 'yaml';
import { freePort } from '../network/loopback.ts';
import { startPeer, until } from '../process.ts';

export type Series = { readonly metric: Readonly<Record<string, string>>; readonly values: readonly number[] };

export type Prometheus = {
  /** Of an expression, at each second between the two instants (Unix seconds); NaN omitted. Rejects if Prometheus refuses it. */
  range(expression: string, from: number, to: number): Promise<Series[]>;
  /** By instance: how often it was scraped. */
  scrapes(): Promise<number>;
  /** Names of the alerts that are firing or pending. */
  alerts(): Promise<string[]>;
  stop(): Promise<void>;
};

export async function startPrometheus(options: {
  readonly job: string;
  readonly targets: readonly string[];
  readonly ruleFiles: readonly string[];
}): Promise<Prometheus> {
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-prometheus-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const targets = options.targets.map((target) => new URL(target).host);
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: options.ruleFiles,
    scrape_configs: [{ job_name: options.job, static_configs: [{ targets }] }],
  };
  const file = path.join(dir, 'prometheus.yml');
  await writeFile(file, stringify(config));
  const peer = startPeer('prometheus', [
    `--config.file=${file}`,
    `--storage.tsdb.path=${path.join(dir, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]);
  // biome-ignore lint/suspicious/noExplicitAny: what Prometheus answers is looked at where it is used
  const ask = async (route: string, query: Record<string, string> = {}): Promise<any> => {
    const answer = await fetch(`${url}/api/v1/${route}?${new URLSearchParams(query)}`);
    const body = (await answer.json()) as { status: string; data: unknown; error?: string };
    if (body.status !== 'success') throw new Error(`${JSON.stringify(query)}: ${body.error}`);
    return body.data;
  };
  await until('Prometheus is up', () =>
    fetch(`${url}/-/ready`).then(
      (r) => r.ok,
      () => false,
    ),
  );
  return {
    async range(query, from, to) {
      const { result } = await ask('query_range', { query, start: String(from), end: String(to), step: '1' });
      return result.map((r: { metric: Record<string, string>; values: [number, string][] }) => ({
        metric: r.metric,
        values: r.values.map(([, value]) => Number(value)).filter((value) => !Number.isNaN(value)),
      }));
    },
    async scrapes() {
      const { result } = await ask('query', { query: `min(count_over_time(up{job="${options.job}"}[1h]))` });
      return Number(result[0]?.value[1] ?? 0);
    },
    async alerts() {
      return (await ask('alerts')).alerts.map((a: { labels: { alertname: string } }) => a.labels.alertname);
    },
    async stop() {
      await peer.stop('SIGKILL');
      await rm(dir, { recursive: true, force: true });
    },
  };
}
