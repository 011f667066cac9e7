/**
 * Samples from frame bytes to committed rows: decoded, checked, written with their rollups, acknowledged. On the embedded
 * PostgreSQL with its ordinary settings (fsync on). On its own: node_modules/.bin/node scripts/bench/product/ingest.ts
 */

import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { decodeAgentFrame, decodeFacts, type wire } from '@carillon/proto';
import { DEFAULT_PLANS } from '../../../control-plane/contract/people/plans.ts';
import { openCourier } from '../../../control-plane/courier/courier.ts';
import { decodeFactsIn } from '../../../control-plane/link/wire/decode-facts.ts';
import { ingest } from '../../../control-plane/operations/agents/ingest.ts';
import { PASSWORD_COST } from '../../../control-plane/operations/people/password.ts';
import type { Ports } from '../../../control-plane/ports.ts';
import { openDatabase } from '../../../control-plane/store/db.ts';
import { startEmbeddedPostgres } from '../../../control-plane/store/embedded/supervisor.ts';
import { Memory } from '../../../control-plane/store/memory.ts';
import { migrate } from '../../../control-plane/store/migrate.ts';
import { KeyRing, newKey } from '../../../control-plane/store/secrets/key-ring.ts';
import { sampleFrame } from '../../peers/sample-frame.ts';
import { seedCarriers } from './ingest-carriers.ts';

export type IngestRow = {
  readonly agents: number;
  readonly samples: number;
  readonly samplesPerSecond: number;
  /** CPU seconds of the control plane's process for a million samples; the database's are apart. */
  readonly cpuSecondsPerMillion: number;
  readonly bytesPerSample: number;
};

const ALL_TIMES = { fromMs: 0, toMs: Number.POSITIVE_INFINITY };
const STREAMS = 500;
const BATCHES = 60;

export async function benchIngest(agentCounts: readonly number[] = [1, 4]): Promise<IngestRow[]> {
  const dataDir = await mkdtemp('/tmp/carillon-ingest-');
  await chmod(dataDir, 0o711);
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  const database = openDatabase(postgres.connection, {
    max: 10,
    onError: () => undefined,
    ring: new KeyRing({ keys: newKey() }),
  });
  try {
    await migrate(database);
    const log = { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error };
    const ports: Ports = {
      database,
      memory: new Memory(),
      log,
      now: () => new Date(),
      condition: async () => ({ faults: [], warnings: [], disk: null, waitingSeconds: null }),
      jobs: { enqueue: async () => undefined, enqueueAll: async () => undefined },
      provider: null,
      courier: openCourier({ webhooks: { allowPrivate: false, allowHttp: false }, mail: null }),
      settings: {
        workerGraceSeconds: 60,
        sampleRetentionDays: 30,
        probeRetentionDays: 90,
        runRetentionDays: null,
        exactCalls: 100_000,
        plans: DEFAULT_PLANS,
        publicUrl: null,
        passwordCost: PASSWORD_COST,
      },
    };
    const rows: IngestRow[] = [];
    for (const agents of agentCounts) rows.push(await measure(ports, agents));
    return rows;
  } finally {
    await database.close();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measure(ports: Ports, agents: number): Promise<IngestRow> {
  const carriers = await seedCarriers(ports.database.db, agents);
  const work = carriers.map(({ workerId, instanceId }) => {
    const id = Buffer.from(instanceId.replaceAll('-', ''), 'hex');
    const frames = Array.from({ length: BATCHES }, (_, i) => sampleFrame(i + 1, id, STREAMS, Date.now() + i * 1000));
    return { sender: { workerId, outboxId: randomUUID() }, frames };
  });
  for (const { sender } of work) {
    await ports.database.db
      .insertInto('outboxes')
      .values({ worker_id: sender.workerId, outbox_id: sender.outboxId })
      .execute();
  }
  const bytes = work.reduce((sum, w) => sum + w.frames.reduce((n, f) => n + f.length, 0), 0);
  const cpuBefore = process.cpuUsage();
  const startedMs = performance.now();
  await Promise.all(
    work.map(async ({ sender, frames }) => {
      for (const one of frames) {
        const { batch } = decodeAgentFrame(one);
        const facts = decodeFactsIn(decodeFacts(batch as wire.agent.v1.Batch), ALL_TIMES);
        await ingest(ports, sender, Number(batch?.number), facts);
      }
    }),
  );
  const seconds = (performance.now() - startedMs) / 1000;
  const cpu = process.cpuUsage(cpuBefore);
  const samples = agents * BATCHES * STREAMS;
  return {
    agents,
    samples,
    samplesPerSecond: Math.round(samples / seconds),
    cpuSecondsPerMillion: Number((((cpu.user + cpu.system) / 1e6 / samples) * 1e6).toFixed(1)),
    bytesPerSample: Number((bytes / samples).toFixed(1)),
  };
}

if (import.meta.main) console.table(await benchIngest());
