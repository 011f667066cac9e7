/** What a test will do, and whether there is capacity for it. */
import { slowestOf } from '@carillon/proto/load/load-step.ts';
import { hasBuildup, stepsOf, waits } from '@carillon/proto/load/shapes/shapes.ts';
import { Stack, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Output } from '../../../../contract/catalogue.ts';
import { useCall } from '../../../api.ts';
import { bitsPerSecond, count, duration, number, plural } from '../../basics/figures.ts';
import { Card } from '../../basics/page.tsx';
import { Mark } from '../../basics/words.tsx';
import { callsOwn, type Draft, doingOf, regionsOf } from '../drafts/test-draft.ts';
import { estimateOf, type LoadEstimate } from './estimate.ts';

/** Charts are loaded separately, a moment later than the form. */
const LoadPreview = lazy(() => import('./load-preview.tsx'));

const Endpoints = ({ many }: { readonly many: number }) => (
  <b>
    {count(many)} endpoint{many === 1 ? '' : 's'}
  </b>
);

function What({ draft, plan }: { readonly draft: Draft; readonly plan: LoadEstimate }) {
  const { does, endpoints, buildup, durationSeconds } = draft;
  if (does === 'REGISTER')
    return (
      <>
        <Endpoints many={endpoints} /> register{buildup > 0 && <> over {duration(buildup)}</>}, and stay so for{' '}
        {duration(durationSeconds)}
      </>
    );
  if (does === 'OPTIONS')
    return (
      <>
        <Endpoints many={endpoints} /> ask once with OPTIONS{buildup > 0 && <>, over {duration(buildup)}</>}
      </>
    );
  if (does === 'RECEIVE')
    return (
      <>
        <Endpoints many={endpoints} /> take{' '}
        {draft.callsEach === null ? 'any number of calls' : `${count(endpoints * draft.callsEach)} calls at most`},{' '}
        {mediaOf(plan)}
      </>
    );
  return (
    <>
      <Calls draft={draft} plan={plan} />, {mediaOf(plan)}
    </>
  );
}

type Props = { readonly draft: Draft; readonly registrars: readonly Output<'listRegistrars'>[] };

const mediaOf = ({ ports, bitsPerSecondEachWay }: LoadEstimate): string =>
  ports === 0 ? 'no media' : `${bitsPerSecond(bitsPerSecondEachWay)} each way, ${count(ports)} ports`;

function Calls({ draft, plan }: { readonly draft: Draft; readonly plan: LoadEstimate }) {
  const { calls, isAbout, seconds, perSecond, concurrentCalls } = plan;
  if (calls === null) return <b>Calls have no end</b>;
  const { load } = draft;
  const slowest = hasBuildup(load) ? perSecond : slowestOf(stepsOf(load));
  return (
    <>
      <b>
        {isAbout ? `About ${count(calls)}` : count(calls)} call{calls === 1 ? '' : 's'}
      </b>{' '}
      {!seconds
        ? 'at once'
        : `over ${duration(seconds)}, ${waits(load) ? 'at most ' : ''}${slowest < perSecond ? `${number(slowest, 1)} to ` : ''}${number(perSecond, 1)} a second`}
      ,{' '}
      {draft.callsEach === 1 ? (
        <b>{count(concurrentCalls)} at the same time</b>
      ) : (
        <>
          at most <b>{count(concurrentCalls)} at once</b>
        </>
      )}
    </>
  );
}

/** A filter of the API has no more values. */
const MAX_REGIONS = 20;

type Worker = Output<'listWorkers'>;

/** The endpoints that are free for a load. */
const roomOf = (workers: readonly Worker[]): number =>
  workers.reduce((sum, w) => sum + w.capacity - w.leftToProbes - w.endpoints, 0);

/** True: each region has room for its share. */
function haveShares({ regions, workerIds }: Draft, atOnce: number, workers: readonly Worker[]): boolean {
  if (regions === null || workerIds !== null) return true;
  const all = Object.values(regions).reduce((sum, weight) => sum + weight, 0);
  return Object.entries(regions).every(
    ([region, weight]) => roomOf(workers.filter((w) => w.region === region)) >= Math.floor((atOnce * weight) / all),
  );
}

function Room({ draft, atOnce, workers }: { draft: Draft; atOnce: number; workers: readonly Worker[] }) {
  const room = roomOf(workers);
  const lacks = room < atOnce ? 'No room' : haveShares(draft, atOnce, workers) ? null : 'No room for each share';
  return (
    <Mark wraps tone={lacks ? 'bad' : 'good'}>
      {lacks ?? 'Room'}: {count(atOnce)} of {count(room)} free endpoints at once
    </Mark>
  );
}

/** One sentence about the test in plain language, and whether the agents have capacity for it. */
export function Preview({ draft, registrars }: Props) {
  const regions = regionsOf(draft);
  const workers = useCall(
    'listWorkers',
    { per_page: 100, state: ['ONLINE'], ...(regions && { region: [...regions].slice(0, MAX_REGIONS) }) },
    { everyMs: 5000 },
  );
  const plan = estimateOf({
    ...draft,
    source: doingOf(draft).media ? draft.source : null,
    ownCallees: callsOwn(draft),
  });
  const online = (workers.data?.rows ?? []).filter(({ id }) => draft.workerIds?.includes(id) ?? true);
  const { total = 0 } = workers.data?.pagination ?? {};
  // Of more than a page of agents, only the count is known here; the check before a start knows all of them.
  const isWhole = total <= (workers.data?.rows.length ?? 0);
  const many = regions ? total : online.length;
  const where = regions ? `in ${regions.join(', ')}` : 'of those chosen';
  const rate = Math.min(...online.map((w) => w.agent?.policy.maxCallsPerSecond ?? Number.POSITIVE_INFINITY));
  const registrar = registrars.find((r) => r.id === draft.registrarId);
  const longest = Math.min(...online.map((w) => w.agent?.policy.maxDurationSeconds ?? Number.POSITIVE_INFINITY));
  const tooFast = many > 0 && plan.perSecond > rate * many;
  return (
    <Card title="Summary">
      <Stack gap="sm">
        <Text>
          <What draft={draft} plan={plan} />
          {plan.lastsSeconds !== null && <>, done in {duration(plan.lastsSeconds)}</>}.
        </Text>
        {draft.does === 'CALL' && (
          <Suspense fallback={null}>
            <LoadPreview draft={draft} />
          </Suspense>
        )}
        {plan.droppedPercent > 0 && (
          <div>
            <Mark tone="warn">Too few calls at once</Mark>
            <Text size="sm">
              This rate takes {count(plan.neededAtOnce)}. Of {count(draft.endpoints)}, none is free for about{' '}
              {number(plan.droppedPercent, 0)} % of the calls, which are dropped.
            </Text>
          </div>
        )}
        {workers.data && (regions || isWhole) && (
          <Stack gap={6}>
            <Mark wraps tone={online.length > 0 ? 'good' : 'bad'}>
              {online.length > 0 ? `${plural(many, 'agent')} online ${where}` : `No agent online ${where}`}
            </Mark>
            {online.length > 0 && isWhole && <Room draft={draft} atOnce={plan.atOnce} workers={online} />}
            {registrar?.register && (
              <Mark wraps tone={registrar.sipAccountCount >= draft.endpoints ? 'good' : 'bad'}>
                {registrar.sipAccountCount >= draft.endpoints ? 'SIP accounts' : 'Too few SIP accounts'}:{' '}
                {count(draft.endpoints)} of {count(registrar.sipAccountCount)}
              </Mark>
            )}
            {draft.durationSeconds > longest && (
              <Mark tone="bad">Longer than the agents&apos; policies allow ({duration(longest)})</Mark>
            )}
            {tooFast && <Mark tone="warn">Faster than the agents&apos; policies allow ({rate} calls/s each)</Mark>}
          </Stack>
        )}
        {plan.atMostSeconds !== null && (
          <Text size="sm" c="dimmed">
            It ends after {duration(plan.atMostSeconds)} at the latest.
          </Text>
        )}
      </Stack>
    </Card>
  );
}
