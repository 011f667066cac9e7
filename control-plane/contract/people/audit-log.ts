/** The audit log: entries with the objects that they concern, and its filters. */
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
