/** What features need from outside, opened by what each exports from its file open.ts. */
import type { Config } from './config.ts';
import { FEATURE_OPENERS } from './feature-sums/open.ts';
import type { FeaturePorts } from './ports.ts';

type Open = (environment: Config['environment']) => unknown;

/** Without a feature that opens it, there is no mail. */
export const openFeaturePorts = (environment: Config['environment']): FeaturePorts =>
  ({
    mail: null,
    ...Object.fromEntries(Object.entries<Open>(FEATURE_OPENERS).map(([name, open]) => [name, open(environment)])),
  }) as unknown as FeaturePorts;
