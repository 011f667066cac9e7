/** A test as the form has it: one group of callers, and callees of our own or somebody else's address. */
import type { CallInput } from '../../../contract/call.ts';
import type { Output } from '../../../contract/catalogue.ts';
import { UNSAID_GROUP, UNSAID_SUB_POPULATION, UNSAID_TRACK } from '../../../contract/test/unsaid.ts';
import { type LoadDraft, readLoad } from './load-draft.ts';

export type Draft = LoadDraft & {
  readonly name: string;
  readonly description: string;
  /** '': our own callees, over the built-in registrar. */
  readonly registrarId: string;
  readonly uri: string;
  readonly region: string;
  readonly codec: 'PCMU' | 'PCMA' | 'G722' | 'OPUS';
  readonly encryption: 'NONE' | 'SDES' | 'DTLS';
  /** null: no media, calls are signalling alone. */
  readonly source: 'TONE' | 'SPEECH' | 'SILENCE' | 'FILE' | null;
  readonly sdp: 'OFFER' | 'NONE';
  readonly mediaFileId: string | null;
  /** Of the callers. */
  readonly caller: DraftCaller;
  /** Of all its groups. */
  readonly expectations: DraftExpectations;
  /** The run passes or not by them. */
  readonly thresholds: Test['thresholds'];
  /** What the form does not show, handed on as it is: names of groups and of their sub-populations … */
  readonly names: { readonly callers: Named; readonly callees: Named };
  /** … and the rest. */
  readonly kept: Partial<Pick<CallInput<'createTest'>, 'slug' | 'maxExecutionSeconds' | 'breaker'>>;
};

/** How callers name themselves, and what their requests carry. */
export type DraftCaller = Pick<Unsaid, (typeof OF_CALLER)[number]>;
type Unsaid = typeof UNSAID_GROUP;
const OF_CALLER = ['displayName', 'callerNumber', 'assertedIdentity', 'privacy', 'headers'] as const;

/** Whole: a text may leave a part of it out. */
const callerOf = (group: Partial<Pick<Group, (typeof OF_CALLER)[number]>>): DraftCaller => ({
  displayName: group.displayName ?? null,
  callerNumber: group.callerNumber ?? null,
  assertedIdentity: group.assertedIdentity ?? null,
  privacy: group.privacy ?? [],
  headers: (group.headers ?? []).map(({ methods = ['INVITE'], name, value }) => ({ methods, name, value })),
});

type Named = { readonly group: string; readonly subPopulation: string };
export type DraftExpectations = Required<NonNullable<Group['expectations']>>;
type Test = Output<'getTest'>;
type Group = Test['groups'][number];

export const EMPTY: Draft = {
  name: '',
  description: '',
  endpoints: 10,
  callsEach: 1,
  load: { shape: 'BUILDUP' },
  buildup: 5,
  durationSeconds: 10,
  registrarId: '',
  uri: 'sip:',
  region: 'local',
  codec: 'PCMU',
  encryption: 'NONE',
  source: 'TONE',
  sdp: 'OFFER',
  mediaFileId: null,
  caller: callerOf({}),
  expectations: { farEndHangsUp: false, toleratedFindings: [] },
  thresholds: [],
  names: {
    callers: { group: 'callers', subPopulation: 'all' },
    callees: { group: 'callees', subPopulation: 'all' },
  },
  kept: {},
};

type Registrar = Output<'listRegistrars'>;

/** null: the test has more than a form of this kind can hold. */
export function draftOf(test: Test, registrars: readonly Registrar[]): Draft | null {
  const [callers, callees, ...more] = test.groups;
  const load = readLoad(test.load);
  if (!callers || more.length > 0 || load === null) return null;
  const [track, ...tracks] = callers.mediaTracks;
  const [sub, ...subs] = callers.subPopulations;
  const groups = callees ? [callers, callees] : [callers];
  if (!sub || tracks.length > 0 || subs.length > 0 || !groups.every(isPlain)) return null;
  if (sub.role !== 'CALLER' || sub.sipAccountIds !== null || callers.placement.mode !== 'REGION') return null;
  const isCloud = registrars.some((r) => r.isCloud && r.id === callers.registrarId);
  const { callee } = callers;
  if (
    callees
      ? !isCloud || callee.mode !== 'GROUP' || !mirrors(callers, callees)
      : callee.mode !== 'EXTERNAL_URI' || callee.uris
  )
    return null;
  return {
    name: test.name,
    description: test.description,
    endpoints: sub.endpoints,
    callsEach: callsOf(callers),
    load,
    buildup: load.shape === 'BUILDUP' ? test.buildup : EMPTY.buildup,
    durationSeconds: test.durationSeconds,
    registrarId: callees ? '' : callers.registrarId,
    uri: callee.mode === 'EXTERNAL_URI' ? callee.uri : 'sip:',
    region: callers.placement.region,
    codec: callers.audioCodecs[0] ?? 'PCMU',
    encryption: callers.encryption,
    source: track ? (track.source as Draft['source']) : null,
    sdp: callers.sdp ?? 'OFFER',
    mediaFileId: track?.mediaFileId ?? null,
    caller: callerOf(callers),
    expectations: expectationsOf(callers),
    thresholds: test.thresholds,
    names: namesOf(callers, callees),
    kept: keptOf(test),
  };
}

function namesOf(callers: Group, callees: Group | undefined): Draft['names'] {
  const named = (g: Group): Named => ({ group: g.name, subPopulation: g.subPopulations[0]?.name ?? 'all' });
  // Callees that are still to come need a name that is free.
  const free = { ...EMPTY.names.callees, group: callers.name === 'callees' ? 'answering' : 'callees' };
  return { callers: named(callers), callees: callees ? named(callees) : free };
}

const keptOf = ({ slug, maxExecutionSeconds, breaker }: Test): Draft['kept'] => ({
  ...(slug && { slug }),
  ...(maxExecutionSeconds !== null && { maxExecutionSeconds }),
  ...(breaker !== undefined && { breaker }),
});

/** Whole, in one order: a text may leave a part of them out. */
export const expectationsOf = ({ expectations: e }: Pick<Group, 'expectations'>): DraftExpectations => ({
  farEndHangsUp: e?.farEndHangsUp ?? false,
  toleratedFindings: [...(e?.toleratedFindings ?? [])].sort(),
});

const SHOWN: readonly string[] = ['audioCodecs', 'encryption', 'expectations', 'sdp', ...OF_CALLER];
/** The form's callees are called by the test's own callers, which need no leave. */
const IDLE = ['callsFrom'];
/** What the form does not show of a group has to be as where nothing is said. */
const HIDDEN = Object.fromEntries(
  Object.entries(UNSAID_GROUP).filter(([name]) => name !== 'signalling' && ![...SHOWN, ...IDLE].includes(name)),
);

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
/** What is missing is as it should be. */
const isAs = (plain: object, said: object): boolean =>
  Object.entries(plain).every(([name, value]) => same(said[name as keyof typeof said] ?? value, value));

const isPlain = (g: Group): boolean =>
  g.audioCodecs.length === 1 &&
  isAs(HIDDEN, g) &&
  (g.callee.mode !== 'RECEIVE' || isAs(callerOf({}), g)) &&
  isAs(UNSAID_GROUP.signalling, g.signalling ?? {}) &&
  g.mediaTracks.every((track) => track.kind === 'AUDIO' && isAs(UNSAID_TRACK, track));

const callsOf = ({ subPopulations: [s] }: Group): number | null =>
  s?.calls === undefined ? UNSAID_SUB_POPULATION.calls : s.calls;

const mirrors = (a: Group, b: Group): boolean =>
  b.callee.mode === 'RECEIVE' &&
  b.subPopulations.length === 1 &&
  b.subPopulations[0]?.endpoints === a.subPopulations[0]?.endpoints &&
  b.subPopulations[0]?.role === 'CALLEE' &&
  b.subPopulations[0]?.sipAccountIds === null &&
  callsOf(b) === callsOf(a) &&
  ['registrarId', 'placement', 'audioCodecs', 'encryption', 'sdp'].every((key) =>
    same(a[key as keyof Group], b[key as keyof Group]),
  ) &&
  same(expectationsOf(a), expectationsOf(b)) &&
  a.mediaTracks[0]?.source === b.mediaTracks[0]?.source &&
  a.mediaTracks[0]?.mediaFileId === b.mediaTracks[0]?.mediaFileId;

const tracksOf = ({ source, mediaFileId }: Draft) =>
  source === null ? [] : [{ kind: 'AUDIO' as const, source, mediaFileId: source === 'FILE' ? mediaFileId : null }];

type Body = Omit<CallInput<'createTest'>, 'projectId'>;

export function bodyOf(draft: Draft, cloudId: string, test: Test | null): Body {
  const own = draft.registrarId === '';
  const [callers, callees] = test?.groups ?? [];
  const { names } = draft;
  const common = {
    registrarId: own ? cloudId : draft.registrarId,
    placement: { mode: 'REGION' as const, region: draft.region },
    audioCodecs: [draft.codec],
    encryption: draft.encryption,
    sdp: draft.source === null ? draft.sdp : ('OFFER' as const),
    expectations: draft.expectations,
    mediaTracks: tracksOf(draft),
  };
  return {
    ...draft.kept,
    name: draft.name,
    description: draft.description,
    buildup: draft.load.shape === 'BUILDUP' ? draft.buildup : 0,
    durationSeconds: draft.durationSeconds,
    load: draft.load,
    thresholds: draft.thresholds,
    groups: [
      {
        ...(callers && { id: callers.id }),
        name: names.callers.group,
        ...common,
        ...draft.caller,
        callee: own ? { mode: 'GROUP', group: names.callees.group } : { mode: 'EXTERNAL_URI', uri: draft.uri },
        subPopulations: [
          { name: names.callers.subPopulation, role: 'CALLER', endpoints: draft.endpoints, calls: draft.callsEach },
        ],
      },
      ...(own
        ? [
            {
              ...(callees && { id: callees.id }),
              name: names.callees.group,
              ...common,
              callee: { mode: 'RECEIVE' as const },
              subPopulations: [
                {
                  name: names.callees.subPopulation,
                  role: 'CALLEE' as const,
                  endpoints: draft.endpoints,
                  calls: draft.callsEach,
                },
              ],
            },
          ]
        : []),
    ],
  };
}
