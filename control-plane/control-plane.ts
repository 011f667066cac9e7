/**
 * The control plane, assembled: the only place that knows all of its parts. They start in the order of the lines and
 * close in the reverse order, the database last.
 */
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Closers } from '@carillon/proto/base/closers.ts';
import { readText } from '@carillon/proto/base/files.ts';
import { Secret } from '@carillon/proto/base/secret.ts';
import { pino } from 'pino';
import type { Config } from './config.ts';
import { DEFAULT_PLANS, type PlanTable, parsePlansFile } from './contract/people/plans.ts';
import { parseProvisionFile } from './contract/provision-file.ts';
import { inFile, NotApplicable, writtenIn } from './contract/yaml-file.ts';
import { openCourier } from './courier/courier.ts';
import { provisionFaults } from './domain/project/provision.ts';
import { openFeaturePorts } from './feature-ports.ts';
import { FEATURE_HOOKS } from './feature-sums/server.ts';
import { JOB_HANDLERS } from './handlers.ts';
import { openCertificate } from './http/certificate.ts';
import { portIsFree } from './http/port.ts';
import { createHttpServer } from './http/server.ts';
import { openGateway } from './link/gateway.ts';
import { answerMcp } from './mcp/server.ts';
import { resumeRuns, wantedJobs } from './operations/jobs.ts';
import { offerSetup } from './operations/people/entrance.ts';
import { PASSWORD_COST } from './operations/people/password.ts';
import { applyProvision } from './operations/provision/apply.ts';
import { shareLocalWorker } from './operations/provision/local-worker.ts';
import type { JobName, Jobs, Log, Ports } from './ports.ts';
import { startQueue } from './queue/boss.ts';
import { openReadiness } from './readiness/readiness.ts';
import { type Database, openDatabase } from './store/db.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './store/embedded/supervisor.ts';
import { Memory, watchChanges } from './store/memory.ts';
import { migrate } from './store/migrate.ts';
import { KeyRing } from './store/secrets/key-ring.ts';
import { takeUpKeys } from './store/secrets/sealing-keys.ts';
import { openStandby, type Standby } from './store/standby.ts';
import { inWords, troubleOf } from './store/trouble.ts';

export type ControlPlane = {
  /** `http://host:port`, or with TLS `https://host:port` */
  readonly url: string;
  /** The link for the first owner; null: an account exists. */
  readonly setupLink: string | null;
  close(): Promise<void>;
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Rejects with the fault in the environment or its files, or with what cannot be opened, or with the reason of `ending`
 * if that is aborted during the start; everything opened by then is closed.
 */
export const startControlPlane = (
  config: Config,
  environment: Environment,
  ending: AbortSignal,
): Promise<ControlPlane> =>
  Closers.around((closers) =>
    compose(config, environment, ending, closers).catch((error: unknown) => {
      throw ending.aborted ? ending.reason : startError(error);
    }),
  );

/** Nothing is retried during the start: the error names an unavailable database. */
const startError = (error: unknown): unknown => {
  const trouble = troubleOf(error);
  if (trouble === null || trouble === 'DATABASE_AWAY') return error;
  return new Error(inWords(error as Error), { cause: error });
};

/** The limit of lines that could not be written: they wait for the next one. Anything beyond the limit is lost. */
const MAX_WAITING_BYTES = 1024 * 1024;

function openLog({ logLevel, logTo }: Config): Log {
  const out = pino.destination({ fd: logTo, sync: true, maxLength: MAX_WAITING_BYTES });
  // A log that cannot be written, on a full disk, must not end the service: without a listener each line would throw.
  out.on('error', () => undefined);
  return pino({ level: logLevel, base: null }, out);
}

async function compose(
  config: Config,
  environment: Environment,
  ending: AbortSignal,
  closers: Closers,
): Promise<ControlPlane> {
  const log = openLog(config);
  const provision = config.provisionFile === null ? null : await readProvision(config.provisionFile, environment);
  const plans = config.plansFile === null ? DEFAULT_PLANS : await readPlans(config.plansFile);
  const certificate = config.tls && (await openCertificate(config.tls, log));
  closers.push(() => certificate?.close());
  await portIsFree(config.host, config.port);
  const ring = new KeyRing(config.sealingKeys);
  const embedded = await embeddedPostgres(config, log, ending);
  if (embedded) closers.push(() => embedded.stop());
  const connection = embedded?.connection ?? { connectionString: config.databaseUrl ?? new Secret('') };
  const onError = (error: Error) => log.warn({ error: error.message }, 'database connection lost');
  const schema = { max: SCHEMA_CONNECTIONS, statementLimitMs: MIGRATION_LIMIT_MS, onError };
  await bringUpToDate(openDatabase(connection, schema), ending, log);
  const db = openDatabase(connection, { onError, ring });
  closers.push(() => db.close());
  // During the start, this interrupts the current statement.
  const cut = () => void db.close();
  ending.addEventListener('abort', cut);
  const { count } = await takeUpKeys(db, new Date(), (message) => log.warn({}, message));
  if (count > 0) log.info({ rows: count }, 'secrets sealed with the current key');
  ending.throwIfAborted();

  const standby = config.databaseReadUrl && openReading(db, config.databaseReadUrl, ring, log);
  closers.push(() => standby?.close());
  const memory = new Memory();
  const changes = watchChanges(memory, connection, (error) =>
    log.warn({ error: error.message }, 'not listening for changes, nothing is kept in memory'),
  );
  closers.push(() => changes.close());
  const queue = await startQueue(connection, log);
  closers.push(() => queue.stop());
  ending.throwIfAborted();
  const now = () => new Date();
  const readiness = openReadiness({
    database: db,
    disk: embedded && (() => embedded.disk()),
    jobs: () => queue.seen(),
    certificate: certificate && (() => certificate.trouble(now())),
    log,
    now,
  });
  closers.push(() => readiness.close());
  const features = openFeaturePorts(config.environment);
  closers.push(() => features.close());
  const { workerGraceSeconds, sampleRetentionDays, probeRetentionDays, runRetentionDays, exactCalls, publicUrl } =
    config;
  const ports: Ports = {
    database: db,
    standby,
    memory,
    jobs: queue,
    courier: openCourier(config.webhooks),
    ...features.ports,
    log,
    now,
    hooks: FEATURE_HOOKS,
    condition: () => readiness.look(),
    settings: {
      workerGraceSeconds,
      sampleRetentionDays,
      probeRetentionDays,
      runRetentionDays,
      exactCalls,
      plans,
      publicUrl,
      listening: { host: config.host, port: config.port, tls: certificate !== null },
      passwordCost: PASSWORD_COST,
    },
  };
  if (provision) await provision.apply(ports);
  if (config.localWorkerKey) await shareLocalWorker(ports, config.localWorkerKey);

  const { app, metrics } = await createHttpServer(ports, {
    answerMcp: (exchange) => answerMcp(ports, exchange),
    publicUrl: config.publicUrl,
    certificate,
    trustedProxies: config.trustedProxies,
    metricsToken: config.metricsToken,
    dashboardDir: path.join(import.meta.dirname, 'dashboard', 'dist'),
    docsDir: path.join(import.meta.dirname, '..', 'docs', 'dist'),
  });
  await app.ready();
  ending.throwIfAborted();
  const gateway = openGateway(ports, app.server, metrics, { trustedProxies: config.trustedProxies });
  closers.push(() => app.close());
  closers.push(() => gateway.close());
  await queue.work(
    <N extends JobName>(name: N, data: Jobs[N], attempt: number) => JOB_HANDLERS[name](ports, data, attempt),
    wantedJobs(ports),
  );
  await resumeRuns(ports);
  ending.throwIfAborted();
  await app.listen({ host: config.host, port: config.port });
  readiness.watch();
  const { address, port, family } = app.server.address() as AddressInfo;
  const url = `${certificate ? 'https' : 'http'}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  if (embedded) closers.push(() => embedded.release());
  // From here on, a signal ends a running service, and does not interrupt a start.
  ending.throwIfAborted();
  ending.removeEventListener('abort', cut);
  log.info({ url }, 'control plane is up');
  const token = await offerSetup(ports);
  const setupLink = token === null ? null : `${config.publicUrl ?? url}/set-up#${token.reveal()}`;
  return { url, setupLink, close: () => closers.close() };
}

const openReading = (primary: Database, url: Secret, ring: KeyRing, log: Log): Standby =>
  openStandby({
    primary,
    standby: { connectionString: url },
    ring,
    onChange: (fault) =>
      fault === null
        ? log.info({}, 'the standby is read again')
        : log.warn({ error: fault }, 'the standby is not read: the primary answers instead'),
  });

async function embeddedPostgres(config: Config, log: Log, signal: AbortSignal): Promise<EmbeddedPostgres | null> {
  if (config.databaseUrl !== null) return null;
  return startEmbeddedPostgres({
    dataDir: config.dataDir,
    signal,
    log: (message, fields) => log.info(fields, message),
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall === undefined) throw error;
    const message = `The data folder ${config.dataDir} (CARILLON_DATA_DIR) cannot be used: ${error.message}`;
    throw new Error(message, { cause: error });
  });
}

/** The rows of a large installation may take long to convert, so the limit of a request's statement does not apply. */
const MIGRATION_LIMIT_MS = 6 * 3_600_000;
const SCHEMA_CONNECTIONS = 2;

/** Closes `db`, also if the start is interrupted in the middle of a long migration. */
async function bringUpToDate(db: Database, ending: AbortSignal, log: Log): Promise<void> {
  const cut = () => void db.close();
  ending.addEventListener('abort', cut);
  try {
    log.info({}, 'bringing the schema up to date');
    const applied = await migrate(db);
    if (applied.length > 0) log.info({ applied }, 'schema brought up to date');
  } finally {
    ending.removeEventListener('abort', cut);
    await db.close();
  }
}

/** The file is read before anything is started; later objections of the database name its line as well. */
async function readProvision(file: string, environment: Environment) {
  const text = await readText('The provisioning file (CARILLON_PROVISION)', file);
  const parsed = parseProvisionFile(text, environment, provisionFaults, file);
  const named = (error: unknown) => {
    throw error instanceof NotApplicable ? inFile(text, file, error) : error;
  };
  const written = writtenIn(text, file, environment);
  return { apply: (ports: Ports) => applyProvision(ports, parsed, written).catch(named) };
}

const readPlans = async (file: string): Promise<PlanTable> =>
  parsePlansFile(await readText('The file of plans (CARILLON_PLANS)', file), file);
