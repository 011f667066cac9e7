/** Which settings of a group can matter, by what its endpoints do: no others are written. Pure. */
import { type DraftGroup, type DraftScenario, PLAIN_GROUP, scenarioOf } from './group-draft.ts';
import type { CallSide, DraftSignalling } from './scenario-draft.ts';

/** What endpoints do, as far as a form decides it. */
export type Doing = {
  readonly side: CallSide;
  /** They place calls, or take them. */
  readonly calls: boolean;
  /** They send OPTIONS. */
  readonly asks: boolean;
  /** Their calls have media. */
  readonly media: boolean;
  /** They have a server, which may want them to register. */
  readonly registers: boolean;
};

type Matters = (doing: Doing, group: DraftGroup) => boolean;

const always: Matters = () => true;
const inCalls: Matters = ({ calls }) => calls;
const inMedia: Matters = ({ media }) => media;
const inRegister: Matters = ({ registers }) => registers;
const toCallers: Matters = ({ calls, side }) => calls && side === 'CALLER';
const toCallees: Matters = ({ calls, side }) => calls && side === 'CALLEE';
const inFrom: Matters = (doing, group) => doing.asks || toCallers(doing, group);
/** Callees, too, call the third party of an attended transfer. */
const inCalling: Matters = (doing, group) =>
  toCallers(doing, group) || group.actions.some(({ action }) => doing.calls && action.do === 'ATTENDED_TRANSFER');

const MATTERS: { readonly [K in keyof DraftGroup]: Matters } = {
  engine: always,
  audioCodecs: inCalls,
  // A call without media offers an inactive line, which has a profile, keys and ports, too.
  encryption: inCalls,
  sdp: ({ calls, media }) => calls && !media,
  ice: inMedia,
  feedbackProfile: inCalls,
  rtcpMux: inCalls,
  packetMs: inMedia,
  displayName: inFrom,
  callerNumber: inFrom,
  assertedIdentity: toCallers,
  privacy: toCallers,
  diversion: toCallers,
  headers: ({ calls, registers }) => calls || registers,
  answerTimeoutSeconds: inCalling,
  registerExpiresSeconds: inRegister,
  registerRetry: inRegister,
  callsFrom: toCallees,
  actions: inCalls,
  signalling: always,
  dtmf: inMedia,
  impairment: inMedia,
  rtpTrace: inMedia,
  expectations: inCalls,
};

const MATTERS_IN_SIGNALLING: { readonly [K in keyof DraftSignalling]: Matters } = {
  reliableProvisional: inCalls,
  sessionTimer: inCalls,
  instanceId: inRegister,
  delayedOffer: toCallers,
  maxRedirects: toCallers,
  correlate: toCallers,
  answerDelaySeconds: toCallees,
  ringSeconds: toCallees,
  provisional: toCallees,
  rejectStatus: toCallees,
};

/** The settings as a body has them: those that cannot matter are as in a test that does not name them. */
export const writtenGroup = (group: DraftGroup, doing: Doing): DraftGroup => {
  const used = <T extends object>(values: T, plain: T, matters: { readonly [K in keyof T]: Matters }): T =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        matters[name as keyof T](doing, group) ? value : plain[name as keyof T],
      ]),
    ) as T;
  const { signalling, ...plain } = PLAIN_GROUP;
  return {
    ...used({ ...group, signalling }, { signalling, ...plain }, MATTERS),
    signalling: used(group.signalling, signalling, MATTERS_IN_SIGNALLING),
  };
};

/** The same of a scenario: of Carillon's own callees, it is all that they have for themselves. */
export const writtenScenario = (scenario: DraftScenario, doing: Doing): DraftScenario =>
  scenarioOf(writtenGroup({ ...PLAIN_GROUP, ...scenario }, doing));
