/** The trials of a capacity search, in their order. Each is a run. */
import { Anchor, Table, Text } from '@mantine/core';
import { Link } from '../../../dashboard/router.tsx';
import { count, DASH, number } from '../../../dashboard/show/basics/figures.ts';
import { Mark, VerdictMark } from '../../../dashboard/show/basics/words.tsx';
import { OBJECTIVE, PHASE, RESULT, type SearchSeen, type TrialSeen } from './search-words.ts';

export const TrialTable = ({ search }: { readonly search: SearchSeen }) => (
  <Table miw={940}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>Trial</Table.Th>
        <Table.Th ta="right">Offered, {OBJECTIVE[search.objective]}</Table.Th>
        <Table.Th ta="right">Carried</Table.Th>
        <Table.Th miw={260}>Result</Table.Th>
        <Table.Th ta="right">Good</Table.Th>
        <Table.Th ta="right">Failed</Table.Th>
        <Table.Th ta="right">Not started</Table.Th>
        <Table.Th ta="right">Set-up p95</Table.Th>
        <Table.Th>Verdict</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {search.trials.map((trial) => (
        <Row key={trial.number} search={search} trial={trial} />
      ))}
    </Table.Tbody>
  </Table>
);

function Row({ search: { projectId, endedAt }, trial }: { search: SearchSeen; trial: TrialSeen }) {
  const { evidence: e, result } = trial;
  // The search may end before its trial is judged.
  const open = endedAt === null ? (['accent', 'Running'] as const) : (['none', 'Not judged'] as const);
  const [tone, word] = result === null ? open : RESULT[result];
  const counted = (n: number | undefined) => (n === undefined ? DASH : count(n));
  return (
    <Table.Tr>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        <Anchor component={Link} to={`/projects/${projectId}/runs/${trial.testRunId}`} fw={600}>
          Trial {trial.number}
        </Anchor>
        <div className="quiet">{PHASE[trial.phase]}</div>
      </Table.Td>
      <Table.Td ta="right">{number(trial.level, 1)}</Table.Td>
      <Table.Td ta="right">{e ? number(e.carried, 1) : DASH}</Table.Td>
      <Table.Td>
        <Mark tone={tone} moving={result === null && endedAt === null}>
          {word}
        </Mark>
        {e?.reasons.map((reason) => (
          <Text key={reason} size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {reason}
          </Text>
        ))}
        {e?.wholeRun && (
          <Text size="xs" c="dimmed">
            The warm-up is part of its figures.
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right">{counted(e?.successful)}</Table.Td>
      <Table.Td ta="right">{counted(e?.failed)}</Table.Td>
      <Table.Td ta="right">{counted(e?.notStarted)}</Table.Td>
      <Table.Td ta="right">{e?.setupMs ? `${number(e.setupMs.p95, 1)} ms` : DASH}</Table.Td>
      <Table.Td>{e?.verdict ? <VerdictMark verdict={e.verdict} /> : DASH}</Table.Td>
    </Table.Tr>
  );
}
