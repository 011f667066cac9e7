/** What a test needs before it can run, and what is missing. Pure; operations/run/validate.ts queries the store. */

import { MAX_ENDPOINTS } from '../../../contract/fields.ts';
import type { RunErrorCode } from '../../../contract/run/words.ts';
import type { TestConfig } from '../../../contract/test-settings/test.ts';
import { type AccountNames, accountPools } from '../group/accounts.ts';
import { lateKeys } from '../group/late-keys.ts';
import { ownTexts, valueFault } from '../group/own-values.ts';
import { completeConfig } from '../group/scenario.ts';
import { callsEach, maxEach, minEach, testCallers } from '../load/callers.ts';
import { maxCalls } from '../load/load.ts';
import { type RegistrarPlan, registers } from '../plan/plan.ts';

export type RunRefusal = { readonly code: RunErrorCode; readonly message: string };

export const testEndpoints = (config: Pick<TestConfig, 'groups'>): number =>
  config.groups.reduce((sum, g) => sum + g.subPopulations.reduce((n, s) => n + s.endpoints, 0), 0);

export const mediaFileIds = (config: Pick<TestConfig, 'groups'>): string[] =>
  config.groups.flatMap((group) => group.mediaTracks.flatMap((track) => track.mediaFileId ?? []));

/** Agents encode about thirty times as fast as real time, sequentially; slow agents at a third of that. */
const SLOW_ENCODING = 10;

/**
 * The time that agents may take to encode a test's recordings, each once per codec; video is not encoded.
 * `durationsMs`: by media file.
 */
export function encodingSeconds(
  { groups }: Pick<TestConfig, 'groups'>,
  durationsMs: ReadonlyMap<string, number>,
): number {
  const encodings = groups.flatMap((group) =>
    group.mediaTracks
      .filter(({ kind, mediaFileId }) => kind === 'AUDIO' && mediaFileId !== null)
      .flatMap(({ mediaFileId }) => group.audioCodecs.map((codec) => `${mediaFileId} ${codec}`)),
  );
  const playedMs = [...new Set(encodings)].reduce(
    (sum, one) => sum + (durationsMs.get(one.split(' ')[0] ?? '') ?? 0),
    0,
  );
  return Math.ceil(playedMs / 1000 / SLOW_ENCODING);
}

export const mediaMissing = ({ name }: { readonly name: string }): RunRefusal => ({
  code: 'MEDIA_MISSING',
  message: `The media file of group ${name} no longer exists; choose another one.`,
});

/** The first missing object; null: nothing is missing. `accounts`: by registrar. `media`: ids of existing media files. */
export function missing(
  config: TestConfig,
  registrars: ReadonlyMap<string, RegistrarPlan>,
  accounts: ReadonlyMap<string, readonly AccountNames[]>,
  media: ReadonlySet<string> = new Set(),
  durationSeconds = Number.POSITIVE_INFINITY,
): RunRefusal | null {
  for (const group of config.groups) {
    if (!registrars.has(group.registrarId)) {
      return {
        code: 'REGISTRAR_MISSING',
        message: `The registrar of group ${group.name} no longer exists; choose another one.`,
      };
    }
    if (mediaFileIds({ groups: [group] }).some((id) => !media.has(id))) {
      return mediaMissing(group);
    }
  }
  for (const { registrarId, ownedBy, accounts: have, needed, isForEach } of accountPools(
    config,
    registrars,
    accounts,
  ).values()) {
    if (have.length >= (isForEach ? needed : 1)) continue;
    const at = registrars.get(registrarId)?.uri;
    const message =
      ownedBy === null
        ? `The test registers ${counted(needed, 'endpoint')} at ${at}, which has ${counted(have.length, 'SIP account')} for that; add ${needed - have.length}.`
        : `${ownedBy} registers ${counted(needed, 'endpoint')} at ${at} and names ${counted(have.length, 'SIP account')} there; name ${needed - have.length} more.`;
    return { code: 'SIP_ACCOUNTS_MISSING', message };
  }
  return unsoundValues(config, registrars, accounts, durationSeconds);
}

/** Finds accounts that lack values for the texts of their group, or whose values are too long for a call. */
function unsoundValues(
  config: TestConfig,
  registrars: ReadonlyMap<string, RegistrarPlan>,
  accounts: ReadonlyMap<string, readonly AccountNames[]>,
  durationSeconds: number,
): RunRefusal | null {
  const groups = completeConfig(config).groups.map((group) => ({ group, texts: ownTexts(group) }));
  if (groups.every(({ texts }) => texts.length === 0)) return null;
  const pools = accountPools(config, registrars, accounts);
  for (const { group, texts } of groups) {
    for (const { id } of group.subPopulations) {
      const { accounts: all = [], needed = 0 } = pools.get(id) ?? {};
      const used = all.slice(0, needed);
      const fault = valueFault(texts, used) ?? lateKeys(group, used, durationSeconds);
      if (fault) return { code: 'SIP_ACCOUNTS_MISSING', message: `Group ${group.name}: ${fault}.` };
    }
  }
  return null;
}

/** Rows of calls have numbers of 31 bits: the k-th call of an endpoint has its number plus k times the endpoints of the run. */
const MAX_NUMBERS = 2 ** 31;

/** Rules between the parts of a test; each violation with the path of the part. */
export function testFaults(config: TestConfig): { path: string; message: string }[] {
  const faults: { path: string; message: string }[] = [];
  const total = testEndpoints(config);
  if (total > MAX_ENDPOINTS) faults.push({ path: 'groups', message: `${total} endpoints, over ${MAX_ENDPOINTS}` });
  const callers = testCallers(config);
  const size = (groupId: string, role: string) =>
    config.groups
      .filter((g) => g.id === groupId)
      .flatMap((g) => g.subPopulations)
      .reduce((n, s) => (s.role === role ? n + s.endpoints : n), 0);
  const demand = new Map<string, number>();
  config.groups.forEach((group, i) => {
    const path = `groups[${i}]`;
    const wanted = group.callee.mode === 'RECEIVE' ? 'CALLEE' : 'CALLER';
    group.subPopulations.forEach((s, j) => {
      const each = callsEach(s) ?? Math.ceil(maxCalls(config.load, callers) / callers.endpoints);
      if (s.role === 'CALLER' && each !== 1 && each * total > MAX_NUMBERS)
        faults.push({
          path: `${path}.subPopulations[${j}].calls`,
          message: `each endpoint places up to ${each} calls, but in a test of ${total} endpoints at most ${Math.floor(MAX_NUMBERS / total)} of each have a number: let more callers place fewer`,
        });
      if (s.role !== wanted) {
        faults.push({
          path: `${path}.subPopulations[${j}].role`,
          message: `a group with callee mode ${group.callee.mode} has ${wanted} sub-populations only`,
        });
      }
    });
    if (group.callee.mode !== 'GROUP') return;
    const target = config.groups.find((g) => g.id === (group.callee as { groupId: string }).groupId);
    if (target?.callee.mode !== 'RECEIVE') {
      faults.push({ path: `${path}.callee.group`, message: 'names no group of this test with callee mode RECEIVE' });
      return;
    }
    const [most, least] = [maxEach(group), minEach(target)];
    if (most > least) {
      const placed = Number.isFinite(most) ? `${most} calls each` : 'as many calls as the load asks for';
      faults.push({
        path: `${path}.callee.group`,
        message: `callers place ${placed}, and the callees of ${target.name} take ${least} each: set calls there, too`,
      });
    }
    demand.set(target.id, (demand.get(target.id) ?? 0) + size(group.id, 'CALLER'));
    const room = size(target.id, 'CALLEE');
    if ((demand.get(target.id) as number) > room) {
      faults.push({
        path: `${path}.callee.group`,
        message: `${demand.get(target.id)} callers for the ${room} callees of ${target.name}: an endpoint takes one call at a time`,
      });
    }
  });
  return faults;
}

export const isWebSocket = (protocol: string | undefined): boolean => protocol === 'WS' || protocol === 'WSS';

/** A group that others call must be reachable the way they call it. */
export function reachFaults(
  config: TestConfig,
  registrars: ReadonlyMap<string, RegistrarPlan>,
): { path: string; message: string }[] {
  return config.groups.flatMap((group, i) => {
    const own = registrars.get(group.registrarId);
    if (group.mode === 'REGISTER' && own && !registers(own)) {
      const message = `${group.name} only registers, but its registrar accepts no registrations`;
      return [{ path: `groups[${i}].registrar`, message }];
    }
    if (group.engine === 'SIPJS' && own && !isWebSocket(own.protocol)) {
      const message = `SIPJS speaks WS and WSS, and the registrar of ${group.name} is reached by ${own.protocol}: use CORE`;
      return [{ path: `groups[${i}].engine`, message }];
    }
    // These endpoints accept no connections: calls arrive over their registration's connection (RFC 7118).
    if (group.callee.mode === 'RECEIVE' && own && isWebSocket(own.protocol) && !registers(own)) {
      const message = `callees over ${own.protocol} cannot be reached unless they register: set register at the registrar`;
      return [{ path: `groups[${i}].registrar`, message }];
    }
    const onlyReceives = config.groups.every(({ callee }) => callee.mode === 'RECEIVE');
    if (onlyReceives && own?.isCloud && group.callsFrom === 'SERVER') {
      const message = `nobody can call ${group.name}: no group of the test calls, and the built-in registrar does not place calls; use ANYBODY`;
      return [{ path: `groups[${i}].callsFrom`, message }];
    }
    if (group.callee.mode !== 'GROUP') return [];
    const { groupId } = group.callee;
    const from = registrars.get(group.registrarId);
    const target = config.groups.find((g) => g.id === groupId);
    const to = target && registrars.get(target.registrarId);
    if (!from || !to || from.isCloud === to.isCloud) return [];
    return [
      {
        path: `groups[${i}].registrar`,
        message: `${group.name} and ${target.name} must both use SIP servers, or both the built-in registrar (cloud)`,
      },
    ];
  });
}

const counted = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;
