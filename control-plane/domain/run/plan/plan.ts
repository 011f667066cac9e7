/**
 * The complete plan of a run: each endpoint's worker, registration, target, and time (docs/decisions.md, Planning).
 * Pure.
 */

import type { Secret } from '@carillon/proto/base/secret.ts';
import type { LoadOrder } from '@carillon/proto/load/load-clock.ts';
import { type LoadPart, partsOf } from '@carillon/proto/load/load-part.ts';
import { fastestOf } from '@carillon/proto/load/load-step.ts';
import { escapeUser, hostPort, type SipHost, sipHost } from '../../../contract/sip-uri.ts';
import type { Group, TestConfig } from '../../../contract/test-settings/test.ts';
import type { Tls } from '../../../contract/test-settings/tls.ts';
import type { EndpointType } from '../../../contract/test-settings/words.ts';
import { type AccountNames, type AccountPool, accountPools } from '../group/accounts.ts';
import { filledUri, type Owner } from '../group/own-values.ts';
import { callsEach, placesOf } from '../load/callers.ts';
import { instants, lastingOrder } from '../load/load.ts';
import { deal, registrationSeconds, spreadRegistrations } from '../load/timetable.ts';
import type { WorkerPart } from './distribute.ts';

export type RegistrarPlan = {
  readonly id: string;
  readonly uri: string;
  readonly isCloud: boolean;
  readonly register: boolean;
  readonly outboundProxyUri: string | null;
  /** The domain of addresses of record; null: the URI's host. */
  readonly domain?: string | null;
  /** Each is `host[:port]`; they are tried in turn if the URI's host does not answer. */
  readonly gateways?: readonly string[];
  /** An address of the agent's host; absent or null: the agent's own. */
  readonly sourceAddress?: string | null;
  readonly protocol: string;
  /** The path of the server's WebSocket; absent or null: '/'. */
  readonly webSocketPath?: string | null;
  /** The settings include the private key. */
  readonly tls: Tls | null;
  /** True: its accounts have more than a user name and a password. */
  readonly hasIdentities?: boolean;
};
/** Without a password and an HA1 it answers no challenge. */
export type AccountPlan = AccountNames & { readonly password: Secret | null; readonly ha1: Secret | null };
export type ListenerPlan = { readonly address: string; readonly port: number };

export type PlanInput = {
  readonly config: TestConfig;
  readonly buildupSeconds: number;
  readonly parts: readonly WorkerPart[];
  readonly listeners: ReadonlyMap<string, readonly ListenerPlan[]>;
  readonly registrars: ReadonlyMap<string, RegistrarPlan>;
  readonly accounts: ReadonlyMap<string, readonly AccountPlan[]>;
  /** The token makes contact users unique across runs. */
  readonly runToken: string;
  readonly newId: () => string;
};

export type PlannedEndpoint = {
  readonly id: string;
  readonly number: number;
  /** The position in its group, from 0: for numbers that count (proto/words/template.ts). */
  readonly nth: number;
  readonly listener: number;
  readonly user: string;
  readonly account: AccountPlan | null;
  readonly registerAtMs: number;
  readonly callAtMs: number;
  /** A caller's target; the address of a callee. */
  readonly calleeUri: string;
  /** True: included in the run's call figures: callers, and callees with outside callers. */
  readonly countsAsCall: boolean;
};

export type PlannedInstance = {
  readonly id: string;
  readonly subPopulationId: string;
  readonly group: Group;
  readonly registrar: RegistrarPlan;
  readonly workerId: string;
  readonly role: EndpointType;
  readonly endpoints: readonly PlannedEndpoint[];
  /** The number of these that are active at the same time. */
  readonly atOnce: number;
  /** Null: each endpoint places one call, at its own instant. */
  readonly load: PlannedLoad | null;
  /** For callees; null: each takes one call. */
  readonly receives: PlannedCalls | null;
};

export type PlannedCalls = {
  /** Null: as many as the load has, or as many as arrive. */
  readonly callsEach: number | null;
};

export type PlannedLoad = PlannedCalls & {
  readonly order: LoadOrder;
  readonly part: LoadPart;
};

/** True if a group's calls follow a REGISTER. */
export const registers = (r: Pick<RegistrarPlan, 'isCloud' | 'register'>): boolean => r.register && !r.isCloud;

/** The host part of the endpoints' addresses of record; '' on the built-in registrar, where it is the agent's own address. */
export const domainOf = (r: RegistrarPlan): string => (r.isCloud ? '' : (r.domain ?? serverOf(r)));

/** The `host[:port]` of the registrar or trunk itself, whatever the outbound proxy; '' for the built-in registrar. */
export const serverOf = (r: RegistrarPlan): string => (r.isCloud ? '' : hostPort(sipHost(r.uri) as SipHost, null));

/** The plan of a run whose parts distribute.ts has made. Parts and instances are in the same order. */
export function planRun(input: PlanInput): PlannedInstance[] {
  const accountOf = accountDealer(input);
  const calledGroups = new Set(
    input.config.groups.flatMap((g) => (g.callee.mode === 'GROUP' ? [g.callee.groupId] : [])),
  );
  let next = 0;
  const placed = new Map<string, number>();
  /** The threads of a worker take turns, also from one part to the next. */
  const turnOf = (workerId: string, threads: number): number => {
    const n = placed.get(workerId) ?? 0;
    placed.set(workerId, n + 1);
    return n % threads;
  };
  const nextOf = counter();
  const nextCalled = counter();
  const drafts = input.parts.map((part) => {
    const { group, subPopulation } = findSubPopulation(input.config, part.subPopulationId);
    const { role } = subPopulation;
    const registrar = input.registrars.get(group.registrarId) as RegistrarPlan;
    const listeners = input.listeners.get(part.workerId) as readonly ListenerPlan[];
    const endpoints = Array.from({ length: part.endpoints }, () => {
      const number = next++;
      const user = `e${number}-${input.runToken}`;
      const account = accountOf(part.subPopulationId);
      const listener = turnOf(part.workerId, listeners.length);
      const at = listeners[listener] as ListenerPlan;
      const own = registrar.isCloud
        ? `sip:${user}@${hostPort({ host: at.address, port: at.port }, null)}`
        : `sip:${escapeUser(account?.number ?? account?.username ?? user)}@${domainOf(registrar)}`;
      return { id: input.newId(), number, nth: nextOf(group.id), listener, user, account, own };
    });
    return { part, group, subPopulation, role, registrar, endpoints };
  });

  const receivers = new Map<string, string[]>();
  for (const d of drafts) {
    if (d.role === 'CALLEE') {
      receivers.set(d.group.id, [...(receivers.get(d.group.id) ?? []), ...d.endpoints.map((e) => e.own)]);
    }
  }
  const calleeOf = ({ callee }: Group, caller: Owner & { readonly nth: number }): string => {
    if (callee.mode === 'RECEIVE' || callee.mode === 'NONE') return '';
    if (callee.mode === 'EXTERNAL_URI') return externalCallee(callee, caller);
    const pool = receivers.get(callee.groupId) as string[];
    return pool[nextCalled(callee.groupId) % pool.length] as string;
  };

  const callers = drafts.filter((d) => d.role === 'CALLER');
  const sizes = callers.map((d) => d.endpoints.length);
  const order = lastingOrder(input.config);
  const calls = sizes.reduce((sum, size) => sum + size, 0);
  const starts = deal(
    sizes,
    order ? new Array<number>(calls).fill(0) : instants(input.config.load, calls, input.buildupSeconds),
    callers.map((d) => registers(d.registrar)),
  );
  const registering = drafts.filter((d) => registers(d.registrar)).reduce((sum, d) => sum + d.endpoints.length, 0);
  const fastest = order && fastestOf(order.steps);
  const seconds = registrationSeconds(registering, input.buildupSeconds, fastest);
  const loadParts = partsOf(callers.map((d) => placesOf(d.subPopulation, d.endpoints.length)));
  return drafts.map((d) => {
    const isCaller = d.role === 'CALLER';
    const times =
      isCaller && order === null
        ? (starts[callers.indexOf(d)] as (typeof starts)[number])
        : spreadRegistrations(d.endpoints.length, seconds).map((at) => ({ registerAtMs: at, callAtMs: 0 }));
    const each = callsEach(d.subPopulation);
    return {
      id: input.newId(),
      subPopulationId: d.part.subPopulationId,
      group: d.group,
      registrar: d.registrar,
      workerId: d.part.workerId,
      role: d.role,
      atOnce: d.part.atOnce,
      load: order && isCaller ? { order, part: loadParts[callers.indexOf(d)] as LoadPart, callsEach: each } : null,
      receives: !isCaller && each !== 1 ? { callsEach: each } : null,
      endpoints: d.endpoints.map((e, i) => ({
        id: e.id,
        number: e.number,
        nth: e.nth,
        listener: e.listener,
        user: e.user,
        account: e.account,
        ...(times[i] as (typeof times)[number]),
        calleeUri: isCaller && d.group.mode !== 'REGISTER' ? calleeOf(d.group, e) : e.own,
        countsAsCall: isCaller || !calledGroups.has(d.group.id),
      })),
    };
  });
}

/** Returns how many times it was called for an id before. */
function counter(): (id: string) => number {
  const asked = new Map<string, number>();
  return (id) => {
    const n = asked.get(id) ?? 0;
    asked.set(id, n + 1);
    return n;
  };
}

/** Older tests have no list. */
function externalCallee(
  { uri, uris = [] }: { readonly uri: string; readonly uris?: readonly string[] | undefined },
  caller: Owner & { readonly nth: number },
): string {
  const all = [uri, ...uris];
  const nth = Math.floor(caller.nth / all.length);
  return filledUri(all[caller.nth % all.length] as string, { ...caller, nth });
}

function findSubPopulation(config: TestConfig, id: string) {
  for (const group of config.groups) {
    const subPopulation = group.subPopulations.find((s) => s.id === id);
    if (subPopulation) return { group, subPopulation };
  }
  throw new Error(`the test has no sub-population ${id}`);
}

/** The accounts of a pool are assigned in order, each once, or in turn; null: the sub-population has no pool. */
function accountDealer({ config, registrars, accounts }: PlanInput) {
  const pools = accountPools(config, registrars, accounts);
  const dealt = new Map<AccountPool<AccountPlan>, number>();
  return (subPopulationId: string): AccountPlan | null => {
    const pool = pools.get(subPopulationId);
    if (!pool) return null;
    const n = dealt.get(pool) ?? 0;
    dealt.set(pool, n + 1);
    const account = pool.accounts[pool.isForEach ? n : n % pool.accounts.length];
    if (!account) throw new Error('fewer SIP accounts than endpoints: validation must come first');
    return account;
  };
}
