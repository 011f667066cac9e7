/**
 * A test as written by a user, and its rules. References differ: the provisioning file has slugs and names, a request
 * has ids; both are drafts here. Pure.
 */
import type * as z from 'zod';
import { readPath } from '../../contract/errors.ts';
import type { RecordedVideo } from '../../contract/project/media-file.ts';
import { sipHost } from '../../contract/sip-uri.ts';
import {
  GROUP_SETTINGS,
  type GroupSettings,
  SUB_POPULATION_SETTINGS,
  type SubPopulationSettings,
  settingsOf,
  TEST_SETTINGS,
  type TestSettings,
  TRACK_SETTINGS,
  type TrackSettings,
} from '../../contract/test-settings/settings.ts';
import type { Group, TestConfig, TestThreshold } from '../../contract/test-settings/test.ts';
import type { FileFault } from '../../contract/yaml-file.ts';
import { pressedMs } from '../run/group/key-times.ts';
import { ownNames, ownTexts } from '../run/group/own-values.ts';
import { scenarioFaults } from '../run/group/scenario.ts';
import { callerFaults, testCallers } from '../run/load/callers.ts';
import { loadFaults } from '../run/load/load.ts';
import type { RegistrarPlan } from '../run/plan/plan.ts';
import { reachFaults, testFaults } from '../run/preflight/needs.ts';
import { headerFaults } from './header-faults.ts';

type Track = Group['mediaTracks'][number];
type SubPopulation = Group['subPopulations'][number];

export type SubPopulationDraft = Pick<SubPopulation, 'name' | 'role' | 'endpoints'> &
  SubPopulationSettings & {
    readonly id?: string | undefined;
    /** Null: the next free ones. */
    readonly accounts: readonly string[] | null;
  };

export type GroupDraft = Pick<Group, 'name'> &
  GroupSettings & {
    /** The id of the resulting group. */
    readonly id?: string | undefined;
    readonly registrar: string;
    readonly callee:
      | { readonly mode: 'EXTERNAL_URI'; readonly uri: string; readonly uris?: readonly string[] | undefined }
      | { readonly mode: 'GROUP'; readonly group: string }
      | { readonly mode: 'RECEIVE' | 'NONE' };
    readonly placement:
      | {
          readonly mode: 'REGION';
          readonly region: string;
          readonly regions?: Readonly<Record<string, number>> | undefined;
        }
      | { readonly mode: 'WORKERS'; readonly workers: readonly string[] };
    readonly mediaTracks: readonly (Pick<Track, 'kind' | 'source'> &
      TrackSettings & {
        readonly id?: string | undefined;
        readonly mediaFile: string | null;
      })[];
    readonly subPopulations: readonly SubPopulationDraft[];
  };

export type TestDraft = TestSettings & {
  readonly groups: readonly GroupDraft[];
  readonly thresholds: readonly z.output<typeof TestThreshold>[];
  /** Written in addition to the load; absent: nothing. */
  readonly buildup?: number;
  readonly maxExecutionSeconds: number | null;
  /** The duration of a call; absent if no keys are pressed. */
  readonly durationSeconds?: number;
};

/** Maps the draft's references to ids. */
export type References = {
  readonly registrarId: (registrar: string) => string | undefined;
  readonly workerId: (worker: string) => string | undefined;
  readonly accountId: (registrar: string, account: string) => string | undefined;
  readonly newId: () => string;
};

/** Groups, sub-populations and tracks keep the ids that `before` gave them: found by the id or, without one, by the name. */
export function toTestConfig(
  draft: TestDraft,
  refs: References,
  before: Pick<TestConfig, 'groups'> | null,
): TestConfig {
  const kept = keep(draft.groups, before?.groups ?? []);
  const ids = new Map(draft.groups.map((g, i) => [g.name, kept[i]?.id ?? refs.newId()]));
  return {
    groups: draft.groups.map((g, i) => toGroup(g, refs, ids, kept[i])),
    ...settingsOf(TEST_SETTINGS, draft),
    thresholds: draft.thresholds.map(({ metricKey, greenValue, orangeValue }) => ({
      metricKey,
      greenValue,
      orangeValue,
    })),
    maxExecutionSeconds: draft.maxExecutionSeconds,
  };
}

function toGroup(g: GroupDraft, refs: References, ids: ReadonlyMap<string, string>, before?: Group): Group {
  const { callee, placement } = g;
  const subPopulations = keep(g.subPopulations, before?.subPopulations ?? []);
  return {
    id: ids.get(g.name) as string,
    name: g.name,
    registrarId: refs.registrarId(g.registrar) ?? '',
    callee: toCallee(callee, ids),
    placement:
      placement.mode === 'REGION'
        ? placement
        : { mode: 'WORKERS', workerIds: placement.workers.map((worker) => refs.workerId(worker) ?? '') },
    ...settingsOf(GROUP_SETTINGS, g),
    mediaTracks: g.mediaTracks.map((track, i) => ({
      id: before?.mediaTracks[i]?.id ?? refs.newId(),
      kind: track.kind,
      source: track.source,
      mediaFileId: track.mediaFile,
      ...settingsOf(TRACK_SETTINGS, track),
    })),
    subPopulations: g.subPopulations.map((s, i) => ({
      id: subPopulations[i]?.id ?? refs.newId(),
      name: s.name,
      role: s.role,
      endpoints: s.endpoints,
      ...settingsOf(SUB_POPULATION_SETTINGS, s),
      sipAccountIds: s.accounts?.map((account) => refs.accountId(g.registrar, account) ?? '') ?? null,
    })),
  };
}

function toCallee(callee: GroupDraft['callee'], ids: ReadonlyMap<string, string>): Group['callee'] {
  if (callee.mode === 'GROUP') return { mode: 'GROUP', groupId: ids.get(callee.group) ?? '' };
  if (callee.mode !== 'EXTERNAL_URI') return { mode: callee.mode };
  const { mode, uri, uris } = callee;
  return { mode, uri, ...(uris?.length && { uris: [...uris] }) };
}

type NamedPart = { readonly id?: string | undefined; readonly name: string };

/** Finds for each draft its previous version, if any, without duplicates. */
function keep<T extends NamedPart>(drafts: readonly NamedPart[], before: readonly T[]): (T | undefined)[] {
  const left = new Set(before);
  const take = (fits: (was: T) => boolean): T | undefined => {
    const found = [...left].find(fits);
    if (found) left.delete(found);
    return found;
  };
  const byId = drafts.map((d) => (d.id === undefined ? undefined : take((was) => was.id === d.id)));
  return drafts.map((d, i) => byId[i] ?? (d.id === undefined ? take((was) => was.name === d.name) : undefined));
}

/** The environment of a test, in the draft's terms, and the terms for its errors. */
export type Surroundings = {
  readonly registrars: ReadonlyMap<string, RegistrarPlan>;
  readonly workers: ReadonlySet<string>;
  readonly accounts: ReadonlyMap<string, ReadonlySet<string>>;
  /** The names of the custom values of a registrar's accounts. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>;
  /** `videoCodec` is null for an audio recording. */
  readonly mediaFiles: ReadonlyMap<string, { readonly videoCodec: RecordedVideo['codec'] | null }>;
  readonly words: {
    readonly registrar: { readonly field: string; readonly by: string };
    readonly workers: { readonly field: string; readonly by: string };
    readonly accounts: string;
    readonly mediaFile: string;
  };
};

/** Unknown names, and incompatible groups; paths start with `groups`. */
export function draftFaults(draft: TestDraft, around: Surroundings): FileFault[] {
  const { groups, durationSeconds } = draft;
  const unknown = [
    ...groups.flatMap((g, i) => groupFaults(g, around, ['groups', i])),
    ...digitFaults(groups, durationSeconds ?? Number.POSITIVE_INFINITY),
    ...scenarioFaults(groups, durationSeconds ?? Number.POSITIVE_INFINITY),
    ...callerFaults(groups),
    ...loadFaults(draft.load, testCallers(draft), draft.buildup ?? null, durationSeconds ?? 0),
  ];
  if (unknown.length > 0) return unknown;
  // The draft's references replace ids: the rules between groups do not depend on them.
  let n = 0;
  const own: References = {
    registrarId: (registrar) => registrar,
    workerId: (worker) => worker,
    accountId: (_registrar, account) => account,
    newId: () => `id-${n++}`,
  };
  const config = toTestConfig(draft, own, null);
  return [...testFaults(config), ...reachFaults(config, around.registrars)].map(({ path, message }) => ({
    path: readPath(path).map((key) => (key === 'registrar' ? around.words.registrar.field : key)),
    message,
  }));
}

const OF_CALLERS = ['callerNumber', 'assertedIdentity', 'privacy', 'diversion'] as const;

const noRegistrar = (by: string, registrar: string): string =>
  registrar === '' ? 'no registrar or trunk is chosen' : `no registrar has the ${by} ${registrar}`;

function groupFaults(g: GroupDraft, around: Surroundings, at: readonly PropertyKey[]): FileFault[] {
  const { registrars, workers, accounts, columns, mediaFiles, words } = around;
  const faults: FileFault[] = [];
  const fault = (message: string, ...path: PropertyKey[]) => faults.push({ path: [...at, ...path], message });
  if (g.callee.mode === 'EXTERNAL_URI') {
    faults.push(...uriFaults(g.callee.uri, [...at, 'callee', 'uri']));
    faults.push(...(g.callee.uris ?? []).flatMap((uri, i) => uriFaults(uri, [...at, 'callee', 'uris', i])));
  }
  if (!registrars.has(g.registrar)) {
    fault(noRegistrar(words.registrar.by, g.registrar), words.registrar.field);
  }
  if (g.placement.mode === 'WORKERS') {
    g.placement.workers.forEach((worker, i) => {
      if (workers.has(worker)) return;
      fault(`no worker has the ${words.workers.by} ${worker}`, 'placement', words.workers.field, i);
    });
  }
  g.mediaTracks.forEach(({ kind, source, mediaFile }, i) => {
    const first = g.mediaTracks.findIndex((track) => track.kind === kind);
    if (first < i) fault(`a track of kind ${kind} already exists`, 'mediaTracks', i, 'kind');
    if (kind === 'VIDEO' && g.videoCodecs.length === 0) fault('needs videoCodecs', 'mediaTracks', i, 'kind');
    const said = (message: string) => fault(message, 'mediaTracks', i, words.mediaFile);
    const file = mediaFile === null ? undefined : mediaFiles.get(mediaFile);
    if ((source === 'FILE') !== (mediaFile !== null)) said('is required with the source FILE, and only then permitted');
    else if (mediaFile === null) return;
    else if (!file) said(`there is no media file ${mediaFile}`);
    else if (kind === 'AUDIO' && file.videoCodec !== null) said(`media file ${mediaFile} is video`);
    else if (kind === 'VIDEO' && file.videoCodec === null) said(`media file ${mediaFile} is an audio recording`);
    else if (kind === 'VIDEO' && g.videoCodecs.some((codec) => codec !== file.videoCodec))
      said(`media file ${mediaFile} is ${file.videoCodec}, and is sent as it is: videoCodecs may name nothing else`);
  });
  if (g.videoCodecs.length > 0 && g.mediaTracks.every(({ kind }) => kind !== 'VIDEO'))
    fault('need a track of kind VIDEO', 'videoCodecs');
  if (g.mediaTracks.length > 0 && g.mediaTracks.every(({ kind }) => kind !== 'AUDIO'))
    fault('need a track of kind AUDIO; []: signalling only', 'mediaTracks');
  if (g.callee.mode === 'RECEIVE')
    for (const name of OF_CALLERS)
      if (g[name] !== null && (g[name] as { length?: number }).length !== 0)
        fault('is for callers, and the group has none', name);
  faults.push(...headerFaults(g, registrars.get(g.registrar)).map((f) => ({ ...f, path: [...at, ...f.path] })));
  for (const { path, text } of ownTexts(g))
    for (const name of ownNames(text)) {
      if (columns.get(g.registrar)?.has(name)) continue;
      const there = [...(columns.get(g.registrar) ?? [])].sort();
      const said = there.length === 0 ? 'no account has custom values' : `there are ${there.join(', ')}`;
      fault(`no account of ${g.registrar} has a value for {{${name}}}: ${said}`, ...path);
    }
  const known = accounts.get(g.registrar);
  g.subPopulations.forEach((s, i) => {
    s.accounts?.forEach((account, j) => {
      if (known?.has(account)) return;
      fault(`${g.registrar} has no account ${account}`, 'subPopulations', i, words.accounts, j);
    });
  });
  return faults;
}

/**
 * A call that ends before the last key would count as a good test. The values of accounts in these places are checked
 * before a run (late-keys.ts).
 */
export const digitFaults = (
  groups: readonly {
    readonly dtmf: Group['dtmf'];
    readonly mediaTracks: readonly Pick<Track, 'kind' | 'direction' | 'deferred'>[];
  }[],
  durationSeconds: number,
): FileFault[] =>
  groups.flatMap(({ dtmf, mediaTracks }, i) => {
    if (!dtmf) return [];
    const { digits } = dtmf;
    const path = ['groups', i, 'dtmf'];
    if (mediaTracks.some(({ kind, direction, deferred }) => kind === 'AUDIO' && (direction === 'RECEIVE' || deferred)))
      return [{ path, message: 'needs a track of kind AUDIO that sends from the answer on' }];
    const endMs = pressedMs(digits, dtmf);
    if (endMs <= durationSeconds * 1000) return [];
    return [{ path, message: `takes ${endMs} ms from the answer, and a call lasts ${durationSeconds} s` }];
  });

/** Checked by the function that planning reads it with. */
export const uriFaults = (uri: string | null, path: readonly PropertyKey[]): FileFault[] =>
  uri === null || sipHost(uri) ? [] : [{ path, message: 'is not a SIP URI with a host and a port of 1 to 65535' }];
