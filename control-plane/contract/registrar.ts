import * as z from 'zod';
import { Id, Timestamp } from './envelope.ts';

/** What the SIP engine speaks; the next engines add to it. */
export const PROTOCOLS = ['UDP'] as const;

export const Registrar = z
  .object({
    id: Id,
    name: z.string(),
    uri: z.string().describe('SIP URI'),
    protocol: z.enum(PROTOCOLS),
    dns: z.boolean().describe('whether the host of the URI is resolved by RFC 3263'),
    outboundProxyUri: z.string().nullable(),
    isCloud: z.boolean().describe('the built-in one: no SIP server, agents call each other'),
    register: z.boolean().describe('false: a trunk, calls go to its URI without registration'),
    sipAccountCount: z.int(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Registrar' });
