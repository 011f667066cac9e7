/** Metrics with their limits, one row each. */
import { Table } from '@mantine/core';
import type { HealthState } from '../../../contract/run/measured-words.ts';
import { count, DASH } from '../basics/figures.ts';
import { Mark } from '../basics/words.tsx';
import { limitWords, thresholdMark, withUnit } from './passed.ts';

export type JudgedRow = {
  readonly metricKey: string;
  readonly displayName: string;
  readonly unit: string;
  readonly value: number;
  /** Undefined: the value was stored before values were counted. */
  readonly count?: number | undefined;
  readonly status: HealthState;
  readonly higherIsBetter: boolean;
  /** Undefined: the limits are no longer known. */
  readonly greenValue?: number | undefined;
  readonly orangeValue?: number | undefined;
};

type Props = { readonly rows: readonly JudgedRow[]; readonly isJudged: boolean };

export const ThresholdTable = ({ rows, isJudged }: Props) => (
  <Table miw={620}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th miw={150}>Metric</Table.Th>
        <Table.Th ta="right">Measured</Table.Th>
        <Table.Th ta="right">Values</Table.Th>
        <Table.Th>Status</Table.Th>
        <Table.Th ta="right">Healthy</Table.Th>
        <Table.Th ta="right">Degraded</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {rows.map((r) => {
        const [tone, word] = thresholdMark(r.status, isJudged);
        const limit = (value: number | undefined) =>
          value === undefined ? DASH : limitWords(value, r.unit, r.higherIsBetter);
        return (
          <Table.Tr key={r.metricKey}>
            <Table.Td>{r.displayName}</Table.Td>
            <Table.Td ta="right">{r.status === 'UNKNOWN' ? DASH : withUnit(r.value, r.unit)}</Table.Td>
            <Table.Td ta="right">{r.status === 'UNKNOWN' || r.count === undefined ? DASH : count(r.count)}</Table.Td>
            <Table.Td>
              <Mark tone={tone}>{word}</Mark>
            </Table.Td>
            <Table.Td ta="right">{limit(r.greenValue)}</Table.Td>
            <Table.Td ta="right">{limit(r.orangeValue)}</Table.Td>
          </Table.Tr>
        );
      })}
    </Table.Tbody>
  </Table>
);
