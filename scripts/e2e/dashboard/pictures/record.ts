/** An installation with something on each page, and what its API answers them. */
import type { Test } from 'tap';
import { callsBody } from '../../../../control-plane/testing/api.ts';
import { ownLoopback } from '../../../peers/network/loopback.ts';
import { startSipp } from '../../../peers/sip/sipp.ts';
import { makeEverything } from '../everything.ts';
import type { DashboardLab } from '../lab.ts';
import { askAs, endedRun, startRun } from '../lab-data.ts';
import type { Pictured } from '../of-features.ts';
import { type Answers, recordAnswers, writeAnswers } from './answers.ts';
import { PICTURED } from './pictured.ts';

export async function record(t: Test, lab: DashboardLab): Promise<void> {
  const ids = await somethingEverywhere(t, lab);
  // Nothing that is asked meanwhile is in the future.
  const now = new Date(Date.now() + 300_000).toISOString();
  const inside: Record<string, unknown> = {};
  const outside: Record<string, unknown> = {};
  for (const [answers, isInside] of [
    [inside, true],
    [outside, false],
  ] as const) {
    const { page, context } = await lab.visit();
    if (isInside) await context.addCookies(await lab.owner.context.cookies());
    recordAnswers(page, answers);
    await page.clock.setFixedTime(new Date(now));
    for (const one of Object.values(PICTURED).filter((one) => one.isInside === isInside && !one.document))
      await visitOne(page, one, ids);
    await context.close();
  }
  writeAnswers({ now, ids, inside, outside });
}

async function visitOne(page: Parameters<typeof recordAnswers>[0], one: Pictured, ids: Answers['ids']): Promise<void> {
  await page.goto(one.address(ids), { waitUntil: 'networkidle' });
  await page.getByText(one.ready).first().waitFor();
  await one.open?.(page);
}

/** A run of good calls, one of calls that were refused, and one of everything else. */
async function somethingEverywhere(t: Test, lab: DashboardLab): Promise<Answers['ids']> {
  const ask = askAs(lab.owner.page);
  const busy = await startSipp({ address: ownLoopback().address(22), scenario: { file: 'busy.xml' } });
  t.teardown(() => busy.stop('SIGKILL'));
  const project = await ask('POST', '/projects', {
    name: 'Berlin PBX',
    description: 'Everything that rings in Berlin',
  });
  const at = `/projects/${project.id}`;
  const everything = await makeEverything(ask, project.id, busy.uri, (what) => what);
  const registrars = await ask<{ id: string; isCloud: boolean }[]>('GET', `${at}/registrars`);
  const cloudId = registrars.find((one) => one.isCloud)?.id ?? '';
  const body = callsBody(cloudId, 4, { name: 'Four calls', buildup: 2, durationSeconds: 6 });
  const { id: goodTestId } = await ask('POST', `${at}/tests`, body);
  const good = await endedRun(ask, at, () => startRun(ask, at, goodTestId));
  const endpoints = await ask<{ id: string }[]>('GET', `${at}/test-runs/${good.id}/endpoints?endpoint_type=CALLER`);
  return {
    ...everything,
    failedRunId: everything.runId,
    failedEndpointId: everything.endpointId,
    runId: good.id,
    endpointId: endpoints[0]?.id ?? '',
  };
}
