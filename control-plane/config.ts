/** The environment variables, checked once at start. docs/reference/environment.md has the same sentences. */
import path from 'node:path';
import { Secret } from '@carillon/proto/base/secret.ts';
import * as z from 'zod';
import { Pasted } from './contract/fields.ts';
import { type TrustedProxies, trustedProxies } from './domain/network.ts';
import { FEATURE_ENVIRONMENT, FEATURE_FAULTS } from './feature-sums/settings.ts';

const secret = (text: string): Secret => new Secret(text);
const Port = z.coerce.number().int().min(0).max(65_535);
const Seconds = (fallback: number) => z.coerce.number().positive().default(fallback);

const Variables = z.object({
  HOST: z.string().default('127.0.0.1').describe('address for REST, MCP, the dashboard and the agents'),
  PORT: Port.default(8080).describe('port of the same'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .transform(secret)
    .optional()
    .describe('PostgreSQL 15 or later, as `postgres://…`; default: the embedded PostgreSQL'),
  DATABASE_READ_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .transform(secret)
    .optional()
    .describe(
      'streaming standby of DATABASE_URL, for lists, exports and status pages; default: the primary answers them',
    ),
  CARILLON_DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .describe(
      'folder of the embedded database. As root below a folder that other users cannot enter, the database is in /var/lib/carillon',
    ),
  CARILLON_SEALING_KEYS: z
    .string()
    .transform(secret)
    .optional()
    .describe(
      'sealing keys themselves instead of a file: 32 bytes in base64 each, separated by commas; the first one seals',
    ),
  CARILLON_SEALING_KEYS_FILE: z
    .string()
    .min(1)
    .optional()
    .describe(
      'file of the sealing keys, created at the first start; default: the name of the data folder and `.keys`, beside it',
    ),
  CARILLON_PROVISION: z.string().min(1).optional().describe('provisioning file, applied at each start'),
  CARILLON_PLANS: z.string().min(1).optional().describe('YAML file that changes what plans include'),
  CARILLON_PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('public address of this installation, for links, cookies and MCP'),
  CARILLON_TLS_CERTIFICATE: z
    .string()
    .min(1)
    .optional()
    .describe(
      'PEM file: certificate for HTTPS, with its chain, read again when it changes; needs CARILLON_PUBLIC_URL. Default: no TLS',
    ),
  CARILLON_TLS_KEY: z.string().min(1).optional().describe('PEM file: private key of that certificate'),
  CARILLON_TRUSTED_PROXIES: z
    .string()
    .default('loopback')
    .transform((list, context) => {
      try {
        return trustedProxies(list);
      } catch (error) {
        context.addIssue((error as Error).message);
        return z.NEVER;
      }
    })
    .describe(
      'addresses and networks of proxies whose `X-Forwarded-For` is used, separated by commas (`loopback, 10.0.0.0/8`; `none`)',
    ),
  CARILLON_WORKER_GRACE_SECONDS: Seconds(60).describe(
    "how long an agent may be away before its part of a run counts as lost. If it comes back within a day, the results are recalculated (`revisedAt`); the run's status and the grade of a probe stay. Folded runs are not recalculated",
  ),
  CARILLON_SAMPLE_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .default(30)
    .describe(
      'samples, messages, events and noise are deleted after this many days; runs, endpoints, streams and figures stay',
    ),
  CARILLON_PROBE_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .default(90)
    .describe('executions of probes are deleted after this many days; incidents and grades of status pages stay'),
  CARILLON_RUN_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe('runs of tests are deleted after this many days; default: never'),
  CARILLON_EXACT_CALLS: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(100_000)
    .describe(
      'planned calls up to which each call of a run has a row. Larger runs are folded: every call is counted, percentiles are within 1 %, and rows exist for calls whose detail is kept',
    ),
  CARILLON_WEBHOOKS_ALLOW_PRIVATE: z
    .stringbool()
    .default(false)
    .describe('allows webhooks to private and loopback addresses'),
  CARILLON_WEBHOOKS_ALLOW_HTTP: z.stringbool().default(false).describe('allows webhooks without TLS'),
  ...FEATURE_ENVIRONMENT,
  CARILLON_METRICS_TOKEN: Pasted.min(16)
    .transform(secret)
    .optional()
    .describe('Bearer token that a scrape of `/metrics` must send; at least 16 characters'),
  CARILLON_LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('level of the log'),
});

type FindFaults = (environment: z.output<typeof Variables>, wrong: (name: string, message: string) => void) => void;

const findTlsFaults: FindFaults = (e, wrong) => {
  const { CARILLON_TLS_CERTIFICATE: certificate, CARILLON_TLS_KEY: key, CARILLON_PUBLIC_URL: publicUrl } = e;
  if (certificate === undefined && key !== undefined)
    wrong('CARILLON_TLS_CERTIFICATE', 'is needed with CARILLON_TLS_KEY: the certificate of that key');
  if (certificate === undefined) return;
  if (key === undefined) wrong('CARILLON_TLS_KEY', 'is needed with CARILLON_TLS_CERTIFICATE: its private key');
  if (!publicUrl?.startsWith('https:'))
    wrong('CARILLON_PUBLIC_URL', 'has to begin with https:// and a name in the certificate: links and cookies need it');
};

export const Environment = Variables.superRefine((environment, context) => {
  const wrong = (name: string, message: string) => context.addIssue({ code: 'custom', path: [name], message });
  findTlsFaults(environment, wrong);
  if (environment.DATABASE_READ_URL !== undefined && environment.DATABASE_URL === undefined)
    wrong('DATABASE_READ_URL', 'is the standby of DATABASE_URL, which is not set');
  for (const findFaults of Object.values<FindFaults>(FEATURE_FAULTS)) findFaults(environment, wrong);
});

export type Config = {
  readonly host: string;
  readonly port: number;
  readonly databaseUrl: Secret | null;
  /** The standby for reading; null: none. */
  readonly databaseReadUrl: Secret | null;
  readonly dataDir: string;
  /** The keys that seal the secrets in the database. */
  readonly sealingKeys: { readonly keys: Secret } | { readonly file: string };
  readonly provisionFile: string | null;
  /** The YAML file with the plans' limits; null: the built-in table. */
  readonly plansFile: string | null;
  /** The public address of this installation; null: the address that it listens on. */
  readonly publicUrl: string | null;
  /** The files for TLS; null: no TLS. */
  readonly tls: { readonly certificate: string; readonly key: string } | null;
  /** The proxies that are trusted about their clients' addresses. */
  readonly trustedProxies: TrustedProxies;
  readonly workerGraceSeconds: number;
  readonly sampleRetentionDays: number;
  /** After this time, executions of probes are deleted completely. */
  readonly probeRetentionDays: number;
  /** After this time, runs of tests are deleted completely; null: never. */
  readonly runRetentionDays: number | null;
  /** Up to this many calls, each call of a run has a row; the calls of a larger run are added to sums. */
  readonly exactCalls: number;
  /** Whether webhooks may use private, loopback and link-local addresses, and addresses without TLS. */
  readonly webhooks: { readonly allowPrivate: boolean; readonly allowHttp: boolean };
  /** What was given, for features: each reads its own variables. */
  readonly environment: z.output<typeof Environment>;
  /** The required token for /metrics; null: none. */
  readonly metricsToken: Secret | null;
  readonly logLevel: string;
  /** The file descriptor of the log. */
  readonly logTo: number;
  /** The Ed25519 key of a local agent that every organization may use; null: none. */
  readonly localWorkerKey: Buffer | null;
};

/** @throws Error that names every invalid variable */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  // An empty variable counts as absent: compose files and shells create such variables.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((i) => `  ${i.path.join('.')}: ${i.message}`);
    throw new Error(`Invalid environment variables:\n${lines.join('\n')}`);
  }
  const e = parsed.data;
  const { CARILLON_TLS_CERTIFICATE: certificate, CARILLON_TLS_KEY: key } = e;
  const dataDir = path.resolve(e.CARILLON_DATA_DIR);
  // The file is outside the data folder, so that a copy of the folder does not contain the key.
  const keysFile = path.resolve(e.CARILLON_SEALING_KEYS_FILE ?? `${dataDir}.keys`);
  return {
    host: e.HOST,
    port: e.PORT,
    databaseUrl: e.DATABASE_URL ?? null,
    databaseReadUrl: e.DATABASE_READ_URL ?? null,
    dataDir,
    sealingKeys: e.CARILLON_SEALING_KEYS === undefined ? { file: keysFile } : { keys: e.CARILLON_SEALING_KEYS },
    provisionFile: e.CARILLON_PROVISION ?? null,
    plansFile: e.CARILLON_PLANS ?? null,
    publicUrl: e.CARILLON_PUBLIC_URL ?? null,
    tls: certificate === undefined || key === undefined ? null : { certificate, key },
    trustedProxies: e.CARILLON_TRUSTED_PROXIES,
    workerGraceSeconds: e.CARILLON_WORKER_GRACE_SECONDS,
    sampleRetentionDays: e.CARILLON_SAMPLE_RETENTION_DAYS,
    probeRetentionDays: e.CARILLON_PROBE_RETENTION_DAYS,
    runRetentionDays: e.CARILLON_RUN_RETENTION_DAYS ?? null,
    exactCalls: e.CARILLON_EXACT_CALLS,
    webhooks: { allowPrivate: e.CARILLON_WEBHOOKS_ALLOW_PRIVATE, allowHttp: e.CARILLON_WEBHOOKS_ALLOW_HTTP },
    environment: e,
    metricsToken: e.CARILLON_METRICS_TOKEN ?? null,
    logLevel: e.CARILLON_LOG_LEVEL,
    logTo: 2,
    localWorkerKey: null,
  };
}
