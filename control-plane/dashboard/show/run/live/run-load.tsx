/** The load of a run whose endpoints place several calls: the requested one and the actual one. */
import { hasOneRate, waits } from '@carillon/proto/load/shapes/shapes.ts';
import { Group, SimpleGrid, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Output } from '../../../../contract/catalogue.ts';
import type { Timeline } from '../../../../contract/run/timeline.ts';
import { Figure } from '../../basics/figure.tsx';
import { count, DASH, number, plural, share } from '../../basics/figures.ts';
import { Card } from '../../basics/page.tsx';
import { Time } from '../../basics/time.tsx';

/** Few look at a load that they may change. */
const ChangeLoad = lazy(() => import('./change-load.tsx').then((all) => ({ default: all.ChangeLoad })));

type Run = Output<'getTestRun'>;
type Props = {
  readonly projectId: string;
  readonly run: Run;
  readonly timeline: Timeline | undefined;
  readonly mayChange: boolean;
};

/** The form is reset when its rate was changed, but not with each second of a rate that varies by itself. */
const changeKey = ({ callsPerSecond, shape }: NonNullable<Run['load']>): string | number =>
  callsPerSecond === 0 ? 'paused' : hasOneRate(shape) ? callsPerSecond : shape;

export function RunLoad({ projectId, run, timeline, mayChange }: Props) {
  if (!run.load) return run.endedAt === null || !timeline?.endpoints ? null : <LoadResults starts={run.starts} />;
  const { endpoints, endsAt, callsPerSecond } = run.load;
  const free = timeline?.freeEndpoints.at(-1) ?? null;
  const holds = waits(run.load);
  return (
    <Card
      title="Load"
      note={
        <>
          {holds ? `${plural(endpoints, 'call')} are kept in progress` : 'Calls start'}
          {endsAt === null ? (
            ' until all have been started'
          ) : (
            <>
              {' '}
              until <Time at={endsAt} />
            </>
          )}
          .
        </>
      }
    >
      <Group gap={44} align="flex-start" style={{ rowGap: 20 }}>
        <Group gap={36} align="flex-start" wrap="nowrap">
          <Figure
            name={holds ? 'Starts per second' : 'Calls per second'}
            value={callsPerSecond === 0 ? 'Paused' : number(callsPerSecond)}
            note={callsPerSecond === 0 ? 'no calls start' : holds ? 'at most' : 'current target'}
            explain={callsPerSecond === 0 ? 'Calls in progress continue' : undefined}
          />
          <Figure
            name="Free endpoints"
            value={free === null ? DASH : count(free)}
            note={`of ${count(endpoints)}`}
            explain="If no endpoint is free when a call is due, the call is dropped and counted"
          />
        </Group>
        {mayChange && (
          <Suspense fallback={null}>
            <ChangeLoad key={changeKey(run.load)} projectId={projectId} runId={run.id} load={run.load} />
          </Suspense>
        )}
      </Group>
    </Card>
  );
}

function LoadResults({ starts }: { starts: Run['starts'] }) {
  const { planned, started, late, noFreeEndpoint, dropped, heldBack } = starts;
  const ofDue = (n: number) => (planned === 0 ? undefined : `${share((100 * n) / planned)} of those due`);
  return (
    <Card
      title="Load"
      note="What happened to the calls that were due. A call that could not start was dropped, not postponed."
    >
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} verticalSpacing="lg">
        <Figure name="Calls due" value={count(planned)} />
        <Figure
          name="Started"
          value={count(started)}
          note={late === 0 ? 'none late' : `${count(late)} late by more than 20 ms`}
        />
        <Figure name="No endpoint free" value={count(noFreeEndpoint)} note={ofDue(noFreeEndpoint)} />
        <Figure name="Agent late" value={count(dropped)} note={ofDue(dropped)} />
        <Figure name="Held back by the breaker" value={count(heldBack)} note={ofDue(heldBack)} />
      </SimpleGrid>
      {noFreeEndpoint > 0 && (
        <Text size="sm" c="dimmed" mt="md">
          All endpoints were busy when these calls were due. This rate needs more endpoints or shorter calls.
        </Text>
      )}
    </Card>
  );
}
