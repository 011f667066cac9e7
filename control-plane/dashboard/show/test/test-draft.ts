/** A test as the form has it: one group, and callees of our own where it calls them. */
import type { CallInput } from '../../../contract/call.ts';
import type { Output } from '../../../contract/catalogue.ts';
import { UNSAID_SUB_POPULATION } from '../../../contract/test/unsaid.ts';
import {
  callerOf,
  type DraftCaller,
  type DraftExpectations,
  type DraftMedia,
  type DraftRequests,
  expectationsOf,
  isPlain,
  mediaOf,
  NO_REQUESTS,
  requestsOf,
  saidRequests,
  same,
  type ToldGroup,
} from './group-draft.ts';
import { type LoadDraft, readLoad } from './load-draft.ts';

/** CALL: somebody; RECEIVE: calls of others are taken; REGISTER: stay registered, and no more. */
export type Does = 'CALL' | 'RECEIVE' | 'REGISTER';

export type Draft = LoadDraft & {
  readonly name: string;
  readonly description: string;
  readonly does: Does;
  /** '': our own callees, over the built-in registrar. */
  readonly registrarId: string;
  readonly uri: string;
  /** Others that are called in turn with it. */
  readonly uris: readonly string[];
  /** Of RECEIVE. */
  readonly callsFrom: ToldGroup['callsFrom'];
  readonly region: string;
  readonly codec: 'PCMU' | 'PCMA' | 'G722' | 'OPUS';
  readonly encryption: 'NONE' | 'SDES' | 'DTLS';
  /** null: no media, calls are signalling only. */
  readonly source: 'TONE' | 'SPEECH' | 'SILENCE' | 'FILE' | null;
  readonly sdp: 'OFFER' | 'NONE';
  readonly mediaFileId: string | null;
  readonly media: DraftMedia;
  /** Of the callers. */
  readonly caller: DraftCaller;
  /** Of the first group: where own callees are called, they do as they are asked. */
  readonly requests: DraftRequests;
  /** Of all its groups. */
  readonly expectations: DraftExpectations;
  /** The run passes or not by them. */
  readonly thresholds: Test['thresholds'];
  /** What the form does not show, handed on as it is: names of groups and of their sub-populations … */
  readonly names: { readonly callers: Named; readonly callees: Named };
  /** … and the rest. */
  readonly kept: Partial<Pick<CallInput<'createTest'>, 'slug' | 'maxExecutionSeconds' | 'breaker'>>;
};

type Named = { readonly group: string; readonly subPopulation: string };
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
  codec: 'PCMU',
  encryption: 'NONE',
  source: 'TONE',
  sdp: 'OFFER',
  mediaFileId: null,
  media: mediaOf({}),
  caller: callerOf({}),
  requests: NO_REQUESTS,
  expectations: { farEndHangsUp: false, toleratedFindings: [] },
  thresholds: [],
  names: {
    callers: { group: 'callers', subPopulation: 'all' },
    callees: { group: 'callees', subPopulation: 'all' },
  },
  kept: {},
};

/** Carillon's own callees answer. */
export const callsOwn = ({ does, registrarId }: Pick<Draft, 'does' | 'registrarId'>): boolean =>
  does === 'CALL' && registrarId === '';

type Registrar = Output<'listRegistrars'>;

/** null: the test has more than a form of this kind can hold. */
export function draftOf(test: Test, registrars: readonly Registrar[]): Draft | null {
  const [first, callees, ...more] = test.groups;
  const load = readLoad(test.load);
  if (!first || more.length > 0 || load === null) return null;
  const groups = callees ? [first, callees] : [first];
  const [track] = first.mediaTracks;
  const [sub, ...subs] = first.subPopulations;
  const target = targetOf(first, callees);
  if (!sub || subs.length > 0 || !groups.every(isPlain) || target === null) return null;
  if (sub.role !== (target.does === 'RECEIVE' ? 'CALLEE' : 'CALLER') || sub.sipAccountIds !== null) return null;
  if (first.placement.mode !== 'REGION') return null;
  const isCloud = registrars.some((r) => r.isCloud && r.id === first.registrarId);
  if (callees ? !isCloud || !mirrors(first, callees) : isCloud && target.does === 'CALL') return null;
  if (target.does !== 'CALL' && load.shape !== 'BUILDUP') return null;
  return {
    name: test.name,
    description: test.description,
    endpoints: sub.endpoints,
    callsEach: callsOf(first),
    load,
    buildup: load.shape === 'BUILDUP' ? test.buildup : EMPTY.buildup,
    durationSeconds: test.durationSeconds,
    registrarId: callees ? '' : first.registrarId,
    ...target,
    callsFrom: target.does === 'RECEIVE' ? first.callsFrom : EMPTY.callsFrom,
    region: first.placement.region,
    codec: first.audioCodecs[0] ?? 'PCMU',
    encryption: first.encryption,
    source: track ? (track.source as Draft['source']) : null,
    sdp: first.sdp ?? 'OFFER',
    mediaFileId: track?.mediaFileId ?? null,
    media: mediaOf(first),
    caller: callerOf(first),
    requests: requestsOf(first),
    expectations: expectationsOf(first),
    thresholds: test.thresholds,
    names: target.does === 'RECEIVE' ? namesOf(undefined, first) : namesOf(first, callees),
    kept: keptOf(test),
  };
}

function targetOf(
  { mode, callee }: ToldGroup,
  callees: ToldGroup | undefined,
): Pick<Draft, 'does' | 'uri' | 'uris'> | null {
  const nobody = { uri: EMPTY.uri, uris: EMPTY.uris };
  if (mode === 'REGISTER') return callee.mode === 'NONE' && !callees ? { does: 'REGISTER', ...nobody } : null;
  if (mode !== 'CALL') return null;
  if (callee.mode === 'GROUP') return callees ? { does: 'CALL', ...nobody } : null;
  if (callees || callee.mode === 'NONE') return null;
  if (callee.mode === 'RECEIVE') return { does: 'RECEIVE', ...nobody };
  return { does: 'CALL', uri: callee.uri, uris: callee.uris ?? [] };
}

/** Groups that are still to come need names that are free. */
function namesOf(callers: ToldGroup | undefined, callees: ToldGroup | undefined): Draft['names'] {
  const named = (g: ToldGroup): Named => ({ group: g.name, subPopulation: g.subPopulations[0]?.name ?? 'all' });
  const free = (name: string, other: string, taken?: ToldGroup): Named => ({
    group: taken?.name === name ? other : name,
    subPopulation: 'all',
  });
  return {
    callers: callers ? named(callers) : free('callers', 'calling', callees),
    callees: callees ? named(callees) : free('callees', 'answering', callers),
  };
}

const keptOf = ({ slug, maxExecutionSeconds, breaker }: Test): Draft['kept'] => ({
  ...(slug && { slug }),
  ...(maxExecutionSeconds !== null && { maxExecutionSeconds }),
  ...(breaker !== undefined && { breaker }),
});

const callsOf = ({ subPopulations: [s] }: ToldGroup): number | null =>
  s?.calls === undefined ? UNSAID_SUB_POPULATION.calls : s.calls;

const MIRRORED = ['registrarId', 'placement', 'audioCodecs', 'encryption', 'sdp'] as const;

const mirrors = (a: ToldGroup, b: ToldGroup): boolean =>
  b.callee.mode === 'RECEIVE' &&
  b.subPopulations.length === 1 &&
  b.subPopulations[0]?.endpoints === a.subPopulations[0]?.endpoints &&
  b.subPopulations[0]?.role === 'CALLEE' &&
  b.subPopulations[0]?.sipAccountIds === null &&
  callsOf(b) === callsOf(a) &&
  MIRRORED.every((key) => same(a[key], b[key])) &&
  same(mediaOf(a), mediaOf(b)) &&
  same(requestsOf(b), NO_REQUESTS) &&
  same(expectationsOf(a), expectationsOf(b)) &&
  a.mediaTracks[0]?.source === b.mediaTracks[0]?.source &&
  a.mediaTracks[0]?.mediaFileId === b.mediaTracks[0]?.mediaFileId;

const tracksOf = ({ source, mediaFileId }: Draft) =>
  source === null ? [] : [{ kind: 'AUDIO' as const, source, mediaFileId: source === 'FILE' ? mediaFileId : null }];

type Body = Omit<CallInput<'createTest'>, 'projectId'>;
type Callee = NonNullable<Body['groups'][number]['callee']>;

const calleeOf = (draft: Draft): Callee => {
  if (draft.does === 'RECEIVE') return { mode: 'RECEIVE' };
  if (draft.does === 'REGISTER') return { mode: 'NONE' };
  if (callsOwn(draft)) return { mode: 'GROUP', group: draft.names.callees.group };
  return { mode: 'EXTERNAL_URI', uri: draft.uri, ...(draft.uris.length > 0 && { uris: [...draft.uris] }) };
};

export function bodyOf(draft: Draft, cloudId: string, test: Test | null): Body {
  const own = callsOwn(draft);
  const [before, calleesBefore] = test?.groups ?? [];
  const { names, does } = draft;
  const common = {
    registrarId: own ? cloudId : draft.registrarId,
    placement: { mode: 'REGION' as const, region: draft.region },
    audioCodecs: [draft.codec],
    encryption: draft.encryption,
    sdp: draft.source === null ? draft.sdp : ('OFFER' as const),
    ...draft.media,
    expectations: draft.expectations,
    mediaTracks: tracksOf(draft),
  };
  const populated = (named: Named, role: 'CALLER' | 'CALLEE') => ({
    name: named.group,
    ...common,
    subPopulations: [{ name: named.subPopulation, role, endpoints: draft.endpoints, calls: draft.callsEach }],
  });
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
        ...(before && { id: before.id }),
        ...(does === 'RECEIVE' ? populated(names.callees, 'CALLEE') : populated(names.callers, 'CALLER')),
        ...(does === 'RECEIVE' ? { callsFrom: draft.callsFrom } : draft.caller),
        ...saidRequests(draft.requests),
        ...(does === 'REGISTER' && { mode: 'REGISTER' as const }),
        callee: calleeOf(draft),
      },
      ...(own
        ? [
            {
              ...(calleesBefore && { id: calleesBefore.id }),
              ...populated(names.callees, 'CALLEE'),
              callee: { mode: 'RECEIVE' as const },
            },
          ]
        : []),
    ],
  };
}
