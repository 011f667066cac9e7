/** SIP registrars and the accounts that endpoints register with. */
import * as z from 'zod';
import { Id, Timestamp, Version } from '../envelope.ts';
import { Name, Protocol, RegistrarSlug, SipPassword, SipUri, SipUsername, WebSocketPath } from '../fields.ts';
import { Tls, ToldTls } from '../test/tls.ts';
import { PROTOCOLS } from '../words.ts';

export const Registrar = z
  .object({
    id: Id,
    slug: z.string(),
    name: z.string(),
    uri: z.string().describe('SIP URI'),
    protocol: z.enum(PROTOCOLS),
    dns: z.boolean().describe('whether the host of the URI is resolved by RFC 3263'),
    outboundProxyUri: z.string().nullable(),
    webSocketPath: z.string().nullable().describe('of WS and WSS: where the server has its WebSocket; null: /'),
    tls: ToldTls.nullable(),
    isCloud: z.boolean().describe('the built-in one: no SIP server, agents call each other'),
    register: z.boolean().describe('false: a trunk, calls go to its URI without registration'),
    sipAccountCount: z.int(),
    version: Version,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Registrar' });

const Written = {
  name: Name,
  uri: SipUri,
  protocol: Protocol,
  register: z.boolean(),
  outboundProxyUri: SipUri.nullable(),
  webSocketPath: WebSocketPath.nullable(),
  tls: Tls.nullable(),
};

export const NewRegistrar = {
  slug: RegistrarSlug.optional().describe('absent: made from the name'),
  ...Written,
  protocol: Protocol.default('UDP'),
  register: z.boolean().default(true),
  outboundProxyUri: SipUri.nullable().default(null),
  webSocketPath: WebSocketPath.nullable().default(null),
  tls: Tls.nullable().prefault(null),
};
export const RegistrarChange = z.object(Written).partial().shape;

export const SipAccount = z
  .object({ id: Id, username: z.string(), createdAt: Timestamp })
  .meta({ id: 'SipAccount', description: 'Its password is never told.' });

const MOST_SIP_ACCOUNTS = 10_000;

export const NewSipAccounts = {
  sipAccounts: z
    .array(z.strictObject({ username: SipUsername, password: SipPassword }))
    .min(1)
    .max(MOST_SIP_ACCOUNTS),
};
export const SipAccountChange = { username: SipUsername.optional(), password: SipPassword.optional() };

export const CreatedSipAccounts = z
  .object({ sipAccounts: z.array(z.object({ id: Id, username: z.string() })).describe('in the order of the request') })
  .meta({ id: 'CreatedSipAccounts' });
