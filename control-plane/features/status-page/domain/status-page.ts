/** The public status, computed from daily sums. Pure; days are UTC. */

import type { Severity } from '../../../contract/probe/words.ts';
import type { HealthState } from '../../../contract/run/measured-words.ts';
import { STATUS_DAYS, type StatusPage } from '../contract/status-page.ts';

/** Counts of graded executions; `date` is like `2026-11-21`. */
export type GradeCounts = { readonly healthy: number; readonly degraded: number; readonly unhealthy: number };
export type DayGrades = GradeCounts & { readonly date: string };

export type Component = {
  readonly name: string;
  readonly status: HealthState;
  /** True: its owner has stopped it, so its last state is outdated. */
  readonly isIdle: boolean;
  readonly days: readonly DayGrades[];
  readonly last24Hours: GradeCounts;
};

export type ComponentIncident = {
  readonly component: string;
  readonly severity: Severity;
  readonly startedAt: Date;
  readonly firstFailedAt: Date | null;
  readonly endedAt: Date | null;
  readonly reason: string | null;
};

export type ComponentMaintenance = { readonly component: string; readonly startsAt: Date; readonly endsAt: Date };

const NONE: GradeCounts = { healthy: 0, degraded: 0, unhealthy: 0 };
const DAY_MS = 86_400_000;
const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const sum = (all: readonly GradeCounts[]): GradeCounts =>
  all.reduce<GradeCounts>(
    (s, v) => ({
      healthy: s.healthy + v.healthy,
      degraded: s.degraded + v.degraded,
      unhealthy: s.unhealthy + v.unhealthy,
    }),
    NONE,
  );

/** In percent, cut to hundredths: 99.999 is not 100. */
function uptime({ healthy, degraded, unhealthy }: GradeCounts): number | null {
  const graded = healthy + degraded + unhealthy;
  return graded === 0 ? null : Math.floor(((healthy + degraded) * 10_000) / graded) / 100;
}

const worstOf = (v: GradeCounts): HealthState => {
  if (v.unhealthy > 0) return 'UNHEALTHY';
  if (v.degraded > 0) return 'DEGRADED';
  return v.healthy > 0 ? 'HEALTHY' : 'UNKNOWN';
};

/** Sorted from the best to the worst; unknown is neither. */
const ORDER: readonly HealthState[] = ['UNKNOWN', 'HEALTHY', 'DEGRADED', 'UNHEALTHY'];
const worst = (states: readonly HealthState[]): HealthState =>
  states.reduce<HealthState>((a, b) => (ORDER.indexOf(b) > ORDER.indexOf(a) ? b : a), 'UNKNOWN');

function draw(c: Component, now: Date): StatusPage['components'][number] {
  const byDate = new Map(c.days.map((day) => [day.date, day]));
  const days = Array.from({ length: STATUS_DAYS }, (_, i) => {
    const date = dateOf(now.getTime() - (STATUS_DAYS - 1 - i) * DAY_MS);
    const grades = byDate.get(date) ?? NONE;
    return { date, status: worstOf(grades), uptime: uptime(grades), grades };
  });
  const last = (n: number) => uptime(sum(days.slice(-n).map((day) => day.grades)));
  return {
    name: c.name,
    status: c.isIdle ? 'UNKNOWN' : c.status,
    uptime: {
      last24Hours: uptime(c.last24Hours),
      last7Days: last(7),
      last30Days: last(30),
      last90Days: last(STATUS_DAYS),
    },
    days: days.map(({ grades: _, ...day }) => day),
  };
}

const incident = ({ component, severity, startedAt, firstFailedAt, endedAt, reason }: ComponentIncident) => ({
  component,
  severity,
  startedAt: startedAt.toISOString(),
  firstFailedAt: firstFailedAt?.toISOString() ?? null,
  endedAt: endedAt?.toISOString() ?? null,
  durationMs: endedAt === null ? null : endedAt.getTime() - startedAt.getTime(),
  reason,
});

type Sources = {
  readonly title: string;
  readonly description: string;
  readonly components: readonly Component[];
  readonly incidents: readonly ComponentIncident[];
  readonly maintenance: readonly ComponentMaintenance[];
};

export function drawStatusPage(
  { title, description, components, incidents, maintenance }: Sources,
  now: Date,
): StatusPage {
  const drawn = components.map((c) => draw(c, now));
  return {
    title,
    description,
    status: worst(drawn.map((c) => c.status)),
    components: drawn,
    maintenance: maintenance.map(({ component, startsAt, endsAt }) => ({
      component,
      startsAt: startsAt.toISOString(),
      endsAt: endsAt.toISOString(),
    })),
    openIncidents: incidents.filter((i) => i.endedAt === null).map(incident),
    pastIncidents: incidents.filter((i) => i.endedAt !== null).map(incident),
  };
}
