/** A probe in its form. It is made from an existing probe, and converted to requests. */
import type { CallInput } from '../../../contract/call.ts';
import type { Output } from '../../../contract/catalogue.ts';
import { picked } from '../basics/form.ts';
import {
  callerOf,
  type DraftCaller,
  type DraftGroup,
  type DraftRequests,
  groupDraftOf,
  PLAIN_GROUP,
  requestsOf,
} from '../test-form/drafts/group-draft.ts';
import { type Doing, writtenGroup } from '../test-form/drafts/used-settings.ts';

type Probe = Output<'getProbe'>;

const PLAIN = [
  'name',
  'description',
  'mode',
  'durationSeconds',
  'timeOfDayStartUtc',
  'timeOfDayEndUtc',
  'timezone',
  'alertStrikeRuns',
  'escalateAfterMinutes',
  'autoPauseAfterHours',
] as const;

/** The plain fields are as a request has them. */
export type ProbeDraft = Pick<Probe, (typeof PLAIN)[number]> & {
  readonly registrarId: string;
  readonly uri: string;
  /** '': chosen workers. */
  readonly region: string;
  /** The interval in seconds, or CRON. */
  readonly every: '300' | '900' | '1800' | '3600' | 'CRON';
  readonly cronExpression: string | null;
  /** The settings of its call. */
  readonly test: CallSettings;
};
type CallSettings = DraftCaller & DraftRequests & Pick<DraftGroup, 'signalling' | 'ice' | 'rtcpMux' | 'expectations'>;

export const newProbe = (registrarId: string): ProbeDraft => ({
  name: '',
  description: '',
  mode: 'CALL',
  durationSeconds: 10,
  registrarId,
  uri: 'sip:',
  region: 'local',
  every: '300',
  cronExpression: '*/5 * * * *',
  timezone: 'UTC',
  timeOfDayStartUtc: null,
  timeOfDayEndUtc: null,
  alertStrikeRuns: 2,
  escalateAfterMinutes: 60,
  autoPauseAfterHours: null,
  test: settingsOf(PLAIN_GROUP),
});

export const draftOfProbe = (p: Probe): ProbeDraft => ({
  ...picked(p, PLAIN),
  registrarId: p.test.registrarId,
  uri: p.test.callee.mode === 'EXTERNAL_URI' ? p.test.callee.uri : 'sip:',
  region: p.test.placement.mode === 'REGION' ? p.test.placement.region : '',
  every: p.scheduleType === 'CRON' ? 'CRON' : (String(p.fixedIntervalSec ?? 300) as ProbeDraft['every']),
  cronExpression: p.cronExpression ?? '*/5 * * * *',
  test: settingsOf(groupDraftOf(p.test)),
});

const settingsOf = (of: CallSettings): CallSettings => ({
  ...callerOf(of),
  ...requestsOf(of),
  ...picked(of, ['signalling', 'ice', 'rtcpMux', 'expectations']),
});

export const doingOfProbe = ({ mode }: Pick<ProbeDraft, 'mode'>): Doing => ({
  side: 'CALLER',
  calls: mode === 'CALL',
  asks: mode === 'OPTIONS',
  media: mode === 'CALL',
  registers: mode !== 'OPTIONS',
});

type Body = Omit<CallInput<'createProbe'>, 'projectId' | 'slug' | 'thresholds'>;

/** Values of `before` that the form lacks are kept. Settings that cannot matter are not sent. */
export function probeBody(d: ProbeDraft, before: Probe | null): Body {
  const isCron = d.every === 'CRON';
  const { registrarId: _, callee: __, placement = null, ...kept } = before?.test ?? {};
  return {
    ...picked(d, PLAIN),
    scheduleType: isCron ? 'CRON' : 'FIXED_INTERVAL',
    fixedIntervalSec: isCron ? null : (Number(d.every) as 300),
    cronExpression: isCron ? d.cronExpression : null,
    test: {
      ...kept,
      ...settingsOf(writtenGroup({ ...PLAIN_GROUP, ...d.test }, doingOfProbe(d))),
      registrarId: d.registrarId,
      callee: d.mode === 'REGISTER' ? { mode: 'NONE' } : { mode: 'EXTERNAL_URI', uri: d.uri },
      placement: placement?.mode === 'WORKERS' ? placement : { ...placement, mode: 'REGION', region: d.region },
    },
  };
}
