/**
 * A project as comparable documents: one for each thing, by kind and key. Lists whose items have names are tables. The same
 * function converts the file and the API's answers. Pure.
 */
import { hasBuildup } from '@carillon/proto/load/shapes/shapes.ts';
import { shownUrl } from '../../contract/notify/formats.ts';
import type { FileProbe, FileRegistrar, FileTest, ProjectFile } from '../../contract/project-file.ts';
import { accountName, type FileSecrets, keyName } from './secrets.ts';

export const KINDS = ['project', 'recording', 'registrar', 'test', 'probe', 'webhook'] as const;
export type DocumentKind = (typeof KINDS)[number];
export type Document = Readonly<Record<string, unknown>>;
export type Documents = ReadonlyMap<
  string,
  { readonly kind: DocumentKind; readonly key: string; readonly body: Document }
>;

const byName = <T extends object>(items: readonly T[], key: (item: T) => string): Record<string, T> =>
  Object.fromEntries(items.map((item) => [key(item), { ...item }]));

export function documentsOf(
  file: ProjectFile,
  secrets: FileSecrets,
  sha256Of: (recording: string) => string,
): Documents {
  const documents = new Map<string, { kind: DocumentKind; key: string; body: Document }>();
  const add = (kind: DocumentKind, key: string, body: Document) => documents.set(`${kind} ${key}`, { kind, key, body });
  add('project', file.slug, { name: file.name ?? file.slug, description: file.description });
  for (const { name } of file.mediaFiles) add('recording', name, { sha256: sha256Of(name) });
  for (const { slug, ...registrar } of file.registrars) add('registrar', slug, registrarBody(slug, registrar, secrets));
  for (const { slug, ...test } of file.tests) add('test', slug, testBody(test));
  for (const { slug, thresholds, ...probe } of parentsFirst(file.probes))
    add('probe', slug, { ...probe, thresholds: byName(thresholds, (t) => t.metricKey) });
  for (const webhook of file.webhooks) {
    const url = shownUrl(webhook);
    const taken = [...documents.keys()].filter((key) => key.startsWith(`webhook ${url}`)).length;
    add('webhook', taken === 0 ? url : `${url} (${taken + 1})`, {
      format: webhook.format,
      events: [...webhook.events].sort(),
    });
  }
  return documents;
}

const registrarBody = (
  slug: string,
  { tls, sipAccounts, ...registrar }: Omit<FileRegistrar, 'slug'>,
  secrets: FileSecrets,
): Document => ({
  ...registrar,
  tls: tls && {
    verify: tls.verify,
    ca: tls.ca,
    certificate: tls.certificate,
    key: secrets.kindOf(keyName(slug)) !== null,
  },
  sipAccounts: byName(
    sipAccounts.map(({ password: _, ha1: __, ...account }) => ({
      ...account,
      secret: secrets.kindOf(accountName(slug, account.username)) ?? 'NONE',
    })),
    (account) => account.username,
  ),
});

const testBody = ({ buildup, groups, thresholds, ...test }: Omit<FileTest, 'slug'>): Document => ({
  ...test,
  // For other shapes, the build-up follows from the load.
  ...(hasBuildup(test.load) && { buildup }),
  groups: byName(
    groups.map((group) => ({ ...group, subPopulations: byName(group.subPopulations, (s) => s.name) })),
    (group) => group.name,
  ),
  thresholds: byName(thresholds, (t) => t.metricKey),
});

/** A probe is created after its parent. */
function parentsFirst(probes: readonly FileProbe[]): readonly FileProbe[] {
  const ordered: FileProbe[] = [];
  const slugs = new Set<string>();
  for (let rest = [...probes]; rest.length > 0; ) {
    const free = rest.filter(({ parent }) => parent === null || slugs.has(parent));
    // The parents form a cycle: the server reports this error.
    if (free.length === 0) return [...ordered, ...rest];
    for (const probe of free) slugs.add(probe.slug);
    ordered.push(...free);
    rest = rest.filter(({ slug }) => !slugs.has(slug));
  }
  return ordered;
}
