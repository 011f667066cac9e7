/** The load of the form, drawn as it is typed. */
import { Stack, Text } from '@mantine/core';
import { Chart } from '../../basics/chart.tsx';
import { number } from '../../basics/figures.ts';
import type { LoadDraft } from '../drafts/load-draft.ts';
import { curveOf } from './load-curve.ts';

const DASHED = [8, 4];
const NOTES = {
  BUILDUP: null,
  RATE: null,
  STEPS: null,
  POISSON: 'Starts vary by chance around this rate; the dashed line holds for 19 of 20 seconds.',
  CONCURRENCY: 'If calls last as long as planned.',
} as const;

export default function LoadPreview({ draft }: { readonly draft: LoadDraft }) {
  const curve = curveOf(draft);
  if (curve === null) return null;
  const { times, perSecond, perSecondAtMost, atOnce, lacking } = curve;
  const shared = { times, axis: 'since', group: 'load preview', height: 110, fromZero: true, isPlan: true } as const;
  const note = NOTES[draft.load.shape];
  return (
    <Stack gap={6}>
      <Chart
        {...shared}
        title="Calls started"
        unit="per second"
        lines={[
          { name: 'planned', color: '--carillon-accent', values: perSecond, stepped: true },
          ...(perSecondAtMost
            ? [
                {
                  name: '95 %',
                  color: '--carillon-warn',
                  values: perSecondAtMost,
                  dash: DASHED,
                  stepped: true as const,
                },
              ]
            : []),
        ]}
      />
      <Chart
        {...shared}
        title="Calls at once"
        unit={lacking === null ? '' : `limited by the endpoints: ${number(lacking, 0)} too few`}
        lines={[{ name: 'at once', color: '--carillon-accent', values: atOnce }]}
      />
      {note && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </Stack>
  );
}
