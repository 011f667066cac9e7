/** SIP registrars and the accounts that endpoints register with. */
import * as z from 'zod';
import { Id, Timestamp, Version } from '../envelope.ts';
import {
  CHANGED_SIP_ACCOUNT,
  Name,
  Protocol,
  REGISTRAR_FIELDS,
  RegistrarSlug,
  SipUri,
  WrittenSipAccount,
} from '../fields.ts';
import { Tls, TlsAnswer } from '../test-settings/tls.ts';
import { ACCOUNT_SECRETS, PROTOCOLS } from '../test-settings/words.ts';

export const Registrar = z
  .object({
    id: Id,
    slug: z.string(),
    name: z.string(),
    uri: z.string().describe('SIP URI'),
    protocol: z.enum(PROTOCOLS),
    dns: z.boolean().describe('whether the host of the URI is resolved by RFC 3263'),
    outboundProxyUri: z.string().nullable(),
    webSocketPath: z.string().nullable().describe("of WS and WSS: path of the server's WebSocket; null: /"),
    domain: z.string().nullable(),
    gateways: z.array(z.string()),
    sourceAddress: z.string().nullable(),
    tls: TlsAnswer.nullable(),
    isCloud: z.boolean().describe('the built-in one: no SIP server, agents call each other'),
    register: REGISTRAR_FIELDS.register,
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
  register: REGISTRAR_FIELDS.register,
  outboundProxyUri: REGISTRAR_FIELDS.outboundProxyUri,
  webSocketPath: REGISTRAR_FIELDS.webSocketPath,
  domain: REGISTRAR_FIELDS.domain,
  gateways: REGISTRAR_FIELDS.gateways,
  sourceAddress: REGISTRAR_FIELDS.sourceAddress,
  tls: Tls.nullable(),
};

export const NewRegistrar = {
  slug: RegistrarSlug.optional().describe('absent: derived from the name'),
  ...Written,
  protocol: Protocol.default('UDP'),
  register: Written.register.default(true),
  outboundProxyUri: Written.outboundProxyUri.default(null),
  webSocketPath: Written.webSocketPath.default(null),
  domain: REGISTRAR_FIELDS.domain.default(null),
  gateways: REGISTRAR_FIELDS.gateways.default(() => []),
  sourceAddress: REGISTRAR_FIELDS.sourceAddress.default(null),
  tls: Tls.nullable().prefault(null),
};
export const RegistrarChange = z.object(Written).partial().shape;

export const SipAccount = z
  .object({
    id: Id,
    username: z.string(),
    authName: z.string().nullable(),
    secret: z.enum(ACCOUNT_SECRETS).describe('credentials for challenges'),
    displayName: z.string().nullable(),
    number: z.string().nullable(),
    values: z.record(z.string(), z.string()),
    createdAt: Timestamp,
  })
  .meta({ id: 'SipAccount', description: 'Its password or HA1 is never returned.' });

const MAX_SIP_ACCOUNTS = 10_000;

export const NewSipAccounts = {
  sipAccounts: z.array(WrittenSipAccount).min(1).max(MAX_SIP_ACCOUNTS),
};
export const SipAccountChange = CHANGED_SIP_ACCOUNT;

export const CreatedSipAccounts = z
  .object({ sipAccounts: z.array(z.object({ id: Id, username: z.string() })).describe('in the order of the request') })
  .meta({ id: 'CreatedSipAccounts' });
