/** A probe in its form. It is made from an existing probe, and converted to requests. */
import type { CallInput } from '../../../contract/call.ts';
import type { Output } from '../../../contract/catalogue.ts';
import type { ProbeMode } from '../../../contract/words.ts';
import {
  callerOf,
  type DraftCaller,
  type DraftExpectations,
  type DraftRequests,
  expectationsOf,
  requestsOf,
  writtenRequests,
} from '../test-form/drafts/group-draft.ts';
import { EMPTY } from '../test-form/drafts/test-draft.ts';

type Probe = Output<'getProbe'>;

export type ProbeDraft = {
  readonly name: string;
  readonly description: string;
  readonly mode: ProbeMode;
  readonly registrarId: string;
  readonly uri: string;
  readonly region: string;
  /** The interval in seconds, or CRON. */
  readonly every: '300' | '900' | '1800' | '3600' | 'CRON';
  readonly cronExpression: string;
  readonly timezone: string;
  /** HH:MM; '': no limit of the time of day. */
  readonly from: string;
  readonly to: string;
  readonly durationSeconds: number;
  readonly caller: DraftCaller;
  readonly requests: DraftRequests;
  readonly expectations: DraftExpectations;
  /** The value as in a group: `NONE`, `HOST` or a STUN server. */
  readonly ice: string;
  readonly rtcpMux: boolean;
  readonly alertStrikeRuns: number;
  readonly escalateAfterMinutes: number;
  readonly autoPauseAfterHours: number | null;
};

export const newProbe = (registrarId: string): ProbeDraft => ({
  name: '',
  description: '',
  mode: 'CALL',
  registrarId,
  uri: 'sip:',
  region: 'local',
  every: '300',
  cronExpression: '*/5 * * * *',
  timezone: 'UTC',
  from: '',
  to: '',
  durationSeconds: 10,
  caller: EMPTY.caller,
  requests: EMPTY.requests,
  expectations: EMPTY.expectations,
  ice: 'NONE',
  rtcpMux: false,
  alertStrikeRuns: 2,
  escalateAfterMinutes: 60,
  autoPauseAfterHours: null,
});

export const draftOfProbe = (p: Probe): ProbeDraft => ({
  name: p.name,
  description: p.description,
  mode: p.mode,
  registrarId: p.test.registrarId,
  uri: p.test.callee.mode === 'EXTERNAL_URI' ? p.test.callee.uri : 'sip:',
  region: p.test.placement.mode === 'REGION' ? p.test.placement.region : '',
  every: p.scheduleType === 'CRON' ? 'CRON' : (String(p.fixedIntervalSec ?? 300) as ProbeDraft['every']),
  cronExpression: p.cronExpression ?? '*/5 * * * *',
  timezone: p.timezone,
  from: p.timeOfDayStartUtc ?? '',
  to: p.timeOfDayEndUtc ?? '',
  durationSeconds: p.durationSeconds,
  caller: callerOf(p.test),
  requests: requestsOf(p.test),
  expectations: expectationsOf(p.test),
  ice: p.test.ice,
  rtcpMux: p.test.rtcpMux,
  alertStrikeRuns: p.alertStrikeRuns,
  escalateAfterMinutes: p.escalateAfterMinutes,
  autoPauseAfterHours: p.autoPauseAfterHours,
});

/** REGISTER needs no target. */
const isNobody = ({ mode, uri }: ProbeDraft): boolean => mode === 'REGISTER' && (uri === '' || uri === 'sip:');

type Body = Omit<CallInput<'createProbe'>, 'projectId' | 'slug' | 'thresholds'>;

/** Values of `before` that the form lacks are kept. */
export function probeBody(d: ProbeDraft, before: Probe | null): Body {
  const isCron = d.every === 'CRON';
  const { registrarId: _, callee: __, placement = null, ...kept } = before?.test ?? {};
  return {
    name: d.name,
    description: d.description,
    mode: d.mode,
    scheduleType: isCron ? 'CRON' : 'FIXED_INTERVAL',
    fixedIntervalSec: isCron ? null : (Number(d.every) as 300),
    cronExpression: isCron ? d.cronExpression : null,
    timezone: d.timezone,
    timeOfDayStartUtc: d.from || null,
    timeOfDayEndUtc: d.to || null,
    durationSeconds: d.durationSeconds,
    alertStrikeRuns: d.alertStrikeRuns,
    escalateAfterMinutes: d.escalateAfterMinutes,
    autoPauseAfterHours: d.autoPauseAfterHours,
    test: {
      ...kept,
      registrarId: d.registrarId,
      callee: isNobody(d) ? { mode: 'NONE' } : { mode: 'EXTERNAL_URI', uri: d.uri },
      placement: placement?.mode === 'WORKERS' ? placement : { mode: 'REGION', region: d.region },
      ...d.caller,
      ...writtenRequests(d.requests, before?.test.signalling),
      ice: d.mode === 'CALL' ? d.ice : 'NONE',
      rtcpMux: d.rtcpMux,
      expectations: d.expectations,
    },
  };
}
