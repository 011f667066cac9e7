/** The differences between runs that are not due to chance, with their intervals. Each run is compared with the baseline. */
import { Alert, Group, Stack, Table, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import type { Output } from '../../../contract/catalogue.ts';
import { call } from '../../../dashboard/api.ts';
import { DASH, number, plural } from '../../../dashboard/show/basics/figures.ts';
import { Card, Failed, Waiting } from '../../../dashboard/show/basics/page.tsx';
import { ScrollBox } from '../../../dashboard/show/basics/scroll-box.tsx';
import type { Tone } from '../../../dashboard/show/basics/tones.ts';
import { Mark } from '../../../dashboard/show/basics/words.tsx';

type Comparison = Output<'compareTestRuns'>;
type Figure = Comparison['figures'][number];

const VERDICTS: Readonly<Record<Comparison['verdict'], readonly [Tone, string]>> = {
  BETTER: ['good', 'Better'],
  WORSE: ['bad', 'Worse'],
  NO_DIFFERENCE: ['none', 'No difference'],
  TOO_LITTLE_DATA: ['none', 'Too little data'],
  NOT_COMPARABLE: ['warn', 'Not comparable'],
};

type Props = {
  readonly projectId: string;
  readonly baselineId: string;
  /** The runs without the baseline, as the page names them. */
  readonly others: readonly { readonly id: string; readonly name: string; readonly color: string }[];
  readonly baselineName: string;
};

export function RunStatistics({ projectId, baselineId, others, baselineName }: Props) {
  const all = useQueries({
    queries: others.map(({ id }) => {
      const query = { projectId, testRunId: id, baseline_run_id: baselineId };
      return { queryKey: ['compareTestRuns', query], queryFn: () => call('compareTestRuns', query) };
    }),
  });
  return (
    <Card
      title="Difference"
      note={`Against the baseline ${baselineName}. Intervals of 95 %; a difference counts if chance does not explain it, all figures taken together, and if it is large enough to matter.`}
    >
      <Stack gap="xl">
        {others.map(({ id, name, color }, i) => {
          const { data, error } = all[i] ?? {};
          /** Answers name runs by their ids, which the page does not show. */
          const named = (text: string): string =>
            text.replaceAll(`Run ${id}`, name).replaceAll(`Run ${baselineId}`, `The baseline ${baselineName}`);
          return (
            <section key={id} aria-label={`Difference of ${name}`}>
              <Group gap={8} mb={6}>
                <span className="swatch" style={{ background: `var(${color})` }} aria-hidden />
                <Text fw={650}>{name}</Text>
                {data && <Mark tone={VERDICTS[data.verdict][0]}>{VERDICTS[data.verdict][1]}</Mark>}
              </Group>
              {error ? (
                <Failed error={error} />
              ) : data ? (
                <ComparisonResult comparison={data} name={name} named={named} />
              ) : (
                <Waiting />
              )}
            </section>
          );
        })}
      </Stack>
    </Card>
  );
}

const ComparisonResult = ({
  comparison: { sentence, warnings, figures },
  name,
  named,
}: {
  comparison: Comparison;
  name: string;
  named: (text: string) => string;
}) => (
  <Stack gap="sm">
    <Text size="sm">{named(sentence)}</Text>
    {warnings.map((warning) => (
      <Alert key={warning} color="yellow" variant="outline" p="xs">
        {named(warning)}
      </Alert>
    ))}
    {figures.length > 0 && (
      <ScrollBox label={`Differences of ${name}`}>
        <Table miw={720} verticalSpacing={8}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Figure</Table.Th>
              <Table.Th ta="right">Baseline</Table.Th>
              <Table.Th ta="right">This run</Table.Th>
              <Table.Th ta="right">Difference</Table.Th>
              <Table.Th>Result</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {figures.map((figure) => (
              <Row key={figure.key} figure={figure} />
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
    )}
  </Stack>
);

function Row({ figure }: { figure: Figure }) {
  const { displayName, unit, by, interval, verdict, leastEffect, p } = figure;
  const of = unit === '%' ? 'points' : '%';
  const [tone, word] = VERDICTS[verdict];
  return (
    <Table.Tr>
      <Table.Th scope="row">{displayName}</Table.Th>
      <Table.Td ta="right">
        <Side side={figure.baseline} unit={unit} />
      </Table.Td>
      <Table.Td ta="right">
        <Side side={figure.run} unit={unit} />
      </Table.Td>
      <Table.Td ta="right">
        {by === null ? DASH : `${signed(by)} ${of}`}
        {interval && (
          <div className="quiet">
            {signed(interval.from)} to {signed(interval.to)}
          </div>
        )}
      </Table.Td>
      <Table.Td>
        <Mark tone={tone}>{word}</Mark>
        <div className="quiet">
          {verdict === 'TOO_LITTLE_DATA'
            ? 'not tested'
            : `${p === null ? '' : `p ${p < 0.001 ? '< 0.001' : `= ${number(p, 3)}`}; `}at least ${number(leastEffect)} ${of} count`}
        </div>
      </Table.Td>
    </Table.Tr>
  );
}

const Side = ({ side, unit }: { side: Figure['run']; unit: string }) => (
  <>
    {side.value === null ? DASH : `${number(side.value)} ${unit}`}
    <div className="quiet">
      {side.interval ? `${number(side.interval.from)} to ${number(side.interval.to)}, ` : ''}
      {plural(side.count, 'call')}
    </div>
  </>
);

const signed = (n: number): string => (n > 0 ? `+${number(n)}` : n < 0 ? `−${number(-n)}` : '±0');
