/** Runs in a table, whose rows and labels can be chosen. */
import { Anchor, Table } from '@mantine/core';
import type { Output } from '../../../../contract/catalogue.ts';
import { Link } from '../../../router.tsx';
import { count, duration } from '../../basics/figures.ts';
import { Time } from '../../basics/time.tsx';
import { RunState } from '../result/run-state.tsx';
import { RunLabels } from './run-labels.tsx';

type Props = {
  readonly projectId: string;
  readonly rows: readonly Output<'listTestRuns'>[];
  /** The ids of selected runs, and a callback for changes; absent: runs cannot be selected. */
  readonly choice?: {
    readonly verb: string;
    readonly chosen: readonly string[];
    readonly most: number;
    readonly onToggle: (id: string) => void;
  };
  /** Called with a chosen label, as `name=value`; absent: labels cannot be chosen. */
  readonly onLabel?: (label: string) => void;
};

export const RunTable = ({ projectId, rows, choice, onLabel }: Props) => (
  <Table miw={720}>
    <Table.Thead>
      <Table.Tr>
        {choice && (
          <Table.Th w={44}>
            <span className="skip">{choice.verb}</span>
          </Table.Th>
        )}
        <Table.Th miw={200}>Test</Table.Th>
        <Table.Th miw={230}>Status</Table.Th>
        <Table.Th ta="right">Endpoints</Table.Th>
        <Table.Th>Submitted</Table.Th>
        <Table.Th ta="right">Took</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {rows.map((run) => (
        <Table.Tr key={run.id}>
          {choice && (
            <Table.Td>
              <input
                type="checkbox"
                className="choice"
                aria-label={`${choice.verb} ${run.testName} of ${run.submittedAt.slice(0, 19).replace('T', ' ')}`}
                checked={choice.chosen.includes(run.id)}
                disabled={
                  run.startedAt === null || (!choice.chosen.includes(run.id) && choice.chosen.length >= choice.most)
                }
                onChange={() => choice.onToggle(run.id)}
              />
            </Table.Td>
          )}
          <Table.Td>
            <Anchor component={Link} to={`/projects/${projectId}/runs/${run.id}`} fw={600}>
              {run.testName}
            </Anchor>
            {run.isBaseline && <span className="quiet"> ★ Baseline</span>}
            <RunLabels labels={run.labels} onLabel={onLabel} />
          </Table.Td>
          <Table.Td>
            <RunState run={run} />
          </Table.Td>
          <Table.Td ta="right">{count(run.endpoints)}</Table.Td>
          <Table.Td>
            <Time at={run.submittedAt} relative />
          </Table.Td>
          <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
            {run.startedAt && run.endedAt
              ? duration((Date.parse(run.endedAt) - Date.parse(run.startedAt)) / 1000)
              : '–'}
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);
