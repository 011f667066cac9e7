/** What follows from a probe's own words. Pure. */
import { PLAIN_SIGNALLING } from '../contract/scenario.ts';
import type { ScheduleType } from '../contract/words.ts';
import type { Fault } from '../contract/yaml-file.ts';
import type { GroupDraft, TestDraft } from './test-draft.ts';

/** The trailing `(region)` of a probe's name, null where it has none (spec section 2, probe incident). */
export const regionOf = (name: string): string | null => /\(([^()]+)\)\s*$/.exec(name)?.[1]?.trim() || null;

/** A probe runs as a test of one caller. */
export const oneCall = (
  call: Pick<GroupDraft, 'registrar' | 'callee' | 'placement' | 'audioCodecs' | 'encryption'>,
  mode: GroupDraft['mode'] = 'CALL',
): TestDraft => ({
  maxExecutionSeconds: null,
  thresholds: [],
  load: { shape: 'BUILDUP' },
  breaker: null,
  groups: [
    {
      name: 'probe',
      mode,
      ...call,
      rtcpMux: false,
      videoCodecs: [],
      dtmf: null,
      impairment: null,
      actions: [],
      signalling: PLAIN_SIGNALLING,
      mediaTracks: [{ kind: 'AUDIO', source: 'TONE', direction: 'BOTH', dscp: null, deferred: false, mediaFile: null }],
      subPopulations: [{ name: 'probe', role: 'CALLER', endpoints: 1, accounts: null }],
    },
  ],
});

type Schedule = {
  readonly scheduleType: ScheduleType;
  readonly fixedIntervalSec: number | null;
  readonly cronExpression: string | null;
};

export const scheduleFaults = ({ scheduleType, fixedIntervalSec, cronExpression }: Schedule): Fault[] => [
  ...(scheduleType === 'FIXED_INTERVAL' && fixedIntervalSec === null
    ? [{ path: ['fixedIntervalSec'], message: 'FIXED_INTERVAL needs 300, 900, 1800 or 3600 seconds' }]
    : []),
  ...(scheduleType === 'CRON' && cronExpression === null
    ? [{ path: ['cronExpression'], message: 'CRON needs an expression' }]
    : []),
];
