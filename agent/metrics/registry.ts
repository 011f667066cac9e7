/** The agent's registry of metrics: a common prefix, and the kinds of series. */
import { LAG_TIMER_MS, UNWANTED_METRICS } from '@carillon/proto/base/node-metrics.ts';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export class AgentRegistry {
  readonly #registry = new Registry();

  constructor() {
    collectDefaultMetrics({ register: this.#registry, eventLoopMonitoringPrecision: LAG_TIMER_MS });
    for (const name of UNWANTED_METRICS) this.#registry.removeSingleMetric(name);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  counter<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> {
    return new Counter({ ...this.#named(name, help), labelNames: [...labelNames] });
  }

  histogram<L extends string>(name: string, help: string, buckets: number[], labelNames: readonly L[] = []) {
    return new Histogram({ ...this.#named(name, help), buckets, labelNames: [...labelNames] });
  }

  gauge<L extends string>(name: string, help: string, labelNames: readonly L[]): Gauge<L> {
    return new Gauge({ ...this.#named(name, help), labelNames: [...labelNames] });
  }

  /** A gauge that is read when it is scraped. */
  readGauge(name: string, help: string, read: () => number): void {
    new Gauge({
      ...this.#named(name, help),
      collect() {
        this.set(read());
      },
    });
  }

  /** Gauges that are read when they are scraped, by a label's value. */
  readGauges<L extends string>(
    name: string,
    help: string,
    label: L,
    read: () => Iterable<readonly [string, number]>,
  ): void {
    new Gauge({
      ...this.#named(name, help),
      labelNames: [label],
      collect() {
        this.reset();
        for (const [value, n] of read()) this.set({ [label]: value } as Record<L, string>, n);
      },
    });
  }

  /** A counter that another component counts. */
  readCounter(name: string, help: string, read: () => number): void {
    new Counter({
      ...this.#named(name, help),
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }

  /** Counters that another component counts, by a label's value. */
  readCounters<L extends string>(
    name: string,
    help: string,
    label: L,
    read: () => Readonly<Record<string, number>>,
  ): void {
    new Counter({
      ...this.#named(name, help),
      labelNames: [label],
      collect() {
        this.reset();
        for (const [value, n] of Object.entries(read())) this.inc({ [label]: value } as Record<L, string>, n);
      },
    });
  }

  #named(name: string, help: string) {
    return { name: `carillon_agent_${name}`, help, registers: [this.#registry] };
  }
}
