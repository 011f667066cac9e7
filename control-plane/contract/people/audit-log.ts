/** The audit log: entries with the objects that they concern, its filters, and what the path of an operation says about objects. */
import * as z from 'zod';
import { Id, Timestamp } from '../envelope.ts';
import { SearchText, Span } from '../run/trace.ts';

const VIAS = ['SESSION', 'KEY', 'LOGIN', 'AGENT', 'OPERATOR'] as const;
export type AuditVia = (typeof VIAS)[number];

const Kind = z.string().describe('as in paths: `projects`, `webhooks`, `sip-accounts`');

export const AuditEntry = z
  .object({
    id: Id,
    at: Timestamp,
    actor: z.string(),
    via: z.enum(VIAS),
    action: z.string().describe('the operation'),
    kind: Kind.nullable().describe('of what the action is about; null: of nothing that has a kind'),
    objects: z
      .array(z.object({ kind: Kind, id: Id, name: z.string().nullable().describe('null: it is gone') }))
      .describe('from the outermost, its project, to the innermost'),
    target: z.record(z.string(), z.string()),
    address: z.string(),
  })
  .meta({ id: 'AuditEntry' });

export const AuditFilter = {
  actor: SearchText.optional().describe('text of the name, ignoring case'),
  kind: Kind.optional(),
  action: z
    .string()
    .regex(/^\w{1,100}$/)
    .optional(),
  ...Span,
};

/** The kinds of objects that have ids, from the paths of operations: `webhooks`, because of `/webhooks/{webhookId}`. */
export const kindsIn = (paths: readonly string[]): ReadonlySet<string> =>
  new Set(paths.flatMap((path) => [...path.matchAll(/([a-z-]+)\/\{/g)].map((match) => match[1] as string)));

/** The kind of what an operation is about: that of the innermost object in its path, or of the one that it creates. */
export const kindOf = (path: string, kinds: ReadonlySet<string>): string => {
  const parts = path.split('/').slice(1);
  return parts.findLast((part) => kinds.has(part)) ?? (parts[0] as string);
};

/** The objects of a path with their ids, the innermost last. `values`: the parameters, and the `id` of a new object. */
export function objectsIn(
  path: string,
  values: Readonly<Record<string, unknown>>,
  kinds: ReadonlySet<string>,
): { readonly kind: string; readonly id: string }[] {
  const parts = path.split('/').slice(1);
  return parts.flatMap((kind, n) => {
    if (!kinds.has(kind)) return [];
    const id = values[/^\{(\w+)\}$/.exec(parts[n + 1] ?? '{id}')?.[1] ?? ''];
    return typeof id === 'string' ? [{ kind, id }] : [];
  });
}
