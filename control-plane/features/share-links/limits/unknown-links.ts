/** The limit on networks that guess addresses of shared runs. */
import { memory } from '../../../limits/limits.ts';

export const UNKNOWN_LINKS = {
  unknownLinks: memory(30, 60_000, 'addresses of shared runs that lead nowhere', 'network', '429, `Retry-After`'),
};

declare module '../../../limits/stranger-log.ts' {
  interface FeatureRefusals {
    SHARE_LINK_UNKNOWN: true;
  }
}
