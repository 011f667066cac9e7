/**
 * Media on the clock of the ladder: packets per second in both directions, jitter and loss, with the call's SIP
 * instants across. A second without a sample is a gap. Facts without an instant (digits, talk and silence of a whole
 * stream) are shown as text.
 */
import { SimpleGrid, Text } from '@mantine/core';
import type { Output } from '../../../contract/catalogue.ts';
import { useCall } from '../../api.ts';
import { DASH, number, percent } from '../basics/figures.ts';
import { Answer, Card } from '../basics/page.tsx';
import { ScrollBox } from '../basics/scroll-box.tsx';
import { SHORT } from '../heard/finding-marks.ts';

type Endpoint = Output<'getTestRunEndpoint'>;
type Series = Output<'getTestRunMetrics'>['series'][number];
type Props = {
  readonly projectId: string;
  readonly runId: string;
  readonly endpoint: Endpoint;
  readonly everyMs: number | false;
};

const LANES = [
  { key: 'packetsSentPerSecond', name: 'Sent', unit: 'packets/s', color: 'accent', least: 1, scale: 1 },
  { key: 'packetsReceivedPerSecond', name: 'Received', unit: 'packets/s', color: 'good', least: 1, scale: 1 },
  { key: 'jitter', name: 'Jitter', unit: 'ms', color: 'warn', least: 5, scale: 1 },
  { key: 'packetLossFraction', name: 'Loss', unit: '%', color: 'bad', least: 1, scale: 100 },
] as const;

const MILESTONES = ['INVITE', 'ACK', 'BYE', 'CANCEL', 'REFER', 'UPDATE', 'INFO'];

export function RtpLane({ projectId, runId, endpoint: e, everyMs }: Props) {
  const metrics = useCall('getTestRunMetrics', { projectId, testRunId: runId, endpoint_id: e.id }, { everyMs });
  const messages = useCall('listTestRunMessages', { projectId, testRunId: runId, endpoint_id: e.id, per_page: 100 });
  const events = useCall('listTestRunEvents', { projectId, testRunId: runId, endpoint_id: e.id, per_page: 100 });
  return (
    <Card title="RTP" note="Same time axis as the ladder (UTC); gaps were not measured">
      <Answer of={metrics}>
        {({ series, resolutionSeconds }) => {
          const holes = holesOf(e.findings);
          const marks = [
            ...marksOf(messages.data?.rows ?? []),
            ...actionsOf(events.data?.rows ?? []),
            ...holes.map(({ fromMs, text }) => ({ atMs: fromMs, text })),
          ];
          const span = spanOf(series, marks, resolutionSeconds);
          return span === null || !series.some((s) => s.points.length > 0) ? (
            <Text c="dimmed" size="sm">
              No measurements in this range: media are measured once a second during a call.
            </Text>
          ) : (
            <ScrollBox label="RTP over time">
              <div className="lanes">
                <Marks marks={marks} span={span} />
                {LANES.map((lane) => (
                  <Lane
                    key={lane.key}
                    lane={lane}
                    points={series.find((s) => s.metricKey === lane.key)?.points ?? []}
                    stepMs={resolutionSeconds * 1000}
                    span={span}
                    marks={marks}
                    holes={lane.key === 'packetsReceivedPerSecond' ? holes : []}
                  />
                ))}
                <div className="lane">
                  <span />
                  <span className="lane-clock">
                    <span>{clock(span.fromMs)}</span>
                    <span>{clock(span.toMs)}</span>
                  </span>
                </div>
              </div>
            </ScrollBox>
          );
        }}
      </Answer>
      <Talk streams={e.streams} />
    </Card>
  );
}

type MarkAt = { readonly atMs: number; readonly text: string };
type Span = { readonly fromMs: number; readonly toMs: number };

const clock = (ms: number): string => new Date(ms).toISOString().slice(11, 23);

/** The first message of each kind, and final responses to INVITE. They are the references for media. */
function marksOf(messages: readonly Output<'listTestRunMessages'>[]): MarkAt[] {
  const seen = new Set<string>();
  return messages.flatMap((m) => {
    const isFinal = m.method === 'INVITE' && m.statusCode !== null && m.statusCode >= 180;
    const text = m.statusCode === null ? m.method : String(m.statusCode);
    if (m.retransmission || seen.has(text) || !(isFinal || (m.statusCode === null && MILESTONES.includes(m.method))))
      return [];
    seen.add(text);
    return [{ atMs: Date.parse(m.at), text }];
  });
}

/** The actions of the scenario: digits, hold, resume. */
const actionsOf = (events: readonly Output<'listTestRunEvents'>[]): MarkAt[] =>
  events
    .filter((v) => v.kind === 'ACTION' || v.kind === 'ACTION_FAILED')
    .map((v) => ({
      atMs: Date.parse(v.at),
      text: `${v.kind === 'ACTION' ? '' : 'failed: '}${v.detail.split(',')[0]}`,
    }));

type Hole = { readonly fromMs: number; readonly toMs: number; readonly text: string };

/** The findings with an instant and a duration: missing media. */
const holesOf = (findings: Endpoint['findings']): Hole[] =>
  findings.flatMap((f) =>
    f.at === null || f.seconds === null
      ? []
      : [{ fromMs: Date.parse(f.at), toMs: Date.parse(f.at) + f.seconds * 1000, text: SHORT[f.finding] }],
  );

function spanOf(series: readonly Series[], marks: readonly MarkAt[], stepSeconds: number): Span | null {
  const starts = series.flatMap((s) => [s.points[0], s.points.at(-1)].flatMap((p) => (p ? [Date.parse(p[0])] : [])));
  const all = [...starts, ...starts.map((ms) => ms + stepSeconds * 1000), ...marks.map((m) => m.atMs)];
  return all.length === 0 ? null : { fromMs: Math.min(...all), toMs: Math.max(...all) };
}

const placeOf = (ms: number, { fromMs, toMs }: Span): number => (100 * (ms - fromMs)) / Math.max(1, toMs - fromMs);

/** Instants that are closer than this, in percent of the width, share a label. */
const CLOSE = 4;

function together(marks: readonly MarkAt[], span: Span): { readonly left: number; readonly marks: MarkAt[] }[] {
  const groups: { left: number; marks: MarkAt[] }[] = [];
  for (const mark of marks.toSorted((a, b) => a.atMs - b.atMs)) {
    const left = placeOf(mark.atMs, span);
    const last = groups.at(-1);
    if (last && left - last.left < CLOSE) last.marks.push(mark);
    else groups.push({ left, marks: [mark] });
  }
  return groups;
}

/** Labels in the left half are on the right of their instant, and vice versa, so that they stay within the lane. */
const Marks = ({ marks, span }: { marks: readonly MarkAt[]; span: Span }) => (
  <div className="lane">
    <span />
    <span className="lane-marks">
      {together(marks, span).map(({ left, marks: group }, i) => (
        <span
          key={left}
          data-left={left > 60}
          title={group.map((m) => `${m.text} at ${clock(m.atMs)}`).join(', ')}
          style={{ left: `${left}%`, top: (i % 2) * 16 }}
        >
          {group.map((m) => m.text).join(' ')}
        </span>
      ))}
    </span>
  </div>
);

type LaneProps = {
  readonly lane: (typeof LANES)[number];
  readonly points: Series['points'];
  readonly stepMs: number;
  readonly span: Span;
  readonly marks: readonly MarkAt[];
  readonly holes: readonly Hole[];
};

const HEIGHT = 44;

function Lane({ lane, points, stepMs, span, marks, holes }: LaneProps) {
  const values = points.map((p) => p[1] * lane.scale);
  const high = Math.max(lane.least, ...values);
  const mean = values.reduce((sum, v) => sum + v, 0) / (values.length || 1);
  const says =
    values.length === 0
      ? 'not measured'
      : `${number(Math.min(...values))} to ${number(Math.max(...values))}, mean ${number(mean)} ${lane.unit}`;
  return (
    <div className="lane">
      <span>
        <b>{lane.name}</b>
        <Text span size="xs" c="dimmed" component="span" display="block">
          {says}
        </Text>
      </span>
      <svg
        className="lane-plot"
        viewBox={`0 0 100 ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${lane.name} over time, ${says}`}
      >
        {holes.map(({ fromMs, toMs, text }) => (
          <rect
            key={`${fromMs} ${text}`}
            x={placeOf(fromMs, span)}
            width={Math.max(0.2, placeOf(Math.min(toMs, span.toMs), span) - placeOf(fromMs, span))}
            y={0}
            height={HEIGHT}
            fill="var(--carillon-bad)"
            opacity={0.16}
          >
            <title>{`${text}: ${clock(fromMs)} to ${clock(toMs)}`}</title>
          </rect>
        ))}
        {marks.map(({ atMs, text }) => (
          <line
            key={`${atMs} ${text}`}
            x1={placeOf(atMs, span)}
            x2={placeOf(atMs, span)}
            y1={0}
            y2={HEIGHT}
            stroke="var(--carillon-line)"
            vectorEffect="non-scaling-stroke"
          />
        ))}
        {points.map((p, i) => {
          // Each point is one step. It is drawn as a bar of its width, so that a gap is visible.
          const atMs = Date.parse(p[0]);
          const height = Math.max(0.75, ((values[i] as number) / high) * (HEIGHT - 2));
          return (
            <rect
              key={p[0]}
              x={placeOf(atMs, span)}
              width={Math.max(0.1, placeOf(atMs + stepMs, span) - placeOf(atMs, span) - 0.15)}
              y={HEIGHT - height}
              height={height}
              fill={`var(--carillon-${lane.color})`}
              opacity={0.75}
            >
              <title>{`${clock(atMs)}: ${number(values[i])} ${lane.unit}`}</title>
            </rect>
          );
        })}
      </svg>
    </div>
  );
}

/** These facts are about whole streams, because agents do not report talk per second. */
function Talk({ streams }: { streams: Endpoint['streams'] }) {
  const told = streams.filter((s) => s.audio !== null || s.digits !== null);
  if (told.length === 0) return null;
  return (
    <SimpleGrid cols={{ base: 1, md: told.length > 1 ? 2 : 1 }} mt="md">
      {told.map((s) => {
        const silent = s.audio?.silentShare ?? null;
        return (
          <div key={s.stream}>
            {s.audio && (
              <>
                <Text size="sm" component="div">
                  <b>Heard</b> {silent === null ? DASH : percent((1 - silent) * 100, 0)} talk,{' '}
                  {silent === null ? DASH : percent(silent * 100, 0)} silence, level{' '}
                  {s.audio.levelDbov === null ? DASH : `${number(s.audio.levelDbov, 0)} dBov`}
                  {s.receive.talkspurts !== null && `, ${s.receive.talkspurts} talkspurts`}
                </Text>
                {silent !== null && (
                  <div className="bar" role="img" aria-label={`${percent((1 - silent) * 100, 0)} talk`}>
                    <span className="good" style={{ width: `${(1 - silent) * 100}%` }} />
                  </div>
                )}
              </>
            )}
            {s.digits && (s.digits.sent || s.digits.received) && (
              <Text size="sm" mt={6}>
                <b>Keys (DTMF)</b> sent {s.digits.sent || 'none'}, received {s.digits.received || 'none'}
              </Text>
            )}
          </div>
        );
      })}
    </SimpleGrid>
  );
}
