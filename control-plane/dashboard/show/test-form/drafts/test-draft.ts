/** A test as the form holds it: one group, and callees of our own if it calls them. */
import { hasBuildup } from '@carillon/proto/load/shapes/shapes.ts';
import type { CallInput } from '../../../../contract/call.ts';
import type { Output } from '../../../../contract/catalogue.ts';
import { DEFAULT_SUB_POPULATION, DEFAULT_TEST, DEFAULT_TRACK } from '../../../../contract/test-settings/defaults.ts';
import { completed, picked } from '../../basics/form.ts';
import {
  callerOf,
  type DraftGroup,
  type DraftScenario,
  groupDraftOf,
  mediaOf,
  PLAIN_GROUP,
  requestsOf,
  same,
  scenarioOf,
  type TestGroup,
} from './group-draft.ts';
import { type LoadDraft, readLoad } from './load-draft.ts';
import type { CallSide } from './scenario-draft.ts';
import { type DraftTrack, type DraftVideo, mirrored, tracksOf, writtenTracks } from './track-draft.ts';
import { type Doing, writtenGroup, writtenScenario } from './used-settings.ts';

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
  /** The settings of the first group. Our own callees behave as callers ask. */
  readonly group: DraftGroup;
  readonly region: string;
  /** The weights of several regions, `region` among them; null: `region` alone. */
  readonly regions: Readonly<Record<string, number>> | null;
  /** Null: all workers of the region. */
  readonly workerIds: readonly string[] | null;
  /** Null: the next free accounts of the registrar. */
  readonly sipAccountIds: readonly string[] | null;
  /** Null: calls have no media, only signalling. */
  readonly source: 'TONE' | 'SPEECH' | 'SILENCE' | 'FILE' | null;
  readonly mediaFileId: string | null;
  readonly track: DraftTrack;
  /** The video of calls, in addition to audio. */
  readonly video: DraftVideo | null;
  /** The scenario of our own callees. */
  readonly answering: DraftScenario;
  /** The sources of calls to our own callees. They are not shown, and are saved as they were. */
  readonly ownCallsFrom: TestGroup['callsFrom'];
  /** These decide whether the run passes. */
  readonly thresholds: Test['thresholds'];
  readonly breaker: typeof DEFAULT_TEST.breaker;
  /** Null: no rules. */
  readonly abortOn: string | null;
  /** Null: the limit follows from the duration of the calls. */
  readonly maxExecutionSeconds: number | null;
  /** Values that the form does not show, and passes on unchanged: the names of groups and of their sub-populations … */
  readonly names: { readonly callers: PopulationNames; readonly callees: PopulationNames };
  /** Other values that it passes on. */
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
  group: PLAIN_GROUP,
  region: 'local',
  regions: null,
  workerIds: null,
  sipAccountIds: null,
  source: 'TONE',
  mediaFileId: null,
  track: DEFAULT_TRACK,
  video: null,
  answering: scenarioOf(PLAIN_GROUP),
  ownCallsFrom: 'SERVER',
  thresholds: [],
  breaker: DEFAULT_TEST.breaker,
  abortOn: null,
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

/** Fields of a test that the form holds as they are. */
const UNCHANGED = ['name', 'description', 'durationSeconds', 'abortOn', 'maxExecutionSeconds', 'thresholds'] as const;

/** Null: the test has more than such a form can hold. */
export function draftOf(test: Test, registrars: readonly Registrar[]): Draft | null {
  const [first, callees, ...more] = test.groups;
  const load = readLoad(test.load);
  if (!first || more.length > 0 || load === null) return null;
  const [sub, ...subs] = first.subPopulations;
  const target = targetOf(first, callees);
  const tracks = tracksOf(first);
  if (!sub || subs.length > 0 || target === null || tracks === null) return null;
  const isCloud = registrars.some((r) => r.isCloud && r.id === first.registrarId);
  const registrarId = callees ? '' : first.registrarId;
  const doing = doingOf({ ...target, ...tracks, registrarId });
  const { callsFrom, ...said } = groupDraftOf(first);
  // Callers of older tests have it, too.
  const group = { ...said, callsFrom: doing.side === 'CALLEE' ? callsFrom : PLAIN_GROUP.callsFrom };
  if (sub.role !== doing.side || !same(writtenGroup(group, doing), group)) return null;
  if (callees && (!isCloud || !mirrors(first, callees, doing))) return null;
  if (target.does !== 'CALL' && !hasBuildup(load)) return null;
  return {
    ...picked(test, UNCHANGED),
    endpoints: sub.endpoints,
    callsEach: callsOf(first),
    load,
    buildup: hasBuildup(load) ? test.buildup : EMPTY.buildup,
    registrarId,
    ...target,
    group,
    ...placeOf(first),
    sipAccountIds: sub.sipAccountIds ?? null,
    ...tracks,
    answering: callees ? scenarioOf(groupDraftOf(callees)) : EMPTY.answering,
    ownCallsFrom: callees?.callsFrom ?? EMPTY.ownCallsFrom,
    breaker: breakerOf(test.breaker),
    abortOn: test.abortOn ?? null,
    names: target.does === 'RECEIVE' ? namesOf(undefined, first) : namesOf(first, callees),
    kept: keptOf(test),
  };
}

type DraftPlace = Pick<Draft, 'region' | 'regions' | 'workerIds'>;

const placeOf = ({ placement }: TestGroup): DraftPlace =>
  placement.mode === 'REGION'
    ? { region: placement.region, regions: placement.regions ?? null, workerIds: null }
    : { region: EMPTY.region, regions: null, workerIds: placement.workerIds };

/** The regions in which the endpoints are, with their weights. Checks of servers are made from `region`. */
export const inRegions = (
  regions: Readonly<Record<string, number>>,
  { region }: Pick<Draft, 'region'>,
): Pick<Draft, 'region' | 'regions'> => ({
  regions,
  region: Object.hasOwn(regions, region) ? region : (Object.keys(regions)[0] ?? region),
});

/** The regions that a draft is in; null: it names workers. */
export const regionsOf = ({ region, regions, workerIds }: DraftPlace): readonly string[] | null =>
  workerIds === null ? Object.keys(regions ?? { [region]: 1 }) : null;

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

/** Undefined: a new test whose text does not have the breaker. A text may leave out some of its fields. */
const breakerOf = (breaker: Test['breaker'] | undefined): Draft['breaker'] =>
  breaker === undefined ? DEFAULT_TEST.breaker : breaker && completed(FIRST_BREAKER, breaker);

const callsOf = ({ subPopulations: [s] }: TestGroup): number | null =>
  s?.calls === undefined ? DEFAULT_SUB_POPULATION.calls : s.calls;

const MIRRORED = ['registrarId', 'placement', 'audioCodecs', 'encryption', 'sdp'] as const;

function mirrors(callers: TestGroup, callees: TestGroup, doing: Doing): boolean {
  const tracks = tracksOf(callers);
  const [a, b] = [groupDraftOf(callers), groupDraftOf(callees)];
  const [sub, ...subs] = callees.subPopulations;
  return (
    callees.callee.mode === 'RECEIVE' &&
    (callees.mode ?? 'CALL') === 'CALL' &&
    sub?.role === 'CALLEE' &&
    subs.length === 0 &&
    sub.endpoints === callers.subPopulations[0]?.endpoints &&
    (sub.sipAccountIds ?? null) === null &&
    callsOf(callees) === callsOf(callers) &&
    MIRRORED.every((key) => same(callers[key], callees[key])) &&
    same(mediaOf(a), mediaOf(b)) &&
    same(requestsOf(b), requestsOf(PLAIN_GROUP)) &&
    b.signalling.sessionTimer === null &&
    same(a.expectations, b.expectations) &&
    same(writtenGroup(b, { ...doing, side: 'CALLEE' }), b) &&
    tracks !== null &&
    same(mirrored(tracks), tracksOf(callees))
  );
}

type Body = Omit<CallInput<'createTest'>, 'projectId'>;
type Callee = NonNullable<Body['groups'][number]['callee']>;

const calleeOf = (draft: Draft): Callee => {
  if (draft.does === 'RECEIVE') return { mode: 'RECEIVE' };
  if (draft.does === 'REGISTER') return { mode: 'NONE' };
  if (callsOwn(draft)) return { mode: 'GROUP', group: draft.names.callees.group };
  return { mode: 'EXTERNAL_URI', uri: draft.uri, ...(draft.uris.length > 0 && { uris: [...draft.uris] }) };
};

const placementOf = ({ region, regions, workerIds }: Draft): Body['groups'][number]['placement'] =>
  workerIds === null
    ? { mode: 'REGION', region, ...(regions && { regions: { ...regions } }) }
    : { mode: 'WORKERS', workerIds: [...workerIds] };

/** Endpoints without calls play nothing: a file that was chosen for calls must not be missed. */
const NOT_PLAYED = picked(EMPTY, ['source', 'mediaFileId', 'track', 'video']);

export const doingOf = (draft: Pick<Draft, 'does' | 'registrarId' | 'source'>): Doing => {
  const { does, source } = draft;
  const calls = does === 'CALL' || does === 'RECEIVE';
  return {
    side: does === 'RECEIVE' ? 'CALLEE' : 'CALLER',
    calls,
    asks: does === 'OPTIONS',
    media: calls && source !== null,
    registers: does !== 'OPTIONS' && !callsOwn(draft),
  };
};

export function bodyOf(draft: Draft, cloudId: string, test: Test | null): Body {
  const own = callsOwn(draft);
  const [before, calleesBefore] = test?.groups ?? [];
  const { names, does } = draft;
  const doing = doingOf(draft);
  const { side } = doing;
  const group = writtenGroup(draft.group, doing);
  const populated = (named: PopulationNames, role: CallSide, tracks: Draft) => ({
    name: named.group,
    registrarId: own ? cloudId : draft.registrarId,
    placement: placementOf(draft),
    ...picked(group, ['audioCodecs', 'encryption', 'sdp', 'expectations']),
    ...mediaOf(group),
    ...writtenTracks(doing.calls ? tracks : { ...NOT_PLAYED, source: draft.source && NOT_PLAYED.source }),
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
  return {
    ...draft.kept,
    ...picked(draft, UNCHANGED),
    buildup: hasBuildup(draft.load) ? draft.buildup : 0,
    load: draft.load,
    breaker: draft.breaker,
    groups: [
      {
        ...(before && { id: before.id }),
        ...populated(side === 'CALLEE' ? names.callees : names.callers, side, draft),
        ...(side === 'CALLEE' ? { callsFrom: group.callsFrom } : callerOf(group)),
        ...requestsOf(group),
        ...scenarioOf(group),
        ...(!doing.calls && { mode: does as 'REGISTER' | 'OPTIONS' }),
        callee: calleeOf(draft),
      },
      ...(own
        ? [
            {
              ...(calleesBefore && { id: calleesBefore.id }),
              ...populated(names.callees, 'CALLEE', mirrored(draft)),
              ...writtenScenario(draft.answering, { ...doing, side: 'CALLEE' }),
              callsFrom: draft.ownCallsFrom,
              callee: { mode: 'RECEIVE' as const },
            },
          ]
        : []),
    ],
  };
}
