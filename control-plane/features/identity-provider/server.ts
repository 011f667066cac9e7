/** What a log-in through an identity provider adds to the control plane. */
import type { EntranceName, KnownName } from '../../contract/catalogue.ts';
import type { Entrances, Handlers } from '../../operations/request/perform.ts';
import type { Hooks } from '../../ports.ts';
import {
  beginConnecting,
  beginProviderProof,
  beginSignIn,
  connectIdentity,
  disconnectIdentity,
  dropOldSignIns,
  getIdentity,
  proofByProvider,
  proveMeByProvider,
  signIn,
} from './operations/provider.ts';
import type { ROWS } from './rows.ts';

type Name = keyof typeof ROWS;

export const ENTRANCES: Pick<Entrances, Name & EntranceName> = { beginSignIn, signIn };

export const HANDLERS: Pick<Handlers, Name & KnownName> = {
  getIdentity,
  beginConnecting,
  connectIdentity,
  disconnectIdentity,
  beginProviderProof,
  proveMeByProvider,
};

export const HOOKS: Hooks = {
  retain: dropOldSignIns,
  entrance: ({ provider }) => ({ provider: provider?.name ?? null }),
  proof: proofByProvider,
};
