/** The provisioning file of a lab: one organization, one project, tests in three shapes. A test's name is its slug. */
import { stringify } from 'yaml';
import type * as z from 'zod';
import type { ProvisionFile } from '../../../control-plane/contract/provision.ts';
import type { GroupSettings } from '../../../control-plane/contract/test-settings/settings.ts';

export type FileInput = z.input<typeof ProvisionFile>;
export type OrganizationInput = NonNullable<FileInput['organizations']>[number];
export type WorkerInput = NonNullable<OrganizationInput['workers']>[number];
type ProjectInput = NonNullable<OrganizationInput['projects']>[number];
export type TestInput = NonNullable<ProjectInput['tests']>[number];
export type ProbeInput = NonNullable<ProjectInput['probes']>[number];
export type RegistrarInput = NonNullable<ProjectInput['registrars']>[number];
type GroupInput = NonNullable<TestInput['groups']>[number];

export type MediaInput = Partial<Pick<GroupInput, keyof GroupSettings | 'mediaTracks'>>;

/** SIPp receives us, if anything, and sends nothing: a group that only sends expects no audio. */
export const SPEAKS_ONLY = {
  mediaTracks: [{ kind: 'AUDIO', source: 'TONE', direction: 'SEND' }],
} as const satisfies MediaInput;

export type Shape = {
  readonly endpoints: number;
  /** Absent: one each. */
  readonly calls?: number | null;
  readonly durationSeconds: number;
  readonly buildup?: number;
  /** Slug; absent: the built-in one. */
  readonly registrar?: string;
  /** Names of workers; absent: all. */
  readonly workers?: readonly string[];
  readonly sipAccounts?: readonly string[];
  /** The group's settings of media, signalling and actions; absent: PCMU, a tone, the simple call. */
  readonly media?: MediaInput;
  readonly load?: TestInput['load'];
  readonly breaker?: TestInput['breaker'];
  readonly abortOn?: TestInput['abortOn'];
};

const group = (
  name: string,
  role: 'CALLER' | 'CALLEE',
  callee: GroupInput['callee'],
  { endpoints, calls = 1, registrar = 'cloud', workers, sipAccounts, media }: Shape,
): GroupInput => ({
  name,
  registrar,
  callee,
  placement: workers ? { mode: 'WORKERS', workers: [...workers] } : { mode: 'REGION', region: 'local' },
  ...media,
  subPopulations: [{ name: 'all', role, endpoints, calls, ...(sipAccounts && { sipAccounts: [...sipAccounts] }) }],
});

const test = (
  slug: string,
  { buildup = 0, durationSeconds, load, breaker, abortOn }: Shape,
  groups: GroupInput[],
): TestInput => ({
  slug,
  name: slug,
  buildup,
  durationSeconds,
  ...(load && { load }),
  ...(breaker !== undefined && { breaker }),
  ...(abortOn && { abortOn }),
  groups,
});

/** Callers that call an external number. */
export const callsTo = (uri: string, slug: string, shape: Shape): TestInput =>
  test(slug, shape, [group('callers', 'CALLER', { mode: 'EXTERNAL_URI', uri }, shape)]);

export type Target = {
  readonly name: string;
  readonly uri: string;
  readonly media?: MediaInput;
  /** Of its group; absent: as the shape says. */
  readonly endpoints?: number;
};

/** A separate group of callers for each target. */
export const callsToEach = (targets: readonly Target[], slug: string, shape: Shape): TestInput =>
  test(
    slug,
    shape,
    targets.map(({ name, uri, media = shape.media ?? {}, endpoints = shape.endpoints }) =>
      group(name, 'CALLER', { mode: 'EXTERNAL_URI', uri }, { ...shape, media, endpoints }),
    ),
  );

/** As many callees as callers; `callees`: different settings of theirs. */
export const callsAmongAgents = (slug: string, shape: Shape, callees: Partial<Shape> = {}): TestInput =>
  test(slug, shape, [
    group('callers', 'CALLER', { mode: 'GROUP', group: 'callees' }, shape),
    group('callees', 'CALLEE', { mode: 'RECEIVE' }, { ...shape, ...callees }),
  ]);

/** Callees that wait for external callers: with the built-in registrar for anybody, otherwise for those of the registrar. */
export const receives = (slug: string, shape: Shape): TestInput => {
  const media = { ...(shape.registrar === undefined && { callsFrom: 'ANYBODY' as const }), ...shape.media };
  return test(slug, shape, [group('callees', 'CALLEE', { mode: 'RECEIVE' }, { ...shape, media })]);
};

export type LabProvision = {
  readonly apiKey: string;
  readonly workers: readonly WorkerInput[];
  readonly tests: readonly TestInput[];
  readonly registrars?: readonly RegistrarInput[];
  readonly probes?: readonly ProbeInput[];
  /** The key of a read-only user. */
  readonly viewerKey?: string;
};

export const PROJECT = 'lab';
const VIEWER = 'viewer@lab.example';

export const labOrganization = ({
  apiKey,
  workers,
  tests,
  registrars = [],
  probes = [],
  viewerKey,
}: LabProvision): OrganizationInput => ({
  slug: 'lab',
  name: 'Lab',
  users: [
    { email: 'owner@lab.example', name: 'Owner', role: 'OWNER' },
    ...(viewerKey ? [{ email: VIEWER, name: 'Viewer', role: 'VIEWER' as const }] : []),
  ],
  apiKeys: [
    { name: 'tests', user: 'owner@lab.example', key: apiKey },
    ...(viewerKey ? [{ name: 'viewer', user: VIEWER, key: viewerKey }] : []),
  ],
  workers: [...workers],
  projects: [{ slug: PROJECT, name: PROJECT, registrars: [...registrars], tests: [...tests], probes: [...probes] }],
});

export const provisionText = (...organizations: OrganizationInput[]): string =>
  stringify({ organizations } satisfies FileInput);
