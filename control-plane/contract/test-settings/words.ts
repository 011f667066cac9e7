/** The enumerations of groups: what they are and do, and how they speak SIP. */

/** The SIP stack of a group's endpoints: ours, or SIP.js as in browser phones that are built on it. */
export const SIP_ENGINES = ['CORE', 'SIPJS'] as const;

/** The sources from which callees accept calls. */
export const CALL_SOURCES = ['SERVER', 'ANYBODY'] as const;

export const ENDPOINT_TYPES = ['CALLER', 'CALLEE'] as const;
export type EndpointType = (typeof ENDPOINT_TYPES)[number];

/** The transports of SIP. AUTO: the URI and the DNS decide (RFC 3263). */
export const PROTOCOLS = ['UDP', 'TCP', 'TLS', 'WS', 'WSS', 'AUTO'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

/** RFC 3323, 4.2; RFC 3325, 9.3; RFC 7044, 10.1. */
export const PRIVACIES = ['HEADER', 'SESSION', 'USER', 'ID', 'HISTORY', 'CRITICAL', 'NONE'] as const;

/** RFC 5806, 4. */
export const DIVERSION_REASONS = [
  'UNKNOWN',
  'USER_BUSY',
  'NO_ANSWER',
  'UNAVAILABLE',
  'UNCONDITIONAL',
  'TIME_OF_DAY',
  'DO_NOT_DISTURB',
  'DEFLECTION',
  'FOLLOW_ME',
  'OUT_OF_SERVICE',
  'AWAY',
] as const;

/** Methods of requests to which a group may add header fields. */
export const HEADER_METHODS = ['INVITE', 'REGISTER', 'BYE'] as const;
export type HeaderMethod = (typeof HEADER_METHODS)[number];

/** Credentials of an account for challenges. */
export const ACCOUNT_SECRETS = ['PASSWORD', 'HA1', 'NONE'] as const;
export type AccountSecret = (typeof ACCOUNT_SECRETS)[number];

/** Account fields that `{{…}}` may refer to, in addition to custom values. */
export const ACCOUNT_COLUMNS = ['username', 'authName', 'displayName', 'number'] as const;

export const RELIABLE_PROVISIONAL = ['NONE', 'SUPPORTED', 'REQUIRED'] as const;

/** What the callers of probes and of a test's groups do. */
export const PROBE_MODES = ['CALL', 'REGISTER', 'OPTIONS'] as const;
export type ProbeMode = (typeof PROBE_MODES)[number];

export const GROUP_MODES = [...PROBE_MODES, 'STUN'] as const;
export type GroupMode = (typeof GROUP_MODES)[number];
