/** The charts of a report: a run by steps of time. Pure. */
import type { Timeline } from '../../contract/run/timeline.ts';
import type { ReportChart } from './chart.ts';

export const chartsOf = (t: Timeline): ReportChart[] => {
  const each = (values: readonly number[]) => values.map((v) => v / t.resolutionSeconds);
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
