/** The API's enumerations, each declared once. */
export { AUDIO_CODECS } from '@carillon/media/codec/audio-codecs.ts';
export { PARTIES, type Party } from '@carillon/proto/findings.ts';
export { LOAD_SHAPES } from '@carillon/proto/load/shapes/shapes.ts';
export { atLeast, ROLES, type Role } from './roles.ts';

export const RUN_STATUSES = [
  'PENDING',
  'QUEUED',
  'RUNNING',
  'COMPLETED',
  'FAILED',
  'CANNOT_RUN_FOR_NOW',
  'CANCELLED',
] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Why a run is FAILED or CANNOT_RUN_FOR_NOW (docs/decisions.md, Runs that end without a result). */
export const RUN_ERROR_CODES = [
  'NO_ONLINE_WORKER',
  'INSUFFICIENT_CAPACITY',
  'WORKER_REFUSED',
  'PLAN_ENDPOINT_LIMIT',
  'PLAN_RUN_LIMIT',
  'CREDITS_EXHAUSTED',
  'SUBSCRIPTION_INACTIVE',
  'REGISTRAR_MISSING',
  'SIP_ACCOUNTS_MISSING',
  'SECRET_UNREADABLE',
  'MEDIA_MISSING',
  'TARGET_NOT_ALLOWED',
  'ALL_WORKERS_LOST',
  'EXECUTION_TIME_EXCEEDED',
  'ABORTED',
  'INTERNAL',
] as const;
export type RunErrorCode = (typeof RUN_ERROR_CODES)[number];

export const INSTANCE_STATUSES = ['ALLOCATED', 'READY', 'RUNNING', 'DONE', 'REFUSED', 'LOST', 'RELEASED'] as const;
export type InstanceStatus = (typeof INSTANCE_STATUSES)[number];

/**
 * The order of PHASES is that of the lifecycle: the database keeps the index. SIP_TRANSPORTS are the transports of SIP messages.
 */
export { PHASES, type Phase, SIP_TRANSPORTS, type SipTransport } from '@carillon/proto/word-lists.ts';

/**
 * STATUS, BREAKER, WORKER (lost, or returned) and STRANGER (an INVITE of an unknown peer was refused) concern the run; PHASE, and
 * actions of the scenario, done or failed, concern an endpoint.
 */
export const EVENT_KINDS = [
  'STATUS',
  'PHASE',
  'ACTION',
  'ACTION_FAILED',
  'BREAKER',
  'WORKER',
  'LOAD',
  'STRANGER',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

export const OUTCOMES = ['SUCCESS', 'REGISTRATION_FAILED', 'NEGOTIATION_FAILED', 'CALL_FAILED'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const CALL_RESULTS = ['SUCCESS', 'TIMEOUT', 'REJECTED', 'ERROR', 'IN_PROGRESS'] as const;
export type CallResult = (typeof CALL_RESULTS)[number];

/** The SIP stack of a group's endpoints: ours, or SIP.js as in browser phones that are built on it. */
export const SIP_ENGINES = ['CORE', 'SIPJS'] as const;

/** The sources from which callees accept calls. */
export const CALL_SOURCES = ['SERVER', 'ANYBODY'] as const;
/** SIGNALLED: the callee's INVITE named the call. DEDUCED: parties and times allow only this pair. */
export const PAIRINGS = ['SIGNALLED', 'DEDUCED'] as const;
export type Pairing = (typeof PAIRINGS)[number];

/** SSRC: packets of one end reached the other. LENGTH: of several possible calls, only one had the same duration. */
export const PAIR_GROUNDS = ['SSRC', 'CALLED_NUMBER', 'CALLER_NUMBER', 'TIME', 'LENGTH'] as const;
export type PairGround = (typeof PAIR_GROUNDS)[number];

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
export const VIDEO_CODECS = ['VP8', 'H264'] as const;
export const ENCRYPTIONS = ['NONE', 'SDES', 'DTLS'] as const;
export const FEEDBACK_PROFILES = ['AVP', 'AVPF'] as const;
export const TRACK_KINDS = ['AUDIO', 'VIDEO'] as const;
/** Media source of a track. */
export const AUDIO_SOURCES = ['TONE', 'SPEECH', 'SILENCE', 'FILE'] as const;
export const VIDEO_SOURCES = ['PATTERN', 'FILE'] as const;
export const DIRECTIONS = ['BOTH', 'SEND', 'RECEIVE'] as const;

/** Triggers and effects of scenario actions. */
export const TRIGGERS = ['ANSWERED', 'HOLD', 'RESUME', 'INFO', 'DTMF', 'REFRESH'] as const;
export const ACTIONS = [
  'SEND_DTMF',
  'HOLD',
  'RESUME',
  'ACTIVATE_TRACK',
  'REINVITE',
  'UPDATE',
  'REFER',
  'ATTENDED_TRANSFER',
  'HANG_UP',
] as const;
export const SDP_USES = ['OFFER', 'NONE'] as const;
export const DTMF_METHODS = ['RFC4733', 'INFO'] as const;
export const RELIABLE_PROVISIONAL = ['NONE', 'SUPPORTED', 'REQUIRED'] as const;

export const WORKER_STATUSES = ['ONLINE', 'OFFLINE', 'ERROR', 'DRAINING'] as const;
export type WorkerStatus = (typeof WORKER_STATUSES)[number];
/** Possible limits of the number of endpoints on a worker. */
export const CAPACITY_LIMITS = ['CONFIGURED', 'POLICY', 'AGENT', 'OPEN_FILES', 'PORTS'] as const;
export const OWNERSHIPS = ['USER_OWNED', 'PLATFORM'] as const;

/** Scopes of an API key: reading, what TESTERs may do, everything. */
export const SCOPES = ['READ', 'RUN', 'WRITE'] as const;
export type Scope = (typeof SCOPES)[number];

export const TIERS = ['FREE', 'STARTER', 'PRO', 'BUSINESS', 'UNLIMITED'] as const;
export type Tier = (typeof TIERS)[number];

/**
 * The scale of a MOS or R: narrow-, wide- or fullband (G.107, G.107.1, G.107.2). Ratings are never averaged or compared across
 * scales.
 */
export const MOS_SCALES = ['nb', 'wb', 'fb'] as const;
export type MosScale = (typeof MOS_SCALES)[number];
export const DELAY_SOURCES = ['RTT', 'RECEIVER_ONLY'] as const;
/** NO_RTP: the endpoint sent, and nothing came back. SILENT: only silence came back. */
export const ONE_WAY_AUDIO = ['NO_RTP', 'SILENT'] as const;

export const VERDICTS = ['VALID', 'SUSPECT', 'VOID'] as const;

export const HEALTH_STATES = ['HEALTHY', 'DEGRADED', 'UNHEALTHY', 'UNKNOWN'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

export const SEVERITIES = ['DEGRADED', 'DOWN'] as const;
export type Severity = (typeof SEVERITIES)[number];
/** The checks before a test runs, which are defined in domain/run/preflight/preflight.ts. */
export const PREFLIGHT_CHECKS = [
  'RESOURCES',
  'SIP_ACCOUNTS',
  'CALLS_FROM',
  'DESTINATIONS',
  'PLAN',
  'WORKERS',
  'CAPACITY',
  'POLICY',
  'SIP_SERVERS',
  'WEB_SOCKETS',
  'GATEWAYS',
  'STUN_SERVERS',
] as const;
export const CHECK_VERDICTS = ['PASS', 'WARN', 'FAIL'] as const;
/** What the callers of probes and of a test's groups do. */
export const PROBE_MODES = ['CALL', 'REGISTER', 'OPTIONS'] as const;
export type ProbeMode = (typeof PROBE_MODES)[number];
export const GROUP_MODES = [...PROBE_MODES, 'STUN'] as const;
export type GroupMode = (typeof GROUP_MODES)[number];
export const SCHEDULE_TYPES = ['FIXED_INTERVAL', 'CRON'] as const;
export type ScheduleType = (typeof SCHEDULE_TYPES)[number];

export const WEBHOOK_EVENTS = [
  'test_run.status_changed',
  'probe.status_changed',
  'incident.opened',
  'incident.escalated',
  'incident.resolved',
  'worker.status_changed',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export const INCIDENT_EVENTS: readonly WebhookEvent[] = ['incident.opened', 'incident.escalated', 'incident.resolved'];

export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** The URI of the built-in registrar. No server has this name (RFC 2606, 2). */
export const CLOUD_URI = 'sip:carillon.invalid';
