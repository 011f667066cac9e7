/** From the provisioning file's words (slugs, names) to the contract's (ids), and the rules between its parts. Pure. */

import type {
  ProvisionFile,
  ProvisionGroup,
  ProvisionOrganization,
  ProvisionProbe,
  ProvisionProject,
  ProvisionTest,
} from '../contract/provision.ts';
import type { Group, TestConfig } from '../contract/test.ts';
import type { Fault } from '../contract/yaml-file.ts';
import { reachFaults, testFaults } from './needs.ts';
import type { RegistrarPlan } from './plan.ts';
import { sipHost } from './sip-uri.ts';

export type References = {
  readonly registrarId: (slug: string) => string | undefined;
  readonly workerId: (name: string) => string | undefined;
  /** Ids of accounts by username, of one registrar. */
  readonly accountId: (registrarSlug: string, username: string) => string | undefined;
  readonly newId: () => string;
};

/** The test's configuration; groups and sub-populations keep the ids that `before` gave to their names. */
export function toTestConfig(test: ProvisionTest, refs: References, before: TestConfig | null): TestConfig {
  const known = new Map(before?.groups.map((g) => [g.name, g]));
  const ids = new Map(test.groups.map((g) => [g.name, known.get(g.name)?.id ?? refs.newId()]));
  return {
    groups: test.groups.map((g) => toGroup(g, refs, ids, known.get(g.name))),
    load: { shape: 'BUILDUP' },
    thresholds: test.thresholds.map(({ metricKey, greenValue, orangeValue }) => ({
      metricKey,
      greenValue,
      orangeValue,
    })),
    maxExecutionSeconds: test.maxExecutionSeconds,
  };
}

function toGroup(g: ProvisionGroup, refs: References, ids: ReadonlyMap<string, string>, before?: Group): Group {
  const subIds = new Map(before?.subPopulations.map((s) => [s.name, s.id]));
  const trackIds = before?.mediaTracks.map((t) => t.id) ?? [];
  const { callee, placement } = g;
  return {
    id: ids.get(g.name) as string,
    name: g.name,
    registrarId: refs.registrarId(g.registrar) ?? '',
    callee: callee.mode === 'GROUP' ? { mode: 'GROUP', groupId: ids.get(callee.group) ?? '' } : callee,
    placement:
      placement.mode === 'REGION'
        ? placement
        : { mode: 'WORKERS', workerIds: placement.workers.map((name) => refs.workerId(name) ?? '') },
    audioCodecs: g.audioCodecs,
    videoCodecs: [],
    encryption: 'NONE',
    rtcpMux: g.rtcpMux,
    mediaTracks: g.mediaTracks.map((t, i) => ({
      id: trackIds[i] ?? refs.newId(),
      ...t,
      mediaFileId: null,
      dscp: null,
      deferred: false,
    })),
    actions: [],
    dtmf: null,
    subPopulations: g.subPopulations.map((s) => ({
      id: subIds.get(s.name) ?? refs.newId(),
      name: s.name,
      role: s.role,
      endpoints: s.endpoints,
      sipAccountIds: s.sipAccounts?.map((username) => refs.accountId(g.registrar, username) ?? '') ?? null,
    })),
  };
}

/** A probe runs as a test of one caller. */
export const probeTest = (probe: ProvisionProbe): ProvisionTest => ({
  slug: probe.slug,
  name: probe.name,
  description: probe.description,
  buildup: 0,
  durationSeconds: probe.durationSeconds,
  maxExecutionSeconds: null,
  thresholds: [],
  groups: [
    {
      name: 'probe',
      ...probe.test,
      rtcpMux: false,
      mediaTracks: [{ kind: 'AUDIO', source: 'TONE', direction: 'BOTH' }],
      subPopulations: [{ name: 'probe', role: 'CALLER', endpoints: 1 }],
    },
  ],
});

const CLOUD = 'cloud';

/** Names that nothing has, and tests that cannot work; each with its path in the file. */
export function provisionFaults(file: ProvisionFile): Fault[] {
  return [...sharedCredentials(file), ...file.organizations.flatMap(organizationFaults)];
}

/** What tells one key or agent from another may stand once in the whole file. */
function sharedCredentials({ organizations }: ProvisionFile): Fault[] {
  const all = organizations.flatMap((organization, o) => [
    ...organization.apiKeys.map((k, i) => ({ path: ['apiKeys', i, 'key'], value: k.key, o })),
    ...organization.workers.map((w, i) => ({ path: ['workers', i, 'joinToken'], value: w.joinToken, o })),
    ...organization.workers.map((w, i) => ({ path: ['workers', i, 'publicKey'], value: w.publicKey, o })),
  ]);
  const seen = new Set<string>();
  return all.flatMap(({ path, value, o }) => {
    const again = value !== undefined && seen.has(value);
    if (value !== undefined) seen.add(value);
    return again ? [{ path: ['organizations', o, ...path], message: 'stands elsewhere in this file, too' }] : [];
  });
}

function organizationFaults(organization: ProvisionOrganization, o: number): Fault[] {
  const at = ['organizations', o];
  const emails = new Set(organization.users.map((u) => u.email));
  const projects = new Set(organization.projects.map((p) => p.slug));
  const workers = new Set(organization.workers.map((w) => w.name));
  return [
    ...organization.apiKeys.flatMap((k, i) =>
      emails.has(k.user)
        ? []
        : [{ path: [...at, 'apiKeys', i, 'user'], message: `no user has the e-mail address ${k.user}` }],
    ),
    ...organization.users.flatMap((u, i) =>
      (u.projects ?? []).flatMap((slug, j) =>
        projects.has(slug)
          ? []
          : [{ path: [...at, 'users', i, 'projects', j], message: `no project has the slug ${slug}` }],
      ),
    ),
    ...organization.projects.flatMap((p, i) => projectFaults(p, workers, [...at, 'projects', i])),
  ];
}

function projectFaults(project: ProvisionProject, workers: ReadonlySet<string>, at: readonly PropertyKey[]): Fault[] {
  const probes = new Set(project.probes.map((p) => p.slug));
  return [
    ...project.registrars.flatMap((r, i) =>
      (['uri', 'outboundProxyUri'] as const).flatMap((key) => uriFaults(r[key], [...at, 'registrars', i, key])),
    ),
    ...project.tests.flatMap((test, i) => faultsOfTest(project, test, workers, [...at, 'tests', i, 'groups'])),
    ...project.probes.flatMap((probe, i) => {
      const path = [...at, 'probes', i];
      const faults = faultsOfTest(project, probeTest(probe), workers, []);
      return [
        ...faults.map((f) => ({ path: [...path, 'test', ...f.path.slice(1)], message: f.message })),
        ...(probe.parent !== null && !probes.has(probe.parent)
          ? [{ path: [...path, 'parent'], message: `no probe has the slug ${probe.parent}` }]
          : []),
        ...(probe.scheduleType === 'FIXED_INTERVAL' && probe.fixedIntervalSec === null
          ? [{ path: [...path, 'fixedIntervalSec'], message: 'FIXED_INTERVAL needs 300, 900, 1800 or 3600 seconds' }]
          : []),
        ...(probe.scheduleType === 'CRON' && probe.cronExpression === null
          ? [{ path: [...path, 'cronExpression'], message: 'CRON needs an expression' }]
          : []),
      ];
    }),
  ];
}

/** By the function that planning reads it with. */
const uriFaults = (uri: string | null, path: readonly PropertyKey[]): Fault[] =>
  uri === null || sipHost(uri) ? [] : [{ path, message: 'is no SIP URI with a host and a port of 1 to 65535' }];

function faultsOfTest(
  project: ProvisionProject,
  test: ProvisionTest,
  workers: ReadonlySet<string>,
  at: readonly PropertyKey[],
): Fault[] {
  const registrars = new Map(project.registrars.map((r) => [r.slug, r]));
  const named = test.groups.flatMap((g, i) => {
    const path = [...at, i];
    const accounts = new Set(registrars.get(g.registrar)?.sipAccounts.map((a) => a.username));
    return [
      ...(g.callee.mode === 'EXTERNAL_URI' ? uriFaults(g.callee.uri, [...path, 'callee', 'uri']) : []),
      ...(g.registrar === CLOUD || registrars.has(g.registrar)
        ? []
        : [{ path: [...path, 'registrar'], message: `no registrar has the slug ${g.registrar}` }]),
      ...(g.placement.mode === 'WORKERS'
        ? g.placement.workers.flatMap((name, j) =>
            workers.has(name)
              ? []
              : [{ path: [...path, 'placement', 'workers', j], message: `no worker has the name ${name}` }],
          )
        : []),
      ...g.subPopulations.flatMap((s, j) =>
        (s.sipAccounts ?? []).flatMap((username, k) =>
          accounts.has(username)
            ? []
            : [
                {
                  path: [...path, 'subPopulations', j, 'sipAccounts', k],
                  message: `${g.registrar} has no account ${username}`,
                },
              ],
        ),
      ),
    ];
  });
  if (named.length > 0) return named;
  // Slugs and names stand in for ids: the rules between groups do not care.
  let n = 0;
  const config = toTestConfig(
    test,
    { registrarId: (s) => s, workerId: (s) => s, accountId: (_r, u) => u, newId: () => `id-${n++}` },
    null,
  );
  const plans = new Map<string, RegistrarPlan>([
    [CLOUD, { id: CLOUD, uri: 'sip:cloud', isCloud: true, register: false, outboundProxyUri: null }],
    ...project.registrars.map((r): [string, RegistrarPlan] => [r.slug, { id: r.slug, isCloud: false, ...r }]),
  ]);
  return [...testFaults(config), ...reachFaults(config, plans)].map((f) => ({
    path: [...at, ...pathOf(f.path).slice(1)],
    message: f.message,
  }));
}

/** `groups[0].callee.uri` as keys. */
const pathOf = (path: string): PropertyKey[] =>
  path.split(/[.[\]]+/).flatMap((key) => (key === '' ? [] : [/^\d+$/.test(key) ? Number(key) : key]));
