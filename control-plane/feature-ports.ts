/** What features need from outside, opened by what each exports from its file open.ts. */
import type { Config } from './config.ts';
import { FEATURE_OPENERS } from './features.open.ts';
import type { FeaturePorts } from './ports.ts';

type Open = (environment: Config['environment']) => unknown;

export const openFeaturePorts = (environment: Config['environment']): FeaturePorts =>
  Object.fromEntries(
    Object.entries<Open>(FEATURE_OPENERS).map(([name, open]) => [name, open(environment)]),
  ) as unknown as FeaturePorts;
