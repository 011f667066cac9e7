/** The load of the form, drawn while it is typed. */
import { loadShape } from '@carillon/proto/load/shapes/shapes.ts';
import { Stack, Text } from '@mantine/core';
import { Chart } from '../../basics/chart.tsx';
import { number } from '../../basics/figures.ts';
import type { LoadDraft } from '../drafts/load-draft.ts';
import { curveOf } from './load-curve.ts';

const DASHED = [8, 4];

export default function LoadPreview({ draft }: { readonly draft: LoadDraft }) {
  const curve = curveOf(draft);
  if (curve === null) return null;
  const { times, perSecond, perSecondAtMost, atOnce, lacking } = curve;
  const shared = { times, axis: 'since', group: 'load preview', height: 110, fromZero: true, isPlan: true } as const;
  const note = loadShape(draft.load.shape).note;
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
