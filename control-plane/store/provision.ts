/** A project and what is in it: upserts by slug, and what pruning removes. Each returns the row's id. */
import { sql } from 'kysely';
import type { MetricKey } from '../contract/metric-keys.ts';
import type { TestConfig } from '../contract/test.ts';
import type { ProbeMode, ScheduleType, WebhookEvent } from '../contract/words.ts';
import type { Tx } from './db.ts';

export const upsertProject = async (
  tx: Tx,
  p: { id: string; organizationId: string; slug: string; name: string; description: string },
): Promise<string> =>
  (
    await tx
      .insertInto('projects')
      .values({ id: p.id, organization_id: p.organizationId, slug: p.slug, name: p.name, description: p.description })
      .onConflict((c) =>
        c
          .columns(['organization_id', 'slug'])
          .doUpdateSet({ name: p.name, description: p.description, updated_at: sql`now()` }),
      )
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;

export const upsertRegistrar = async (
  tx: Tx,
  r: {
    id: string;
    projectId: string;
    slug: string;
    name: string;
    uri: string;
    protocol: string;
    register: boolean;
    outboundProxyUri: string | null;
    isCloud: boolean;
  },
): Promise<string> => {
  const columns = {
    name: r.name,
    uri: r.uri,
    protocol: r.protocol,
    register: r.register,
    outbound_proxy_uri: r.outboundProxyUri,
  };
  return (
    await tx
      .insertInto('registrars')
      .values({ id: r.id, project_id: r.projectId, slug: r.slug, is_cloud: r.isCloud, ...columns })
      .onConflict((c) => c.columns(['project_id', 'slug']).doUpdateSet({ ...columns, updated_at: sql`now()` }))
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
};

export const upsertSipAccount = async (
  tx: Tx,
  a: { id: string; registrarId: string; username: string; password: string },
): Promise<string> =>
  (
    await tx
      .insertInto('sip_accounts')
      .values({ id: a.id, registrar_id: a.registrarId, username: a.username, password: a.password })
      .onConflict((c) => c.columns(['registrar_id', 'username']).doUpdateSet({ password: a.password }))
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;

export const testConfigOf = async (tx: Tx, projectId: string, slug: string): Promise<TestConfig | null> =>
  (
    await tx
      .selectFrom('tests')
      .where('project_id', '=', projectId)
      .where('slug', '=', slug)
      .select('config')
      .executeTakeFirst()
  )?.config ?? null;

export const upsertTest = async (
  tx: Tx,
  t: {
    id: string;
    projectId: string;
    slug: string;
    name: string;
    description: string;
    endpoints: number;
    durationSeconds: number;
    buildupSeconds: number;
    config: TestConfig;
  },
): Promise<unknown> => {
  const columns = {
    name: t.name,
    description: t.description,
    endpoints: t.endpoints,
    duration_seconds: t.durationSeconds,
    buildup_seconds: t.buildupSeconds,
    config: JSON.stringify(t.config),
  };
  return tx
    .insertInto('tests')
    .values({ id: t.id, project_id: t.projectId, slug: t.slug, ...columns })
    .onConflict((c) => c.columns(['project_id', 'slug']).doUpdateSet({ ...columns, updated_at: sql`now()` }))
    .execute();
};

export const probeConfigOf = async (tx: Tx, projectId: string, slug: string): Promise<TestConfig | null> =>
  (
    await tx
      .selectFrom('probes')
      .where('project_id', '=', projectId)
      .where('slug', '=', slug)
      .select('config')
      .executeTakeFirst()
  )?.config ?? null;

export type ProbeRow = {
  readonly id: string;
  readonly projectId: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly mode: ProbeMode;
  readonly enabled: boolean;
  readonly scheduleType: ScheduleType;
  readonly fixedIntervalSec: number | null;
  readonly cronExpression: string | null;
  readonly timeOfDayStartUtc: string | null;
  readonly timeOfDayEndUtc: string | null;
  readonly timezone: string;
  readonly durationSeconds: number;
  readonly alertStrikeRuns: number;
  readonly escalateAfterMinutes: number;
  readonly autoPauseAfterHours: number | null;
  readonly config: TestConfig;
};

export const upsertProbe = async (tx: Tx, p: ProbeRow): Promise<string> => {
  const columns = {
    name: p.name,
    description: p.description,
    mode: p.mode,
    enabled: p.enabled,
    schedule_type: p.scheduleType,
    fixed_interval_sec: p.fixedIntervalSec,
    cron_expression: p.cronExpression,
    time_of_day_start_utc: p.timeOfDayStartUtc,
    time_of_day_end_utc: p.timeOfDayEndUtc,
    timezone: p.timezone,
    duration_seconds: p.durationSeconds,
    alert_strike_runs: p.alertStrikeRuns,
    escalate_after_minutes: p.escalateAfterMinutes,
    auto_pause_after_hours: p.autoPauseAfterHours,
    config: JSON.stringify(p.config),
  };
  return (
    await tx
      .insertInto('probes')
      .values({ id: p.id, project_id: p.projectId, slug: p.slug, ...columns })
      .onConflict((c) => c.columns(['project_id', 'slug']).doUpdateSet({ ...columns, updated_at: sql`now()` }))
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
};

export const setProbeParent = (tx: Tx, id: string, parentId: string | null): Promise<unknown> =>
  tx.updateTable('probes').set({ parent_probe_id: parentId }).where('id', '=', id).execute();

export const upsertThreshold = (
  tx: Tx,
  t: { id: string; probeId: string; metricKey: MetricKey; greenValue: number; orangeValue: number; enabled: boolean },
): Promise<unknown> =>
  tx
    .insertInto('probe_thresholds')
    .values({
      id: t.id,
      probe_id: t.probeId,
      metric_key: t.metricKey,
      green_value: t.greenValue,
      orange_value: t.orangeValue,
      enabled: t.enabled,
    })
    .onConflict((c) =>
      c
        .columns(['probe_id', 'metric_key'])
        .doUpdateSet({ green_value: t.greenValue, orange_value: t.orangeValue, enabled: t.enabled }),
    )
    .execute();

export const upsertWebhook = (
  tx: Tx,
  w: { id: string; projectId: string; url: string; events: readonly WebhookEvent[]; secret: string },
): Promise<unknown> =>
  tx
    .insertInto('webhooks')
    .values({ id: w.id, project_id: w.projectId, url: w.url, events: w.events, secret: w.secret })
    .onConflict((c) =>
      c.columns(['project_id', 'url']).doUpdateSet({ events: w.events, secret: w.secret, updated_at: sql`now()` }),
    )
    .execute();

/** What belongs to `owner` and is not among `keep` goes. */
type Prunable = {
  api_keys: ['organization_id', 'name'];
  projects: ['organization_id', 'slug'];
  registrars: ['project_id', 'slug'];
  sip_accounts: ['registrar_id', 'username'];
  tests: ['project_id', 'slug'];
  probes: ['project_id', 'slug'];
  probe_thresholds: ['probe_id', 'metric_key'];
  webhooks: ['project_id', 'url'];
};
const OWNER_AND_KEY: { readonly [T in keyof Prunable]: Prunable[T] } = {
  api_keys: ['organization_id', 'name'],
  projects: ['organization_id', 'slug'],
  registrars: ['project_id', 'slug'],
  sip_accounts: ['registrar_id', 'username'],
  tests: ['project_id', 'slug'],
  probes: ['project_id', 'slug'],
  probe_thresholds: ['probe_id', 'metric_key'],
  webhooks: ['project_id', 'url'],
};

export async function prune(tx: Tx, table: keyof Prunable, ownerId: string, keep: readonly string[]): Promise<number> {
  const [owner, key] = OWNER_AND_KEY[table];
  const result = await sql`
    delete from ${sql.table(table)} where ${sql.ref(owner)} = ${ownerId}::uuid and ${sql.ref(key)} <> all (${keep as string[]}::text[])
  `.execute(tx);
  return Number(result.numAffectedRows ?? 0);
}
