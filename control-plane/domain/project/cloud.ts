/** The registrar that every project has. Pure. */
import { CLOUD_URI } from '../../contract/sip-uri.ts';

/** It is not a SIP server: agents call each other, or an address directly (docs/decisions.md, Cloud registrar). */
export const CLOUD_REGISTRAR = {
  slug: 'cloud',
  name: 'Built-in',
  uri: CLOUD_URI,
  protocol: 'UDP',
  register: false,
  outboundProxyUri: null,
  webSocketPath: null,
  domain: null,
  gateways: [],
  sourceAddress: null,
  tls: null,
  isCloud: true,
} as const;
