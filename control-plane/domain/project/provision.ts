/** The rules between the provisioning file's parts, and its tests as drafts. Pure. */

import type {
  ProvisionFile,
  ProvisionGroup,
  ProvisionOrganization,
  ProvisionProbe,
  ProvisionProject,
  ProvisionTest,
} from '../../contract/provision.ts';
import type { FileFault } from '../../contract/yaml-file.ts';
import { scheduleFaults } from '../probe/probe.ts';
import type { RegistrarPlan } from '../run/plan/plan.ts';
import { gatewayFaults } from './gateways.ts';
import { oneCall } from './one-call.ts';
import { sourceFaults } from './source-address.ts';
import { draftFaults, type GroupDraft, type Surroundings, type TestDraft, uriFaults } from './test-draft.ts';
import { tlsFaults } from './tls.ts';
import { webSocketFaults } from './web-socket.ts';

export const testDraft = (test: ProvisionTest): TestDraft => ({ ...test, groups: test.groups.map(groupDraft) });

const groupDraft = (g: ProvisionGroup): GroupDraft => ({
  ...g,
  mediaTracks: g.mediaTracks.map((t) => ({ ...t, mediaFile: null })),
  subPopulations: g.subPopulations.map((s) => ({ ...s, accounts: s.sipAccounts ?? null })),
});

export const probeDraft = (probe: ProvisionProbe): TestDraft => oneCall(probe.test, probe.mode);

const CLOUD = 'cloud';

/** Unknown names, and tests that cannot work; each has its path in the file. */
export function provisionFaults(file: ProvisionFile): FileFault[] {
  return [...sharedCredentials(file), ...secondOwners(file), ...file.organizations.flatMap(organizationFaults)];
}

/** One organization runs the installation. */
const secondOwners = ({ organizations }: ProvisionFile): FileFault[] =>
  organizations
    .flatMap(({ runsInstallation }, o) => (runsInstallation ? [o] : []))
    .slice(1)
    .map((o) => ({ path: ['organizations', o, 'runsInstallation'], message: 'is also true for another organization' }));

/** Identifying values of keys and agents must be unique in the whole file. */
function sharedCredentials({ organizations }: ProvisionFile): FileFault[] {
  const all = organizations.flatMap((organization, o) => [
    ...organization.apiKeys.map((k, i) => ({ path: ['apiKeys', i, 'key'], value: k.key.reveal(), o })),
    ...organization.workers.map((w, i) => ({ path: ['workers', i, 'joinToken'], value: w.joinToken?.reveal(), o })),
    ...organization.workers.map((w, i) => ({ path: ['workers', i, 'publicKey'], value: w.publicKey, o })),
  ]);
  const seen = new Set<string>();
  return all.flatMap(({ path, value, o }) => {
    const again = value !== undefined && seen.has(value);
    if (value !== undefined) seen.add(value);
    return again ? [{ path: ['organizations', o, ...path], message: 'is also used elsewhere in this file' }] : [];
  });
}

function organizationFaults(organization: ProvisionOrganization, o: number): FileFault[] {
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

function projectFaults(
  project: ProvisionProject,
  workers: ReadonlySet<string>,
  at: readonly PropertyKey[],
): FileFault[] {
  const probes = new Set(project.probes.map((p) => p.slug));
  const around = surroundings(project, workers);
  const below = (path: readonly PropertyKey[], faults: readonly FileFault[]): FileFault[] =>
    faults.map((f) => ({ path: [...path, ...f.path], message: f.message }));
  return [
    ...project.registrars.flatMap((r, i) => [
      ...(['uri', 'outboundProxyUri'] as const).flatMap((key) => uriFaults(r[key], [...at, 'registrars', i, key])),
      ...gatewayFaults(r, [...at, 'registrars', i, 'gateways']),
      ...sourceFaults(r, [...at, 'registrars', i, 'sourceAddress']),
      ...tlsFaults(r.tls, [...at, 'registrars', i, 'tls']),
      ...webSocketFaults(r, [...at, 'registrars', i]),
    ]),
    ...project.tests.flatMap((test, i) => below([...at, 'tests', i], draftFaults(testDraft(test), around))),
    ...project.probes.flatMap((probe, i) => {
      const path = [...at, 'probes', i];
      return [
        // The draft's one group is the probe's `test`.
        ...draftFaults(probeDraft(probe), around).map((f) => ({ ...f, path: [...path, 'test', ...f.path.slice(2)] })),
        ...(probe.parent !== null && !probes.has(probe.parent)
          ? [{ path: [...path, 'parent'], message: `no probe has the slug ${probe.parent}` }]
          : []),
        ...(probe.parent === probe.slug
          ? [{ path: [...path, 'parent'], message: 'a probe is not its own parent' }]
          : []),
        ...below(path, scheduleFaults(probe)),
      ];
    }),
  ];
}

const surroundings = (project: ProvisionProject, workers: ReadonlySet<string>): Surroundings => ({
  registrars: new Map<string, RegistrarPlan>([
    [
      CLOUD,
      {
        id: CLOUD,
        uri: 'sip:cloud',
        isCloud: true,
        register: false,
        outboundProxyUri: null,
        protocol: 'UDP',
        tls: null,
      },
    ],
    ...project.registrars.map((r): [string, RegistrarPlan] => [r.slug, { id: r.slug, isCloud: false, ...r }]),
  ]),
  workers,
  accounts: new Map(project.registrars.map((r) => [r.slug, new Set(r.sipAccounts.map((a) => a.username))])),
  columns: new Map(
    project.registrars.map((r) => [r.slug, new Set(r.sipAccounts.flatMap((a) => Object.keys(a.values)))]),
  ),
  mediaFiles: new Map(),
  words: {
    registrar: { field: 'registrar', by: 'slug' },
    workers: { field: 'workers', by: 'name' },
    accounts: 'sipAccounts',
    mediaFile: 'source',
  },
});
