/** The parts of a run that have figures: the result, how far it can be trusted, timings, and codes. */

import { type RunSpread, SPREADS } from '@carillon/proto/figures/call-figures.ts';
import { Group, Table, Text } from '@mantine/core';
import type { Output } from '../../../../contract/catalogue.ts';
import type { CallTiming, Validity } from '../../../../contract/run/run.ts';
import { outcomeOf } from '../../../../contract/run-outcome.ts';
import { count, DASH, measured, number, percent, plural } from '../../basics/figures.ts';
import { Card } from '../../basics/page.tsx';
import { ScrollBox } from '../../basics/scroll-box.tsx';
import { Mark, type Tone, VerdictMark } from '../../basics/words.tsx';
import { failureTitle } from '../../heard/failure-words.ts';
import { isHeardByNobody, unheardWords } from '../../heard/heard.ts';
import { passedOf } from '../../heard/passed.ts';
import { capital } from './run-result.ts';

type Run = Output<'getTestRun'>;

const VERDICT_TEXTS = {
  VALID: 'The agents did everything on time. The figures describe the system under test.',
  SUSPECT: 'The agents were disturbed. They may have influenced the figures named below.',
  VOID: 'The agents were disturbed too much. Repeat the run with more agents or fewer calls.',
} as const;
/** The names of the checks of validity. */
const CHECKS: Readonly<Record<string, string>> = {
  inviteLateness: 'Calls started late',
  actionLateness: 'Other actions late',
  pacingError: 'RTP packets sent late',
  skippedSlots: 'RTP packets not sent in time',
  loopDelay: 'Agent delayed',
  stall: 'Longest delay',
  receiveDrops: 'Dropped by the kernel',
  notStarted: 'Planned calls not started',
  clockSteps: 'Clock changed',
  threadCpu: 'Busiest thread (a cause)',
  steal: 'CPU taken by the hypervisor (a cause)',
  coldStart: 'Agent in its first minute (a cause)',
};

/** The result of a run, then its verdict. */
export const VerdictCard = ({ run, validity }: { run: Run; validity: Validity }) => (
  <section
    className={`card card-pad banner ${heardTone(run, outcomeOf(run.status, run.result).tone)}`}
    aria-label="Verdict"
  >
    <Happened run={run} />
    <Group gap="md" align="baseline">
      <VerdictMark verdict={validity.verdict} />
      <Text>{VERDICT_TEXTS[validity.verdict]}</Text>
    </Group>
    {validity.reasons.length > 0 && (
      <ul style={{ margin: '10px 0 0', paddingLeft: 22 }}>
        {[...validity.reasons, ...validity.explanations].map((r) => (
          <li key={r.check + r.worker}>{r.message}</li>
        ))}
      </ul>
    )}
    <details style={{ marginTop: 10 }}>
      <summary>Checks</summary>
      <ScrollBox label="Checks">
        <Table mt="xs" miw={560} verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Check</Table.Th>
              <Table.Th ta="right">Measured</Table.Th>
              <Table.Th ta="right">Suspect above</Table.Th>
              <Table.Th ta="right">Void above</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {validity.checks.map((c) => (
              <Table.Tr key={c.check}>
                <Table.Td>{CHECKS[c.check] ?? c.check}</Table.Td>
                <Table.Td ta="right">
                  {number(c.value)} {c.value !== null && c.unit}
                </Table.Td>
                <Table.Td ta="right">{c.kind === 'CAUSE' ? DASH : `${c.suspectAbove} ${c.unit}`}</Table.Td>
                <Table.Td ta="right">{c.voidAbove === null ? DASH : `${c.voidAbove} ${c.unit}`}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
    </details>
  </section>
);

const heardTone = ({ callQuality }: Run, tone: Tone): Tone =>
  tone === 'good' && isHeardByNobody(callQuality) ? 'warn' : tone;

/** The result in the words of lists, whether callers were heard, whether the run passed, and the reason for most failures. */
function Happened({ run }: { run: Run }) {
  const { tone, words } = outcomeOf(run.status, run.result).apart;
  const [most] = run.failureClusters;
  const unheard = unheardWords(run.callQuality);
  const passed = passedOf(run);
  if (run.result === null) return null;
  return (
    <Group gap="md" align="baseline" mb={6}>
      <Text size="lg" component="div">
        <Mark tone={heardTone(run, tone)} wraps>
          {capital(words)}
          {unheard !== null && `; ${unheard}`}
        </Mark>
      </Text>
      {passed && run.passed === null && (
        <Text size="lg" component="div">
          <Mark tone={passed.tone}>{passed.word}</Mark>
        </Text>
      )}
      {most && (
        <Text>
          {run.failureClusters.length > 1 && 'Most: '}
          {most.count > 1 && `${count(most.count)} × `}
          <b style={{ overflowWrap: 'anywhere' }}>{failureTitle(most)}</b>. Fault: {most.party}.
        </Text>
      )}
    </Group>
  );
}

export function Timings({ timing, relativeError }: { timing: CallTiming } & Run['figures']) {
  const near = relativeError > 0 ? `are within ${100 * relativeError} %` : 'are exact';
  const measuredOnes = SPREADS.filter(({ key }) => timing[key].count > 0);
  const others = SPREADS.filter(({ key }) => timing[key].count === 0).map(({ title }) => title);
  return (
    <Card title="Timings" note={`Milliseconds; percentiles ${near}, over all calls`} pad={false}>
      {measuredOnes.length > 0 && <TimingTable timing={timing} shown={measuredOnes} />}
      {others.length > 0 && (
        <Text size="sm" c="dimmed" px={18} py={12}>
          Not measured: {others.join(', ')}.
        </Text>
      )}
    </Card>
  );
}

const TimingTable = ({ timing, shown }: { timing: CallTiming; shown: readonly RunSpread[] }) => (
  <Table miw={460} horizontalSpacing={9}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th pl={18}>From the INVITE</Table.Th>
        <Table.Th ta="right">p50</Table.Th>
        <Table.Th ta="right">p95</Table.Th>
        <Table.Th ta="right">p99</Table.Th>
        <Table.Th ta="right">Longest</Table.Th>
        <Table.Th ta="right" pr={18}>
          Values
        </Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {shown.map(({ key, title }) => {
        const d = timing[key];
        return (
          <Table.Tr key={key}>
            <Table.Td pl={18}>{title}</Table.Td>
            {[d.p50, d.p95, d.p99, d.max].map((value, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns that never move
              <Table.Td key={i} ta="right">
                {measured(value, d.count, 1)}
              </Table.Td>
            ))}
            <Table.Td ta="right" pr={18}>
              {count(d.count)}
            </Table.Td>
          </Table.Tr>
        );
      })}
    </Table.Tbody>
  </Table>
);

const toneOfCode = (status: number): Tone =>
  status < 200
    ? 'accent'
    : status < 300
      ? 'good'
      : status < 400
        ? 'none'
        : [401, 407].includes(status)
          ? 'none'
          : 'bad';

const keptOf = ({ detail, calls, oneIn }: Run['kept']): string =>
  detail === 'ALL' ? '' : `, of ${plural(calls ?? 0, 'call')}: 1 in ${oneIn}, and failed calls`;

export function Codes({ run }: { run: Run }) {
  const total = run.sipResponses.reduce((sum, r) => sum + r.count, 0);
  return (
    <Card
      title="SIP responses"
      note={`${plural(total, 'response')}, ${plural(run.counts.sipMessages, 'message')} kept${keptOf(run.kept)}`}
      pad={false}
    >
      {total === 0 ? (
        <Text c="dimmed" size="sm" px={18} pb={16}>
          {run.endedAt === null ? 'No response yet.' : 'No response came.'}
        </Text>
      ) : (
        <Table miw={420}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Response</Table.Th>
              <Table.Th>To</Table.Th>
              <Table.Th ta="right">Count</Table.Th>
              <Table.Th w={170}>Share</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {run.sipResponses.map((r) => (
              <Table.Tr key={r.statusCode + r.reasonPhrase}>
                <Table.Td>
                  <b>{r.statusCode}</b> {r.reasonPhrase}
                </Table.Td>
                <Table.Td>{Object.keys(r.methods).join(', ')}</Table.Td>
                <Table.Td ta="right">{count(r.count)}</Table.Td>
                <Table.Td>
                  <Group gap={8} wrap="nowrap">
                    <div className={`bar ${toneOfCode(r.statusCode)}`} style={{ flex: 1 }} aria-hidden>
                      <span style={{ width: `${r.percentage}%` }} />
                    </div>
                    <Text size="sm" w={58} ta="right" style={{ whiteSpace: 'nowrap' }}>
                      {percent(r.percentage)}
                    </Text>
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Card>
  );
}
