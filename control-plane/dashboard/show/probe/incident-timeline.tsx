/** Incidents as spans of the last week, and as a list. Open incidents come first. */
import { Anchor, Stack, Text } from '@mantine/core';
import type { Output } from '../../../contract/catalogue.ts';
import { sinceOf } from '../../../contract/probe/words.ts';
import { Link } from '../../router.tsx';
import { Time } from '../basics/time.tsx';
import { SEVERITY } from '../basics/tones.ts';
import { Mark, SeverityMark } from '../basics/words.tsx';
import { endWords, incidentState } from './incident-words.ts';

type Incident = Output<'listProbeIncidents'>;

const DAY_MS = 86_400_000;
const DAYS = 7;

type Props = { readonly projectId: string; readonly incidents: readonly Incident[]; readonly nowMs: number };

export function IncidentTimeline({ projectId, incidents, nowMs }: Props) {
  const fromMs = nowMs - DAYS * DAY_MS;
  const at = (ms: number): number => Math.min(100, Math.max(0, (100 * (ms - fromMs)) / (DAYS * DAY_MS)));
  const recent = incidents.filter((i) => i.endedAt === null || Date.parse(i.endedAt) > fromMs);
  const firstDayMs = Math.ceil(fromMs / DAY_MS) * DAY_MS;
  const days = Array.from({ length: DAYS }, (_, n) => firstDayMs + n * DAY_MS);
  return (
    <Stack gap="md">
      <div
        className="timeline"
        role="img"
        aria-label={`${recent.length} incident${recent.length === 1 ? '' : 's'} in the last ${DAYS} days`}
      >
        {days.map((ms) => (
          <i key={ms} style={{ left: `${at(ms)}%` }}>
            <span>{new Date(ms).toISOString().slice(5, 10)}</span>
          </i>
        ))}
        {recent.map((i) => {
          const [left, right] = [at(Date.parse(sinceOf(i))), at(i.endedAt === null ? nowMs : Date.parse(i.endedAt))];
          return (
            <b
              key={i.id}
              className={SEVERITY[i.severity][0]}
              title={`${SEVERITY[i.severity][1]}, ${sinceOf(i).slice(0, 19).replace('T', ' ')} UTC`}
              style={{ left: `${left}%`, width: `max(4px, ${right - left}%)` }}
            />
          );
        })}
      </div>
      {incidents.length === 0 ? (
        <Text c="dimmed" size="sm">
          None.
        </Text>
      ) : (
        incidents.map((i) => <IncidentLine key={i.id} projectId={projectId} incident={i} />)
      )}
    </Stack>
  );
}

function IncidentLine({ projectId, incident: i }: { projectId: string; incident: Incident }) {
  const [tone, state] = incidentState(i);
  return (
    <div style={{ overflowWrap: 'anywhere' }}>
      <SeverityMark severity={i.severity} />
      <span className="beside">
        <Mark tone={tone}>{state}</Mark>
      </span>
      {i.reason !== null && <div>{i.reason}</div>}
      <Text size="sm" c="dimmed" component="div">
        <Anchor
          component={Link}
          to={`/projects/${projectId}/probes/${i.probeId}/incidents/${i.id}`}
          size="sm"
          underline="always"
        >
          Incident of <Time at={sinceOf(i)} />
        </Anchor>{' '}
        · {endWords(i)}
        {i.region && ` · ${i.region}`}
        {i.acknowledgedBy !== null && ` · acknowledged by ${i.acknowledgedBy}`}
      </Text>
      {i.note !== null && <div className="quiet">Note: {i.note}</div>}
    </div>
  );
}
