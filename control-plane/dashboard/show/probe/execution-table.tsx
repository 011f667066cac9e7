/** Executions of a probe: status, result, durations of steps. In narrow boxes, each execution is a block. */
import { Anchor, Table, Tooltip } from '@mantine/core';
import type { ProbeMode } from '../../../contract/test-settings/words.ts';
import { FEATURE_PAGES } from '../../../feature-sums/pages.ts';
import { Link } from '../../router.tsx';
import { Time } from '../basics/time.tsx';
import { Mark } from '../basics/words.tsx';
import {
  crossedThresholds,
  executionAside,
  executionState,
  type ListedExecution,
  stepFigure,
  stepsOf,
} from './execution-words.ts';

type Props = {
  readonly projectId: string;
  readonly mode: ProbeMode;
  readonly rows: readonly ListedExecution[];
};

export function ExecutionTable({ projectId, mode, rows }: Props) {
  const steps = stepsOf(mode);
  return (
    <div className="stack-box">
      <Table className="stacks dense" verticalSpacing={10} horizontalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Scheduled</Table.Th>
            <Table.Th>Result</Table.Th>
            {steps.map((s) => (
              <Tooltip key={s.key} label={s.explain}>
                <Table.Th ta="right">{s.name}</Table.Th>
              </Tooltip>
            ))}
            <Table.Th>
              <span className="skip">Run</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((e) => (
            <Table.Tr key={e.id}>
              <Table.Td data-head>
                <State execution={e} />
              </Table.Td>
              <Table.Td data-whole className="long">
                <Shown execution={e} />
              </Table.Td>
              {steps.map((s) => (
                <Table.Td key={s.key} ta="right" data-column={s.name}>
                  {stepFigure(e, s)}
                </Table.Td>
              ))}
              <Table.Td data-last ta="right">
                <Anchor
                  component={Link}
                  to={`/projects/${projectId}/runs/${e.testRunId}`}
                  size="sm"
                  aria-label={`Run of ${e.scheduledAt.slice(0, 19).replace('T', ' ')} UTC`}
                >
                  Run
                </Anchor>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function State({ execution: e }: { execution: ListedExecution }) {
  const { tone, word, isOpen } = executionState(e);
  return (
    <>
      <Mark tone={tone} moving={isOpen}>
        {word}
      </Mark>
      <div className="quiet">
        <Time at={e.scheduledAt} />
      </div>
    </>
  );
}

function Shown({ execution: e }: { execution: ListedExecution }) {
  const aside = executionAside(e);
  const crossed = crossedThresholds(e);
  const notes = FEATURE_PAGES.flatMap(({ executionNote }) => executionNote?.(e) ?? []);
  const { isOpen } = executionState(e);
  return (
    <>
      <div>{e.message ?? (isOpen ? 'Not judged yet.' : 'Not judged.')}</div>
      {aside !== '' && <div className="quiet">{aside}</div>}
      {(crossed.length > 0 || e.inMaintenance || notes.length > 0 || e.repeatedTestRunId !== null) && (
        <div className="chips">
          {crossed.map((c) => (
            <span key={c.key} className={`chip ${c.tone}`}>
              {c.words}
            </span>
          ))}
          {e.inMaintenance && (
            <Tooltip label="It is not counted and raises no alarm">
              <span className="chip accent">In maintenance</span>
            </Tooltip>
          )}
          {notes.map(({ words, explain }) => (
            <Tooltip key={words} label={explain}>
              <span className="chip accent">{words}</span>
            </Tooltip>
          ))}
          {e.repeatedTestRunId !== null && (
            <Tooltip label="The first run failed, so it was repeated from another worker before it counted">
              <span className="chip none">Repeated from another worker</span>
            </Tooltip>
          )}
        </div>
      )}
    </>
  );
}
