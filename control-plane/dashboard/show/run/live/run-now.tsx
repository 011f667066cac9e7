/** A run in progress: how far it is, the load on the target, and the results. */
import { SimpleGrid, Stack, Text } from '@mantine/core';
import type { Output } from '../../../../contract/catalogue.ts';
import type { Timeline } from '../../../../contract/run/timeline.ts';
import { Figure } from '../../basics/figure.tsx';
import { count, DASH, duration, number, percent, plural } from '../../basics/figures.ts';
import { Card } from '../../basics/page.tsx';
import { NOISE } from '../../basics/tones.ts';
import { Mark, NoiseMark } from '../../basics/words.tsx';
import { latest } from '../timeline/timeline.ts';
import type { Liveness } from './live-run.ts';

type Run = Output<'getTestRun'>;
type Props = { readonly run: Run; readonly timeline: Timeline | undefined; readonly liveness: Liveness };

function startsNote({ planned, late, dropped, noFreeEndpoint }: Run['starts']): string {
  const faults = late + dropped > 0 ? `; ${count(late)} late, ${count(dropped)} dropped` : ', none late';
  return `of ${count(planned)} due${faults}${noFreeEndpoint > 0 ? `; ${count(noFreeEndpoint)} found no endpoint free` : ''}`;
}

export function Now({ run, timeline: t, liveness }: Props) {
  const { progress, starts, callTiming, callQuality: q } = run;
  const part = progress.expectedSeconds > 0 ? Math.min(1, progress.elapsedSeconds / progress.expectedSeconds) : 0;
  const noise = t?.noise.level.slice(-15).findLast((l) => l !== null);
  const loss = t ? latest(t.lossFraction) : null;
  const { p50, p95, p99, count: setups } = callTiming.callSetup;
  return (
    <Card>
      <Stack gap="md">
        <div>
          <div
            className="bar accent"
            role="progressbar"
            aria-label="Progress"
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={Math.round(part * 100)}
          >
            <span style={{ width: `${part * 100}%` }} />
          </div>
          <Text size="sm" c="dimmed" mt={6} component="div">
            {duration(progress.elapsedSeconds)} of about {duration(progress.expectedSeconds)} ·{' '}
            {liveness === 'LIVE' ? 'live, each second' : 'polled every second: no live connection'}
          </Text>
        </div>
        <SimpleGrid cols={{ base: 2, sm: 4 }} verticalSpacing="lg">
          <Figure
            name="Calls started"
            value={count(starts.started)}
            note={startsNote(starts)}
            explain="Calls that were due so far, and calls whose INVITE was sent"
          />
          <Figure
            name="Calls at once"
            value={count(t?.calls.concurrent.at(-1) ?? 0)}
            note={`${count(progress.callsAnswered)} answered so far`}
          />
          <Figure
            name="Ended"
            value={count(progress.callsEnded)}
            note={`${count(q.successful)} good, ${plural(progress.failures, run.callAfterCall ? 'call' : 'endpoint')} failed`}
          />
          <Figure
            name="Set-up, p95"
            value={setups > 0 ? number(p95, 1) : number(t ? latest(t.setupMs.p95, 60) : null, 1)}
            unit="ms"
            note={
              setups > 0
                ? `p50 ${number(p50, 1)}, p99 ${number(p99, 1)}, of ${plural(setups, 'call')} that ended`
                : 'latest answers; no answered call has ended'
            }
          />
          <Figure
            name={`MOS now, p5${t?.mosScale ? ` (${t.mosScale.toUpperCase()})` : ''}`}
            value={number(t ? latest(t.mos.p5) : null)}
            note={`p50 ${number(t ? latest(t.mos.p50) : null)}`}
          />
          <Figure name="Packets lost now" value={loss === null ? DASH : percent(loss * 100, 2)} />
          <Figure
            name="Failed calls"
            value={count(q.failed)}
            note={`${count(q.answeredFailed)} after the answer; ${count(callTiming.rejectedCount)} rejected, ${count(callTiming.timeoutCount)} timed out, ${plural(callTiming.errorCount, 'error')}`}
          />
          <div>
            <Text size="sm" c="dimmed" mb={4}>
              Agents
            </Text>
            {noise ? <NoiseMark verdict={noise} /> : <Mark tone="none">Not reported yet</Mark>}
            {noise && (
              <Text size="xs" c="dimmed" mt={4}>
                {NOISE[noise][2]}
              </Text>
            )}
          </div>
        </SimpleGrid>
      </Stack>
    </Card>
  );
}
