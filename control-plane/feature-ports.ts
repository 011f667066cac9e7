/** What features need from outside, opened by what each exports from its file open.ts. */
import type { Config } from './config.ts';
import { FEATURE_OPENERS } from './feature-sums/open.ts';
import type { FeaturePorts } from './ports.ts';

type Openers = { readonly [K in keyof FeaturePorts]?: (environment: Config['environment']) => FeaturePorts[K] };

const OPENERS: Openers = FEATURE_OPENERS;

/** Without a feature that opens it, there is no mail. What a port holds is closed with it, if it can be closed. */
export function openFeaturePorts(environment: Config['environment']): {
  readonly ports: FeaturePorts;
  readonly close: () => void;
} {
  const opened = Object.entries(OPENERS).map(([name, open]) => [name, open(environment)] as const);
  return {
    ports: { mail: null, ...Object.fromEntries(opened) } as FeaturePorts,
    close: () => {
      for (const [, port] of opened) if (port !== null && 'close' in port) port.close();
    },
  };
}
