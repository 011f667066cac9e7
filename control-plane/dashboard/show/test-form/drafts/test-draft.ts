/** A test as the form holds it: one group, and callees of our own if it calls them. */
import { hasBuildup } from '@carillon/proto/load/shapes/shapes.ts';
import type { CallInput } from '../../../../contract/call.ts';
import type { Output } from '../../../../contract/catalogue.ts';
import { DEFAULT_SUB_POPULATION, DEFAULT_TEST, DEFAULT_TRACK } from '../../../../contract/test-settings/defaults.ts';
import {
  callerOf,
  type DraftCaller,
  type DraftExpectations,
  type DraftMedia,
  type DraftRequests,
  definesCaller,
  expectationsOf,
  mediaOf,
  NO_REQUESTS,
  requestsOf,
  same,
  type TestGroup,
  writtenRequests,
} from './group-draft.ts';
import { type LoadDraft, readLoad } from './load-draft.ts';
import {
  type CallSide,
  type DraftScenario,
  isOfSide,
  NO_SCENARIO,
  scenarioOf,
  writtenScenario,
} from './scenario-draft.ts';
import { type DraftTrack, type DraftVideo, mirrored, tracksOf, writtenTracks } from './track-draft.ts';

/** CALL: place calls; OPTIONS: send OPTIONS; RECEIVE: take calls of others; REGISTER: only stay registered. */
export type Does = 'CALL' | 'OPTIONS' | 'RECEIVE' | 'REGISTER';

export type Draft = LoadDraft & {
  readonly name: string;
  readonly description: string;
  readonly does: Does;
  /** '': for CALL, our own callees, over the built-in registrar; otherwise the registrar is not chosen yet. */
  readonly registrarId: string;
  readonly uri: string;
  /** The further addresses that are called in turn with it. */
  readonly uris: readonly string[];
  /** The setting of RECEIVE. */
  readonly callsFrom: TestGroup['callsFrom'];
  readonly region: string;
  /** null: all workers of the region. */
  readonly workerIds: readonly string[] | null;
  /** null: the next free accounts of the registrar. */
  readonly sipAccountIds: readonly string[] | null;
  /** The codecs in order of preference. */
  readonly codecs: TestGroup['audioCodecs'];
  readonly encryption: 'NONE' | 'SDES' | 'DTLS';
  /** null: calls have no media, only signalling. */
  readonly source: 'TONE' | 'SPEECH' | 'SILENCE' | 'FILE' | null;
  readonly sdp: 'OFFER' | 'NONE';
  readonly mediaFileId: string | null;
  readonly track: DraftTrack;
  /** The video of calls, in addition to audio. */
  readonly video: DraftVideo | null;
  readonly media: DraftMedia;
  /** How the callers name themselves. */
  readonly caller: DraftCaller;
  /** The requests of the first group. Our own callees behave as callers ask. */
  readonly requests: DraftRequests;
  readonly scenario: DraftScenario;
  /** The scenario of our own callees. */
  readonly answering: DraftScenario;
  /** The sources of calls to our own callees. They are not shown, and are saved as they were. */
  readonly ownCallsFrom: TestGroup['callsFrom'];
  /** The expectations of all groups. */
  readonly expectations: DraftExpectations;
  /** These decide whether the run passes. */
  readonly thresholds: Test['thresholds'];
  readonly breaker: typeof DEFAULT_TEST.breaker;
  /** null: the limit follows from the duration of the calls. */
  readonly maxExecutionSeconds: number | null;
  /** Values that the form does not show, and passes on unchanged: the names of groups and of their sub-populations … */
  readonly names: { readonly callers: PopulationNames; readonly callees: PopulationNames };
  /** … and other values. */
  readonly kept: Partial<Pick<CallInput<'createTest'>, 'slug'>>;
};

type PopulationNames = { readonly group: string; readonly subPopulation: string };
type Test = Output<'getTest'>;

export const EMPTY: Draft = {
  name: '',
  description: '',
  endpoints: 10,
  callsEach: 1,
  load: { shape: 'BUILDUP' },
  buildup: 5,
  durationSeconds: 10,
  does: 'CALL',
  registrarId: '',
  uri: 'sip:',
  uris: [],
  callsFrom: 'SERVER',
  region: 'local',
  workerIds: null,
  sipAccountIds: null,
  codecs: ['PCMU'],
  encryption: 'NONE',
  source: 'TONE',
  sdp: 'OFFER',
  mediaFileId: null,
  track: DEFAULT_TRACK,
  video: null,
  media: mediaOf({}),
  caller: callerOf({}),
  requests: NO_REQUESTS,
  scenario: NO_SCENARIO,
  answering: NO_SCENARIO,
  ownCallsFrom: 'SERVER',
  expectations: { farEndHangsUp: false, farEndMayPause: false, toleratedFindings: [] },
  thresholds: [],
  breaker: DEFAULT_TEST.breaker,
  maxExecutionSeconds: null,
  names: {
    callers: { group: 'callers', subPopulation: 'all' },
    callees: { group: 'callees', subPopulation: 'all' },
  },
  kept: {},
};

export const FIRST_BREAKER = DEFAULT_TEST.breaker ?? { failurePercent: 50, minCalls: 20 };

/** True: Carillon's own callees answer. */
export const callsOwn = ({ does, registrarId }: Pick<Draft, 'does' | 'registrarId'>): boolean =>
  does === 'CALL' && registrarId === '';

type Registrar = Output<'listRegistrars'>;

/** null: the test has more than such a form can hold. */
export function draftOf(test: Test, registrars: readonly Registrar[]): Draft | null {
  const [first, callees, ...more] = test.groups;
  const load = readLoad(test.load);
  if (!first || more.length > 0 || load === null) return null;
  const [sub, ...subs] = first.subPopulations;
  const target = targetOf(first, callees);
  const tracks = tracksOf(first);
  if (!sub || subs.length > 0 || target === null || tracks === null) return null;
  const side = sideOf(target.does);
  if (sub.role !== side || !isOfSide(first.signalling ?? {}, side)) return null;
  if (side === 'CALLEE' && definesCaller(first)) return null;
  const isCloud = registrars.some((r) => r.isCloud && r.id === first.registrarId);
  if (callees && (!isCloud || !mirrors(first, callees))) return null;
  if (target.does !== 'CALL' && !hasBuildup(load)) return null;
  const scenario = scenarioOf(first);
  if (!isWritten(scenario, target.does, tracks.source)) return null;
  return {
    name: test.name,
    description: test.description,
    endpoints: sub.endpoints,
    callsEach: callsOf(first),
    load,
    buildup: hasBuildup(load) ? test.buildup : EMPTY.buildup,
    durationSeconds: test.durationSeconds,
    registrarId: callees ? '' : first.registrarId,
    ...target,
    callsFrom: target.does === 'RECEIVE' ? first.callsFrom : EMPTY.callsFrom,
    ...placeOf(first),
    sipAccountIds: sub.sipAccountIds ?? null,
    codecs: first.audioCodecs,
    encryption: first.encryption,
    sdp: first.sdp ?? 'OFFER',
    ...tracks,
    media: mediaOf(first),
    caller: callerOf(first),
    requests: requestsOf(first),
    scenario,
    answering: callees ? scenarioOf(callees) : NO_SCENARIO,
    ownCallsFrom: callees?.callsFrom ?? EMPTY.ownCallsFrom,
    expectations: expectationsOf(first),
    thresholds: test.thresholds,
    breaker: breakerOf(test.breaker),
    maxExecutionSeconds: test.maxExecutionSeconds,
    names: target.does === 'RECEIVE' ? namesOf(undefined, first) : namesOf(first, callees),
    kept: keptOf(test),
  };
}

const placeOf = ({ placement }: TestGroup): Pick<Draft, 'region' | 'workerIds'> =>
  placement.mode === 'REGION'
    ? { region: placement.region, workerIds: null }
    : { region: EMPTY.region, workerIds: placement.workerIds };

/** True: the form can write the whole scenario again. */
const isWritten = (scenario: DraftScenario, does: Does, source: Draft['source']): boolean =>
  same(scenarioOf(writtenScenario(scenario, { side: sideOf(does), ...hasOf({ does, source }) })), scenario);

function targetOf(
  { mode, callee }: TestGroup,
  callees: TestGroup | undefined,
): Pick<Draft, 'does' | 'uri' | 'uris'> | null {
  const nobody = { uri: EMPTY.uri, uris: EMPTY.uris };
  if (mode === 'OPTIONS')
    return callee.mode === 'EXTERNAL_URI' ? { does: mode, uri: callee.uri, uris: callee.uris ?? [] } : null;
  if (mode === 'REGISTER') return callee.mode === 'NONE' && !callees ? { does: 'REGISTER', ...nobody } : null;
  if (mode !== 'CALL') return null;
  if (callee.mode === 'GROUP') return callees ? { does: 'CALL', ...nobody } : null;
  if (callees || callee.mode === 'NONE') return null;
  if (callee.mode === 'RECEIVE') return { does: 'RECEIVE', ...nobody };
  return { does: 'CALL', uri: callee.uri, uris: callee.uris ?? [] };
}

/** The names of existing groups, and free names for groups that may be added. */
function namesOf(callers: TestGroup | undefined, callees: TestGroup | undefined): Draft['names'] {
  const named = (g: TestGroup): PopulationNames => ({
    group: g.name,
    subPopulation: g.subPopulations[0]?.name ?? 'all',
  });
  const free = (name: string, other: string, taken?: TestGroup): PopulationNames => ({
    group: taken?.name === name ? other : name,
    subPopulation: 'all',
  });
  return {
    callers: callers ? named(callers) : free('callers', 'calling', callees),
    callees: callees ? named(callees) : free('callees', 'answering', callers),
  };
}

const keptOf = ({ slug }: Test): Draft['kept'] => (slug ? { slug } : {});

/** undefined: a new test whose text does not have the breaker. A text may leave out some of its fields. */
const breakerOf = (breaker: Test['breaker'] | undefined): Draft['breaker'] =>
  breaker === undefined
    ? DEFAULT_TEST.breaker
    : breaker && {
        failurePercent: breaker.failurePercent ?? FIRST_BREAKER.failurePercent,
        minCalls: breaker.minCalls ?? FIRST_BREAKER.minCalls,
      };

export const sideOf = (does: Does): CallSide => (does === 'RECEIVE' ? 'CALLEE' : 'CALLER');

const callsOf = ({ subPopulations: [s] }: TestGroup): number | null =>
  s?.calls === undefined ? DEFAULT_SUB_POPULATION.calls : s.calls;

const MIRRORED = ['registrarId', 'placement', 'audioCodecs', 'encryption', 'sdp'] as const;

const mirrors = (a: TestGroup, b: TestGroup): boolean => {
  const tracks = tracksOf(a);
  return (
    b.callee.mode === 'RECEIVE' &&
    (b.mode ?? 'CALL') === 'CALL' &&
    b.subPopulations.length === 1 &&
    b.subPopulations[0]?.endpoints === a.subPopulations[0]?.endpoints &&
    b.subPopulations[0]?.role === 'CALLEE' &&
    (b.subPopulations[0]?.sipAccountIds ?? null) === null &&
    callsOf(b) === callsOf(a) &&
    MIRRORED.every((key) => same(a[key], b[key])) &&
    same(mediaOf(a), mediaOf(b)) &&
    same(requestsOf(b), NO_REQUESTS) &&
    same(expectationsOf(a), expectationsOf(b)) &&
    isOfSide(b.signalling ?? {}, 'CALLEE') &&
    !definesCaller(b) &&
    tracks !== null &&
    same(mirrored(tracks), tracksOf(b))
  );
};

type Body = Omit<CallInput<'createTest'>, 'projectId'>;
type Callee = NonNullable<Body['groups'][number]['callee']>;

const calleeOf = (draft: Draft): Callee => {
  if (draft.does === 'RECEIVE') return { mode: 'RECEIVE' };
  if (draft.does === 'REGISTER') return { mode: 'NONE' };
  if (callsOwn(draft)) return { mode: 'GROUP', group: draft.names.callees.group };
  return { mode: 'EXTERNAL_URI', uri: draft.uri, ...(draft.uris.length > 0 && { uris: [...draft.uris] }) };
};

const placementOf = ({ region, workerIds }: Draft): Body['groups'][number]['placement'] =>
  workerIds === null ? { mode: 'REGION', region } : { mode: 'WORKERS', workerIds: [...workerIds] };

/** The parts of a test to which settings can apply. */
export const hasOf = ({ does, source }: Pick<Draft, 'does' | 'source'>) => ({
  calls: does === 'CALL' || does === 'RECEIVE',
  media: (does === 'CALL' || does === 'RECEIVE') && source !== null,
});

export function bodyOf(draft: Draft, cloudId: string, test: Test | null): Body {
  const own = callsOwn(draft);
  const [before, calleesBefore] = test?.groups ?? [];
  const { names, does } = draft;
  const has = hasOf(draft);
  const populated = (named: PopulationNames, role: CallSide, tracks: Draft) => ({
    name: named.group,
    registrarId: own ? cloudId : draft.registrarId,
    placement: placementOf(draft),
    audioCodecs: [...draft.codecs],
    encryption: draft.encryption,
    sdp: draft.source === null ? draft.sdp : ('OFFER' as const),
    ...draft.media,
    expectations: draft.expectations,
    ...writtenTracks(tracks),
    subPopulations: [
      {
        name: named.subPopulation,
        role,
        endpoints: draft.endpoints,
        calls: draft.callsEach,
        sipAccountIds: own || draft.sipAccountIds === null ? null : [...draft.sipAccountIds],
      },
    ],
  });
  const side = sideOf(does);
  const { signalling, ...scenario } = writtenScenario(draft.scenario, { side, ...has });
  return {
    ...draft.kept,
    name: draft.name,
    description: draft.description,
    buildup: hasBuildup(draft.load) ? draft.buildup : 0,
    durationSeconds: draft.durationSeconds,
    maxExecutionSeconds: draft.maxExecutionSeconds,
    load: draft.load,
    breaker: draft.breaker,
    thresholds: draft.thresholds,
    groups: [
      {
        ...(before && { id: before.id }),
        ...populated(side === 'CALLEE' ? names.callees : names.callers, side, draft),
        ...(side === 'CALLEE' ? { callsFrom: draft.callsFrom } : draft.caller),
        ...scenario,
        ...writtenRequests(draft.requests, signalling),
        ...(!has.calls && { mode: does as 'REGISTER' | 'OPTIONS' }),
        callee: calleeOf(draft),
      },
      ...(own
        ? [
            {
              ...(calleesBefore && { id: calleesBefore.id }),
              ...populated(names.callees, 'CALLEE', mirrored(draft)),
              ...writtenScenario(draft.answering, { side: 'CALLEE', ...has }),
              callsFrom: draft.ownCallsFrom,
              callee: { mode: 'RECEIVE' as const },
            },
          ]
        : []),
    ],
  };
}
