/** Decides whether a test would run now: the checks of a run on its way to its agents, made before it is started. Pure. */
import { isIP } from 'node:net';
import { inNetworks } from '@carillon/proto/base/networks.ts';
import { sipHost } from '../../../contract/sip-uri.ts';
import type { Check } from '../../../contract/test-settings/preflight.ts';
import type { TestConfig } from '../../../contract/test-settings/test.ts';
import { destinationsOf } from '../../../contract/test-settings/way.ts';
import { type AccountNames, accountPools } from '../group/accounts.ts';
import { completeConfig } from '../group/scenario.ts';
import type { RegistrarPlan } from '../plan/plan.ts';
import { busiest } from './blast-radius.ts';
import { type RunRefusal, reachFaults } from './needs.ts';
import { dialledUris, type NumberPolicy, preflightBudget, refuses } from './refused-numbers.ts';

export type WorkerPolicy = NumberPolicy & {
  readonly targetNetworks: readonly string[];
  readonly maxCallsPerSecond: number;
  readonly maxDurationSeconds: number;
  readonly maxMinutesADay?: number | null;
};

type Carrier = {
  readonly name: string;
  readonly policy: WorkerPolicy;
  /** The ids of the sub-populations that it may carry. */
  readonly carries: readonly string[];
};

export type Circumstances = {
  readonly config: TestConfig;
  readonly buildupSeconds: number;
  readonly durationSeconds: number;
  readonly registrars: ReadonlyMap<string, RegistrarPlan & { readonly name?: string }>;
  readonly accounts: ReadonlyMap<string, readonly (AccountNames & { readonly hasSecret: boolean })[]>;
  /** The first missing registrar, account or media file; null: none. */
  readonly missing: RunRefusal | null;
  /** The reason why the plan does not allow it; null: it does. */
  readonly beyondPlan: RunRefusal | null;
  readonly plan: string;
  /** The reason why no worker supports a group; null: each group has one. */
  readonly unmanned: string | null;
  /** The reason why some do not fit; null: all fit. */
  readonly short: string | null;
  /** The workers that may run a part of it. */
  readonly workers: readonly Carrier[];
};

const endpointsOf = ({ groups }: TestConfig): number =>
  groups.flatMap((g) => g.subPopulations).reduce((n, s) => n + s.endpoints, 0);

/** Each check once. A check that depends on a failed one says so. */
export function preflight(c: Circumstances): Check[] {
  const lacksAccounts = c.missing?.code === 'SIP_ACCOUNTS_MISSING';
  const endpoints = endpointsOf(c.config);
  return [
    c.missing && !lacksAccounts
      ? fail('RESOURCES', c.missing.message)
      : pass('RESOURCES', 'Registrars and media files exist.'),
    accountsCheck(c, lacksAccounts),
    ...callsFromChecks(c),
    ...destinationChecks(c),
    c.beyondPlan ? fail('PLAN', c.beyondPlan.message) : pass('PLAN', `The plan ${c.plan} includes it.`),
    c.unmanned === null
      ? pass('WORKERS', `Online and able: ${c.workers.map((w) => w.name).join(', ')}.`)
      : fail('WORKERS', c.unmanned),
    capacityCheck(c, endpoints),
    policyCheck(c),
  ];
}

const checkOf = (verdict: Check['verdict']) => (check: Check['check'], message: string) => ({
  check,
  verdict,
  message,
});
const pass = checkOf('PASS');
const warn = checkOf('WARN');
const fail = checkOf('FAIL');

function accountsCheck({ config, registrars, accounts, missing }: Circumstances, isShort: boolean): Check {
  if (isShort) return fail('SIP_ACCOUNTS', missing?.message ?? '');
  if (config.groups.some((g) => !registrars.has(g.registrarId)))
    return fail('SIP_ACCOUNTS', 'Unknown until its registrars exist.');
  const pools = [...new Set(accountPools(config, registrars, accounts).values())];
  const has = (what: (pool: (typeof pools)[number]) => number, of = pools) => of.reduce((n, p) => n + what(p), 0);
  const own = pools.filter((p) => p.isForEach);
  const shared = pools.filter((p) => !p.isForEach);
  const silent = has((p) => p.accounts.filter((a) => !a.hasSecret).length);
  const trunks = has((p) => p.accounts.length, shared);
  const texts = [
    ...(own.length > 0
      ? [`${has((p) => p.needed, own)} are needed, ${has((p) => p.accounts.length, own)} are there`]
      : ['None needed: no endpoint registers']),
    ...(shared.length > 0 ? [`over trunks ${has((p) => p.needed, shared)} endpoints take ${trunks} in turn`] : []),
  ].join('; ');
  const faults = [
    ...(silent === 0 ? [] : [`${silent} have neither password nor HA1, and cannot answer challenges`]),
    ...unnumbered(config, registrars, accounts),
  ];
  if (faults.length === 0) return pass('SIP_ACCOUNTS', `${texts}.`);
  return warn('SIP_ACCOUNTS', `${[texts, ...faults].join('; ')}.`);
}

/** Some accounts of a trunk lack a number while others have one: probably a mistake. */
function unnumbered(
  config: TestConfig,
  registrars: Circumstances['registrars'],
  accounts: Circumstances['accounts'],
): string[] {
  const pools = accountPools(config, registrars, accounts);
  const calling = completeConfig(config).groups.filter((g) => g.callerNumber === null && g.callee.mode !== 'RECEIVE');
  const used = new Set(calling.flatMap((g) => g.subPopulations.flatMap(({ id }) => pools.get(id) ?? [])));
  return [...used].flatMap(({ isForEach, accounts: of }) => {
    const without = of.filter((a) => a.number === null);
    const [first] = without;
    if (isForEach || !first || without.length === of.length) return [];
    const others = without.length > 1 ? ` and ${without.length - 1} more` : '';
    return [`${first.username}${others} have no number, and call by user name`];
  });
}

/** Says which calls are accepted, if callers from outside the test are to call. */
function callsFromChecks({ config, registrars }: Circumstances): Check[] {
  const { groups } = completeConfig(config);
  const called = new Set(groups.flatMap(({ callee }) => (callee.mode === 'GROUP' ? [callee.groupId] : [])));
  const waiting = groups.filter((g) => g.callee.mode === 'RECEIVE' && !called.has(g.id));
  if (waiting.length === 0) return [];
  const fault = reachFaults(config, registrars).find(({ path }) => /\.(callsFrom|registrar)$/.test(path));
  if (fault) return [fail('CALLS_FROM', `${fault.message}.`)];
  const texts = waiting.map(({ name, callsFrom, registrarId }) =>
    callsFrom === 'ANYBODY'
      ? `${name} takes every call that reaches its agent.`
      : `${name} takes calls of ${registrars.get(registrarId)?.uri ?? 'its registrar'} and its addresses; others are refused: with 403 if they call the address of a callee, with 404 otherwise.`,
  );
  return [pass('CALLS_FROM', texts.join(' '))];
}

/** The limit of named addresses in a long list. */
const MAX_DESTINATIONS = 5;

/** Says where calls are sent: a server that is asked for another place may answer for it. */
function destinationChecks({ config, registrars }: Circumstances): Check[] {
  const said = completeConfig(config).groups.flatMap((group) => {
    const registrar = registrars.get(group.registrarId);
    const all = registrar ? destinationsOf(group, registrar) : [];
    return config.groups.length === 1 ? all : all.map((one) => ({ ...one, text: `${group.name}: ${one.text}` }));
  });
  if (said.length === 0) return [];
  const elsewhere = said.filter(({ isElsewhere }) => isElsewhere);
  const shown = elsewhere.length > 0 ? elsewhere : said;
  const more = shown.length > MAX_DESTINATIONS ? ` And ${shown.length - MAX_DESTINATIONS} more.` : '';
  const text = shown.slice(0, MAX_DESTINATIONS).map((one) => one.text);
  return [(elsewhere.length > 0 ? warn : pass)('DESTINATIONS', `${text.join(' ')}${more}`)];
}

function capacityCheck({ short, unmanned }: Circumstances, endpoints: number): Check {
  if (unmanned !== null) return fail('CAPACITY', 'There is no worker.');
  if (short === null) return pass('CAPACITY', `There is room for ${endpoints} endpoints.`);
  return fail('CAPACITY', short);
}

/** The share of a host's minutes per day above which a run may exhaust them. */
const RATION = 0.1;

function policyCheck(c: Circumstances): Check {
  const { config, buildupSeconds, durationSeconds, registrars, workers } = c;
  if (workers.length === 0) return fail('POLICY', 'There is no worker.');
  const tooLong = workers.find((w) => w.policy.maxDurationSeconds < durationSeconds);
  if (tooLong) {
    const most = tooLong.policy.maxDurationSeconds;
    return fail('POLICY', `Calls last ${durationSeconds} s, and the host of ${tooLong.name} allows ${most} s.`);
  }
  const reaching = workers.map((worker) => ({ ...worker, mayReach: inNetworks(worker.policy.targetNetworks) }));
  const barred = config.groups.flatMap((g) => barredOf(g, registrars, reaching));
  const foreign = barred.find(({ isBarredToAll }) => isBarredToAll);
  if (foreign)
    return fail(
      'POLICY',
      `No agent's policy allows calls to ${foreign.host}: see targetNetworks in policy.yaml on the agents' hosts.`,
    );
  const undialled = refusedNumbers(c);
  const never = undialled.find(({ isBarredToAll }) => isBarredToAll);
  if (never)
    return fail(
      'POLICY',
      `No agent's policy allows the number ${never.number} that group ${never.group} dials: see refusedNumbers and allowedNumbers in policy.yaml on the agents' hosts.`,
    );
  const { callsPerSecond: fastest } = busiest(config, c);
  const allowed = workers.reduce((sum, w) => sum + w.policy.maxCallsPerSecond, 0);
  if (fastest > allowed)
    return fail('POLICY', `${fastest} calls start in one second, and the hosts allow ${allowed} together.`);
  const [first] = barred;
  if (first)
    return warn('POLICY', `The host of ${first.name} does not allow calls to ${first.host}: it refuses its share.`);
  const [rarely] = undialled;
  if (rarely)
    return warn(
      'POLICY',
      `The policy of ${rarely.name} does not allow the number ${rarely.number} that group ${rarely.group} dials: it refuses its share.`,
    );
  const minutes = (endpointsOf(config) * (buildupSeconds + durationSeconds)) / 60;
  const rationed = workers.find((w) => minutes > (w.policy.maxMinutesADay ?? Number.POSITIVE_INFINITY) * RATION);
  if (rationed)
    return warn(
      'POLICY',
      `The host of ${rationed.name} allows ${rationed.policy.maxMinutesADay} minutes a day; only that host knows how many are left.`,
    );
  return pass(
    'POLICY',
    `The hosts' owners allow ${allowed} calls a second, ${durationSeconds} s each; names are judged there.`,
  );
}

/** A group's target, and an eligible worker that may not call it; `isBarredToAll`: no other worker may either. */
function barredOf(
  group: TestConfig['groups'][number],
  registrars: Circumstances['registrars'],
  workers: readonly (Carrier & { readonly mayReach: (host: string) => boolean })[],
) {
  const carriers = workers.filter((w) => group.subPopulations.some((s) => w.carries.includes(s.id)));
  return targetsOf(group, registrars).flatMap((host) => {
    const barred = carriers.filter((w) => !w.mayReach(host));
    return barred.slice(0, 1).map(({ name }) => ({ host, name, isBarredToAll: barred.length === carriers.length }));
  });
}

/**
 * A number that a group dials, and an eligible worker that may not dial it; `isBarredToAll`: no other eligible worker
 * may either.
 */
function refusedNumbers({ config, registrars, accounts, workers }: Circumstances) {
  const dialled = dialledUris(config, registrars, accounts);
  const budget = preflightBudget();
  // The agents of a fleet have the same policy.
  const rules = new Map<string, (uri: string) => boolean>();
  const judges = workers.map((worker) => {
    const { refusedNumbers, allowedNumbers, outsideLinePrefixes } = worker.policy;
    const text = JSON.stringify([refusedNumbers, allowedNumbers, outsideLinePrefixes]);
    const refusing = rules.get(text) ?? refuses(worker.policy, budget);
    rules.set(text, refusing);
    return { ...worker, refuses: refusing };
  });
  return config.groups.flatMap(({ id, name: group, subPopulations }) => {
    const carriers = judges.filter((w) => subPopulations.some((s) => w.carries.includes(s.id)));
    return (dialled.get(id) ?? []).flatMap(({ uri, number }) => {
      const barred = carriers.filter((w) => w.refuses(uri));
      return barred
        .slice(0, 1)
        .map(({ name }) => ({ group, number, name, isBarredToAll: barred.length === carriers.length }));
    });
  });
}

/** Only numeric hosts: names are resolved by the agents' DNS. */
function targetsOf({ callee, registrarId }: TestConfig['groups'][number], registrars: Circumstances['registrars']) {
  const registrar = registrars.get(registrarId);
  const uris = [
    ...(callee.mode === 'EXTERNAL_URI' ? [callee.uri, ...(callee.uris ?? [])] : []),
    ...(registrar && !registrar.isCloud ? [registrar.outboundProxyUri ?? registrar.uri] : []),
    ...(registrar?.gateways ?? []).map((gateway) => `sip:${gateway}`),
  ];
  return uris.flatMap((uri) => sipHost(uri)?.host ?? []).filter((host) => isIP(host) !== 0);
}
