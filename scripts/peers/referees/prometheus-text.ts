/** Prometheus' text format as numbers, read as a scraper would. */
import { until } from '../process.ts';

export type Scrape = {
  readonly text: string;
  /** Sum of the series of `name` that carry these labels; undefined if there is none. */
  value(name: string, labels?: Readonly<Record<string, string>>): number | undefined;
};

/** A control plane keeps an answer for a second: the first one that it makes after this call. */
export async function freshScrape(url: string): Promise<Scrape> {
  const { text: kept } = await scrape(url);
  return until(`an answer of ${url}/metrics that is not kept`, async () => {
    const latest = await scrape(url);
    return latest.text !== kept && latest;
  });
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;

export async function scrape(url: string): Promise<Scrape> {
  const response = await fetch(`${url}/metrics`);
  if (!response.ok) throw new Error(`${url}/metrics answers ${response.status}`);
  const text = await response.text();
  const series = text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = LINE.exec(line) ?? [];
    return name === undefined ? [] : [{ name, labels: `,${labels},`, value: Number(value) }];
  });
  return {
    text,
    value(name, labels = {}) {
      const wanted = Object.entries(labels).map(([key, value]) => `,${key}="${value}",`);
      const found = series.filter((s) => s.name === name && wanted.every((label) => s.labels.includes(label)));
      return found.length === 0 ? undefined : found.reduce((sum, s) => sum + s.value, 0);
    },
  };
}
