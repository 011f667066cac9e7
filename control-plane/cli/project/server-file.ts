/**
 * Converts the API's answers about a project to the file's format. Secrets, which it does not return, become names of
 * variables. Pure.
 */
import { hasBuildup } from '@carillon/proto/load/shapes/shapes.ts';
import type { Output } from '../../contract/catalogue.ts';
import { PROBE_FIELDS } from '../../contract/fields.ts';
import { WrittenRegistrar } from '../../contract/provision.ts';
import { PROBE_SETTINGS, settingsOf, TEST_SETTINGS } from '../../contract/test-settings/settings.ts';
import { namesOf, type ServerProject, type ServerRegistrar } from './server-project.ts';

type Group = Output<'getTest'>['groups'][number];
type Placement = Group['placement'];

const variable = (...parts: readonly string[]): string =>
  parts
    .join('_')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_');

/** The file that is read as a project's file, with `mediaFolder` beside it. */
export function fileOf(server: ServerProject, mediaFolder = 'media') {
  const registrar = namesOf(
    'registrar',
    server.registrars.map(({ id, slug }) => ({ id, name: slug })),
  );
  const account = namesOf(
    'SIP account',
    server.registrars.flatMap(({ accounts }) => accounts.map(({ id, username }) => ({ id, name: username }))),
  );
  const worker = namesOf('worker', server.workers);
  const recording = namesOf('recording', server.mediaFiles);
  const placement = (p: Placement) => (p.mode === 'REGION' ? p : { mode: p.mode, workers: p.workerIds.map(worker) });

  const group = (groups: readonly Group[]) => {
    const name = namesOf('group', groups);
    return ({ id: _, registrarId, callee, placement: where, mediaTracks, subPopulations, ...settings }: Group) => ({
      ...settings,
      registrar: registrar(registrarId),
      callee: callee.mode === 'GROUP' ? { mode: callee.mode, group: name(callee.groupId) } : callee,
      placement: placement(where),
      mediaTracks: mediaTracks.map(({ id: _id, mediaFileId, ...track }) => ({
        ...track,
        mediaFile: mediaFileId && recording(mediaFileId),
      })),
      subPopulations: subPopulations.map(({ id: _id, sipAccountIds, ...s }) => ({
        ...s,
        sipAccounts: sipAccountIds?.map(account) ?? null,
      })),
    });
  };
  const probeSlug = namesOf(
    'probe',
    server.probes.map(({ id, slug }) => ({ id, name: slug })),
  );
  return {
    slug: server.project.slug,
    name: server.project.name,
    description: server.project.description,
    mediaFiles: server.mediaFiles.map(({ name }) => ({ name, file: `${mediaFolder}/${fileName(name)}` })),
    registrars: server.registrars.filter(({ isCloud }) => !isCloud).map(registrarOf),
    tests: server.tests.map((t) => ({
      slug: t.slug,
      name: t.name,
      description: t.description,
      // For other shapes, the build-up follows from the load.
      ...(hasBuildup(t.load) && { buildup: t.buildup }),
      durationSeconds: t.durationSeconds,
      maxExecutionSeconds: t.maxExecutionSeconds,
      ...settingsOf(TEST_SETTINGS, t as never),
      groups: t.groups.map(group(t.groups)),
      thresholds: t.thresholds,
    })),
    probes: server.probes.map((p) => ({
      slug: p.slug,
      name: p.name,
      description: p.description,
      ...probeFields(p),
      parent: p.parentProbeId === null ? null : probeSlug(p.parentProbeId),
      test: {
        registrar: registrar(p.test.registrarId),
        callee: p.test.callee,
        placement: placement(p.test.placement),
        ...settingsOf(PROBE_SETTINGS, p.test as never),
      },
      thresholds: p.thresholds.map(({ id: _, ...threshold }) => threshold),
    })),
    webhooks: (server.webhooks ?? []).map(({ url, format, events }, i) => ({
      url,
      format,
      events,
      secret: `env:${variable('webhook', String(i + 1), 'secret')}`,
    })),
  };
}

const probeFields = (p: ServerProject['probes'][number]) =>
  Object.fromEntries(Object.keys(PROBE_FIELDS).map((name) => [name, p[name as keyof typeof PROBE_FIELDS]]));

const REGISTRAR_FIELDS = Object.keys(WrittenRegistrar.shape).filter((name) => name !== 'tls' && name !== 'sipAccounts');

function registrarOf(server: ServerRegistrar) {
  const { slug, tls, accounts } = server;
  return {
    ...Object.fromEntries(REGISTRAR_FIELDS.map((name) => [name, server[name as keyof ServerRegistrar]])),
    tls: tls && {
      verify: tls.verify,
      ca: tls.ca,
      certificate: tls.certificate,
      ...(tls.hasKey && { key: `env:${variable('tls', slug, 'key')}` }),
    },
    sipAccounts: accounts.map(({ username, authName, displayName, number, values, secret }) => ({
      username,
      ...(secret === 'PASSWORD' && { password: `env:${variable('sip', slug, username)}` }),
      ...(secret === 'HA1' && { ha1: `env:${variable('sip', slug, username, 'ha1')}` }),
      authName,
      displayName,
      number,
      values,
    })),
  };
}

/** The name of a recording may have any characters. */
export const fileName = (name: string): string =>
  name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '') || 'recording';
