/** Every project has it: not a SIP server; agents call each other (docs/decisions.md, Cloud registrar). */
export const CLOUD_REGISTRAR = {
  slug: 'cloud',
  name: 'Built-in',
  uri: 'sip:carillon.invalid',
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
