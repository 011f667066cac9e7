/**
 * Data that cross between threads are cloned, and a clone loses its class: secrets are sent as text, and become secrets
 * again on the other side.
 */
import { type Opened, Secret } from '@carillon/proto/base/secret.ts';
import type { Credentials } from '../../sip/engine.ts';
import type { SharePlan } from '../plan.ts';
import type { SignallingThreadData, ToSignalling } from './thread-messages.ts';

type Allocate = Extract<ToSignalling, { readonly op: 'allocate' }>;
type CrossingMessage = Exclude<ToSignalling, Allocate> | Opened<Allocate>;
type WithSecrets = 'tls' | 'drachtio';
type CrossingData = Omit<SignallingThreadData, WithSecrets> & Opened<Pick<SignallingThreadData, WithSecrets>>;

export const openedMessage = (message: ToSignalling): CrossingMessage =>
  message.op === 'allocate' ? { ...message, plan: openedPlan(message.plan) } : message;

export const sealedMessage = (message: CrossingMessage): ToSignalling =>
  message.op === 'allocate' ? { ...message, plan: sealedPlan(message.plan) } : message;

export const openedData = ({ tls, drachtio, ...data }: SignallingThreadData): CrossingData => ({
  ...data,
  tls: withKeyOpen(tls),
  drachtio: drachtio && { ...drachtio, secret: drachtio.secret.reveal() },
});

export const sealedData = ({ tls, drachtio, ...data }: CrossingData): SignallingThreadData => ({
  ...data,
  tls: withKeySealed(tls),
  drachtio: drachtio && { ...drachtio, secret: new Secret(drachtio.secret) },
});

const openedPlan = ({ group, endpoints, ...plan }: SharePlan): Opened<SharePlan> => ({
  ...plan,
  group: { ...group, tls: group.tls && withKeyOpen(group.tls) },
  endpoints: endpoints.map(({ account, ...endpoint }) => ({
    ...endpoint,
    account: account && { ...account, credentials: account.credentials && openedCredentials(account.credentials) },
  })),
});

const sealedPlan = ({ group, endpoints, ...plan }: Opened<SharePlan>): SharePlan => ({
  ...plan,
  group: { ...group, tls: group.tls && withKeySealed(group.tls) },
  endpoints: endpoints.map(({ account, ...endpoint }) => ({
    ...endpoint,
    account: account && { ...account, credentials: account.credentials && sealedCredentials(account.credentials) },
  })),
});

const openedCredentials = ({ username, password, ha1 }: Credentials): Opened<Credentials> => ({
  username,
  password: password.reveal(),
  ...(ha1 && { ha1: ha1.reveal() }),
});

const sealedCredentials = ({ username, password, ha1 }: Opened<Credentials>): Credentials => ({
  username,
  password: new Secret(password),
  ...(ha1 && { ha1: new Secret(ha1) }),
});

const withKeyOpen = <T extends { readonly key?: Secret }>({ key, ...tls }: T) => ({
  ...tls,
  ...(key && { key: key.reveal() }),
});

const withKeySealed = <T extends { readonly key?: string }>({ key, ...tls }: T) => ({
  ...tls,
  ...(key && { key: new Secret(key) }),
});
