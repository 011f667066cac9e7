/** Rows that samples hang from: an organization, a run, and workers that carry it. */
import { randomUUID } from 'node:crypto';
import type { Tx } from '../../../control-plane/store/db.ts';

export async function seedCarriers(tx: Tx, workers: number): Promise<{ workerId: string; instanceId: string }[]> {
  const organizationId = randomUUID();
  const projectId = randomUUID();
  const runId = randomUUID();
  const config = JSON.stringify({ groups: [], load: { shape: 'BUILDUP' }, thresholds: [], maxExecutionSeconds: null });
  await tx
    .insertInto('organizations')
    .values({ id: organizationId, slug: organizationId, name: 'Bench', plan: 'UNLIMITED' })
    .execute();
  await tx
    .insertInto('projects')
    .values({ id: projectId, organization_id: organizationId, slug: 'bench', name: 'Bench' })
    .execute();
  await tx
    .insertInto('test_runs')
    .values({
      id: runId,
      project_id: projectId,
      organization_id: organizationId,
      test_id: randomUUID(),
      test_name: 'Bench',
      status: 'PENDING',
      endpoints: 1,
      duration_seconds: 1,
      buildup_seconds: 1,
      max_execution_seconds: 1,
      config,
    })
    .execute();
  const carriers = Array.from({ length: workers }, (_, i) => ({
    workerId: randomUUID(),
    instanceId: randomUUID(),
    name: `w${i}`,
  }));
  for (const { workerId, instanceId, name } of carriers) {
    await tx
      .insertInto('workers')
      .values({ id: workerId, organization_id: organizationId, name, region: 'local', capacity: 1000 })
      .execute();
    await tx
      .insertInto('sub_population_instances')
      .values({
        run_id: runId,
        id: instanceId,
        sub_population_id: randomUUID(),
        group_id: randomUUID(),
        worker_id: workerId,
        role: 'CALLER',
        endpoints: 1,
        status: 'RUNNING',
      })
      .execute();
  }
  return carriers;
}
