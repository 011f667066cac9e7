/** The charts of a report: a run by steps of time. Pure. */
import { DROP_WORDS, DROPS, type Timeline } from '../../contract/run/timeline.ts';
import type { ReportChart } from './chart.ts';

export const chartsOf = (t: Timeline): ReportChart[] => {
  const each = (values: readonly (number | null)[]) => values.map((v) => v && v / t.resolutionSeconds);
  const drops = DROPS.filter((reason) => t.drops[reason].some((n) => n !== null && n > 0));
  return [
    {
      title: 'Calls',
      unit: 'per second',
      fromZero: true,
      lines: [
        { name: 'offered', values: each(t.calls.offered) },
        { name: 'started', values: each(t.calls.started) },
        { name: 'failed', values: each(t.calls.failed) },
      ],
    },
    { title: 'Calls at once', unit: '', fromZero: true, lines: [{ name: 'in a call', values: t.calls.concurrent }] },
    ...(t.endpoints === null
      ? []
      : [
          {
            title: 'Free endpoints',
            unit: `of ${t.endpoints}`,
            fromZero: true,
            lines: [{ name: 'free', values: t.freeEndpoints }],
          },
        ]),
    ...(drops.length === 0
      ? []
      : [
          {
            title: 'Calls dropped',
            unit: 'per second',
            fromZero: true,
            lines: drops.map((reason) => ({ name: DROP_WORDS[reason], values: each(t.drops[reason]) })),
          },
        ]),
    {
      title: 'Set-up',
      unit: 'ms',
      fromZero: true,
      lines: [
        { name: 'p50', values: t.setupMs.p50 },
        { name: 'p95', values: t.setupMs.p95 },
        { name: 'p99', values: t.setupMs.p99 },
      ],
    },
    {
      title: 'MOS',
      unit: t.mosScale?.toUpperCase() ?? '',
      fromZero: false,
      lines: [
        { name: 'p50', values: t.mos.p50 },
        { name: 'p5', values: t.mos.p5 },
      ],
    },
    {
      title: 'Packet loss',
      unit: '%',
      fromZero: true,
      lines: [{ name: 'lost', values: t.lossFraction.map((v) => v && v * 100) }],
    },
    {
      title: "Agents' own delay",
      unit: 'ms, p99 of the worst',
      fromZero: true,
      lines: [
        { name: 'event loop', values: t.noise.loopDelayMs },
        { name: 'RTP pacing', values: t.noise.pacingErrorMs },
      ],
    },
  ];
};
