/** The environment variables, checked once at start. docs/reference/environment.md has the same sentences. */
import { isIP } from 'node:net';
import { availableParallelism, networkInterfaces } from 'node:os';
import path from 'node:path';
import { inNetworks } from '@carillon/proto/base/networks.ts';
import { Secret } from '@carillon/proto/base/secret.ts';
import * as z from 'zod';
import { threadsFor } from './process/threads.ts';

const DEFAULT_CAPACITY = 1000;
const LOOPBACK = '127.0.0.1';
/** No peer can reach this host by sending to one of these addresses. */
const isUnreachable = inNetworks(['0.0.0.0/8', '224.0.0.0/3', '::', 'ff00::/8']);
const isReachable = (text: string): boolean => !isUnreachable(text);
const secret = (text: string): Secret => new Secret(text);
const Port = z.coerce.number().int().min(0).max(65_535);

function isNameServer(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text);
  return match !== null && isIP(match[1] ?? match[2] ?? '') !== 0 && Number(match[3]) > 0 && Number(match[3]) <= 65_535;
}

export const Environment = z.object({
  CARILLON_URL: z
    .url({ protocol: /^wss?$/ })
    .optional()
    .describe('address of the control plane, `ws://` or `wss://` … `/agent/v1`; default: as `enroll` stored it'),
  CARILLON_CA: z
    .string()
    .min(1)
    .optional()
    .describe(
      "PEM file: the only authorities accepted for the control plane's certificate; default: those of the system",
    ),
  CARILLON_JOIN_TOKEN: z
    .string()
    .transform(secret)
    .optional()
    .describe('enrolls the agent at its first start, without `enroll`; later starts use the key of the agent'),
  CARILLON_JOIN_TOKEN_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('file with the join token, instead of CARILLON_JOIN_TOKEN. Also `--token-file`'),
  CARILLON_NAME: z
    .string()
    .max(63)
    .optional()
    .describe(
      'name of the worker, if the join token is that of a pool: `{n}` is its number there, `{host}` the host, `{pool}` the pool; default: as the pool names its workers. Also `--name`',
    ),
  CARILLON_DISPOSABLE: z
    .stringbool()
    .default(false)
    .describe(
      'SIGTERM ends the agent for good: it takes no more runs, delivers its facts, its worker is archived, and its key deleted. Also `--disposable`',
    ),
  CARILLON_DRAIN_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(86_400)
    .default(15)
    .describe('how long a disposable agent then lets its calls go on, in seconds. Also `--drain-seconds`'),
  CARILLON_AGENT_DIR: z
    .string()
    .min(1)
    .default('./data/agent')
    .describe('folder of the agent: its Ed25519 key, facts that were not delivered, recordings'),
  CARILLON_POLICY: z.string().min(1).optional().describe('policy file of the host; default: the default policy'),
  CARILLON_METRICS_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('address of `/metrics`, `/healthz`, `/readyz` and `/status`'),
  CARILLON_METRICS_PORT: Port.default(9464).describe('port of the same'),
  CARILLON_SIP_ADDRESS: z
    .union([z.ipv4(), z.ipv6()])
    .optional()
    .describe('address for SIP and RTP; default: the first address of the host that the policy allows'),
  CARILLON_SIP_HOST: z
    .string()
    .regex(
      /^(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$/,
      'a host name',
    )
    .refine(isReachable, 'nobody can send to this address')
    .optional()
    .describe(
      'name of this host in Contact and Via, for trunks that want one; it has to lead here in the DNS. Default: the address',
    ),
  CARILLON_PUBLIC_ADDRESS: z
    .union([z.ipv4(), z.ipv6()])
    .refine(isReachable, 'nobody can send to this address')
    .optional()
    .describe('address that a 1:1 NAT gives this host: in SDP, and without CARILLON_SIP_HOST in Contact and Via'),
  CARILLON_SIP_PORT: Port.default(0).describe('first SIP port, one for each signalling thread; 0: any free port'),
  CARILLON_SIP_TLS_PORT: Port.default(0).describe(
    'first port for SIP over TLS, opened when a test needs it; 0: any free port',
  ),
  CARILLON_SIP_TLS_CERTIFICATE: z
    .string()
    .min(1)
    .optional()
    .describe('PEM file: certificate for SIP over TLS; default: self-signed, created at start'),
  CARILLON_SIP_TLS_KEY: z.string().min(1).optional().describe('PEM file: private key of that certificate'),
  CARILLON_RTP_PORTS: z
    .string()
    .regex(/^\d+-\d+$/, 'a range is FROM-TO')
    .transform((range) => range.split('-').map(Number) as [number, number])
    .refine(([from, to]) => from >= 1024 && to <= 65_535 && to - from >= 3, 'a range must be within 1024-65535')
    .prefault('16384-32767')
    .describe('range of media ports: RTP even, RTCP odd; a stream uses a pair during its call'),
  CARILLON_SIP_ENGINE: z
    .enum(['core', 'drachtio'])
    .default('core')
    .describe('`core`, or `drachtio`: SIP over UDP and TCP goes through a drachtio-server'),
  CARILLON_DRACHTIO: z
    .string()
    .regex(/^(?:\[[^\]]+\]|[^:\s]+)(?::\d{1,5})?$/, 'HOST or HOST:PORT of the drachtio-server')
    .default('127.0.0.1:9022')
    .describe('`HOST` or `HOST:PORT` of the drachtio-server'),
  CARILLON_DRACHTIO_SECRET: z.string().default('cymru').transform(secret).describe('secret of the drachtio-server'),
  CARILLON_IO: z
    .enum(['auto', 'ffi', 'dgram'])
    .default('auto')
    .describe(
      '`ffi`: batched system calls and kernel receive times (64-bit glibc Linux); `dgram`: node:dgram; `auto`: ffi where possible. Also `--io`',
    ),
  CARILLON_DNS: z
    .string()
    .transform((list) => list.split(',').map((one) => one.trim()))
    .refine((list) => list.every(isNameServer), 'a list of ADDRESS or ADDRESS:PORT, [ADDRESS]:PORT for IPv6')
    .optional()
    .describe(
      'name servers, `ADDRESS` or `ADDRESS:PORT`, separated by commas; default: `/etc/hosts`, then `/etc/resolv.conf`',
    ),
  CARILLON_DNS_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(10)
    .max(10_000)
    .default(2000)
    .describe('time for the first answer of a name server, doubled with each attempt'),
  CARILLON_DNS_TRIES: z.coerce.number().int().min(1).max(5).default(2).describe('attempts at each name server'),
  CARILLON_HEP: z
    .string()
    .regex(/^(?:udp|tcp):(?:\[[0-9a-f:.]+\]|[^:[\]\s]+):\d{1,5}$/i, 'a collector is udp:HOST:PORT or tcp:HOST:PORT')
    .optional()
    .describe(
      'HEP3 collector, such as HOMER, that gets each SIP message with credentials masked: `udp:HOST:PORT` or `tcp:HOST:PORT`',
    ),
  CARILLON_HEP_CAPTURE_ID: z.coerce
    .number()
    .int()
    .min(0)
    .max(0xffff_ffff)
    .default(2001)
    .describe('capture id of this agent at the collector'),
  CARILLON_HEP_PASSWORD: z.string().max(200).transform(secret).optional().describe('password for the collector'),
  CARILLON_REALTIME: z
    .stringbool()
    .default(false)
    .describe('SCHED_FIFO for media threads, if the host permits it; nice values are used in any case'),
  CARILLON_CAPACITY: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe('endpoints at once; takes precedence over the calibration. Default: the calibration, or 1000'),
  CARILLON_SIGNALLING_THREADS: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe('threads for SIP, each with its own port; default: a quarter of the cores, 1 to 16'),
  CARILLON_MEDIA_THREADS: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe('threads for RTP; default: half of the cores, 1 to 32'),
  CARILLON_LATEST_START_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(60_000)
    .default(2000)
    .describe(
      'calls that could only start later than this after their planned instant are dropped and counted, in milliseconds',
    ),
  CARILLON_LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('level of the log'),
});

export type Config = {
  /** '': only the enrollment determines it. */
  readonly url: string;
  /** A PEM file: the certificates that the control plane's certificate must lead to. */
  readonly caFile: string | null;
  /** Null, unless this start enrolls the agent. */
  readonly joinToken: Secret | null;
  /** A file that has it instead; null: none. */
  readonly joinTokenFile: string | null;
  /** '': as its pool names its workers. */
  readonly workerName: string;
  /** A signal ends the agent for good, after at most this time for its calls. */
  readonly isDisposable: boolean;
  readonly drainSeconds: number;
  readonly stateDir: string;
  readonly policyFile: string | null;
  readonly metrics: { readonly host: string; readonly port: number };
  readonly sipAddress: string;
  /** The host's own addresses, if the environment names none: the policy chooses among them (policy/listening.ts). */
  readonly sipChoices: readonly string[] | null;
  /** The address as peers know it: in Contact and Via, and in SDP; null: as it is. */
  readonly announced: { readonly host: string; readonly mediaAddress: string } | null;
  readonly sipPort: number;
  /** 0: any free port. PEM files; null: a certificate is created at start. */
  readonly sipTls: {
    readonly port: number;
    readonly files: { readonly certificate: string; readonly key: string } | null;
  };
  /** Null: the built-in SIP stack. Otherwise the drachtio-server for all of the agent's SIP except WebSocket. */
  readonly drachtio: { readonly host: string; readonly port: number; readonly secret: Secret } | null;
  readonly rtpPorts: { readonly from: number; readonly to: number };
  readonly io: 'auto' | 'ffi' | 'dgram';
  /** `servers` null: the system's servers are used. */
  readonly dns: { readonly servers: readonly string[] | null; readonly timeoutMs: number; readonly tries: number };
  /** The collector of SIP messages (HOMER); null: none. */
  readonly hep: {
    readonly transport: 'UDP' | 'TCP';
    readonly host: string;
    readonly port: number;
    readonly captureId: number;
    readonly password: Secret | null;
  } | null;
  readonly realtime: boolean;
  /** The number of endpoints; `isCapacityGiven`: the environment sets it, so that no calibration counts. */
  readonly capacity: number;
  readonly isCapacityGiven: boolean;
  readonly signallingThreads: number;
  readonly mediaThreads: number;
  /** Calls that could only start later than this after their instant are dropped. */
  readonly latestStartMs: number;
  readonly logLevel: string;
};

/** @throws Error that names every variable that is wrong */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  cores: number = availableParallelism(),
): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((i) => `  ${i.path.join('.')}: ${i.message}`);
    throw new Error(`Invalid environment variables:\n${lines.join('\n')}`);
  }
  const e = parsed.data;
  return {
    url: e.CARILLON_URL ?? '',
    caFile: e.CARILLON_CA ?? null,
    joinToken: e.CARILLON_JOIN_TOKEN ?? null,
    joinTokenFile: e.CARILLON_JOIN_TOKEN_FILE ?? null,
    workerName: e.CARILLON_NAME ?? '',
    isDisposable: e.CARILLON_DISPOSABLE,
    drainSeconds: e.CARILLON_DRAIN_SECONDS,
    stateDir: path.resolve(e.CARILLON_AGENT_DIR),
    policyFile: e.CARILLON_POLICY ?? null,
    metrics: { host: e.CARILLON_METRICS_HOST, port: e.CARILLON_METRICS_PORT },
    sipAddress: e.CARILLON_SIP_ADDRESS ?? outwardAddresses()[0] ?? LOOPBACK,
    sipChoices: e.CARILLON_SIP_ADDRESS === undefined ? outwardAddresses() : null,
    announced: announced(e),
    sipPort: e.CARILLON_SIP_PORT,
    sipTls: { port: e.CARILLON_SIP_TLS_PORT, files: tlsFiles(e.CARILLON_SIP_TLS_CERTIFICATE, e.CARILLON_SIP_TLS_KEY) },
    drachtio: drachtio(e),
    rtpPorts: { from: e.CARILLON_RTP_PORTS[0], to: e.CARILLON_RTP_PORTS[1] },
    io: e.CARILLON_IO,
    dns: { servers: e.CARILLON_DNS ?? null, timeoutMs: e.CARILLON_DNS_TIMEOUT_MS, tries: e.CARILLON_DNS_TRIES },
    hep: hepTarget(e.CARILLON_HEP, e.CARILLON_HEP_CAPTURE_ID, e.CARILLON_HEP_PASSWORD ?? null),
    realtime: e.CARILLON_REALTIME,
    capacity: e.CARILLON_CAPACITY ?? DEFAULT_CAPACITY,
    isCapacityGiven: e.CARILLON_CAPACITY !== undefined,
    signallingThreads: e.CARILLON_SIGNALLING_THREADS ?? signallingThreads(e, cores),
    mediaThreads: e.CARILLON_MEDIA_THREADS ?? Math.min(threadsFor(cores).media, portPairs(e.CARILLON_RTP_PORTS)),
    latestStartMs: e.CARILLON_LATEST_START_MS,
    logLevel: e.CARILLON_LOG_LEVEL,
  };
}

/** A media address of '' means that of the host. */
function announced(e: z.output<typeof Environment>): Config['announced'] {
  const { CARILLON_SIP_HOST: name = null, CARILLON_PUBLIC_ADDRESS: address = null, CARILLON_SIP_ADDRESS: own } = e;
  if (address !== null && own !== undefined && isIP(address) !== isIP(own))
    throw new Error(
      `Invalid environment variables:\n  CARILLON_PUBLIC_ADDRESS: ${address} is not of the family of CARILLON_SIP_ADDRESS, ${own}`,
    );
  return name === null && address === null ? null : { host: name ?? address ?? '', mediaAddress: address ?? '' };
}

/** Each thread uses its own port above the first; a drachtio-server serves one thread. */
function signallingThreads(e: z.output<typeof Environment>, cores: number): number {
  if (e.CARILLON_SIP_ENGINE === 'drachtio') return 1;
  const highest = Math.max(e.CARILLON_SIP_PORT, e.CARILLON_SIP_TLS_PORT);
  return Math.min(threadsFor(cores).signalling, 65_536 - highest);
}

/** Each media thread has at least one pair. */
const portPairs = ([from, to]: readonly [number, number]): number => Math.floor((to - (from + (from % 2)) + 1) / 2);

/** Two threads would each get half of the messages that the other waits for. */
function drachtio(e: z.output<typeof Environment>): Config['drachtio'] {
  if (e.CARILLON_SIP_ENGINE !== 'drachtio') return null;
  if ((e.CARILLON_SIGNALLING_THREADS ?? 1) > 1)
    throw new Error(
      'Invalid environment variables:\n  CARILLON_SIGNALLING_THREADS: a drachtio-server serves one thread',
    );
  const [, host = '', port = '9022'] = /^(.*?)(?::(\d+))?$/.exec(e.CARILLON_DRACHTIO) ?? [];
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port), secret: e.CARILLON_DRACHTIO_SECRET };
}

function tlsFiles(certificate: string | undefined, key: string | undefined) {
  if (certificate !== undefined && key !== undefined) return { certificate, key };
  if (certificate === undefined && key === undefined) return null;
  throw new Error(
    'Invalid environment variables:\n  CARILLON_SIP_TLS_CERTIFICATE and CARILLON_SIP_TLS_KEY go together',
  );
}

function hepTarget(text: string | undefined, captureId: number, password: Secret | null): Config['hep'] {
  const [, transport = '', six, name, port] = /^(udp|tcp):(?:\[([^\]]+)\]|([^:]+)):(\d+)$/i.exec(text ?? '') ?? [];
  const host = six ?? name;
  if (host === undefined) return null;
  return {
    transport: transport.toUpperCase() === 'TCP' ? 'TCP' : 'UDP',
    host,
    port: Number(port),
    captureId,
    password,
  };
}

/** The host's IPv4 addresses that other hosts can reach. */
function outwardAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return all.filter((a) => a.family === 'IPv4' && !a.internal).map(({ address }) => address);
}
