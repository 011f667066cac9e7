/** Creates the exporter to a HEP collector, if the configuration names one. */
import { hostname } from 'node:os';
import type { Closers } from '@carillon/proto/base/closers.ts';
import { HepExporter } from '../capture/hep-exporter.ts';
import type { Config } from '../config.ts';
import type { Host } from './host.ts';

export function openHep(config: Config, { currentPolicy, log }: Host, closers: Closers): HepExporter | null {
  if (config.hep === null) return null;
  const hep = new HepExporter(
    { ...config.hep, node: hostname() },
    {
      mayReach: currentPolicy.mayReach,
      mayExport: () => currentPolicy.policy.mayExport.hep,
      onFault: (reason) => log.warn({ reason }, 'the HEP collector cannot be reached: SIP messages for it are dropped'),
      onRefusedStep: (state, event) => log.debug({ state, event }, "invalid step of the HEP exporter's state machine"),
    },
  );
  closers.push(() => hep.close());
  return hep;
}
