/** Whether the policies of the agents' hosts allow a run: by tables of what they refuse. Pure. */
import { isIP } from 'node:net';
import { inNetworks } from '@carillon/proto/base/networks.ts';
import { sipHost } from '../../../contract/sip-uri.ts';
import type { Check } from '../../../contract/test-settings/preflight.ts';
import type { TestConfig } from '../../../contract/test-settings/test.ts';
import { busiest } from './blast-radius.ts';
import type { Carrier, Circumstances } from './circumstances.ts';
import { testEndpoints } from './needs.ts';
import { dialledUris, preflightBudget, refuses } from './refused-numbers.ts';

type Group = TestConfig['groups'][number];
/** A host or a number that a group calls and an agent refuses; `byAll`: so does every other agent that may carry the group. */
type HostRefusal = { readonly what: string; readonly group: string; readonly by: string; readonly byAll: boolean };
type Judge = Carrier & { readonly refuses: (uri: string) => boolean };

/** What the sentences below are about, computed once. */
type Facts = Pick<Circumstances, 'durationSeconds' | 'workers'> & {
  readonly hosts: readonly HostRefusal[];
  readonly numbers: readonly HostRefusal[];
  /** The most calls that start in a second, and how many all hosts together allow. */
  readonly callsPerSecond: number;
  readonly allowedPerSecond: number;
  readonly minutes: number;
};
/** Null: it is not so. */
type Sentence = (facts: Facts) => string | null;

/** The share of a host's minutes per day above which a run may exhaust them. */
const RATION = 0.1;

/** These prevent the run. The first one that applies is told. */
const PREVENTS: readonly Sentence[] = [
  ({ workers }) => (workers.length === 0 ? 'There is no worker.' : null),
  ({ workers, durationSeconds }) => {
    const host = workers.find(({ policy }) => policy.maxDurationSeconds < durationSeconds);
    if (!host) return null;
    return `Calls last ${durationSeconds} s, and the host of ${host.name} allows ${host.policy.maxDurationSeconds} s.`;
  },
  ({ hosts }) => {
    const never = hosts.find(({ byAll }) => byAll);
    if (!never) return null;
    return `No agent's policy allows calls to ${never.what}: see targetNetworks in policy.yaml on the agents' hosts.`;
  },
  ({ numbers }) => {
    const never = numbers.find(({ byAll }) => byAll);
    if (!never) return null;
    return `No agent's policy allows the number ${never.what} that group ${never.group} dials: see refusedNumbers and allowedNumbers in policy.yaml on the agents' hosts.`;
  },
  ({ callsPerSecond, allowedPerSecond }) =>
    callsPerSecond > allowedPerSecond
      ? `${callsPerSecond} calls start in one second, and the hosts allow ${allowedPerSecond} together.`
      : null,
];

/** These cost the run a share, or may do so. */
const REDUCES: readonly Sentence[] = [
  ({ hosts: [first] }) =>
    first ? `The host of ${first.by} does not allow calls to ${first.what}: it refuses its share.` : null,
  ({ numbers: [first] }) =>
    first
      ? `The policy of ${first.by} does not allow the number ${first.what} that group ${first.group} dials: it refuses its share.`
      : null,
  ({ workers, minutes }) => {
    const host = workers.find(({ policy }) => minutes > (policy.maxMinutesADay ?? Number.POSITIVE_INFINITY) * RATION);
    if (!host) return null;
    return `The host of ${host.name} allows ${host.policy.maxMinutesADay} minutes a day; only that host knows how many are left.`;
  },
];

export function policyCheck(c: Circumstances): Check {
  const facts = factsOf(c);
  const fault = firstOf(PREVENTS, facts);
  if (fault !== null) return { check: 'POLICY', verdict: 'FAIL', message: fault };
  const doubt = firstOf(REDUCES, facts);
  if (doubt !== null) return { check: 'POLICY', verdict: 'WARN', message: doubt };
  const { allowedPerSecond, durationSeconds } = facts;
  const message = `The hosts' owners allow ${allowedPerSecond} calls a second, ${durationSeconds} s each; names are judged there.`;
  return { check: 'POLICY', verdict: 'PASS', message };
}

function firstOf(sentences: readonly Sentence[], facts: Facts): string | null {
  for (const sentence of sentences) {
    const said = sentence(facts);
    if (said !== null) return said;
  }
  return null;
}

function factsOf(c: Circumstances): Facts {
  const { config, buildupSeconds, durationSeconds, workers } = c;
  return {
    durationSeconds,
    workers,
    hosts: refusedHosts(c),
    numbers: refusedNumbers(c),
    callsPerSecond: busiest(config, c).callsPerSecond,
    allowedPerSecond: workers.reduce((sum, { policy }) => sum + policy.maxCallsPerSecond, 0),
    minutes: (testEndpoints(config) * (buildupSeconds + durationSeconds)) / 60,
  };
}

/** Only numeric hosts: names are resolved by the agents' DNS. */
function refusedHosts({ config, registrars, workers }: Circumstances): HostRefusal[] {
  const judges = workers.map((worker) => {
    const mayReach = inNetworks(worker.policy.targetNetworks);
    return { ...worker, refuses: (host: string) => !mayReach(host) };
  });
  return config.groups.flatMap((group) => {
    const hosts = targetsOf(group, registrars).flatMap((uri) => sipHost(uri)?.host ?? []);
    return hosts.filter((host) => isIP(host) !== 0).flatMap((host) => refusalsOf(group, judges, host, host));
  });
}

function targetsOf({ callee, registrarId }: Group, registrars: Circumstances['registrars']): string[] {
  const registrar = registrars.get(registrarId);
  return [
    ...(callee.mode === 'EXTERNAL_URI' ? [callee.uri, ...(callee.uris ?? [])] : []),
    ...(registrar && !registrar.isCloud ? [registrar.outboundProxyUri ?? registrar.uri] : []),
    ...(registrar?.gateways ?? []).map((gateway) => `sip:${gateway}`),
  ];
}

function refusedNumbers({ config, registrars, accounts, workers }: Circumstances): HostRefusal[] {
  const dialled = dialledUris(config, registrars, accounts);
  const budget = preflightBudget();
  // The agents of a fleet have the same policy.
  const rules = new Map<string, Judge['refuses']>();
  const judges = workers.map((worker) => {
    const { refusedNumbers, allowedNumbers, outsideLinePrefixes } = worker.policy;
    const text = JSON.stringify([refusedNumbers, allowedNumbers, outsideLinePrefixes]);
    const refusing = rules.get(text) ?? refuses(worker.policy, budget);
    rules.set(text, refusing);
    return { ...worker, refuses: refusing };
  });
  return config.groups.flatMap((group) =>
    (dialled.get(group.id) ?? []).flatMap(({ uri, number }) => refusalsOf(group, judges, uri, number)),
  );
}

/** One, by the first of those that may carry the group and refuse the address; none: all of them take it. */
function refusalsOf(group: Group, judges: readonly Judge[], uri: string, what: string): HostRefusal[] {
  const carriers = judges.filter((w) => group.subPopulations.some((s) => w.carries.includes(s.id)));
  const refusing = carriers.filter((w) => w.refuses(uri));
  const byAll = refusing.length === carriers.length;
  return refusing.slice(0, 1).map(({ name }) => ({ what, group: group.name, by: name, byAll }));
}
