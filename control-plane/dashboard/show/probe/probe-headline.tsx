/** A probe on its own page: the result of its last execution, whether it is in maintenance, and what keeps it from running. */
import { Anchor } from '@mantine/core';
import type { Output } from '../../../contract/catalogue.ts';
import { useCall } from '../../api.ts';
import { Link } from '../../router.tsx';
import { IconAlertTriangle, IconCircleCheck, IconHelpCircle, IconPlayerPause, IconTool } from '../basics/icons.tsx';
import { minuteWords } from '../basics/instants.ts';
import { Loud } from '../basics/loud.tsx';
import { Time } from '../basics/time.tsx';
import { HEALTH, toneOfHealth } from '../basics/tones.ts';
import { MAINTENANCE_MEANS } from './maintenance-words.ts';
import { headlineOf, notRunning } from './probe-words.ts';

type Probe = Output<'listProbes'>;

const ICONS = {
  HEALTHY: IconCircleCheck,
  DEGRADED: IconAlertTriangle,
  UNHEALTHY: IconAlertTriangle,
  UNKNOWN: IconHelpCircle,
} as const;

type HeadlineProps = { readonly projectId: string; readonly probe: Probe };

/** The sentence of its last execution, and the open incident. */
export function ProbeHeadline({ projectId, probe: p }: HeadlineProps) {
  const incidents = useCall(
    'listProbeIncidents',
    { projectId, probeId: p.id, state: 'open', per_page: 50 },
    { everyMs: 5000 },
  );
  const open = incidents.data?.rows.find((i) => i.probeId === p.id);
  if (p.lastMessage === null) return null;
  const tone = notRunning(p) === null ? toneOfHealth(p.status) : HEALTH.UNKNOWN[0];
  return (
    <Loud title={headlineOf(p, Date.now())} tone={tone} icon={ICONS[p.status]} isAlert={false}>
      {p.lastMessage}
      {open && (
        <div style={{ marginTop: 6 }}>
          <Anchor
            component={Link}
            to={`/projects/${projectId}/probes/${open.probeId}/incidents/${open.id}`}
            underline="always"
          >
            The open incident
          </Anchor>
          {open.acknowledgedAt === null
            ? ' has not been acknowledged yet.'
            : ` was acknowledged${open.acknowledgedBy === null ? '' : ` by ${open.acknowledgedBy}`}.`}
        </div>
      )}
    </Loud>
  );
}

export const Maintained = ({ until }: { until: string | null }) =>
  until === null ? null : (
    <Loud title={`In maintenance until ${minuteWords(until)}`} tone="accent" icon={IconTool} isAlert={false}>
      {MAINTENANCE_MEANS}
    </Loud>
  );

/** Why the probe's health is that of an earlier execution. */
export const NotRunning = ({ probe: p }: { probe: Probe }) => (
  <>
    {p.autoPausedAt && (
      <Loud title="Paused automatically" icon={IconPlayerPause}>
        {p.autoPauseReason} It has been paused since <Time at={p.autoPausedAt} />. Its health is that of its last run.
      </Loud>
    )}
    {!p.enabled && !p.autoPausedAt && (
      <Loud title="Switched off" icon={IconPlayerPause}>
        It runs only when you start it.
      </Loud>
    )}
    {p.lastSkipReason && (
      <Loud title="Last execution skipped" icon={IconPlayerPause}>
        {p.lastSkipReason} That was <Time at={p.lastSkipAt} relative />. Until an execution succeeds, its health is that
        of the last run.
      </Loud>
    )}
  </>
);
