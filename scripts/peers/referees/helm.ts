/** Renders a chart by the template engine that Helm uses (Go, Sprig), since neither Debian nor npm has Helm. */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

export type Manifest = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own, which the schemas of Kubernetes check
  readonly spec: any;
};
type Values = { readonly [name: string]: unknown };

/** Where Debian's packages of Go have their sources. */
const SOURCES = '/usr/share/gocode';
const isMap = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Values over those of the chart, as `helm -f` puts them: maps are joined, all else is replaced. */
export function joined(below: Values, above: Values): Values {
  const all: Record<string, unknown> = { ...below };
  for (const [name, value] of Object.entries(above)) {
    const old = all[name];
    all[name] = isMap(old) && isMap(value) ? joined(old, value) : value;
  }
  return all;
}

/** The program, compiled once. */
export class Helm {
  readonly #dir = mkdtempSync(path.join(tmpdir(), 'carillon-helm-'));

  constructor() {
    this.#run('go', ['build', '-o', path.join(this.#dir, 'helm'), path.join(import.meta.dirname, 'helm.go')]);
  }

  /** The manifests of a chart, in no order. @throws Error with what the engine says of the templates */
  render(chart: string, values: Values, release: { name: string; revision: number }): Manifest[] {
    const read = (file: string): string => readFileSync(path.join(chart, file), 'utf8');
    const { appVersion, ...about } = parse(read('Chart.yaml')) as { appVersion: string };
    const input = {
      templates: Object.fromEntries(globSync('templates/*', { cwd: chart }).map((file) => [file, read(file)])),
      values: {
        Values: joined(parse(read('values.yaml')) as Values, values),
        Chart: { ...about, AppVersion: appVersion },
        Release: { Name: release.name, Revision: release.revision },
      },
    };
    const text = this.#run(path.join(this.#dir, 'helm'), [], JSON.stringify(input));
    return parseAllDocuments(text).flatMap((document) => {
      if (document.errors[0]) throw new Error(`${document.errors[0].message}\n${text}`);
      return (document.toJS() as Manifest | null) ?? [];
    });
  }

  remove(): void {
    rmSync(this.#dir, { recursive: true, force: true });
  }

  #run(program: string, args: readonly string[], input?: string): string {
    const go = { GO111MODULE: 'off', GOPATH: SOURCES, GOCACHE: path.join(this.#dir, 'cache'), CGO_ENABLED: '0' };
    const { status, stdout, stderr, error } = spawnSync(program, args, {
      env: { ...process.env, ...go },
      encoding: 'utf8',
      input,
    });
    if (status !== 0) throw new Error(`${program}: ${error?.message ?? stderr}`);
    return stdout;
  }
}
